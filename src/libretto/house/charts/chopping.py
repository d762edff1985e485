"""Chopped breaks: a bar of a break that was heard a moment ago comes back cut into eighths and put together anew."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.habits import habits_of
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER, Meter

__all__ = ["chopped"]

_HABIT = "chops"  # of styles whose drummers cut up a break
_PIECES, _LATELY = 8, 4  # eighths of a bar, and the bars in which one is still in the ear
_KICKS, _SNARES, _SNARE = (35, 36), (38, 40), 38
_RINGING = (49, 52, 55, 57, 46)  # cymbals and open hats, which are not cut
_SIXTEENTH = QUARTER // 4
_SOFTER, _GHOSTS = 40, 2  # how much softer a ghost is than the snare of its bar, and how many a bar has more
# Which eighth of the break stands in which place; the first beat and the snare after it stay where they are heard.
_ORDERS = (
    (0, 1, 2, 3, 0, 5, 6, 3), (0, 5, 2, 3, 4, 5, 2, 7), (0, 1, 2, 5, 4, 2, 5, 6), (0, 3, 2, 7, 4, 5, 6, 2),
    (0, 1, 2, 3, 4, 2, 5, 6), (0, 1, 2, 6, 0, 5, 6, 7), (0, 7, 2, 3, 5, 4, 6, 7), (0, 1, 2, 3, 5, 5, 6, 2),
)  # fmt: skip
# Sudden fills where a phrase ends: which eighth is struck in every sixteenth of the last beat; a point is a hole.
_FILLS = ("2.22", "2020", "22.2", "....", "2525")
_OFTEN, _PHRASE = 0.6, 4  # of the bars that come again at the end of phrases, of so many bars, end in one


def chopped(plan: Plan, strokes: Sequence[Sketch]) -> list[Sketch]:
    """Strokes of a kit, in styles that chop, of which no bar of kicks and snares stands twice within
    four; the last bar of a piece stays."""
    if _HABIT not in habits_of(plan) or plan.meter != Meter(4, 4):
        return list(strokes)
    ticks = plan.meter.ticks
    bars: dict[int, list[Sketch]] = {}
    for stroke in strokes:
        bars.setdefault(stroke.onset // ticks, []).append(stroke)
    heard: dict[int, frozenset[tuple[int, int]]] = {}
    for bar in sorted(bars):
        lately = [heard[other] for other in range(bar - _LATELY, bar) if other in heard]
        if bar < plan.bars - 1 and _beaten(bars[bar], ticks) in lately and _is_break(bars[bar]):
            bars[bar] = _cut(plan, bar, bars[bar], lately)
        heard[bar] = _beaten(bars[bar], ticks)
    return sorted(stroke for bar in bars.values() for stroke in bar)


def _beaten(bar: Sequence[Sketch], ticks: int) -> frozenset[tuple[int, int]]:
    """What of a bar is heard as its beat: its kicks and snares."""
    return frozenset((one.onset % ticks, one.pitch) for one in bar if one.pitch in _KICKS + _SNARES)


def _is_break(bar: Sequence[Sketch]) -> bool:
    """Whether a bar has kicks and snares, two strokes of the one or the other at least."""
    kicks = sum(one.pitch in _KICKS for one in bar)
    snares = sum(one.pitch in _SNARES for one in bar)
    return bool(kicks and snares) and kicks + snares > _GHOSTS


def _cut(plan: Plan, bar: int, strokes: Sequence[Sketch], lately: Sequence[frozenset[tuple[int, int]]]) -> list[Sketch]:
    """A bar with its eighths in another order, a ghost or two more, and at the end of phrases a sudden fill now and
    then: the first way to do it that was not heard lately."""
    ticks = plan.meter.ticks
    source = dice(plan.seed, "chop", bar)
    orders = source.sample(_ORDERS, len(_ORDERS))
    ends = bar % _PHRASE == _PHRASE - 1
    fill = source.choice(_FILLS) if source.random() < _OFTEN and ends else ""
    made = list(strokes)
    for order in orders:
        made = _ghosted(plan, bar, _ordered(strokes, bar * ticks, ticks // _PIECES, order))
        made = _filled(made, strokes, (bar + 1) * ticks - QUARTER, bar * ticks, fill)
        if _beaten(made, ticks) not in lately:
            break
    return made


def _ordered(strokes: Sequence[Sketch], start: int, piece: int, order: Sequence[int]) -> list[Sketch]:
    """The kicks and snares of a bar by the pieces of an order; what rings or keeps time stays in its place."""
    moved = [one for one in strokes if one.pitch in _KICKS + _SNARES]
    kept = [one for one in strokes if one.pitch not in _KICKS + _SNARES]
    return kept + [
        one._replace(onset=one.onset + (place - taken) * piece)
        for place, taken in enumerate(order)
        for one in moved
        if (one.onset - start) // piece == taken
    ]


def _ghosted(plan: Plan, bar: int, strokes: list[Sketch]) -> list[Sketch]:
    """A bar with ghosts on the snare in sixteenths that are free of kicks and snares, and not beside one of them."""
    ticks = plan.meter.ticks
    struck = {one.onset for one in strokes if one.pitch in _KICKS + _SNARES}
    snares = [one for one in strokes if one.pitch in _SNARES]
    loud = max((one.accent for one in snares), default=0)
    offs = [tick for tick in range(bar * ticks + _SIXTEENTH, (bar + 1) * ticks, 2 * _SIXTEENTH) if tick not in struck]
    source = dice(plan.seed, "ghost", bar)
    chosen = source.sample(offs, min(len(offs), 1 + source.randrange(_GHOSTS)))
    return strokes + [Sketch(tick, _SIXTEENTH, _SNARE, loud - _SOFTER) for tick in chosen]


def _filled(made: list[Sketch], break_: Sequence[Sketch], goal: int, start: int, fill: str) -> list[Sketch]:
    """A bar whose last beat is a sudden fill of pieces of the break, or a hole, where there is a fill."""
    if not fill:
        return made
    kept = [one for one in made if one.onset < goal or one.pitch in _RINGING]
    firsts: dict[int, Sketch] = {}
    for one in sorted(break_, key=lambda stroke: -stroke.accent):
        if one.pitch in _KICKS + _SNARES:
            firsts.setdefault((one.onset - start) // (QUARTER // 2), one)
    strokes = [
        firsts[int(sign)]._replace(onset=goal + turn * _SIXTEENTH, duration=_SIXTEENTH)
        for turn, sign in enumerate(fill)
        if sign != "." and int(sign) in firsts
    ]
    return kept + strokes
