"""Note values: how stretches of ticks are written as notes, rests, dots, ties and tuplets.

A bar is first searched for moments that no binary value reaches; around each, the window (an eighth, a beat,
half a bar ...) is chosen in which a tuplet explains it most simply, so that triplets in one beat and
sixteenths in the next are both right. What is left is cut where the meter would cut it. A moment that no
tuplet down to 1024ths explains keeps its exact length and is drawn as the nearest value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from math import gcd
from typing import NamedTuple

from libretto.notation.layers import Span
from libretto.score import QUARTER, WHOLE, Meter

__all__ = ["FLAGS", "Piece", "Tuplet", "beat_borders", "is_compound", "write_bar"]

_NAMES = ("maxima", "long", "breve", "whole", "half", "quarter", "eighth", "16th", "32nd", "64th", "128th", "256th")
_TYPES = (*_NAMES, "512th", "1024th")
#: Half ticks, so that 1024ths are whole: value -> (type, dots).
_VALUES = {(16 * WHOLE) >> index: (name, 0) for index, name in enumerate(_TYPES)}
_VALUES |= {ticks * 3 // 2: (name, 1) for ticks, (name, _) in list(_VALUES.items()) if ticks % 2 == 0}
_PLAIN = sorted((ticks for ticks, (_, dots) in _VALUES.items() if not dots), reverse=True)
FLAGS = {name: index + 1 for index, name in enumerate(_TYPES[6:])}  #: how many flags a value has
_FINEST = 315  # ticks of a 512th: binary moments are multiples of it
_SIMPLICITY = {3: 0.0, 6: 1.5, 5: 2.0, 7: 2.5, 12: 2.5, 9: 3.0, 10: 3.0}
_CROSSED, _CROSSED_REST = 1.2, 0.4


class Tuplet(NamedTuple):
    """``actual`` notes in the time of ``normal``, of value ``kind``; from tick ``start`` of its bar to ``stop``."""

    start: int
    stop: int
    actual: int
    normal: int
    kind: str


class Piece(NamedTuple):
    """One written note, chord or rest (``span`` is None) inside a bar."""

    start: int
    length: int
    span: Span | None
    kind: str
    dots: int
    tuplet: Tuplet | None
    tied_from: bool
    tied_to: bool

    @property
    def stop(self) -> int:
        """Where it ends."""
        return self.start + self.length

    @property
    def odd(self) -> bool:
        """Whether its length is no sum of binary values."""
        return self.length % _FINEST != 0


class _Item(NamedTuple):
    start: int
    stop: int
    span: Span | None


def write_bar(spans: Sequence[Span], length: int, meter: Meter, cuts: Collection[int] = ()) -> list[Piece]:
    """Pieces that fill a bar with a layer's spans and the rests between them; nothing lasts across a cut."""
    items = _cut(_filled(spans, length), sorted(cuts))
    tuplets = _tuplets(items, length, meter)
    pieces: list[Piece] = []
    for item in items:
        for start, stop, tuplet in _stretches(item, tuplets):
            span = item.span
            plain = () if tuplet else _in_meter(start, stop, length, meter, span is None)
            for begin, end, kind, dots in _in_tuplet(start, stop, tuplet) if tuplet else plain:
                tied_from = span is not None and (begin > span.start or span.tied_from)
                tied_to = span is not None and (end < span.start + span.length or span.tied_to)
                pieces.append(Piece(begin, end - begin, span, kind, dots, tuplet, tied_from, tied_to))
    return pieces


def _filled(spans: Sequence[Span], length: int) -> list[_Item]:
    items, at = [], 0
    for span in spans:
        if span.start > at:
            items.append(_Item(at, span.start, None))
        at = span.start + span.length
        items.append(_Item(span.start, at, span))
    if at < length:
        items.append(_Item(at, length, None))
    return items


