"""The index of a cloud of very many songs: candidates by marks and codes, then counted note by note.

Nothing of it is read whole: marks, codes and the table of songs are mapped into memory, and of the songs that may be
alike, a few dozen, the notes are read from their partitions. What is told of them is as exact as in a small cloud.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.labels import Song
from libretto.corpus.names import LARGE, shown
from libretto.corpus.overlap import Overlap, starts_of
from libretto.corpus.tracks import join_tracks
from libretto.corpus.vectors.codes import nearest_codes, open_codes
from libretto.corpus.vectors.marks import Marks, code_of, kept_marks, marks_of
from libretto.corpus.vectors.postings import Postings, open_postings
from libretto.corpus.vectors.voting import votes
from libretto.errors import FormatError, MissingExtra
from libretto.score import Score

__all__ = ["CODES", "LARGE", "MARKS", "SONGS", "LargeIndex", "large_facts", "open_large"]

MARKS, CODES, SONGS = "marks.idx", "codes.bin", "songs.bin"
_CANDIDATES, _BY_CODE = 8, 2  # songs whose notes are compared: those that marks vote for, those alike as a whole
_PARTS = "parts"
_COLUMNS = ("file", "genre", "artist", "title", "track")
_GROUP = 100  # rows of a partition that are read together
_LARGEST = 16_000_000  # bytes of the list of what a cloud is made of
_LONGEST_TRACK = 16_000_000  # bytes of the notes of one song


def large_facts(folder: Path) -> dict[str, Any] | None:
    """What a large cloud says of itself; None where it is an ordinary one."""
    path = folder / LARGE
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > _LARGEST:
            raise FormatError(f"{shown(str(path))} has more than {_LARGEST:,} bytes")
        facts = json.loads(path.read_text(encoding="utf-8"))
        return {**facts, "songs": int(facts["songs"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{shown(str(path))} cannot be read: {' '.join(str(error).split())}") from None


@dataclass(frozen=True, eq=False)
class LargeIndex:
    """Many songs that can be searched for what a piece shares with them."""

    folder: Path
    marks: Postings = field(repr=False)
    places: NDArray[np.uint32] = field(repr=False)
    codes: NDArray[np.uint8] = field(repr=False)

    def __len__(self) -> int:
        return len(self.places)

    def candidates(self, score: Score, most: int = _CANDIDATES, without: Collection[int] = ()) -> list[int]:
        """The songs that a piece may be taken from, the likeliest first."""
        line = starts_of(score)
        left_out = frozenset(without)
        by_marks = [vote.song for vote in votes(self.marks, marks_of(line, asked=True), most, left_out)]
        by_code = [song for song in self._alike(marks_of(line)) if song not in left_out]
        return list(dict.fromkeys([*by_marks, *by_code]))

    def _alike(self, marks: Marks) -> list[int]:
        return [int(song) for song in nearest_codes(self.codes, code_of(kept_marks(marks)), _BY_CODE)]

    def nearest(self, score: Score, k: int = 5, without: Collection[int] = ()) -> list[Overlap]:
        """The songs that share most with a piece, the closest first."""
        chosen = self.candidates(score, max(_CANDIDATES, 2 * k), without)
        songs, tracks = zip(*map(self._song, chosen), strict=True) if chosen else ((), ())
        near = join_tracks(tracks, [song.name for song in songs]).nearest(score, k)
        return [replace(one, song=chosen[one.song]) for one in near]

    def to_bytes(self) -> bytes:
        """The index of marks as bytes."""
        return (self.folder / MARKS).read_bytes()

    def _song(self, number: int) -> tuple[Song, bytes]:
        """A song and its notes, from its partition."""
        part, row = self.places[number].tolist()
        table = _rows(self.folder / _PARTS, part, row // _GROUP)
        at = row % _GROUP
        file, genre, artist, title, track = (table[name][at].as_py() for name in _COLUMNS)
        return Song(file, genre or "", artist or "", title or ""), _unpacked(track)


def _unpacked(track: bytes) -> bytes:
    """Notes as they are compared; what claims to be longer than any song is refused."""
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(track, _LONGEST_TRACK)
    if not unpacking.eof:
        raise FormatError("a partition is damaged: the notes of a song have no end")
    return data


@lru_cache(maxsize=64)
def _rows(folder: Path, part: int, group: int) -> Any:
    """Some rows of a partition, read once while they are in use."""
    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("a large cloud", "scale") from None
    paths = sorted(folder.glob(f"{part:06}-*.parquet"))
    if not paths:
        raise FormatError(f"{shown(str(folder))} has no partition {part}")
    try:
        with parquet.ParquetFile(paths[0], memory_map=True) as file:
            return file.read_row_group(group, columns=list(_COLUMNS), use_threads=False)
    except (OSError, ValueError) as error:
        raise FormatError(f"{shown(str(paths[0]))} cannot be read: {' '.join(str(error).split())}") from None


def open_large(folder: Path) -> LargeIndex | None:
    """The index of a large cloud; None where the folder holds an ordinary one."""
    facts = large_facts(folder)
    if facts is None:
        return None
    songs = facts["songs"]
    try:
        places = np.memmap(folder / SONGS, dtype="<u4", mode="r", shape=(songs, 2))
        codes = open_codes(folder / CODES, songs)
    except (OSError, ValueError) as error:
        raise FormatError(f"{shown(str(folder))} is damaged: {' '.join(str(error).split())}") from None
    marks = open_postings(folder / MARKS)
    if marks.songs != songs:
        raise FormatError(f"{shown(str(folder / MARKS))} holds {marks.songs:,} songs, and its cloud {songs:,}")
    return LargeIndex(folder, marks, places, codes)
