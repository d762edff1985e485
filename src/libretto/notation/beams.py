"""Beams: which notes hang together, by the beats of the meter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from libretto.notation.rhythm import FLAGS, Piece, beat_borders
from libretto.score import QUARTER, Meter

__all__ = ["beams"]


def beams(pieces: Sequence[Piece], meter: Meter) -> dict[int, list[str]]:
    """For each piece under a beam, by index: what every beam does there, the outermost first."""
    drawn: dict[int, list[str]] = {}
    for group in _groups(pieces, meter):
        flags = [FLAGS[pieces[index].kind] for index in group]
        for place, index in enumerate(group):
            drawn[index] = [_beam(flags, place, level) for level in range(1, flags[place] + 1)]
    return drawn


def _groups(pieces: Sequence[Piece], meter: Meter) -> list[list[int]]:
    """Runs of flagged notes within a beat; four plain eighths hang together over half a bar."""
    groups: list[tuple[object, list[int]]] = []
    for index, piece in enumerate(pieces):
        if piece.span is None or piece.kind not in FLAGS:
            groups.append((None, []))
            continue
        key = piece.tuplet or bisect_right(beat_borders(meter), piece.start)
        if groups and groups[-1][1] and groups[-1][0] == key:
            groups[-1][1].append(index)
        else:
            groups.append((key, [index]))
    beamed: list[list[int]] = []
    for _, group in groups:
        if beamed and group and _joins(pieces, beamed[-1], group, meter):
            beamed[-1] = beamed[-1] + group
        else:
            beamed.append(group)
    return [group for group in beamed if len(group) > 1]


def _joins(pieces: Sequence[Piece], left: Sequence[int], right: Sequence[int], meter: Meter) -> bool:
    """Whether two pairs of eighths fill one half of a bar in four."""
    if meter.unit != 4 or meter.beats % 2 or len(left) != 2 or len(right) != 2:
        return False
    group = [pieces[index] for index in (*left, *right)]
    even = all(p.kind == "eighth" and not p.dots and p.tuplet is None for p in group)
    return even and group[0].start % (2 * QUARTER) == 0 and group[-1].stop - group[0].start == 2 * QUARTER


def _beam(flags: Sequence[int], place: int, level: int) -> str:
    before = place > 0 and flags[place - 1] >= level
    after = place + 1 < len(flags) and flags[place + 1] >= level
    if before:
        return "continue" if after else "end"
    return "begin" if after else ("backward hook" if place else "forward hook")
