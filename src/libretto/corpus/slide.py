"""The published copy risk: which share of a piece's notes one other song has, bar against bar, at the best distance.

Conventions: a piece is, bar by bar, the set of its starts and pitches, starts in hundredths of a quarter from the bar
line; percussion takes no part. ``slide`` lays the piece over a song at every distance in whole bars and divides the
notes that fall on the same by all notes of the piece. Of a corpus only the songs are laid under it that have most of
its starts and pitches anywhere, 25 as published: this may miss the nearest song, it knows no transposition and no shift
within the bar. ``libretto.corpus.overlap`` is our own way; this one is there to reproduce figures.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from libretto.corpus.labels import find_songs
from libretto.errors import FormatError, LibrettoError
from libretto.formats import read
from libretto.score import QUARTER, Score, played
from libretto.score.table import Ints

__all__ = ["NEAREST", "Pairs", "Slid", "aligned", "most_slid", "pairs_of", "read_pairs", "shared_notes", "slide"]

NEAREST = 25  #: songs of a corpus that a piece is laid over, as published
_PITCHES = 128
_HUNDREDTHS = 100
_MOST_SONGS = 5_000  # a folder with more is no corpus to be read for one verdict


@dataclass(frozen=True, eq=False)
class Pairs:
    """A piece as starts and pitches: for each such pair the bars that have it, and how many notes there are in all."""

    bars: Mapping[int, Ints]
    notes: int
    name: str = ""


@dataclass(frozen=True)
class Slid:
    """How much of a piece one song has, at which distance in bars, and which song that is."""

    share: float
    shift: int = 0
    song: str = ""


def pairs_of(score: Score, name: str = "", without: tuple[int, int] | None = None) -> Pairs:
    """A piece as starts and pitches; ``without`` are bar indices, both ends included, that are left out."""
    rows = played(score).sounds if without is None else score.sounds
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    rows = rows[~drums[rows["voice"]]] if len(drums) else rows
    if without is not None:
        rows = rows[(rows["bar"] < without[0]) | (rows["bar"] > without[1])]
    places = np.round(rows["position"] * (_HUNDREDTHS / QUARTER)).astype(np.int64)
    codes = places * _PITCHES + rows["pitch"]
    bars: dict[int, set[int]] = defaultdict(set)
    for code, bar in zip(codes.tolist(), rows["bar"].tolist(), strict=True):
        bars[code].add(bar)
    return Pairs({code: np.array(sorted(at), dtype=np.int64) for code, at in bars.items()}, len(rows), name)


def slide(piece: Pairs, song: Pairs) -> Slid:
    """The largest share of a piece's notes that a song has at one distance in bars."""
    away = [np.subtract.outer(song.bars[code], bars).ravel() for code, bars in piece.bars.items() if code in song.bars]
    if not away or not piece.notes:
        return Slid(0.0, 0, song.name)
    every = np.concatenate(away)
    counts = np.bincount(every - every.min())
    best = int(counts.argmax())
    return Slid(float(counts[best]) / piece.notes, best + int(every.min()), song.name)


def aligned(piece: Pairs, song: Pairs, shift: int = 0) -> float:
    """The share of a piece's notes that a song has so many bars later."""
    hits = sum(
        len(np.intersect1d(bars + shift, song.bars[code])) for code, bars in piece.bars.items() if code in song.bars
    )
    return hits / piece.notes if piece.notes else 0.0


def shared_notes(piece: Pairs, song: Pairs, shift: int = 0) -> Pairs:
    """What of a piece a song has so many bars later, as a piece of its own."""
    kept = {
        code: np.intersect1d(bars, song.bars[code] - shift) for code, bars in piece.bars.items() if code in song.bars
    }
    left = {code: bars for code, bars in kept.items() if len(bars)}
    return Pairs(left, sum(len(bars) for bars in left.values()), piece.name)


def most_slid(piece: Pairs, songs: Sequence[Pairs], without: Collection[str] = (), nearest: int = NEAREST) -> Slid:
    """The song of a corpus that has most of a piece, of the nearest alone, as published."""
    others = [song for song in songs if song.name not in without]
    counted = [(sum(code in song.bars for code in piece.bars), song.name, song) for song in others]
    ranked = [song for _, _, song in sorted(counted, key=lambda one: one[:2], reverse=True)]
    slid = [slide(piece, song) for song in ranked[:nearest]]
    return max(slid, key=lambda one: one.share, default=Slid(0.0))


@lru_cache(maxsize=4)
def read_pairs(folder: str | os.PathLike[str]) -> tuple[Pairs, ...]:
    """Every song of a folder that can be read, as starts and pitches."""
    there = find_songs(folder)
    if len(there.songs) > _MOST_SONGS:
        raise FormatError(f"{folder} holds {len(there.songs)} songs; at most {_MOST_SONGS} are compared")
    songs = []
    for song in there.songs:
        try:
            songs.append(pairs_of(read(Path(there.folder) / song.path), song.path))
        except LibrettoError:  # one bad file is no reason to compare with none
            continue
    if not songs:
        raise FormatError(f"{folder} holds no music that can be compared")
    return tuple(songs)
