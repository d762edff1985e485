"""Sections by turns: where a piece that shifts between two of something has the one and the other."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["BY_TURNS", "by_turns", "in_phrases"]

_PHRASE = 4  # bars

#: Places that come by turns: the sections after the first, those with the first, and every second bar.
BY_TURNS = ("other sections", "opening sections", "even bars")
_LONG, _SHORT = 8, 4  # bars after which a turn ends with its section, of a long piece and of a short one
_A_LONG_PIECE = 24


def by_turns(place: str, starts: Sequence[int], low: int, high: int) -> tuple[tuple[int, int], ...]:
    """The stretches of a place that comes by turns, from the bars where sections begin; a piece ends as it began.

    >>> by_turns("other sections", [1, 5, 9, 13, 17], 1, 20)
    ((5, 8), (13, 16))
    """
    if place == "even bars":
        return tuple((bar, bar) for bar in range(low + 1, high + 1, 2))
    long = _LONG if high - low + 1 >= _A_LONG_PIECE else _SHORT
    own = sorted({bar for bar in starts if low < bar <= high}) or list(range(low + long, high + 1, long))
    blocks = _blocks(own, low, high, long)
    others = tuple(block for number, block in enumerate(blocks) if number % 2 and number < len(blocks) - 1)
    others = others or tuple(blocks[1:2])
    return others if place == "other sections" else tuple(block for block in blocks if block not in others)


def _blocks(own: Sequence[int], low: int, high: int, long: int) -> list[tuple[int, int]]:
    """Stretches of at least so many bars that begin where sections do."""
    edges = [low]
    for bar in own:
        if bar - edges[-1] >= long:
            edges.append(bar)
    return [(first, after - 1) for first, after in zip(edges, [*edges[1:], high + 1], strict=True)]


def in_phrases(count: int, bars: int) -> int:
    """About so many bars, in whole phrases where a piece is made of them.

    >>> in_phrases(13, 40), in_phrases(10, 40), in_phrases(5, 18)
    (12, 8, 5)
    """
    return count if bars % _PHRASE or count < _PHRASE else round(count / _PHRASE) * _PHRASE
