"""Drums that play the same again and again, turned a little: no drummer leaves it at that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["turned"]

_LOOP = 4  # bars that may be the same in a row
_OFTEN = 2  # times that four bars are heard as they are
_TURNS = (
    (3,),
    (1,),
    (1, 3),
    (2, 3),
    (0, 3),
    (0, 1, 3),
    (0, 2),
    (1, 2),
)  # of four bars those that are turned then
_CLOSEST = QUARTER // 6  # ticks between two strokes of one hand
_SOFTER = 14  # how much softer the stroke is that is added
_HELD = (49, 52, 55, 57)  # cymbals that ring: they are not struck twice


def turned(plan: Plan, strokes: Sequence[Sketch]) -> list[Sketch]:
    """Strokes in which a bar that stands more than four times in a row ends in another way every fourth time, and no
    four bars of a section come more than twice as they were, but where a piece is to go round."""
    ticks = plan.meter.ticks
    bars: dict[int, list[Sketch]] = {}
    for stroke in strokes:
        bars.setdefault(stroke.onset // ticks, []).append(stroke)

    def played(bar: int) -> frozenset[tuple[int, int]]:
        return frozenset((stroke.onset % ticks, stroke.pitch) for stroke in bars.get(bar, ()))

    runs = [(key, list(run)) for key, run in groupby(range(plan.bars), played)]
    closing = [bar for key, same in runs if len(key) > 1 and len(same) > _LOOP for bar in same[_LOOP - 1 :: _LOOP]]
    bars.update((bar, _ended(bars[bar], (bar + 1) * ticks)) for bar in closing)
    if not plan.goes_round:
        bars.update(_once_more(plan, bars, frozenset(closing)))
    return sorted(stroke for bar in bars.values() for stroke in bar)


def _once_more(plan: Plan, bars: Mapping[int, list[Sketch]], closing: frozenset[int]) -> dict[int, list[Sketch]]:
    """The bars that end in another way where four of them were heard twice: each time others of the four, and none that
    closes a run of the same bars as it is."""
    ticks = plan.meter.ticks
    heard: Counter[tuple[frozenset[tuple[int, int]], ...]] = Counter()
    turned_bars: dict[int, list[Sketch]] = {}
    for section in plan.sections:
        for first in range(section.first, section.end - _LOOP + 1, _LOOP):
            mine = {bar: list(bars.get(bar, ())) for bar in range(first, first + _LOOP)}
            if heard[_shape(mine, ticks)] >= _OFTEN and all(len(row) > 1 for row in mine.values()):
                ways = (
                    {bar: _turn(mine, bar, bar not in closing and bar - first in turns, ticks) for bar in mine}
                    for turns in _TURNS
                )
                mine = next((way for way in ways if not heard[_shape(way, ticks)]), mine)
                turned_bars.update((bar, row) for bar, row in mine.items() if bar < plan.bars - 1)
            heard[_shape(mine, ticks)] += 1
    return turned_bars


def _turn(bars: Mapping[int, list[Sketch]], bar: int, turns: bool, ticks: int) -> list[Sketch]:
    """A bar, ended in another way where it is to turn."""
    return _ended(bars[bar], (bar + 1) * ticks) if turns else bars[bar]


def _shape(bars: Mapping[int, Sequence[Sketch]], ticks: int) -> tuple[frozenset[tuple[int, int]], ...]:
    """What is the same of bars of drums that are the same."""
    return tuple(frozenset((stroke.onset % ticks, stroke.pitch) for stroke in row) for row in bars.values())


def _ended(bar: Sequence[Sketch], end: int) -> list[Sketch]:
    """A bar with its last stroke once more, softly, halfway to the end; without it where there is no time for that."""
    last = max(stroke.onset for stroke in bar)
    struck = max((stroke for stroke in bar if stroke.onset == last), key=lambda stroke: stroke.pitch)
    after = last + min(end - last, QUARTER) // 2
    if struck.pitch in _HELD or after - last < _CLOSEST:
        return [stroke for stroke in bar if stroke is not struck]
    softer = struck._replace(onset=after, duration=min(struck.duration, end - after), accent=struck.accent - _SOFTER)
    return [*bar, softer]
