"""Zones: runs of bars that belong to the same stretches, so that what is counted once can be added up for each.

Bars are numbered through all songs that stand side by side. The stretches of a zone never change inside it, and a
stretch is a few zones of one song: first come the songs themselves, each whole, then what was cut out of the first,
of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from libretto.score.table import Bools, Floats, Ints

__all__ = ["Spans", "Zones", "runs"]

#: Spans of bars of one song: indices, the last one not included.
Spans = Sequence[tuple[int, int]]


def runs(start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """All numbers from each start to before its stop, one run after another, and the run of each."""
    sizes = stop - start
    before = np.cumsum(sizes) - sizes
    which = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(which)) + (start - before)[which], which


class Zones:
    """The zones of songs of so many bars, given the spans of each song that are stretches, or are left out of one."""

    def __init__(self, bars: Sequence[int], spans: Sequence[Spans], *, without: bool = False) -> None:
        starts: list[int] = []
        wholes: list[range] = []
        parts: list[Sequence[int]] = []
        line = 0
        for count, cuts in zip(bars, spans, strict=True):
            edges = sorted({0, count, *chain.from_iterable(cuts)})
            here, next_ = len(starts), len(starts) + len(edges) - 1
            starts += [line + edge for edge in edges[:-1]]
            wholes.append(range(here, next_))
            at = dict(zip(edges, range(here, next_ + 1), strict=True))
            for first, last in cuts:
                rest = (*range(here, at[first]), *range(at[last], next_))
                parts.append(rest if without else range(at[first], at[last]))
            line += count
        members = (*wholes, *parts)
        sizes = np.array([len(zones) for zones in members], dtype=np.int64)
        self.count, self.stretches = len(starts), len(members)
        self.starts = np.array(starts, dtype=np.int64)
        self.stops = np.array([*starts[1:], line], dtype=np.int64)
        self.of_bar: Ints = np.repeat(np.arange(self.count), self.stops - self.starts)
        #: Stretches and their zones, pair by pair.
        self.stretch: Ints = np.repeat(np.arange(self.stretches), sizes)
        self.zone = np.fromiter(chain.from_iterable(members), np.int64, len(self.stretch))
        self._first = (np.cumsum(sizes) - sizes)[sizes > 0]
        self._some: Bools | None = None if sizes.all() else sizes > 0  # a stretch may have nothing left
        self._plain = self.count == self.stretches == len(wholes)  # songs are whole, each of one zone

    def gathered(self, by_pair: Floats | Ints, way: np.ufunc = np.add, none: float = 0.0) -> Floats:
        """What stands by pair, added up (or its least, or largest) for each stretch."""
        if self._some is None:
            return np.asarray(way.reduceat(by_pair, self._first, axis=0))
        values = np.full((self.stretches, *by_pair.shape[1:]), none, dtype=by_pair.dtype)
        if len(self._first):
            values[self._some] = way.reduceat(by_pair, self._first, axis=0)
        return values

    def over(self, by_zone: Floats | Ints, way: np.ufunc = np.add, none: float = 0.0) -> Floats:
        """What stands by zone, added up (or its least, or largest) for each stretch."""
        return np.asarray(by_zone) if self._plain else self.gathered(by_zone[self.zone], way, none)

    def sum(self, by_bar: Floats | Ints | Bools) -> Floats:
        """What stands by bar (or by bar and column) added up for each stretch."""
        return self.over(np.add.reduceat(by_bar.astype(np.float64, copy=False), self.starts, axis=0))
