"""How long transforms are: songs come in few sizes, so that a piece is transformed a few times for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.score.table import Bools

__all__ = ["OVER", "by_size"]

OVER = 3  #: of the shorter of the two, all but one part in so many at least lies over the longer
_SMALLEST = 64  # beats of a transform
_STEP = 64  # lengths of transforms are multiples of it, so that songs come in few sizes
_PRIMES = (2, 3, 5)  # lengths made of these transform quickly
_WORTH = 2  # numbers, of several songs each, that are laid over in the time in which a piece is transformed


def by_size(songs: Sequence[Bools], room: int, together: int) -> dict[int, list[int]]:
    """The songs by the size of transform that they need beside a piece of at most ``room`` beats, the short first.

    ``together`` is how many of them travel as one number.
    """
    numbers: dict[int, list[int]] = {}
    for number in np.argsort([len(song) for song in songs], kind="stable").tolist():
        long, short = max(len(songs[number]), room), min(len(songs[number]), room)
        numbers.setdefault(_quick(long + short // OVER), []).append(number)
    for size, longer in pairwise(sorted(numbers)):  # a size of its own for few songs costs more than it saves
        if -(-len(numbers[size]) // together) * (longer - size) <= _WORTH * size:
            numbers[longer] = numbers.pop(size) + numbers[longer]
    return numbers


def _quick(least: int) -> int:
    """A length at least that large which transforms quickly."""
    size = max(_SMALLEST, -(-least // _STEP) * _STEP)
    while not _smooth(size):
        size += _STEP
    return size


def _smooth(size: int) -> bool:
    for prime in _PRIMES:
        while size % prime == 0:
            size //= prime
    return size == 1
