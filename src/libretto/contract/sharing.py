"""Sharing: the bars of one of several who come, go, trade or play solos one after the other."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["between_tunes", "traded_bars", "turn_of"]

_PHRASE = 4  # bars in which players take turns where there is room
_SIXTH = 6  # of a piece is the least that is left for the tune when solos are over
_OPENS = ("intro",)
_PAIR = 2  # who come in one after the other
_NEAR = 0.75  # of a part: how far from its edge a section may begin that it keeps to


def traded_bars(number: int, of: int, size: int, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The bars of the nth of some who have so many bars each, one after the other."""
    if not (1 <= number <= of and size):
        return ()
    return tuple(
        (first, min(last, first + size - 1))
        for start, last in spans
        for first in range(start + (number - 1) * size, last + 1, of * size)
    )


def turn_of(
    how: str, number: int, of: int, low: int, high: int, sections: Sequence[tuple[str, int, int]] = ()
) -> tuple[tuple[int, int], ...]:
    """The bars in which the nth of some is there, has gone, has a round of solos to itself (those in the middle of a
    piece whose sections have room for them), or that are one of so many parts of a piece."""
    if how == "round":
        return _round(number, of, low, high, between_tunes(sections))
    if how == "part":
        return _part(number, of, low, high, [first for _, first, _ in sections])
    return ((_turn(how, number, of, low, high), high),)


def _part(number: int, of: int, low: int, high: int, starts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The bars of the nth of so many parts of a piece, from where a section begins, else a phrase.

    >>> _part(2, 4, 1, 32, ()), _part(2, 3, 1, 32, (1, 9, 25))
    (((9, 16),), ((9, 24),))
    """
    size = (high - low + 1) / max(1, of)
    edges = []
    for part in (number - 1, number):
        ideal = low + size * part
        near = [start for start in (*starts, high + 1) if abs(start - ideal) <= _NEAR * size]
        phrase = low + round((ideal - low) / _PHRASE) * _PHRASE if size >= _PHRASE else round(ideal)
        edges.append(min(near, key=lambda start: abs(start - ideal)) if near else phrase)
    return ((edges[0], min(high, max(edges[0], edges[1] - 1))),) if 1 <= number <= of and edges[0] <= high else ()


def between_tunes(sections: Sequence[tuple[str, int, int]]) -> tuple[int, int] | None:
    """The first and last bar of what lies between the tune that opens a piece and the one that closes it; None where
    nothing does."""
    body = [row for row in sections if row[0] not in _OPENS]
    tune = body[0][0] if body else ""
    after = next((place for place, row in enumerate(body) if row[0] != tune), len(body))
    inner = body[after:-1]
    while inner and inner[-1][0] == tune:
        inner = inner[:-1]
    return (inner[0][1], inner[-1][2]) if inner else None


def _round(number: int, of: int, low: int, high: int, middle: tuple[int, int] | None) -> tuple[tuple[int, int], ...]:
    """The bars of the nth of some who play solos: as many each, in the middle where that has a phrase for each, else
    after the first quarter and before the last sixth."""
    bars = high - low + 1
    first, last = low + bars // _PHRASE // _PHRASE * _PHRASE, high - max(min(_PHRASE, bars // _PHRASE), bars // _SIXTH)
    if middle and _PHRASE * of <= middle[1] - middle[0] + 1 >= bars // _PHRASE:
        first, last = middle
    size = max(1, (last - first + 1) // max(1, of))
    size = size // _PHRASE * _PHRASE or size
    start = first + size * (number - 1)
    return ((start, start + size - 1),) if number <= of and start + size - 1 <= high else ()


def _turn(how: str, number: int, of: int, low: int, high: int) -> int:
    """The bar from which on the nth of some is there, or gone: they come in over three eighths, two over a quarter, in
    whole phrases where there is room, and go over the last third."""
    bars = high - low + 1
    phrases = min(bars // 2, _PHRASE * (of - 1))
    room = max(phrases, bars * 3 // 8 if of > _PAIR else bars // 4) if how == "entry" else bars // 3
    at = room * (number - 1) // max(1, of - 1)
    if how == "exit" and room >= _PHRASE * (of - 1):
        return low + bars - max(_PHRASE, room // max(1, of - 1) // _PHRASE * _PHRASE) * (of - number)
    at = at // _PHRASE * _PHRASE if room >= _PHRASE * (of - 1) else at
    return low + at if how == "entry" else min(high, high - room + at)
