"""Which songs a piece may be taken from: its marks vote for songs, and then for one place and key in each.

A rare figure is a heavier vote than a common one. Songs with most votes are looked at closely: marks that are shared
by chance stand anywhere and in any key, those of a copy all lie as far from the piece's, in time and in pitch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.corpus.vectors.marks import Marks
from libretto.corpus.vectors.postings import Postings
from libretto.score.table import Floats, Ints

__all__ = ["Vote", "votes"]

_MOST_POSTINGS = 1_500_000  # that one piece looks at
_CLOSE = 2_000  # songs whose votes are held against each other
_MOST_PLACES = 4  # of one figure in the piece: more would only repeat what they say
_PITCHES, _AROUND = 256, 128
_NEAR = 2  # quarters of a beat; marks that agree lie no further apart
_ALL_BITS = 0xFFFFFFFF
_SPAN = 1 << 20  # more places than any piece has


class Vote(NamedTuple):
    """A song, how many marks agree on one place and key, weighed by rarity, and how many there are at all."""

    song: int
    agreed: float
    weight: float


def votes(index: Postings, marks: Marks, most: int, without: frozenset[int] = frozenset()) -> list[Vote]:
    """The songs that share most marks with a piece in one place and key, at most so many, the likeliest first."""
    figures = (marks.number & np.uint64(_ALL_BITS)).astype(np.uint32)
    order = np.lexsort((marks.cell, figures))
    figures, cells, pitches = figures[order], marks.cell[order], marks.pitch[order]
    distinct, first, repeats = np.unique(figures, return_index=True, return_counts=True)
    if not len(distinct) or not index.songs:
        return []
    where, which = index.of(distinct, _MOST_POSTINGS)
    if not len(where):
        return []
    song = np.asarray(index.table["song"][where], dtype=np.int64)
    rarity = np.log2(1 + index.songs / np.maximum(1, np.bincount(which, minlength=len(distinct))))
    weight = np.bincount(song, rarity[which], minlength=index.songs)
    if without:
        weight[[number for number in without if 0 <= number < index.songs]] = 0.0
    close = np.argpartition(-weight, _CLOSE)[:_CLOSE] if len(weight) > _CLOSE else np.arange(len(weight))
    close = np.sort(close[weight[close] > 0])
    place = np.minimum(np.searchsorted(close, song), max(0, len(close) - 1))
    mine = np.flatnonzero(close[place] == song) if len(close) else np.zeros(0, dtype=np.int64)
    agreed = _agreed(index, where[mine], which[mine], place[mine], len(close), (first, repeats, cells, pitches, rarity))
    ranked = np.lexsort((close, -weight[close], -agreed))[:most]
    return [Vote(int(close[one]), float(agreed[one]), float(weight[close[one]])) for one in ranked]


def _agreed(
    index: Postings, where: Ints, which: Ints, place: Ints, count: int, piece: tuple[Ints, Ints, Ints, Ints, Floats]
) -> Floats:
    """For every song that is looked at closely the weight of the marks that agree best."""
    first, repeats, cells, pitches, rarity = piece
    best = np.zeros(count)
    if not len(where):
        return best
    times = np.minimum(repeats[which], _MOST_PLACES)
    taken = np.repeat(np.arange(len(which)), times)
    within = np.arange(len(taken)) - np.repeat(np.cumsum(times) - times, times)
    here = first[which[taken]] + within
    rows = index.table[where[taken]]
    shift = rows["cell"].astype(np.int64) - cells[here] + _SPAN // 2
    turn = rows["pitch"].astype(np.int64) - pitches[here] + _AROUND
    for offset in range(_NEAR):  # bins that overlap, so that what lies close is in one of them
        key = (place[taken] * _PITCHES + turn) * _SPAN + (shift + offset) // _NEAR
        keys, back = np.unique(key, return_inverse=True)
        heaps = np.bincount(back, rarity[which[taken]])
        np.maximum.at(best, keys // (_PITCHES * _SPAN), heaps)
    return best
