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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from libretto.axes import measure, measure_all
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
_TOGETHER = 16  # files that are measured side by side

Row = dict[str, Any]
_Key = tuple[bytes, str]  # the hash of a file, and what it is called by its ending


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


def _read(song: Song, data: bytes) -> Score | Exception:
    try:
        return played(format_of(song.path).decode(data))
    except Exception as error:  # said where the row of the file is made
        return error


def _leaf(song: Song, score: Score | Exception, data: bytes, content: bytes, task: Task) -> Row:
    try:
        if isinstance(score, Exception):
            raise score
        line = starts_of(score)
        if not len(line.onset):
            return refused_leaf(song, "it has no pitched notes", len(data), content)
        row = {**refused_leaf(song, "", len(data), content), **_facts(score, song), **measure(score, grid=GRID)}
        sampled = is_sampled(content, task.share)
        return row if task.depth == DEPTHS[0] else {**row, **_song_columns(score, line, sampled)}
    except LibrettoError as error:
        return refused_leaf(song, one_line(str(error)), len(data), content)
    except Exception as error:  # a fault of ours: one file must not cost the whole corpus, but it is said
        why = f"unexpected {type(error).__name__}: {one_line(str(error))}"
        return refused_leaf(song, why, len(data), content)


def _facts(score: Score, song: Song) -> Row:
    notes = sum(len(voice.sounds) for voice in score.voices)
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
    earlier: dict[_Key, Row] = {}
    for first in range(0, len(task.songs), _TOGETHER):
        rows += _some_leaves(task, task.songs[first : first + _TOGETHER], earlier)
    return rows


def _some_leaves(task: Task, songs: Sequence[Song], earlier: dict[_Key, Row]) -> Iterator[Row]:
    """Rows of a few files, which are measured side by side."""
    opened = [_opened(task, song) for song in songs]
    new: dict[_Key, tuple[Song, bytes]] = {}
    for song, found in zip(songs, opened, strict=True):
        if not isinstance(found, LibrettoError) and found[0] not in earlier:
            new.setdefault(found[0], (song, found[1]))
    scores = {key: _read(song, data) for key, (song, data) in new.items()}
    with suppress(Exception):  # whatever is wrong with one of them is said where its row is made
        measure_all([score for score in scores.values() if isinstance(score, Score)], grid=GRID)
    for key, (song, data) in new.items():
        earlier[key] = _leaf(song, scores.pop(key), data, key[0], task)
    for song, found in zip(songs, opened, strict=True):
        if isinstance(found, LibrettoError):
            yield refused_leaf(song, one_line(str(found)))
            continue
        row = earlier[found[0]]
        labels = {"file": song.path, "genre": song.genre, "artist": song.artist, "title": song.title or row["title"]}
        yield {**row, **labels}


def _opened(task: Task, song: Song) -> tuple[_Key, bytes] | LibrettoError:
    """What a file is known by, and its bytes; the error where it cannot be opened."""
    try:
        data = open_bytes(task.base, song.path)
    except LibrettoError as error:
        return error
    return (hashlib.sha256(data).digest(), song.path.rpartition(".")[2].lower()), data
