"""Written rhythm: the values, rests, ties, tuplets and beams of one layer of one bar.

A bar is first searched for moments that no binary value reaches; around each, the window (an eighth, a beat,
half a bar ...) is chosen in which a tuplet explains it most simply, so that triplets in one beat and
sixteenths in the next are both right. What is left is cut where the meter would cut it (``values``). A moment that no
tuplet down to 1024ths explains keeps its exact length and is drawn as the nearest value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import islice, pairwise, takewhile
from math import gcd
from typing import NamedTuple

from libretto.notation.values import (
    FINEST,
    FLAGS,
    PLAIN_TICKS,
    VALUES,
    Span,
    Stretch,
    beat_borders,
    in_threes,
    values_in_meter,
)
from libretto.score import QUARTER, WHOLE, Meter

__all__ = ["Piece", "Tuplet", "beams", "bracketed", "write_bar"]

_WINDOWS = tuple(WHOLE >> halvings for halvings in range(8))  # a whole note down to a 128th: where a tuplet may lie
_SIMPLICITY = {3: 0.0, 6: 1.5, 5: 2.0, 7: 2.5, 12: 2.5, 9: 3.0, 10: 3.0}  # how far-fetched so many notes are
_STRANGE = 4.0  # and any other number of them, the more the larger it is
_CROSSED, _CROSSED_REST = 1.2, 0.4  # the price of a note, or a rest, that the edge of a tuplet would cut
_TOO_FINE = FINEST // 4  # finer than any 1024th in any tuplet
_HALF_NOTE = 2 * QUARTER


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
        return self.length % FINEST != 0


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
            plain = () if tuplet else values_in_meter(start, stop, length, meter, span is None)
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
    odd = [item.stop for item in items if item.stop % FINEST and item.stop < length]
    sizes = (*_WINDOWS, 3 * meter.pulse) if in_threes(meter) else _WINDOWS
    tuplets: list[Tuplet] = []
    for moment in odd:
        if tuplets and moment < tuplets[-1].stop:
            continue
        free = tuplets[-1].stop if tuplets else 0
        choices = [choice for size in sizes if (choice := _window(items, moment, size, free, length))]
        if choices:
            tuplets.append(min(choices)[1])
    return tuplets


def _window(items: Sequence[_Item], moment: int, size: int, free: int, length: int) -> tuple[float, Tuplet] | None:
    """How far-fetched the tuplet is that fills the window of that size around a moment, and the tuplet."""
    start = moment // size * size
    stop = start + size
    if start < free or stop > length:
        return None
    first = max(0, bisect_right(items, start, key=lambda item: item.start) - 1)
    inside = takewhile(lambda item: item.start < stop, islice(items, first, None))
    grain = _grain(inside, start, stop, abs(size - QUARTER) / WHOLE)
    if grain is None:
        return None
    step, cost = grain
    actual = size // step
    normal = 3 if size % 3 == 0 and size // 3 in PLAIN_TICKS else 1
    while normal * 2 <= actual:
        normal *= 2
    value = VALUES.get(2 * size // normal) if (2 * size) % normal == 0 else None
    if value is None or value.dots or actual == normal:
        return None
    cost += _SIMPLICITY.get(actual, _STRANGE + actual.bit_length())
    return cost, Tuplet(start, stop, actual, normal, value.kind)


def _grain(items: Iterable[_Item], start: int, stop: int, cost: float) -> tuple[int, float] | None:
    """The coarsest step that reaches every edge in a window, and the cost with what its ends cut; None: too fine."""
    step = stop - start
    for item in items:
        for edge in (item.start, item.stop):
            if start < edge < stop:
                step = gcd(step, edge - start)
        if step < _TOO_FINE:
            return None
        for edge in (start, stop):
            if item.start < edge < item.stop:
                cost += _CROSSED_REST if item.span is None else _CROSSED
    return step, cost


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


def _in_tuplet(start: int, stop: int, tuplet: Tuplet) -> list[Stretch]:
    """Values inside a tuplet: as few as possible, longest first."""
    size = tuplet.stop - tuplet.start
    unit, drawn = size // tuplet.actual, 2 * size // tuplet.normal
    values = []
    while start < stop:
        count = (stop - start) // unit
        while count * drawn not in VALUES:
            count -= 1
        values.append(Stretch(start, start + count * unit, *VALUES[count * drawn]))
        start += count * unit
    return values


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
    return even and group[0].start % _HALF_NOTE == 0 and group[-1].stop - group[0].start == _HALF_NOTE


def _beam(flags: Sequence[int], place: int, level: int) -> str:
    before = place > 0 and flags[place - 1] >= level
    after = place + 1 < len(flags) and flags[place + 1] >= level
    if before:
        return "continue" if after else "end"
    return "begin" if after else ("backward hook" if place else "forward hook")


def bracketed(pieces: Sequence[Piece], beamed: dict[int, list[str]]) -> set[int]:
    """Where the tuplets begin that need a bracket: all but those under one beam from end to end."""
    starts = set()
    for index, piece in enumerate(pieces):
        if piece.tuplet is None:
            continue
        outer = beamed.get(index, [""])[0]
        first, last = piece.start == piece.tuplet.start, piece.stop == piece.tuplet.stop
        if outer != ("begin" if first else "end" if last else "continue"):
            starts.add(piece.tuplet.start)
    return starts
