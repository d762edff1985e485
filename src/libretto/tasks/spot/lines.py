"""Two lines beside each other: where they sound together, cross, and move in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from libretto.score.facts import Bools, Facts, Floats, Ints
from libretto.tasks.spot.notes import NOTE_EVIDENCE

__all__ = ["PARALLEL_EVIDENCE", "LinePair", "line_pairs", "parallel_evidence"]

_MOST_LINES = 8


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
    found = (_pair(facts, high, low) for high, low in combinations(lines, 2))
    return [pair for pair in found if pair is not None]


def _pair(facts: Facts, high: int, low: int) -> LinePair | None:
    tops, bottoms = _single(facts, high), _single(facts, low)
    time, a, b = np.intersect1d(facts.onset[tops], facts.onset[bottoms], return_indices=True)
    if len(time) < 16:
        return None
    upper, lower = tops[a], bottoms[b]
    together = np.minimum(facts.end[upper], facts.end[lower]) - time
    share = together / np.maximum(facts.duration[upper], facts.duration[lower])
    gap = facts.pitch[upper] - facts.pitch[lower]
    up, down = np.diff(facts.pitch[upper]), np.diff(facts.pitch[lower])
    close = np.diff(time) <= 4 * 40320
    moving = np.flatnonzero((up != 0) & (down != 0) & close)
    same = (up == down) & np.isin(gap[:-1] % 12, (0, 7)) & (gap[:-1] != 0)
    if len(moving) and (up[moving] == down[moving]).mean() > 0.5:
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


def parallel_evidence(facts: Facts, notes: Floats) -> tuple[Floats, Ints]:
    """One row a run of parallel perfect intervals, and the note of the upper line at which it begins."""
    rows, starts = [], []
    column = NOTE_EVIDENCE.index
    for pair in line_pairs(facts):
        total = int(pair.parallel.sum())
        for first, last in _runs(pair):
            size = last - first + 1
            steps = np.append(pair.moves[first : last + 1], pair.moves[last] + 1)
            mine = notes[pair.upper[steps]]
            gap = int(facts.pitch[pair.upper[steps[0]]] - facts.pitch[pair.lower[steps[0]]])
            elsewhere = (total - size + 0.25) / max(len(pair.moves) - size, 1)
            rows.append(
                [
                    min(size, 6),
                    np.log2(max(elsewhere, 1e-4)),
                    np.log2(len(pair.moves) + 1),
                    float(gap % 12 == 7),
                    np.abs(np.diff(facts.pitch[pair.upper[steps]])).mean(),
                    mine[:, column("rare in the piece")].mean(),
                    mine[:, column("twins contradict")].mean(),
                    mine[:, column("seldom at its place")].mean(),
                    np.abs(np.diff(facts.pitch[pair.lower[steps]])).mean(),
                    mine[:, column("length")].mean(),
                ]
            )
            starts.append(int(pair.upper[steps[0]]))
    table = np.array(rows, dtype=np.float64).reshape(-1, len(PARALLEL_EVIDENCE))
    return table, np.array(starts, dtype=np.int64)


def _runs(pair: LinePair) -> list[tuple[int, int]]:
    """Where parallel moves follow each other at once, as first and last index among the moves."""
    found: list[tuple[int, int]] = []
    for index in np.flatnonzero(pair.parallel).tolist():
        if found and found[-1][1] == index - 1 and pair.moves[index] == pair.moves[index - 1] + 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return found