def _cut(items: Sequence[_Item], cuts: Sequence[int]) -> list[_Item]:
    parts: list[_Item] = []
    for item in items:
        edges = [item.start, *(cut for cut in cuts if item.start < cut < item.stop), item.stop]
        parts.extend(_Item(a, b, item.span) for a, b in pairwise(edges))
    return parts


def _tuplets(items: Sequence[_Item], length: int, meter: Meter) -> list[Tuplet]:
    """The tuplets of a bar, in order of time, none overlapping."""
    odd = [item.stop for item in items if item.stop % _FINEST and item.stop < length]
    found: list[Tuplet] = []
    for moment in odd:
        if found and moment < found[-1].stop:
            continue
        free = found[-1].stop if found else 0
        choices = [choice for size in _sizes(meter) if (choice := _window(items, moment, size, free, length))]
        if choices:
            found.append(min(choices)[1])
    return found


def _sizes(meter: Meter) -> list[int]:
    binary = [WHOLE >> shift for shift in range(8)]
    return [*binary, 3 * WHOLE // meter.unit] if is_compound(meter) else binary


def _window(items: Sequence[_Item], moment: int, size: int, free: int, length: int) -> tuple[float, Tuplet] | None:
    """The tuplet that fills the window of that size around a moment, and how far-fetched it is."""
    start = moment // size * size
    stop = start + size
    if start < free or stop > length:
        return None
    step = size
    cost = abs(size - QUARTER) / WHOLE
    first = max(0, bisect_right(items, start, key=lambda item: item.start) - 1)
    for item in takewhile(lambda item: item.start < stop, islice(items, first, None)):
        for edge in (item.start, item.stop):
            if start < edge < stop:
                step = gcd(step, edge - start)
        if step < _FINEST // 4:  # finer than any 1024th in any tuplet
            return None
        for edge in (start, stop):
            if item.start < edge < item.stop:
                cost += _CROSSED_REST if item.span is None else _CROSSED
    actual = size // step
    normal = 3 if size % 9 == 0 and size // 3 in _plain_ticks() else 1
    while normal * 2 <= actual:
        normal *= 2
    named = _VALUES.get(2 * size // normal) if (2 * size) % normal == 0 else None
    if named is None or named[1] or actual == normal:
        return None
    cost += _SIMPLICITY.get(actual, 4.0 + actual.bit_length())
    return cost, Tuplet(start, stop, actual, normal, named[0])


@lru_cache(maxsize=1)
def _plain_ticks() -> frozenset[int]:
    return frozenset(ticks // 2 for ticks in _PLAIN if ticks % 2 == 0)


def _stretches(item: _Item, tuplets: Sequence[Tuplet]) -> list[tuple[int, int, Tuplet | None]]:
    """An item cut at the edges of tuplets, each stretch with the tuplet it lies in."""
    stretches: list[tuple[int, int, Tuplet | None]] = []
    at = item.start
    for tuplet in tuplets:
        if tuplet.stop <= at or tuplet.start >= item.stop:
            continue
        if tuplet.start > at:
            stretches.append((at, tuplet.start, None))
            at = tuplet.start
        stop = min(tuplet.stop, item.stop)
        stretches.append((at, stop, tuplet))
        at = stop
    if at < item.stop:
        stretches.append((at, item.stop, None))
    return stretches


def _in_tuplet(start: int, stop: int, tuplet: Tuplet) -> list[tuple[int, int, str, int]]:
    """Values inside a tuplet: as few as possible, longest first."""
    size = tuplet.stop - tuplet.start
    unit, drawn = size // tuplet.actual, 2 * size // tuplet.normal
    values = []
    while start < stop:
        count = (stop - start) // unit
        while count * drawn not in _VALUES:
            count -= 1
        values.append((start, start + count * unit, *_VALUES[count * drawn]))
        start += count * unit
    return values


def is_compound(meter: Meter) -> bool:
    """Whether the beats of a meter divide in three, as in 6/8."""
    return meter.beats % 3 == 0 and meter.unit >= 8


def _uneven(meter: Meter) -> bool:
    """Whether the beats of a meter are of two lengths, as in 7/8."""
    return meter.unit >= 8 and meter.beats % 2 == 1 and meter.beats > 3 and not is_compound(meter)


@lru_cache(maxsize=256)
def beat_borders(meter: Meter) -> tuple[int, ...]:
    """Where beats begin after the first, in ticks from the bar line: 7/8 goes 2+2+3, 5/8 goes 3+2."""
    unit = WHOLE // meter.unit
    if is_compound(meter):
        return tuple(range(3 * unit, meter.ticks, 3 * unit))
    if _uneven(meter):
        twos = range(2 * unit, meter.ticks - 3 * unit, 2 * unit)
        return (3 * unit,) if meter.beats == 5 else (*twos, meter.ticks - 3 * unit)
    return tuple(range(QUARTER, meter.ticks, QUARTER))


@lru_cache(maxsize=256)
def _lattices(meter: Meter) -> tuple[int, ...]:
    """Distances between metrical borders, strongest first: half bar, beat, then its parts."""
    unit = WHOLE // meter.unit
    if is_compound(meter):
        steps = [3 * unit]
    else:
        steps = [meter.beats * unit // 2] if meter.beats % 2 == 0 and meter.beats > 2 else []
    while unit % _FINEST == 0:
        steps.append(unit)
        if unit % 2:
            break
        unit //= 2
    return tuple(steps)


@lru_cache(maxsize=65536)
def _in_meter(start: int, stop: int, length: int, meter: Meter, rest: bool) -> tuple[tuple[int, int, str, int], ...]:
    """Values for a stretch outside tuplets, cut at the strongest borders until each is one value."""
    if start % _FINEST or stop % _FINEST:
        return ((start, stop, *_nearest(stop - start)),)
    done: list[tuple[int, int, str, int]] = []
    todo = [(start, stop)]
    while todo:
        a, b = todo.pop()
        border = _border(a, b, length, meter, rest)
        if border is None:
            done.append((a, b, *_VALUES.get(2 * (b - a), _nearest(b - a))))
        else:
            todo += [(border, b), (a, border)]
    return tuple(done)


def _border(a: int, b: int, length: int, meter: Meter, rest: bool) -> int | None:
    """Where a stretch has to be cut first; None where it can stand as one value."""
    if _uneven(meter) and length == meter.ticks:
        edges = (0, *beat_borders(meter), length)
        inside = [edge for edge in edges if a < edge < b]
        on_edges = a in edges and b in edges
        if on_edges and 2 * (b - a) in _VALUES:
            return None
        if inside:
            return inside[-1] if a in edges else inside[0]
    steps = _lattices(meter)
    inner = next((rank for rank, step in enumerate(steps) if (a // step + 1) * step < b), None)
    if inner is None:
        return None
    value = _VALUES.get(2 * (b - a))
    ends = (_rank(a, length, steps), _rank(b, length, steps))
    step = steps[inner]
    first = (a // step + 1) * step
    if value is not None:
        plain = not value[1] or (is_compound(meter) and b - a == steps[0])
        calm = min(ends) <= inner and (not rest or (plain and a % (b - a) == 0))
        beat = WHOLE // meter.unit
        syncopated = not rest and not value[1] and step == beat >= b - a and a + b == 2 * first
        if calm or (syncopated and not is_compound(meter)):
            return None
    points = range(first, b, step)
    if ends[0] <= ends[1]:
        return next((p for p in reversed(points) if 2 * (p - a) in _VALUES), points[0])
    return next((p for p in points if 2 * (b - p) in _VALUES), points[0])


def _rank(moment: int, length: int, steps: Sequence[int]) -> int:
    """How strong a moment is; less is stronger."""
    if moment in (0, length):
        return -1
    return next((rank for rank, step in enumerate(steps) if moment % step == 0), len(steps))


def _nearest(ticks: int) -> tuple[str, int]:
    """The longest plain value that is not longer."""
    return _VALUES[next((value for value in _PLAIN if value <= 2 * ticks), _PLAIN[-1])]
