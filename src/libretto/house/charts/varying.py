"""Drums that play one bar again and again, turned a little in every fourth: no drummer leaves it at that."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["turned"]

_LOOP = 4  # bars that may be the same in a row
_CLOSEST = QUARTER // 6  # ticks between two strokes of one hand
_SOFTER = 14  # how much softer the stroke is that is added
_HELD = (49, 52, 55, 57)  # cymbals that ring: they are not struck twice


def turned(plan: Plan, strokes: Sequence[Sketch]) -> list[Sketch]:
    """Strokes in which a bar that stands more than four times in a row ends in another way every fourth time."""
    ticks = plan.meter.ticks
    bars: dict[int, list[Sketch]] = {}
    for stroke in strokes:
        bars.setdefault(stroke.onset // ticks, []).append(stroke)

    def played(bar: int) -> frozenset[tuple[int, int]]:
        return frozenset((stroke.onset % ticks, stroke.pitch) for stroke in bars.get(bar, ()))

    for key, run in groupby(range(plan.bars), played):
        same = list(run)
        if len(key) > 1 and len(same) > _LOOP:
            bars.update((bar, _ended(bars[bar], (bar + 1) * ticks)) for bar in same[_LOOP - 1 :: _LOOP])
    return sorted(stroke for bar in bars.values() for stroke in bar)


def _ended(bar: Sequence[Sketch], end: int) -> list[Sketch]:
    """A bar with its last stroke once more, softly, halfway to the end; without it where there is no time for that."""
    last = max(stroke.onset for stroke in bar)
    struck = max((stroke for stroke in bar if stroke.onset == last), key=lambda stroke: stroke.pitch)
    after = last + min(end - last, QUARTER) // 2
    if struck.pitch in _HELD or after - last < _CLOSEST:
        return [stroke for stroke in bar if stroke is not struck]
    softer = struck._replace(onset=after, duration=min(struck.duration, end - after), accent=struck.accent - _SOFTER)
    return [*bar, softer]
