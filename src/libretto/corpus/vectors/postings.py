"""An index of marks on the disk: which songs have a figure, where and at which pitch; read where it lies, never whole.

A song gives its rarest marks, at most 144: how many songs have a figure is counted first, so that room goes to what
tells songs apart. Figures that very many songs have are left out. A mark takes eight bytes (song, place, pitch, and a
byte that tells figures of one bucket apart), and buckets take a few dozen bytes a song.

It is made shelf by shelf: marks are read anew for every shelf of buckets, and one shelf is held at a time, so that
memory does not grow with the songs.
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
_FIGURE_BITS, _CHECK_BITS = 32, 8
_LEAST_BITS, _MOST_BITS = 12, 24  # of the number of buckets
_MARKS_A_BUCKET = 16
_SHELF = 16_000_000  # postings that are held at a time
_COMMONEST, _COMMON_SHARE = 64, 0.004  # a figure that more songs than this have, or than this share, is left out
_MAGIC, _VERSION = b"LBRTMARKS\0", 1
_HEAD = struct.Struct("<10sHI")
_LONGEST_HEAD = 4_096

#: Gives the kept marks of every song, in order, as often as it is called.
Songs = Callable[[], Iterable[NDArray[Any]]]


def _bits_for(songs: int) -> int:
    wanted = max(1, songs * _MOST_MARKS // _MARKS_A_BUCKET)
    return min(_MOST_BITS, max(_LEAST_BITS, wanted.bit_length()))


def _chosen(kept: NDArray[Any], counts: NDArray[np.uint32], shift: int, most: int) -> NDArray[Any]:
    """The rarest marks of a song in the order in which they are kept."""
    common = counts[kept["figure"] >> np.uint32(shift)]
    mine = np.flatnonzero(common <= most)
    if len(mine) > _MOST_MARKS:
        mine = np.sort(mine[np.argsort(common[mine], kind="stable")[:_MOST_MARKS]])
    return np.asarray(kept[mine])


def write_postings(songs: Songs, count: int, path: Path) -> None:
    """Write the index of so many songs; the same bytes for the same marks."""
    bits = _bits_for(count)
    counting = min(_FIGURE_BITS - _CHECK_BITS, _MOST_BITS)  # figures are counted finer than buckets
    counts = np.zeros(1 << counting, dtype=np.uint32)
    fine = _FIGURE_BITS - counting
    for kept in songs():
        counts[np.unique(kept["figure"] >> np.uint32(fine))] += 1
    most = int(max(_COMMONEST, _COMMON_SHARE * count))
    shift = _FIGURE_BITS - bits
    sizes = np.zeros(1 << bits, dtype=np.int64)
    for kept in songs():
        np.add.at(sizes, _chosen(kept, counts, fine, most)["figure"] >> np.uint32(shift), 1)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    head = json.dumps({"songs": count, "bits": bits, "marks": int(starts[-1])}, separators=(",", ":")).encode()
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as file:
        file.write(_HEAD.pack(_MAGIC, _VERSION, len(head)) + head)
        file.write(starts.astype("<i8").tobytes())
        for first, last in _shelves(starts):
            shelf = _shelf(songs(), counts, fine, most, shift, first, last, int(starts[last] - starts[first]))
            file.write(shelf.tobytes())
    os.replace(part, path)


def _shelves(starts: Ints) -> Iterator[tuple[int, int]]:
    """Buckets in runs that can be held."""
    first = 0
    while first < len(starts) - 1:
        last = int(np.searchsorted(starts, starts[first] + _SHELF, side="right")) - 1
        last = min(max(last, first + 1), len(starts) - 1)
        yield first, last
        first = last


def _shelf(
    songs: Iterable[NDArray[Any]],
    counts: NDArray[np.uint32],
    fine: int,
    most: int,
    shift: int,
    first: int,
    last: int,
    size: int,
) -> NDArray[Any]:
    """The postings of a run of buckets: by bucket, then by song."""
    shelf = np.zeros(size, dtype=POSTING)
    figures = np.zeros(size, dtype=np.uint32)
    at = 0
    for number, kept in enumerate(songs):
        marks = _chosen(kept, counts, fine, most)
        bucket = marks["figure"] >> np.uint32(shift)
        marks = marks[(bucket >= first) & (bucket < last)]
        here = slice(at, at + len(marks))
        figures[here] = marks["figure"]
        shelf["song"][here], shelf["cell"][here], shelf["pitch"][here] = number, marks["cell"], marks["pitch"]
        at += len(marks)
    shelf["check"] = _check(figures, shift)
    return np.asarray(shelf[np.argsort(figures >> np.uint32(shift), kind="stable")])


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
