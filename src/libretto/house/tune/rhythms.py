"""Rhythms of bars changed: a note split or joined, a pair dotted, halves exchanged, or a bar lent by another theme.

A change is made to a *kind* of bar, told by its onsets, so bars that were alike stay alike.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

from libretto.house.core.dice import Dice, dice
from libretto.house.tune.making import Event, Making
from libretto.house.tune.themes import metrical_weight
from libretto.score.time import QUARTER, Meter

__all__ = ["changed_bars"]

_LENT, _ALTERED, _HEAD_ALTERED = 0.6, 0.45, 0.2  # how often a kind of bar is lent by another theme, or changed
_SHORTEST = QUARTER // 4  # no note gets shorter than this by being split
_PHRASE = 4
_MOST_UNLIKE = 0.6  # a bar that is lent has so many notes more or fewer at most, as a share
_PER_BUSY = 2.0  # notes a bar more, where a tune is to be as busy as it can be
_NEARLY_FREE = 2  # a busy bar has no more than this times the notes it had

Bar = tuple[Event, ...]
Kind = tuple[int, ...]


def changed_bars(making: Making, other: Making | None, busy: float, seed: int) -> list[Bar]:
    """The bars of a template, the pickup first, in rhythms of their own; bars that were alike stay alike."""
    meter, ends = making.theme.meter, making.ends
    changes: dict[tuple[Kind, bool], Bar | Callable[[Bar], Bar]] = {}
    bars: list[Bar] = [making.bars[0]]
    head = _kind(making.bar(0)) if making.theme.bars else ()
    for number in range(making.theme.bars):
        bar = making.bar(number)
        kind = (_kind(bar), number in ends)
        if kind not in changes:
            changes[kind] = _change(making, other, number, head == kind[0], dice(seed, "rhythm", kind))
        change = changes[kind]
        new = change if isinstance(change, tuple) else change(bar)
        bars.append(_by_busyness(new, meter, busy, dice(seed, "busy", kind)) if busy else new)
    return bars


def _kind(bar: Bar) -> Kind:
    return tuple(event.offset for event in bar)


def _change(making: Making, other: Making | None, number: int, head: bool, source: Dice) -> Bar | Callable[[Bar], Bar]:
    """What happens to a kind of bar: another theme's bar in its place, a small change in its own values, or nothing."""
    meter = making.theme.meter
    if other and other.theme.meter == meter and not head and source.random() < _LENT:
        lent = _lent(making.bar(number), other, number, number in making.ends, source)
        if lent:
            return lent
    chance = source.random()
    if chance >= (_HEAD_ALTERED if head else _ALTERED) or number in making.ends:
        return lambda bar: bar
    return _small_change(making, source)


def _small_change(making: Making, source: Dice) -> Callable[[Bar], Bar]:
    """A small change of a bar's rhythm, in values that the tune has elsewhere; none where it has no such."""
    meter = making.theme.meter
    ways: list[Callable[[Bar], Bar]] = [
        lambda bar: _dotted(bar, meter),
        lambda bar: _exchanged(bar, meter),
        lambda bar: _joined(bar, meter),
        lambda bar: _split(bar, meter),
    ]
    source.shuffle(ways)

    values = {event.length for held in making.bars for event in held}

    def change(bar: Bar) -> Bar:
        changed = (new for way in ways if (new := way(bar)) != bar)
        return next((new for new in changed if all(event.length in values for event in new)), bar)

    return change


def _lent(bar: Bar, other: Making, number: int, end: bool, source: Dice) -> Bar:
    """A bar of the other theme that stands at the same place of a phrase and has about as many notes."""
    fitting = [
        lent
        for place in range(other.theme.bars)
        if place % _PHRASE == number % _PHRASE and (place in other.ends) == end
        for lent in [other.bar(place)]
        if lent and abs(len(lent) - len(bar)) <= max(1, _MOST_UNLIKE * len(bar)) and _kind(lent) != _kind(bar)
    ]
    return source.choice(fitting) if fitting else ()


def _by_busyness(bar: Bar, meter: Meter, busy: float, source: Dice) -> Bar:
    """A bar with more notes (busy above 0) or fewer."""
    times = int(abs(busy) * _PER_BUSY + source.random())
    new = bar
    for _ in range(times):
        if busy > 0 and len(new) < _NEARLY_FREE * max(1, len(bar)):
            new = _split(new, meter)
        elif busy < 0 and len(new) > 1:
            new = _joined(new, meter)
    return new


def _split(bar: Bar, meter: Meter) -> Bar:
    """The longest note that lies on a beat made into two; in threes the first keeps two parts of three."""
    on_beat = [event for event in bar if event.offset % meter.beat == 0 and event.offset + event.length <= meter.ticks]
    if not on_beat:
        return bar
    long = max(on_beat, key=lambda event: (event.length, -event.offset))
    dotted = long.length % 3 == 0 and (long.length // 3) % _SHORTEST == 0
    first = long.length * 2 // 3 if dotted else long.length // 2
    if min(first, long.length - first) < _SHORTEST or first % _SHORTEST:
        return bar
    added = replace(
        long, offset=long.offset + first, length=long.length - first, step=None, move=None, lean=False, breath=False
    )
    return _in_order([event for event in bar if event is not long] + [replace(long, length=first), added])


def _joined(bar: Bar, meter: Meter) -> Bar:
    """The weakest note given to the one before it, where they touch."""
    pairs = [
        (metrical_weight(b.offset, meter), index + 1)
        for index, (a, b) in enumerate(itertools.pairwise(bar))
        if a.offset + a.length == b.offset and b.length < meter.beat
    ]
    if not pairs:
        return bar
    _, place = min(pairs)
    longer = replace(bar[place - 1], length=bar[place - 1].length + bar[place].length)
    return (*bar[: place - 1], longer, *bar[place + 1 :])


def _dotted(bar: Bar, meter: Meter) -> Bar:
    """The first two equal notes of a beat or two made uneven."""
    for index, (a, b) in enumerate(itertools.pairwise(bar)):
        even = a.length == b.length and a.offset + a.length == b.offset
        plain = not meter.is_compound and a.length in (meter.beat // 2, meter.beat, 2 * meter.beat)
        if plain and even and a.offset % (2 * a.length) == 0 and a.length // 2 >= _SHORTEST:
            longer = a.length // 2
            return (
                *bar[:index],
                replace(a, length=a.length + longer),
                replace(b, offset=b.offset + longer, length=b.length - longer),
                *bar[index + 2 :],
            )
    return bar


def _exchanged(bar: Bar, meter: Meter) -> Bar:
    """The halves of a bar in the other order, where nothing is held over the middle."""
    half = meter.ticks // 2
    if half % meter.beat or any(event.offset < half < event.offset + event.length for event in bar):
        return bar
    early = [event for event in bar if event.offset < half]
    late = [event for event in bar if event.offset >= half]
    if not early or not late or late[-1].offset + late[-1].length > meter.ticks or late[0].offset != half:
        return bar
    moved = [replace(event, offset=event.offset - half) for event in late]
    return _in_order(moved + [replace(event, offset=event.offset + half) for event in early])


def _in_order(events: Sequence[Event]) -> Bar:
    return tuple(sorted(events, key=lambda event: event.offset))
