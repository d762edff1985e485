"""Lengths as a page has them: no note is cut but where it is written tied, or where no one sign says its length.

Used for pieces that were read from a page (the mark ``written``); other music is cut by its meter (``rhythm``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from libretto.notation.rhythm import Piece, Tuplet
from libretto.notation.values import FINEST, FLAGS, VALUES, Span, nearest_value, values_in_meter
from libretto.score import QUARTER, Meter

__all__ = ["write_as_it_stands"]

_TUPLETS = ((3, 2), (5, 4), (7, 4), (9, 8), (15, 8))  # so many notes in the time of so many; 6:4 is 3:2
_TWO_DOTS = (4, 7)  # a value with two dots is seven quarters of it


class _Drawn(NamedTuple):
    """How a length is drawn: value, dots, and the tuplet that it is part of (1 in the time of 1: none)."""

    kind: str
    dots: int
    actual: int = 1
    normal: int = 1


@lru_cache(maxsize=4096)
def _drawn(ticks: int) -> _Drawn | None:
    """The one sign for a length, alone or in a tuplet; None where there is none."""
    value = VALUES.get(2 * ticks)
    if value is not None:
        return _Drawn(*value)
    below, above = _TWO_DOTS
    base = VALUES.get(2 * ticks * below // above) if 2 * ticks * below % above == 0 else None
    if base is not None and not base.dots:
        return _Drawn(base.kind, 2)
    for actual, normal in _TUPLETS:
        value = VALUES.get(2 * ticks * actual // normal) if 2 * ticks * actual % normal == 0 else None
        if value is not None:
            return _Drawn(value.kind, value.dots, actual, normal)
    return None


def write_as_it_stands(
    spans: Sequence[Span], length: int, meter: Meter, rests: Collection[tuple[int, int]] = (), cuts: Sequence[int] = ()
) -> list[Piece]:
    """Pieces that fill a bar: each span as it stands, and rests between them.

    ``rests`` are stretches that one rest fills where nothing sounds; nothing lasts across a cut.
    """
    pieces: list[Piece] = []
    drawn: list[_Drawn] = []
    at, rests = 0, sorted(rests)
    for span in spans:
        _add(pieces, drawn, _rest(at, span.start, length, meter, rests, cuts))
        edges = [span.start, *(cut for cut in cuts if span.start < cut < span.start + span.length)]
        for start, stop in pairwise([*edges, span.start + span.length]):
            _add(pieces, drawn, _sounding(span, start, stop, length, meter))
        at = span.start + span.length
    _add(pieces, drawn, _rest(at, length, length, meter, rests, cuts))
    return _bracketed(pieces, drawn)


def _add(pieces: list[Piece], drawn: list[_Drawn], more: Iterator[tuple[Piece, _Drawn]]) -> None:
    for piece, how in more:
        pieces.append(piece)
        drawn.append(how)


def _sounding(span: Span, start: int, stop: int, length: int, meter: Meter) -> Iterator[tuple[Piece, _Drawn]]:
    """A note or chord: one piece where one sign says it."""
    how = _drawn(stop - start)
    stretches = [(start, stop, how)] if how else _cut_by_meter(start, stop, length, meter, rest=False)
    for begin, end, look in stretches:
        tied_from = begin > span.start or span.tied_from
        tied_to = end < span.start + span.length or span.tied_to
        yield Piece(begin, end - begin, span, look.kind, look.dots, None, tied_from, tied_to), look


def _cut_by_meter(start: int, stop: int, length: int, meter: Meter, rest: bool) -> list[tuple[int, int, _Drawn]]:
    values = values_in_meter(start, stop, length, meter, rest)
    return [(value.start, value.stop, _Drawn(value.kind, value.dots)) for value in values]


def _rest(
    start: int, stop: int, length: int, meter: Meter, rests: Sequence[tuple[int, int]], cuts: Sequence[int]
) -> Iterator[tuple[Piece, _Drawn]]:
    """Silence: rests that are asked for as one, and what the meter makes of the others."""
    near = rests[bisect_left(rests, (start, 0)) : bisect_left(rests, (stop, 0))]
    inside = {edge for pair in near if pair[1] <= stop for edge in pair}
    edges = sorted({start, stop, *(edge for edge in (*inside, *cuts) if start < edge < stop)})
    for begin, end in pairwise(edges):
        for first, last, how in _silence(begin, end, length, meter, whole=(begin, end) in near):
            yield Piece(first, last - first, None, how.kind, how.dots, None, tied_from=False, tied_to=False), how


def _silence(start: int, stop: int, length: int, meter: Meter, whole: bool) -> list[tuple[int, int, _Drawn]]:
    if whole:
        return [(start, stop, _drawn(stop - start) or _Drawn(*nearest_value(stop - start)))]
    if start % FINEST == 0 and stop % FINEST == 0:
        return _cut_by_meter(start, stop, length, meter, rest=True)
    after = -(-start // QUARTER) * QUARTER if start % FINEST else start
    before = stop // QUARTER * QUARTER if stop % FINEST else stop
    parts = []
    for begin, end in pairwise(sorted({start, *(edge for edge in (after, before) if start < edge < stop), stop})):
        how = _drawn(end - begin)
        if how is None and begin % FINEST == 0 and end % FINEST == 0:
            parts += _cut_by_meter(begin, end, length, meter, rest=True)
        else:
            parts.append((begin, end, how or _Drawn(*nearest_value(end - begin))))
    return parts


def _bracketed(pieces: Sequence[Piece], drawn: Sequence[_Drawn]) -> list[Piece]:
    """The pieces with their tuplets: neighbours of one ratio belong together until they fill a plain value."""
    done: list[Piece] = []
    group: list[int] = []

    def close() -> None:
        if not group:
            return
        first, last = pieces[group[0]], pieces[group[-1]]
        kind = max((drawn[index].kind for index in group), key=lambda kind: FLAGS.get(kind, 0))
        how = drawn[group[0]]
        tuplet = Tuplet(first.start, last.stop, how.actual, how.normal, kind)
        done.extend(pieces[index]._replace(tuplet=tuplet) for index in group)
        group.clear()

    for index, (piece, how) in enumerate(zip(pieces, drawn, strict=True)):
        if group and how[2:] != drawn[group[0]][2:]:
            close()
        if how.actual == 1:
            done.append(piece)
            continue
        group.append(index)
        if 2 * (piece.stop - pieces[group[0]].start) in VALUES:
            close()
    close()
    return done
