"""Two lines beside each other: where they sound together, cross, and move in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from libretto.score import QUARTER
from libretto.score.arrays import Bools, Floats, Ints
from libretto.score.facts import Facts
from libretto.tasks.spot.columns import CLASSES, Columns

__all__ = ["PARALLEL_EVIDENCE", "LinePair", "line_pairs", "parallel_evidence"]

_MOST_LINES = 8
_LEAST_TOGETHER = 16  # notes that two lines start together, at least, to be compared
_MOST_WAIT = 4 * QUARTER  # a move that takes longer is none
_DOUBLED = 0.5  # of the moves: where more are the same, it is one line doubled
_PERFECT, _FIFTH = (0, 7), 7  # octaves and fifths, as pitch classes
_LONGEST_RUN = 6  # moves; a longer run of parallels is no worse
_ELSEWHERE = 0.25  # parallels that are taken to be elsewhere where there are none
_SELDOM = 1e-4


@dataclass(frozen=True)
class LinePair:
    """Two lines: their notes that start together, by index, the higher line first; and how they move.

    ``share`` is how long two notes sound together over the longer; ``moves`` are the steps after which both lines
    have moved, ``parallel`` which of those go from a perfect fifth or octave to the same.
    """

    upper: Ints
    lower: Ints
    time: Ints
    share: Floats
    crossings: int
    moves: Ints
    parallel: Bools


def line_pairs(facts: Facts) -> list[LinePair]:
    """Every two lines that start at least sixteen notes together and are not one line doubled."""
    lines = sorted(facts.lines.tolist(), key=lambda voice: -facts.mean_pitch[voice])
    if len(lines) > _MOST_LINES:
        size = np.bincount(facts.voice, minlength=facts.voices)
        kept = set(sorted(lines, key=lambda voice: -size[voice])[:_MOST_LINES])
        lines = [voice for voice in lines if voice in kept]
    pairs = (_pair(facts, high, low) for high, low in combinations(lines, 2))
    return [pair for pair in pairs if pair is not None]


def _pair(facts: Facts, high: int, low: int) -> LinePair | None:
    tops, bottoms = _single(facts, high), _single(facts, low)
    time, a, b = np.intersect1d(facts.onset[tops], facts.onset[bottoms], return_indices=True)
    if len(time) < _LEAST_TOGETHER:
        return None
    upper, lower = tops[a], bottoms[b]
    together = np.minimum(facts.end[upper], facts.end[lower]) - time
    share = together / np.maximum(facts.duration[upper], facts.duration[lower])
    gap = facts.pitch[upper] - facts.pitch[lower]
    up, down = np.diff(facts.pitch[upper]), np.diff(facts.pitch[lower])
    close = np.diff(time) <= _MOST_WAIT
    moving = np.flatnonzero((up != 0) & (down != 0) & close)
    same = (up == down) & np.isin(gap[:-1] % CLASSES, _PERFECT) & (gap[:-1] != 0)
    if len(moving) and (up[moving] == down[moving]).mean() > _DOUBLED:
        return None  # one line doubled
    return LinePair(upper, lower, time, share, int((gap < 0).sum()), moving, same[moving])


def _single(facts: Facts, voice: int) -> Ints:
    """One note for every onset of a line: the highest."""
    mine = np.flatnonzero(facts.voice == voice)
    onset = facts.onset[mine]
    return np.asarray(mine[np.append(np.flatnonzero(np.diff(onset)), len(mine) - 1)], dtype=np.int64)


#: What is measured of every run of parallel fifths or octaves.
PARALLEL_EVIDENCE = (
    "moves in the run",
    "parallels elsewhere",
    "moves of the pair",
    "fifths",
    "mean step",
    "surprise of the notes",
    "twins contradict",
    "seldom at their place",
    "steps of the lower",
    "length",
)


def parallel_evidence(facts: Facts, notes: Columns) -> tuple[Floats, Ints]:
    """One row a run of parallel perfect intervals, and the note of the upper line at which it begins."""
    runs = [_run(facts, notes, pair, first, last) for pair in line_pairs(facts) for first, last in _runs(pair)]
    rows = [[run[name] for name in PARALLEL_EVIDENCE] for run, _ in runs]
    table = np.array(rows, dtype=np.float64).reshape(-1, len(PARALLEL_EVIDENCE))
    return table, np.array([start for _, start in runs], dtype=np.int64)


def _run(facts: Facts, notes: Columns, pair: LinePair, first: int, last: int) -> tuple[dict[str, float], int]:
    """What is measured of one run, first to last among the moves of a pair, and the note at which it begins."""
    size = last - first + 1
    steps = np.append(pair.moves[first : last + 1], pair.moves[last] + 1)
    upper, lower = pair.upper[steps], pair.lower[steps]
    elsewhere = (int(pair.parallel.sum()) - size + _ELSEWHERE) / max(len(pair.moves) - size, 1)
    measured = {
        "moves in the run": min(size, _LONGEST_RUN),
        "parallels elsewhere": np.log2(max(elsewhere, _SELDOM)),
        "moves of the pair": np.log2(len(pair.moves) + 1),
        "fifths": float(int(facts.pitch[upper[0]] - facts.pitch[lower[0]]) % CLASSES == _FIFTH),
        "mean step": np.abs(np.diff(facts.pitch[upper])).mean(),
        "surprise of the notes": notes["rare in the piece"][upper].mean(),
        "twins contradict": notes["twins contradict"][upper].mean(),
        "seldom at their place": notes["seldom at its place"][upper].mean(),
        "steps of the lower": np.abs(np.diff(facts.pitch[lower])).mean(),
        "length": notes["length"][upper].mean(),
    }
    return measured, int(upper[0])


def _runs(pair: LinePair) -> list[tuple[int, int]]:
    """Where parallel moves follow each other at once, as first and last index among the moves."""
    runs: list[tuple[int, int]] = []
    for index in np.flatnonzero(pair.parallel).tolist():
        if runs and runs[-1][1] == index - 1 and pair.moves[index] == pair.moves[index - 1] + 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return runs
