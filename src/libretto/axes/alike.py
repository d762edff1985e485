"""How alike bars are: the notes that two bars share, over all notes of the two.

A note is of a *kind*: its voice, place in the bar and pitch. What two bars share is counted exactly. Kinds that many
bars hold are counted by a matrix product, the rest pair by pair, so that neither very long nor very varied pieces take
more than a few seconds. Songs stand side by side; every pair of bars is compared only song by song, one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.axes.fact import fact
from libretto.axes.zones import runs
from libretto.score.table import Bools, Floats, Ints, Singles

__all__ = ["LONGEST", "Alike", "bar_likeness"]

#: Longer pieces than this have no form: every bar would have to be compared with every other.
LONGEST = 4096
_SMALL = 20_000_000  # cells of one product
_LARGEST = 2**62  # number that notes are told apart by
_SMALL_BITS = 31  # of a number that is sorted in less time
_NEAR = 2  # how many bars later a bar is looked for
_OFTEN, _FEW = 16, 16  # a kind held by more than this part of the bars, or by more bars, goes into the product
_ONE = np.float32(1)


def bar_likeness(bar: Ints, kind: Ints, bars: int) -> Floats:
    """For notes, each in a bar and of a kind: the likeness of every pair of bars, from 0 to 1."""
    return next(Alike(bar, kind, np.array([len(bar)]), np.array([bars])).matrices(bars))[1]


def _edges(sizes: Ints | Bools) -> Ints:
    """Where runs of those sizes begin, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes)))


class _Often(NamedTuple):
    """Of the kinds that many bars of a song hold: each pair of kind and bar, in order of song."""

    place: Ints  # in a table of the song's bars by such kinds
    edges: list[int]  # of the songs
    kinds: list[int]  # of each song


class _Seldom(NamedTuple):
    """Of the kinds that several bars hold, but few: every two bars that share one, in order of song."""

    place: Ints  # in a table of the song's bars by its bars
    turned: Ints  # the same with the second bar first
    edges: list[int]  # of the songs


