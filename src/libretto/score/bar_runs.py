"""Notes in order of time as runs of bars: what choosing grids bar by bar works on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.table import Ints
from libretto.score.time import WHOLE

__all__ = ["BOTH", "FINEST", "LOOSEST", "Bars", "Runs", "mixed", "short"]

FINEST = 256  #: slots of a whole note where timing is free
LOOSEST = WHOLE // FINEST - 1  #: ticks that a start may move at most
BOTH = WHOLE // 96  #: slots that hold triplet sixteenths and thirty-seconds
_STRAIGHT, _TRIPLET = WHOLE // 32, WHOLE // 48
_ALL = slice(None)
_SHORT = 1 << 31  # numbers below fit 32 bits, and so do sums of two


def short(values: Ints) -> NDArray[Any]:
    """The same whole numbers in 32 bits where they fit, which are divided two or three times as quickly.

    They are never to be subtracted so that less than 0 is left.
    """
    bits = int(np.bitwise_or.reduce(values))  # below 0 if any is, and as long as the largest
    return values.astype(np.uint32) if 0 <= bits < _SHORT else values


class Runs(NamedTuple):
    """Notes in order of time: the bars in which there are some, where those of each begin, and how many they are."""

    bars: Ints
    starts: Ints
    counts: Ints

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """What is known of each used bar, for every note of it."""
        return values.repeat(self.counts)

    def where(self, chosen: NDArray[np.bool_]) -> tuple[Runs, Ints | slice]:
        """Some of the used bars, and the rows of their notes."""
        some = chosen.nonzero()[0]
        if len(some) == len(chosen):
            return self, _ALL
        counts = self.counts[some]
        starts = counts.cumsum() - counts
        rows = (self.starts[some] - starts).repeat(counts)
        rows += np.arange(len(rows))
        return Runs(self.bars[some], starts, counts), rows

    def furthest(self, position: Ints, slot: Ints) -> Ints:
        """How far the start of each bar that is furthest from a slot is away from it."""
        slots = self.spread(slot.astype(position.dtype))
        after = position % slots
        return np.asarray(np.maximum.reduceat(np.minimum(after, slots - after), self.starts))


def mixed(runs: Runs, position: Ints, step: Ints) -> NDArray[np.bool_]:
    """Which bars have triplet sixteenths beside thirty-seconds, with lengths to match; ``step`` divides all of them."""
    fits = step % BOTH == 0
    if fits.any():
        fits &= np.logical_and.reduceat((position % _STRAIGHT == 0) | (position % _TRIPLET == 0), runs.starts)
    return np.asarray(fits)


class Bars:
    """Bar lines and, bar by bar, what a grid must keep to."""

    def __init__(self, lines: Ints, tolerance: Ints, rare: int) -> None:
        self.lines, self.rare = lines, rare
        self.length = lines[1:] - lines[:-1]
        self.finest = _finest_slots(self.length)
        beyond = np.append(self.finest[1:], WHOLE)
        self.tolerance = np.minimum(np.minimum(np.maximum(tolerance, 1), LOOSEST), np.minimum(self.finest, beyond) - 1)

    def runs(self, onset: Ints) -> Runs:
        """The bars of starts in order of time; what starts after the end belongs to the last."""
        edges = onset.searchsorted(self.lines)
        edges[-1] = len(onset)
        counts = edges[1:] - edges[:-1]
        used = counts.nonzero()[0]
        return Runs(used, edges[used], counts[used])


def _finest_slots(lengths: Ints) -> Ints:
    """The slots of free timing: 256ths, or the largest even part below that of a bar they do not divide."""
    slots = np.full(len(lengths), WHOLE // FINEST, dtype=np.int64)
    odd = np.flatnonzero(lengths % slots)
    if not len(odd):
        return slots
    whole, which = np.unique(np.gcd(lengths[odd], WHOLE), return_inverse=True)
    slots[odd] = np.array([_even_part(length) for length in whole.tolist()], dtype=np.int64)[which]
    return slots


def _even_part(length: int) -> int:
    """The largest part of a length that is at most a 256th note, even if there is such a one."""
    return max((part for part in range(1, WHOLE // FINEST + 1) if length % part == 0), key=lambda p: (p % 2 == 0, p))
