"""One file measured, as a row of a table: what it is known by, its axes, and what finds copies of it.

A row comes in two depths. ``axes`` is what a person wants for statistics of their own: the axes and a few plain facts.
``song`` is what a cloud is made of: also the notes, the marks (``libretto.corpus.vectors.marks``) and, for the songs by
which gates are calibrated, windows and excerpts. Which songs these are is decided by the hash of a file's bytes, so it
is the same whoever measures. A file that cannot be read is a row, too, that says why.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from libretto.axes import measure
from libretto.corpus.identity import music_key
from libretto.corpus.labels import Song, one_line
from libretto.corpus.overlap import Starts, starts_of
from libretto.corpus.rows import GRID, SongRow, row_of
from libretto.corpus.scale.places import open_bytes
from libretto.corpus.tracks import track_piece
from libretto.corpus.vectors.marks import code_of, kept_marks, marks_of
from libretto.errors import LibrettoError
from libretto.formats import format_of
from libretto.score import Score, played

__all__ = ["DEPTHS", "DIED", "Task", "detail_row", "is_sampled", "leaves", "refused_leaf", "shape_key"]

DEPTHS = ("axes", "song")  #: how much is measured of a file
#: Why a file was refused whose process was gone before it had been measured.
DIED = "the process that read it died (out of memory?)"
_HASH_BYTES = 8
_WHOLE = 1 << (8 * _HASH_BYTES)
_LEVEL = 6  # of compression

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """Some files to be measured: their partition, where they lie, how deep, and which share of them in full."""

    number: int
    base: str
    songs: tuple[Song, ...]
    depth: str = "song"
    share: float = 0.0


def is_sampled(content: bytes, share: float) -> bool:
    """Whether the bytes of a file, by their hash, belong to such a share of all files."""
    return int.from_bytes(content[:_HASH_BYTES], "big") < share * _WHOLE


def shape_key(line: Starts) -> bytes:
    """A hash of when which pitches start, counted from the first note and the lowest: the same in every key."""
    starts = np.stack([line.onset - line.onset.min(), line.pitch - line.pitch.min()], axis=1)
    return hashlib.sha256(starts.astype("<i8").tobytes()).digest()[:16]


def refused_leaf(song: Song, why: str, size: int = 0, content: bytes = b"") -> Row:
    """The row of a file that was refused."""
    known = {"file": song.path, "genre": song.genre, "artist": song.artist, "title": song.title}
    return {**known, "size": size, "content": content, "refused": why}


def _read_leaf(song: Song, data: bytes, content: bytes, depth: str, share: float) -> Row:
    try:
        score = played(format_of(song.path).decode(data))
        line = starts_of(score)
        if not len(line.onset):
            return refused_leaf(song, "it has no pitched notes", len(data), content)
        row = {**refused_leaf(song, "", len(data), content), **_facts(score, song), **measure(score, grid=GRID)}
        return row if depth == DEPTHS[0] else {**row, **_song_columns(score, line, is_sampled(content, share))}
    except LibrettoError as error:
        return refused_leaf(song, one_line(str(error)), len(data), content)
    except Exception as error:  # a fault of ours: one file must not cost the whole corpus, but it is said
        why = f"unexpected {type(error).__name__}: {one_line(str(error))}"
        return refused_leaf(song, why, len(data), content)


def _facts(score: Score, song: Song) -> Row:
    notes = sum(len(voice.array) for voice in score.voices)
    seconds = float(score.seconds_at(np.array([score.bar_lines[-1]]))[0])
    facts = {"bars": score.bars, "notes": notes, "voices": len(score.voices), "seconds": round(seconds, 3)}
    return {**facts, "title": song.title or one_line(score.title)}


def _song_columns(score: Score, line: Starts, sampled: bool) -> Row:
    kept = kept_marks(marks_of(line))
    columns: Row = {
        "music": bytes.fromhex(music_key(score))[:16],
        "shape": shape_key(line),
        "marks": kept.tobytes(),
        "code": code_of(kept),
        "track": zlib.compress(track_piece(score), _LEVEL),
    }
    if sampled:
        columns["detail"] = zlib.compress(json.dumps(row_of(score).to_dict(), separators=(",", ":")).encode(), _LEVEL)
    return columns


def detail_row(detail: bytes) -> SongRow:
    """What was measured in full of a song, from its row."""
    return SongRow.from_dict(json.loads(zlib.decompress(detail)))


def leaves(task: Task) -> list[Row]:
    """The files of a task as rows in order; equal bytes are measured once."""
    rows: list[Row] = []
    earlier: dict[tuple[bytes, str], Row] = {}
    for song in task.songs:
        try:
            data = open_bytes(task.base, song.path)
        except LibrettoError as error:
            rows.append(refused_leaf(song, one_line(str(error))))
            continue
        key = hashlib.sha256(data).digest(), song.path.rpartition(".")[2].lower()
        row = earlier.get(key)
        if row is None:
            row = earlier[key] = _read_leaf(song, data, key[0], task.depth, task.share)
        labels = {"file": song.path, "genre": song.genre, "artist": song.artist, "title": song.title or row["title"]}
        rows.append({**row, **labels})
    return rows
