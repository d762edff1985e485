"""Cells: what one voice writes in one bar, so that two versions of a piece can be held against each other.

A note that lasts over bar lines is one segment in every bar that it reaches; its neighbours there are told by ties.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from libretto.score import Note, Voice

__all__ = ["Pair", "Segment", "cells_of", "paired"]


class Segment(NamedTuple):
    """What a note is within one bar: from when, how long, and whether it comes from before and goes on after."""

    at: int
    length: int
    pitch: int
    velocity: int
    spelling: int
    tie_in: bool
    tie_out: bool


Pair = tuple[Segment, Segment | None] | tuple[None, Segment]  #: an old and a new segment; one may be alone


def cells_of(voice: Voice, lines: Sequence[int]) -> list[list[Segment]]:
    """The segments of every bar, in order; what rings past the last bar is cut there."""
    cells: list[list[Segment]] = [[] for _ in range(len(lines) - 1)]
    for note in voice.notes:
        stop = min(note.onset + note.duration, lines[-1])
        bar = bisect_right(lines, note.onset) - 1
        while bar < len(cells) and lines[bar] < stop:
            cells[bar].append(_segment(note, stop, lines[bar], lines[bar + 1]))
            bar += 1
    return [sorted(cell) for cell in cells]


def _segment(note: Note, stop: int, start: int, end: int) -> Segment:
    begins, ends = max(note.onset, start), min(stop, end)
    return Segment(
        begins - start, ends - begins, note.pitch, note.velocity, note.spelling, note.onset < start, stop > end
    )


def paired(old: Sequence[Segment], new: Sequence[Segment]) -> list[Pair] | None:
    """Each old segment with the new one of the same time and length; None where the rhythm is not the same.

    What rings into the bar from before may come or go: it stands alone then.
    """
    groups: defaultdict[tuple[int, int], tuple[list[Segment], list[Segment]]] = defaultdict(lambda: ([], []))
    for side, segments in enumerate((old, new)):
        for segment in segments:
            groups[segment.at, segment.length][side].append(segment)
    pairs: list[Pair] = []
    for mine, theirs in groups.values():
        mine.sort(key=_height)
        theirs.sort(key=_height)
        if len(mine) != len(theirs):
            pairs += _same_pitch(mine, theirs)
            if (mine and theirs) or not all(segment.tie_in for segment in (*mine, *theirs)):
                return None
            pairs += [(segment, None) for segment in mine] + [(None, segment) for segment in theirs]
        else:
            pairs += zip(mine, theirs, strict=True)
    return pairs


def _same_pitch(mine: list[Segment], theirs: list[Segment]) -> list[tuple[Segment, Segment]]:
    """The segments of one pitch that both sides have, taken out of them."""
    pairs = []
    for segment in list(mine):
        twin = next((other for other in theirs if other.pitch == segment.pitch), None)
        if twin is not None:
            pairs.append((segment, twin))
            mine.remove(segment)
            theirs.remove(twin)
    return pairs


def _height(segment: Segment) -> tuple[int, int, bool, bool]:
    return segment.pitch, segment.spelling, segment.tie_in, segment.tie_out
