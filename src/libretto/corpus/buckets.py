"""The buckets of a sketch: into which of them notes of a beat fall, and the bits that say which are filled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER
from libretto.score.table import Ints

__all__ = [
    "BITS",
    "BUCKET",
    "BUCKETS",
    "FILLED",
    "PLACES",
    "REMAINDERS",
    "cells_of",
    "so_many_filled",
    "times_filled",
    "topped_up",
    "unpacked",
]

PLACES, REMAINDERS = 4, 20  #: of a beat; of a pitch
BUCKETS, FILLED = 32, 16  #: of a beat; how many of them are filled at least where it sounds


def _shuffled(label: str, count: int) -> Ints:
    """The numbers below ``count`` in an order that is fixed for ever."""
    return np.array(sorted(range(count), key=lambda n: sha256(f"{label} {n}".encode()).digest()), dtype=np.int64)


def _buckets() -> Ints:
    table = np.empty(PLACES * REMAINDERS, dtype=np.int64)
    table[_shuffled("bucket", PLACES * REMAINDERS)] = np.arange(PLACES * REMAINDERS) % BUCKETS
    return table.reshape(PLACES, REMAINDERS)


BUCKET = _buckets()
_BYTE = 255  # the most that one holds
_EACH, _LAST = np.uint64(0x0101_0101_0101_0101), np.uint64(56)  # add the bytes of a number up in its highest byte
BITS = np.uint32(1) << np.arange(BUCKETS, dtype=np.uint32)


def cells_of(onset: Ints, phase: int) -> tuple[Ints, Ints]:
    """The beat and the quarter of it in which notes start, counted from a phase."""
    cell = np.floor((onset - phase) * PLACES / QUARTER + 0.5).astype(np.int64)
    return cell // PLACES, cell % PLACES


@cache
def _orders() -> tuple[Ints, Ints]:
    """Which bucket of a beat comes first, and for each that does the order in which false ones are filled."""
    rank = np.argsort(_shuffled("rank", BUCKETS))
    return rank, np.stack([np.argsort(_shuffled(f"turn {bucket}", BUCKETS)) for bucket in range(BUCKETS)])


def topped_up(filled: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Beats with false buckets beside the true ones, up to a number; silent beats stay silent."""
    rank, turns = _orders()
    first = np.where(filled, rank, BUCKETS).argmin(axis=1)
    turn = np.where(filled, -1, turns[first])
    chosen = np.argsort(turn, axis=1, kind="stable")[:, :FILLED]
    result = filled.copy()
    sounding = np.asarray(filled.any(axis=1))
    np.put_along_axis(result, chosen, True, axis=1)
    return np.where(sounding[:, None], result | filled, False)


def unpacked(songs: Sequence[NDArray[np.uint32]]) -> list[NDArray[np.bool_]]:
    """Which buckets of each beat are filled, song by song, from the bits of a number a beat."""
    beats = np.concatenate([np.empty(0, dtype="<u4"), *songs], dtype="<u4")
    octets = beats.view(np.uint8).reshape(-1, BUCKETS // 8)
    filled = np.unpackbits(octets, axis=1, bitorder="little").view(np.bool_)
    ends = accumulate(map(len, songs))
    return [filled[end - len(song) : end] for song, end in zip(songs, ends, strict=True)]


def times_filled(songs: Sequence[NDArray[np.bool_]]) -> Ints:
    """How often each bucket is filled, song by song: eight are counted in one number, as long as a byte holds them."""
    times = np.zeros((len(songs), BUCKETS), dtype=np.int64)
    starts: list[int] = []
    whose: list[int] = []
    for number, (song, end) in enumerate(zip(songs, accumulate(map(len, songs)), strict=True)):
        some = range(end - len(song), end, _BYTE)
        starts += some
        whose += [number] * len(some)
    if starts:
        counts = np.add.reduceat(np.concatenate(songs).view(np.uint64), starts, axis=0).view(np.uint8)
        np.add.at(times, whose, counts)
    return times


def so_many_filled(filled: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """How many buckets of each beat are filled: those of eight columns stand in one number, and are added up in it."""
    eights = filled.view(np.uint64)
    together = sum((eights[:, column] for column in range(eights.shape[1])), np.zeros(len(eights), dtype=np.uint64))
    return np.asarray((together * _EACH) >> _LAST, dtype=np.uint64)
