"""Two lines beside each other: where they cross and move in parallel; and the scale that a passage keeps to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES, TINY, Columns
from libretto.score import QUARTER
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints

__all__ = [
    "PARALLEL_EVIDENCE",
    "SCALES",
    "LinePair",
    "line_pairs",
    "most_alike",
    "parallel_evidence",
    "passages",
    "running_sum",
    "times_among",
    "times_of",
    "unit_rows",
    "windows",
]

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


_MAJOR, _MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11)  # semitones above the tonic
_IN_DOUBT = 0.01  # of what sounds: so much less is held by a harmonic minor scale, so that major wins where both fit
_NEAREST = 3  # bars that speak for how alike a bar is to others


def _scales() -> Bools:
    """The 24 major and harmonic minor scales as sets of pitch classes: major on C to B, then minor."""
    sets = [(steps, tonic) for steps in (_MAJOR, _MINOR) for tonic in range(CLASSES)]
    table = np.zeros((len(sets), CLASSES), dtype=np.bool_)
    for row, (steps, tonic) in enumerate(sets):
        table[row, [(step + tonic) % CLASSES for step in steps]] = True
    return table


#: Which pitch classes each of the 24 scales has.
SCALES = _scales()


def running_sum(mass: Floats) -> Floats:
    """What has sounded before each bar line, so that any stretch is the difference of two rows."""
    return np.concatenate((np.zeros((1, mass.shape[1])), np.cumsum(mass, axis=0)))


def windows(mass: Floats, reach: int, *, without: bool = False) -> Floats:
    """What sounds in each bar and in so many on either side; ``without`` leaves the bar itself out."""
    edge, index = running_sum(mass), np.arange(len(mass))
    near = edge[np.minimum(index + reach + 1, len(mass))] - edge[np.maximum(index - reach, 0)]
    return np.asarray(np.maximum(near - mass, 0) if without else near)


def passages(facts: Facts, reach: int = 4, *, without: bool = False) -> tuple[Bools, Floats]:
    """For each bar the scale of the passage around it, and how much of the passage is in it (a share)."""
    near = windows(facts.bar_mass, reach, without=without)
    held = near @ SCALES.T.astype(np.float64)
    held[:, CLASSES:] -= _IN_DOUBT * near.sum(axis=1, keepdims=True)
    best = np.argmax(held, axis=1)
    inside = (near * SCALES[best]).sum(axis=1) / np.maximum(near.sum(axis=1), TINY)
    return SCALES[best], np.asarray(inside)


def times_of(codes: Ints, which: Ints) -> Ints:
    """How often the numbers of some notes come among those of all."""
    return times_among(codes, codes[which])


def times_among(codes: Ints, wanted: Ints) -> Ints:
    """How often some numbers come among all."""
    ordered = np.sort(codes)
    return np.asarray(ordered.searchsorted(wanted, side="right") - ordered.searchsorted(wanted, side="left"))


def unit_rows(rows: NDArray[np.floating[Any]], axis: int = 1) -> Floats:
    """The rows, or what lies along another axis, each scaled to length one: a product of two is their cosine."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=axis, keepdims=True), TINY))


def most_alike(mine: Floats, all_bars: Floats) -> Floats:
    """How like each bar the most alike of the others are: the mean of the best three."""
    like = mine @ all_bars.T
    np.fill_diagonal(like, 0)
    top = np.partition(like, -_NEAREST, axis=1)[:, -_NEAREST:] if like.shape[1] > _NEAREST else like
    return np.asarray(top.mean(axis=1), dtype=np.float64)
