"""An index of marks on the disk: which songs have a figure, where and at which pitch; read where it lies, never whole.

A song gives its rarest marks, at most 144: how many songs have a figure is counted first, so that room goes to what
tells songs apart. Figures that very many songs have are left out. A mark takes eight bytes (song, place, pitch, and a
byte that tells figures of one bucket apart), and buckets take a few dozen bytes a song.

It is made shelf by shelf: the marks that were chosen are read anew for every shelf of buckets, and one shelf is held at
a time, so that memory does not grow with the songs.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.labels import shown
from libretto.errors import FormatError
from libretto.score.table import Ints

__all__ = ["POSTING", "Postings", "open_postings", "write_postings"]

#: A song's mark as it is kept: the song, the place of the figure's first note, its pitch, and what else tells it.
POSTING = np.dtype([("song", "<u4"), ("cell", "<u2"), ("pitch", "u1"), ("check", "u1")])
_MOST_MARKS = 144  # of a song
_ROUGH = np.dtype([("figure", "<u4"), ("song", "<u4"), ("cell", "<u2"), ("pitch", "u1")])
_FIGURE_BITS, _CHECK_BITS, _COUNT_BITS = 32, 8, 24  # figures are counted finer than buckets
_BLOCK = 1 << 20  # marks that are read at a time
_LEAST_BITS, _MOST_BITS = 12, 24  # of the number of buckets
_MARKS_A_BUCKET = 16
_SHELF = 16_000_000  # postings that are held at a time
_COMMONEST, _COMMON_SHARE = 64, 0.004  # a figure that more songs than this have, or than this share, is left out
_MAGIC, _VERSION = b"LBRTMARKS\0", 1
_HEAD = struct.Struct("<10sHI")
_LONGEST_HEAD = 4_096

#: Gives the kept marks of songs, some songs at a time and in order, as often as it is called: all marks of these songs
#: in a row, and how many each song has.
Songs = Callable[[], Iterable[tuple[NDArray[Any], Ints]]]


def _bits_for(songs: int) -> int:
    wanted = max(1, songs * _MOST_MARKS // _MARKS_A_BUCKET)
    return min(_MOST_BITS, max(_LEAST_BITS, wanted.bit_length()))


def _rarest(marks: NDArray[Any], sizes: Ints, common: NDArray[np.uint32], most: int) -> tuple[NDArray[Any], Ints]:
    """The rarest marks of each song, and which of the songs each belongs to."""
    song = np.repeat(np.arange(len(sizes)), sizes)
    mine = np.flatnonzero(common <= most)
    order = mine[np.lexsort((mine, common[mine], song[mine]))]
    counts = np.bincount(song[order], minlength=len(sizes))
    rank = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = np.sort(order[rank < _MOST_MARKS])
    return marks[chosen], song[chosen]


def write_postings(songs: Songs, count: int, path: Path) -> None:
    """Write the index of so many songs; the same bytes for the same marks."""
    bits = _bits_for(count)
    shift = _FIGURE_BITS - bits
    sizes = np.zeros(1 << bits, dtype=np.int64)
    rough = path.with_name(f".{path.name}.marks")
    part = path.with_name(f".{path.name}.writing")
    with open(rough, "wb") as file:
        for chosen in _chosen(songs, count):
            np.add.at(sizes, chosen["figure"] >> np.uint32(shift), 1)
            file.write(chosen.tobytes())
    starts = np.concatenate(([0], np.cumsum(sizes)))
    head = json.dumps({"songs": count, "bits": bits, "marks": int(starts[-1])}, separators=(",", ":")).encode()
    with open(part, "wb") as file:
        file.write(_HEAD.pack(_MAGIC, _VERSION, len(head)) + head)
        file.write(starts.astype("<i8").tobytes())
        for first, last in _shelves(starts):
            file.write(_shelf(rough, shift, first, last).tobytes())
    rough.unlink()
    os.replace(part, path)


def _chosen(songs: Songs, count: int) -> Iterator[NDArray[Any]]:
    """The rarest marks of all songs, some songs at a time."""
    counts = np.zeros(1 << _COUNT_BITS, dtype=np.uint32)
    fine = np.uint32(_FIGURE_BITS - _COUNT_BITS)
    for marks, _ in songs():
        np.add.at(counts, marks["figure"] >> fine, 1)
    most = int(max(_COMMONEST, _COMMON_SHARE * count))
    before = 0
    for marks, sizes in songs():
        rare, song = _rarest(marks, sizes, counts[marks["figure"] >> fine], most)
        rows = np.zeros(len(rare), dtype=_ROUGH)
        for name in ("figure", "cell", "pitch"):
            rows[name] = rare[name]
        rows["song"] = song + before
        yield rows
        before += len(sizes)


def _shelves(starts: Ints) -> Iterator[tuple[int, int]]:
    """Buckets in runs that can be held."""
    first = 0
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + _SHELF, side="right")) - 1
        last = min(max(last, first + 1), len(starts) - 1)
        yield first, last
        first = last


def _shelf(rough: Path, shift: int, first: int, last: int) -> NDArray[Any]:
    """The postings of a run of buckets: by bucket, then by song."""
    pieces = [np.zeros(0, dtype=_ROUGH)]
    with open(rough, "rb") as file:
        while data := file.read(_BLOCK * _ROUGH.itemsize):
            rows = np.frombuffer(data, dtype=_ROUGH)
            bucket = rows["figure"] >> np.uint32(shift)
            pieces.append(rows[(bucket >= first) & (bucket < last)])
    marks = np.concatenate(pieces)
    marks = marks[np.argsort(marks["figure"] >> np.uint32(shift), kind="stable")]
    shelf = np.zeros(len(marks), dtype=POSTING)
    for name in ("song", "cell", "pitch"):
        shelf[name] = marks[name]
    shelf["check"] = _check(marks["figure"], shift)
    return shelf


def _check(figures: NDArray[np.uint32], shift: int) -> NDArray[np.uint8]:
    """The bits of figures that follow those of their bucket."""
    return ((figures >> np.uint32(shift - _CHECK_BITS)) & np.uint32((1 << _CHECK_BITS) - 1)).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Postings:
    """An index that lies on the disk: how many songs it has, its buckets and what is in them."""

    songs: int
    bits: int
    starts: Ints = field(repr=False)
    table: NDArray[Any] = field(repr=False)

    def of(self, figures: NDArray[np.uint32], most: int) -> tuple[Ints, Ints]:
        """Where the postings of figures lie, and to which figure each belongs; those of the rarest, at most so many."""
        shift = _FIGURE_BITS - self.bits
        bucket = (figures >> np.uint32(shift)).astype(np.int64)
        first = self.starts[bucket]
        sizes = self.starts[bucket + 1] - first
        order = np.argsort(sizes, kind="stable")
        order = order[: int(np.searchsorted(np.cumsum(sizes[order]), most, side="right"))]
        which = np.repeat(order, sizes[order])
        within = np.arange(len(which)) - np.repeat(np.cumsum(sizes[order]) - sizes[order], sizes[order])
        where = first[which] + within
        right = self.table["check"][where] == _check(figures, shift)[which]
        return where[right], which[right]


def open_postings(path: Path) -> Postings:
    """An index from its file, mapped into memory; a FormatError where it is damaged."""
    try:
        size = path.stat().st_size
        with open(path, "rb") as file:
            magic, version, length = _HEAD.unpack(file.read(_HEAD.size))
            if magic != _MAGIC or version != _VERSION or length > _LONGEST_HEAD:
                raise FormatError(f"{shown(str(path))} is no index that this version reads")
            facts = json.loads(file.read(length))
        songs, bits, marks = (int(facts[name]) for name in ("songs", "bits", "marks"))
        if not _LEAST_BITS <= bits <= _MOST_BITS or marks < 0 or songs < 0:
            raise FormatError(f"{shown(str(path))} is damaged: its head makes no sense")
        at = _HEAD.size + length
        buckets = (1 << bits) + 1
        if size != at + 8 * buckets + POSTING.itemsize * marks:
            raise FormatError(f"{shown(str(path))} is damaged: it has not the size that it says")
        starts = np.memmap(path, dtype="<i8", mode="r", offset=at, shape=(buckets,))
        rest = at + 8 * buckets
        table = (
            np.memmap(path, dtype=POSTING, mode="r", offset=rest, shape=(marks,))
            if marks
            else np.zeros(0, dtype=POSTING)
        )
    except (OSError, struct.error, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{shown(str(path))} cannot be read: {' '.join(str(error).split())}") from None
    return Postings(songs, bits, starts, table)