class Alike:
    """What bars of songs have in common, from notes in order of song: the bar of each, numbered through, and its kind.

    ``notes`` and ``bars`` say how many each song has.
    """

    def __init__(self, bar: Ints, kind: Ints, notes: Ints, bars: Ints) -> None:
        total, edges = int(bars.sum()), _edges(notes)
        self.bars, self._first = bars, np.cumsum(bars) - bars
        self._bits = bits = (total + _NEAR).bit_length()
        if int(kind.max(initial=0)) > _LARGEST >> bits:
            kind = np.unique(kind, return_inverse=True)[1]
        pairs = kind << bits | bar
        pairs = pairs if int(kind.max(initial=0)) >> _SMALL_BITS - bits else pairs.astype(np.int32)
        for first, stop in pairwise(edges.tolist()):
            pairs[first:stop].sort()
        new = np.ones(len(pairs), dtype=np.bool_)
        new[1:] = pairs[1:] != pairs[:-1]  # once a bar; other songs have other bars
        self._pairs = pairs[new]
        self._edges: Ints = _edges(new)[edges]
        self._bar: Ints = (self._pairs & (1 << bits) - 1).astype(np.int64)
        self._size = np.bincount(self._bar, minlength=total).astype(np.float64)

    def later(self, bars: int) -> list[Floats]:
        """For each song the likeness of each bar and the one so many bars later (at most two)."""
        pairs, hit = self._pairs, np.zeros(len(self._pairs), dtype=np.bool_)
        for step in range(1, bars + 1):
            hit[:-step] |= pairs[step:] - pairs[:-step] == bars
        both = np.bincount(self._bar[hit], minlength=len(self._size))[: max(0, len(self._size) - bars)]
        alike = both / (self._size[: len(both)] + self._size[bars:] - both)
        return [alike[first : first + max(0, count - bars)] for first, count in self._songs]

    @property
    def _songs(self) -> list[tuple[int, int]]:
        """The first bar of each song, and how many it has."""
        return list(zip(self._first.tolist(), self.bars.tolist(), strict=True))

    @fact
    def _held(self) -> tuple[Ints, Ints, Ints]:
        """Where the bars of each kind that several hold begin, how many these are, and whose it is."""
        kind = self._pairs >> self._bits
        fresh = np.ones(len(kind), dtype=np.bool_)
        fresh[1:] = kind[1:] != kind[:-1]
        fresh[self._edges[:-1][self._edges[:-1] < self._edges[1:]]] = True
        begin = np.flatnonzero(fresh)
        held = np.diff(begin, append=len(kind))
        song = np.repeat(np.arange(len(self.bars)), np.diff(np.searchsorted(begin, self._edges)))
        several = held > 1  # what one bar alone holds says only how large it is
        return begin[several], held[several], song[several]

    @fact
    def _few(self) -> Ints:
        """How many bars of each song are few; none of a single song, for which two ways would take longer than one."""
        return np.minimum(self.bars // _OFTEN, _FEW) if len(self.bars) > 1 else np.zeros(1, dtype=np.int64)

    @fact
    def _often(self) -> _Often:
        begin, held, song = self._held
        if self._few.any():
            mine = held > self._few[song]
            begin, held, song = begin[mine], held[mine], song[mine]
        kinds = np.bincount(song, minlength=len(self.bars))
        pair, which = runs(begin, begin + held)
        width, start = kinds[song], self._first[song] * kinds[song] + (np.cumsum(kinds) - kinds)[song]
        place = self._bar[pair] * width[which] + (np.arange(len(song)) - start)[which]
        pairs = np.bincount(song, held, minlength=len(kinds)).astype(np.int64)
        return _Often(place, _edges(pairs).tolist(), kinds.tolist())

    @fact
    def _seldom(self) -> _Seldom:
        begin, held, song = self._held
        if not self._few.any():
            return _Seldom(begin[:0], begin[:0], [0] * (len(self.bars) + 1))
        mine = held <= self._few[song]
        begin, held, song = begin[mine], held[mine], song[mine]
        pair, which = runs(begin, begin + held - 1)
        second, first = runs(pair + 1, (begin + held)[which])
        song = song[which][first]
        start, width = self._first[song], self.bars[song]
        one, other = self._bar[pair][first] - start, self._bar[second] - start
        edges = _edges(np.bincount(song, minlength=len(self.bars)))
        return _Seldom(one * width + other, other * width + one, edges.tolist())

    def matrices(self, longest: int = LONGEST) -> Iterator[tuple[int, Floats]]:
        """Songs of that many bars at most with the likeness of every pair of bars, which the next one overwrites."""
        songs = [song for song, (_, bars) in enumerate(self._songs) if 0 < bars <= longest]
        room = max((self._songs[song][1] ** 2 for song in songs), default=0)
        counted, rooms = np.empty(room, dtype=np.float32), (np.empty(room), np.empty(room))
        for song in songs:
            first, bars = self._songs[song]
            both, either = (room[: bars * bars].reshape(bars, bars) for room in rooms)
            self._count(song, counted[: bars * bars], both)
            size = self._size[first : first + bars]
            both.reshape(-1)[:: bars + 1] = size
            np.add.outer(size, size, out=either)
            either -= both
            yield song, np.divide(both, either, out=both)

    def _count(self, song: int, counted: Singles, both: Floats) -> None:
        """Count what every two bars of a song share."""
        often, seldom, bars = self._often, self._seldom, len(both)
        cells = bars * often.kinds[song]
        if cells > _SMALL:
            both[:] = self._by_parts(song)
            return
        shown = np.zeros(cells, dtype=np.float32)
        shown[often.place[often.edges[song] : often.edges[song + 1]]] = 1.0
        table = shown.reshape(bars, often.kinds[song])
        np.matmul(table, table.T, out=counted.reshape(bars, bars))
        mine = slice(seldom.edges[song], seldom.edges[song + 1])
        if mine.start < mine.stop:
            np.add.at(counted, seldom.place[mine], _ONE)
            np.add.at(counted, seldom.turned[mine], _ONE)
        both[:] = counted.reshape(bars, bars)

    def _by_parts(self, song: int) -> Floats:
        """What every two bars of a very large song share."""
        mine, (start, bars) = slice(*self._edges[song : song + 2].tolist()), self._songs[song]
        kind, bar = self._pairs[mine] >> self._bits, self._bar[mine] - start
        which = np.cumsum(np.diff(kind, prepend=kind[:1]) != 0)
        held = np.bincount(which)[which]
        often = held > bars // _OFTEN
        renamed = np.unique(which[often], return_inverse=True)[1]
        shown = np.zeros((bars, int(renamed.max(initial=-1)) + 1), dtype=np.float32)
        shown[bar[often], renamed] = 1.0
        rare = ~often & (held > 1)
        return _product(shown) + _pair_by_pair(bar[rare], which[rare], bars)


def _product(shown: Singles) -> Floats:
    return (shown @ shown.T).astype(np.float64)


def _pair_by_pair(bar: Ints, kind: Ints, bars: int) -> Floats:
    """Count, for kinds that few bars hold, every pair of bars that holds one; ``kind`` is in order."""
    both = np.zeros(bars * bars)
    starts = np.flatnonzero(np.diff(kind, prepend=-1))
    held = np.diff(starts, append=len(kind))
    for step in range(1, int(held.max(initial=1))):
        first = np.arange(len(bar) - step)
        same = first[kind[step:] == kind[:-step]]
        np.add.at(both, bar[same] * bars + bar[same + step], 1.0)
    table = both.reshape(bars, bars)
    return table + table.T
