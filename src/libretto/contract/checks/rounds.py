"""Figures that come round: in how many bars a part plays one of one to four bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["Figure", "most_rounds"]

#: What a part plays in a bar: places in it, and pitches.
Figure = tuple[tuple[int, int], ...]
_NOTES = 3  # of a figure at least
_ROUNDS, _THREE, _AGAIN = (1, 2, 4), 3, 3  # bars of a figure that comes round, and how often a long one comes at least


def most_rounds(figures: Sequence[Figure], *, moved: bool = False, thrice: bool = False) -> tuple[int, int]:
    """In how many bars the figure that comes most often is played, and how many bars it has; where figures may be
    ``moved``, pitches count from the first note of each bar; of three bars only where chords come round in three.

    >>> most_rounds([((0, 60), (1, 62), (2, 64))] * 3 + [()])
    (3, 1)
    """
    bars = [_classes(figure, min(figure)[1] if moved and figure else 0) for figure in figures]
    most, size = max((_returns(bars, size), -size) for size in (*_ROUNDS, *((_THREE,) if thrice else ())))
    return most, -size


def _classes(figure: Figure, below: int) -> frozenset[tuple[int, int]]:
    return frozenset((place, (pitch - below) % 12) for place, pitch in figure)


def _returns(bars: Sequence[frozenset[tuple[int, int]]], size: int) -> int:
    """In how many bars a figure of so many bars is played: the one that is usual in each of its places."""
    if size > 1 and len(bars) < _AGAIN * size:
        return 0
    lengths = [len(bar) for bar in bars if bar]
    usual = float(np.median(lengths)) if lengths else 0.0
    least = usual / 2 if size > 1 else max(_NOTES, usual / 2)
    found = [_usual([bar for bar in bars[place::size] if bar and len(bar) >= least]) for place in range(size)]
    return sum(times for times, _ in found) if sum(notes for _, notes in found) >= _NOTES else 0


def _usual(bars: Sequence[frozenset[tuple[int, int]]]) -> tuple[int, int]:
    """How often the figure is played that is played most often, and how many notes it has."""
    return max(((sum(figure <= bar for bar in bars), len(figure)) for figure in set(bars)), default=(0, 0))
