"""Runs: a line whose longer notes end in a few quick steps to the next, as virtuosos play."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.contract.checks.where import Spans
from libretto.edits.spans import starts_in, stretches
from libretto.house.asks.notes import Row, put, rows_of, scale_at
from libretto.score import QUARTER, Score

__all__ = ["running"]

_SIXTEENTH = QUARTER // 4
_LONG = QUARTER + QUARTER // 2  # notes from which on four steps lead away, two from shorter ones
_PASSING = 8  # velocities that a passing note is softer
_BEYOND = 2  # semitones by which runs go beyond the line
_TURNS = {2: (1, -1), 4: (2, 1, 0, -1)}  # steps around a note that comes again


def running(score: Score, name: str, spans: Spans, every: int) -> Score:
    """The piece with quick steps before each ``every``-th note of a line that follows on a long one."""
    voice = score.voice(name)
    rows = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
    pitches = [row.pitch for row in rows]
    low, high = min(pitches, default=0), max(pitches, default=0)
    held = [(here, after) for here, after in pairwise(_upper(rows)) if _held(here, after)]
    made = {(row.onset, row.pitch): row for row in rows}
    for here, after in held[every - 1 :: every]:
        count = 4 if here.duration >= _LONG else 2
        start = after.onset - count * _SIXTEENTH
        made[here.onset, here.pitch] = here._replace(duration=start - here.onset)
        scale = scale_at(score, here.onset)
        rungs = [pitch for pitch in range(low - _BEYOND, high + _BEYOND) if pitch % 12 in scale or pitch == after.pitch]
        for place, pitch in enumerate(_way(rungs, here.pitch, after.pitch, count)):
            onset = start + place * _SIXTEENTH
            made[onset, pitch] = Row(onset, _SIXTEENTH, pitch, max(1, here.velocity - _PASSING))
    return put(score, name, spans, sorted(made.values()))


def _upper(rows: Sequence[Row]) -> list[Row]:
    """The highest note of each time that something is struck."""
    tops: dict[int, Row] = {}
    for row in rows:
        tops[row.onset] = max(tops.get(row.onset, row), row, key=lambda one: one.pitch)
    return [tops[onset] for onset in sorted(tops)]


def _held(here: Row, after: Row) -> bool:
    """Whether a note is long and sounds until the next."""
    return here.duration >= QUARTER and 0 <= after.onset - here.end < _SIXTEENTH and after.onset > here.onset


def _way(rungs: Sequence[int], here: int, goal: int, count: int) -> list[int]:
    """So many of some steps that lead to a note from the side of the one before, or around it; from the other side
    where there are no more."""
    at = rungs.index(goal)
    if here == goal and 0 < at < len(rungs) - 2:
        return [rungs[at + step] for step in _TURNS[count]]
    side = -1 if here < goal else 1
    side = side if 0 <= at + side * count < len(rungs) else -side
    steps = [at + side * step for step in range(count, 0, -1)]
    return [rungs[min(max(step, 0), len(rungs) - 1)] for step in steps]
