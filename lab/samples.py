"""Real pieces and what they share with songs of other artists; and copies of them, to see whether they are caught."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.corpus.cloud import Cloud
from libretto.corpus.forces import SIZES, excerpt
from libretto.corpus.identity import normal_title
from libretto.corpus.overlap import telling_notes
from libretto.corpus.rows import plain_spellings, window_starts
from libretto.corpus.sketch import Sketch, sketch_piece
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score, take_bars, transpose

__all__ = ["Sample", "copy_of", "index_here", "prepare", "samples_of"]

_LENGTHS = ("phrase", "short", "short", "middle", "whole")  # of pieces cut out of a song
_CUT = 3  # pieces that are cut out of a song
_COPIED = 8  # one song in so many is also searched for as a copy
_CHANGED, _OTHERWISE = 0.1, (-4, -3, -2, -1, 1, 2, 3, 4)  # of the notes of a copy, and by how many semitones
_SHORT_COPY = 16  # bars
_FARTHEST, _HIGHEST = 6, 127  # semitones by which a copy is moved; the highest pitch


@dataclass(frozen=True)
class Sample:
    """A real piece and what it shares with the nearest song.

    ``size`` and ``length`` say what was cut out of a song (band and whole: all of it). A copy was searched for among
    all songs, so that its own is there (``right``: and is the nearest), any other only among other artists'.
    """

    song: int
    group: int
    size: str
    length: str
    bars: int
    notes: int
    telling: int
    score: float
    share: float
    copy: bool = False
    right: bool = False


class _Query(NamedTuple):
    """A song to search for: its file, its number, those of its artist or title, and whether copies of it are, too."""

    path: str
    number: int
    relatives: tuple[int, ...]
    copied: bool


def samples_of(cloud: Cloud, index: Sketch, folder: Path, jobs: int = 1, step: int = 1) -> list[Sample]:
    """Samples of the songs of a folder with a manifest, as far as they are in the index."""
    with open(folder / "manifest.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    titles = [normal_title(row.get("title", "")) for row in rows]
    paths = [str(folder / (row.get("file") or f"{row['id']}.txt")) for row in rows]
    with ProcessPoolExecutor(jobs, initializer=_prepare_samples, initargs=(cloud, index.to_bytes())) as pool:
        numbers = list(pool.map(_number, paths, chunksize=16))
        titled = {number: title for number, title in zip(numbers, titles, strict=True) if number is not None}
        work = [
            _Query(path, number, _relatives(cloud, titled, number), order % _COPIED == 0)
            for order, (path, number) in enumerate(zip(paths, numbers, strict=True))
            if number is not None
        ][::step]
        return list(chain.from_iterable(pool.map(_samples, work, chunksize=2)))


def _relatives(cloud: Cloud, titles: Mapping[int, str], number: int) -> tuple[int, ...]:
    """The songs of the same artist or title."""
    group, title = cloud.groups[number], titles[number]
    return tuple(n for n, g in enumerate(cloud.groups) if g == group or (title and titles.get(n) == title))


def _prepare_samples(cloud: Cloud, data: bytes) -> None:
    _state["index"] = data
    _clouds.append(cloud)


_clouds: list[Cloud] = []


@cache
def _sketches() -> dict[bytes, int]:
    index = index_here()
    return {beats.tobytes(): number for number, beats in enumerate(index.beats)}


def _number(path: str) -> int | None:
    """Which song of the index a file is."""
    try:
        return _sketches().get(sketch_piece(read(path))[8:])
    except LibrettoError:
        return None


def _samples(query: _Query) -> list[Sample]:
    score, number, group = read(query.path), query.number, _clouds[0].groups[query.number]
    dice = Random(score.digest)
    pieces = [("band", "whole", score)]
    for seed in range(_CUT):
        size, length = SIZES[dice.randrange(len(SIZES))], _LENGTHS[dice.randrange(len(_LENGTHS))]
        part = excerpt(score, size, length, seed)
        if part is not None:
            pieces.append((size, length, part))
    samples = [_sample(number, group, *piece, without=query.relatives) for piece in pieces]
    if query.copied:
        for start in window_starts(score, _SHORT_COPY)[:1]:
            first = start + score.first_bar
            pieces.append(("band", "sixteen", take_bars(score, first, first + _SHORT_COPY - 1)))
        copies = [(size, length, copy_of(piece, dice)) for size, length, piece in pieces]
        samples += [_sample(number, group, *piece, copy=True) for piece in copies]
    return [sample for sample in samples if sample is not None]


def _sample(
    number: int, group: int, size: str, length: str, piece: Score, without: Sequence[int] = (), copy: bool = False
) -> Sample | None:
    best = next(iter(index_here().nearest(piece, 1, without)), None)
    if best is None:
        return None
    return Sample(
        number,
        group,
        size,
        length,
        piece.bars,
        best.notes,
        telling_notes(piece),
        best.score,
        best.share,
        copy,
        best.song == number,
    )


def copy_of(score: Score, dice: Random) -> Score:
    """A copy as somebody might make it: in another key, a note in ten changed."""
    pitches = [voice.array["pitch"] for voice in score.voices if len(voice.array) and not voice.drums]
    low, high = min(int(p.min()) for p in pitches), max(int(p.max()) for p in pitches)
    move = dice.randint(max(-_FARTHEST, -low), min(_FARTHEST, _HIGHEST - high))
    moved = transpose(score, move)
    voices = []
    for voice in moved.voices:
        notes = voice.array.copy()
        if not voice.drums and len(notes):
            changed = np.array([dice.random() < _CHANGED for _ in range(len(notes))])
            other = np.array([dice.choice(_OTHERWISE) for _ in range(len(notes))])
            notes["pitch"] = np.clip(np.where(changed, notes["pitch"] + other, notes["pitch"]), 0, _HIGHEST)
            notes["spelling"] = plain_spellings(notes["pitch"].astype(np.int64))
            kept = np.unique(notes[["onset", "pitch"]], return_index=True)[1]
            notes = notes[np.sort(kept)]
        voices.append(voice.with_notes(notes))
    return Score.build(voices, bar_lines=moved.bar_lines, meters=moved.meters, tempos=moved.tempos)


_state: dict[str, bytes] = {}


def prepare(data: bytes) -> None:
    """Give a process its index."""
    _state["index"] = data


@cache
def index_here() -> Sketch:
    """The index of this process."""
    return Sketch.from_bytes(_state["index"])
