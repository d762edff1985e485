"""Which songs of the partitions repeat an earlier one: by their bytes, by their names, by their music in any key.

Two nets, one behind the other. *Keys*: equal bytes; equal music; equal music in another key; the same artist and title.
*Bands*: locality-sensitive hashing of the songs' codes (``libretto.corpus.vectors.marks``): 96 bands of four bins each,
and songs that share a band are held against each other. Two songs are the same where at least half of the bins that
either fills are equal, which means that two thirds of the marks of each are the other's: re-uploads in another key,
with another arrangement or another ending. Of pairs that are just so much alike, 998 of 1,000 share a band.

The first of each stays. Memory: a byte and a few bits a song, and keys by shares of all there are, at most two million
at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.identity import normal_artist, normal_title
from libretto.corpus.scale.parts import Parts, read_columns
from libretto.corpus.vectors.codes import open_codes, same_music
from libretto.corpus.vectors.marks import CODE_BYTES
from libretto.score.table import Bools, Ints

__all__ = ["HOW", "Copies", "find_copies"]

#: How a song repeats an earlier one, in the order in which it is looked for.
HOW = (
    "the same file as",
    "the same music as",
    "the same music in another key as",
    "the same artist and title as",
    "nearly the same music as",
)
_NEARLY = len(HOW) - 1
_COLUMNS = ("refused", "content", "music", "shape", "artist", "title")
_KEYS_HELD = 2_000_000
_BAND = 4  # bins of a band
_STRIDES = (1, 5, 11)  # how far the bins of a band lie apart: each makes 32 bands
_BLOCK = 4_096  # songs that are worked on at a time


@dataclass
class Copies:
    """For every file, in the order of the partitions: whether it was read, and the earlier song that it repeats.

    ``first`` is -1 where it repeats none; ``how`` is a place in ``HOW``.
    """

    read: Bools
    first: Ints = field(repr=False)
    how: NDArray[np.int8] = field(repr=False)

    @property
    def kept(self) -> Ints:
        """The files that are songs of the cloud, in order."""
        return np.flatnonzero(self.read & (self.first < 0))

    def repeat(self, songs: Ints, earlier: Ints, how: int) -> None:
        """Note that songs repeat earlier ones, unless that was known of them."""
        mine = self.first[songs] < 0
        self.first[songs[mine]], self.how[songs[mine]] = earlier[mine], how


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha256(b"\0".join(parts)).digest()[:8], "little", signed=True)


def _keys(table: Any) -> NDArray[np.int64]:
    """A number for each row and each of the first four ways to be the same; 0 where there is nothing to go by."""
    columns = {name: table[name].to_pylist() for name in _COLUMNS}
    rows = []
    for refused, content, music, shape, artist, title in zip(*(columns[name] for name in _COLUMNS), strict=True):
        if refused:
            rows.append((0, 0, 0, 0))
            continue
        who, what = normal_artist(artist or ""), normal_title(title or "")
        named = _number(b"name", who.encode(), what.encode()) if who and what else 0
        rows.append((_number(b"bytes", content), _number(b"music", music), _number(b"shape", shape), named))
    return np.array(rows, dtype=np.int64).reshape(-1, _NEARLY)


def find_copies(parts: Parts, codes: Path) -> Copies:
    """The copies among the songs of all partitions; ``codes`` is a file for their codes, which is made here."""
    sizes, keys_file = [], codes.with_suffix(".keys")
    with open(codes, "wb") as out, open(keys_file, "wb") as keys_out:
        for _, path in parts:
            rows = read_columns(path, (*_COLUMNS, "code"))
            keys = _keys(rows)
            keys_out.write(keys.astype("<i8").tobytes())
            out.write(b"".join(code or bytes(CODE_BYTES) for code in rows["code"].to_pylist()))
            sizes.append(len(keys))
    count = sum(sizes)
    every: NDArray[np.int64] = np.zeros((0, _NEARLY), dtype=np.int64)
    if count:
        every = np.memmap(keys_file, dtype="<i8", mode="r", shape=(count, _NEARLY))
    found = Copies(every[:, 0] != 0, np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int8))
    for how in range(_NEARLY):
        for songs, earlier in _repeated(every[:, how]):
            found.repeat(songs, earlier, how)
    del every
    keys_file.unlink(missing_ok=True)
    table = open_codes(codes, count)
    for bins in _bands():
        _repeat_alike(found, table, *_banded(found.kept, table, bins))
    return found


def _bands() -> Iterator[list[int]]:
    """The bins of every band."""
    for stride in _STRIDES:
        order = np.arange(CODE_BYTES) * stride % CODE_BYTES
        yield from order.reshape(-1, _BAND).tolist()


def _blocks(songs: Ints) -> Iterator[Ints]:
    for start in range(0, len(songs), _BLOCK):
        yield songs[start : start + _BLOCK]


def _repeated(keys: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Songs whose key an earlier song has, and the first that has it; keys are taken by shares of all there are."""
    shares = -(-len(keys) // _KEYS_HELD)
    for share in range(shares):
        mine = np.flatnonzero((keys != 0) & (keys.astype(np.uint64) % np.uint64(shares) == share))
        _, first, back = np.unique(keys[mine], return_index=True, return_inverse=True)
        earlier = mine[first][back]
        again = earlier != mine
        yield mine[again], earlier[again]


def _banded(kept: Ints, codes: NDArray[np.uint8], band: list[int]) -> tuple[Ints, Ints]:
    """Pairs of songs that share a band: each with the one before it that does."""
    key = np.zeros(len(kept), dtype=np.int64)
    start = 0
    for block in _blocks(kept):
        bins = codes[block][:, band].astype(np.int64)
        key[start : start + len(block)] = np.where(
            (bins > 0).all(axis=1), (bins << np.arange(0, 8 * _BAND, 8)).sum(axis=1), 0
        )
        start += len(block)
    order = np.argsort(key, kind="stable")
    pair = np.flatnonzero((np.diff(key[order]) == 0) & (key[order][1:] != 0))
    return kept[order[pair + 1]], kept[order[pair]]


def _repeat_alike(found: Copies, codes: NDArray[np.uint8], songs: Ints, earlier: Ints) -> None:
    for start in range(0, len(songs), _BLOCK):
        mine, other = songs[start : start + _BLOCK], earlier[start : start + _BLOCK]
        alike = same_music(codes[mine], codes[other])
        found.repeat(mine[alike], other[alike], _NEARLY)
