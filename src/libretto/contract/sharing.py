"""Sharing: the bars of one of several who come, go, trade or play solos one after the other."""

from __future__ import annotations

__all__ = ["traded_bars", "turn_of"]

_PHRASE = 4  # bars in which players take turns where there is room
_PAIR = 2  # who come in one after the other


def traded_bars(number: int, of: int, size: int, spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The bars of the nth of some who have so many bars each, one after the other."""
    if not (1 <= number <= of and size):
        return ()
    return tuple(
        (first, min(last, first + size - 1))
        for start, last in spans
        for first in range(start + (number - 1) * size, last + 1, of * size)
    )


def turn_of(how: str, number: int, of: int, low: int, high: int) -> tuple[tuple[int, int], ...]:
    """The bars in which the nth of some is there, has gone, or has a round of solos to itself."""
    if how == "round":
        return _round(number, of, low, high)
    return ((_turn(how, number, of, low, high), high),)


def _round(number: int, of: int, low: int, high: int) -> tuple[tuple[int, int], ...]:
    """The bars of the nth of some who play solos: as many each, after the first quarter and before the last phrase."""
    bars = high - low + 1
    first = low + bars // _PHRASE // _PHRASE * _PHRASE
    size = max(1, (high - first + 1 - min(_PHRASE, bars // _PHRASE)) // max(1, of))
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
