"""The pieces that are held beside each other: excerpts of real songs by genre, and of ours, as rows of features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from random import Random
from typing import NamedTuple

from libretto.bench.real.forms import form_features
from libretto.bench.real.pitches import pitch_features
from libretto.bench.real.sheet import Sheet, sheet_of
from libretto.bench.real.times import time_features
from libretto.bench.real.together import together_features
from libretto.contract import Contract
from libretto.corpus.identity import group_of
from libretto.corpus.labels import Song, find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.house import compose_score
from libretto.score import Score, played

__all__ = ["Excerpt", "features_of", "our_excerpts", "real_excerpts", "real_songs"]

_FEWEST_NOTES = 64  # pitched, fewer say nothing
_SILENT = 2  # bars in which nothing starts that a piece may have at its ends
Step = Callable[[int, int], None]


class Excerpt(NamedTuple):
    """Some bars of a piece: its name, genre and group (whoever made it), and its features."""

    name: str
    genre: str
    group: str
    features: Mapping[str, float]


def features_of(sheet: Sheet) -> dict[str, float]:
    """Every feature of some bars, by name."""
    return {
        **pitch_features(sheet),
        **time_features(sheet),
        **form_features(sheet),
        **together_features(sheet),
    }


def _cut(score: Score, bars: int, seed: str) -> dict[str, float] | None:
    """The features of so many bars from a place drawn by chance; None where there are not enough, or hardly a note."""
    table = score.table
    if not len(table):
        return None
    first, last = int(table["bar"].min()), int(table["bar"].max()) + 1
    if last - first < bars - _SILENT or score.bars < bars:
        return None
    start = min(Random(seed).randint(first, max(first, last - bars)), score.bars - bars)
    sheet = sheet_of(score, start, bars)
    return features_of(sheet) if len(sheet.notes) >= _FEWEST_NOTES else None


def real_songs(folder: str, genres: Sequence[str], most: int, seed: int = 0) -> tuple[str, list[Song]]:
    """The folder itself, and songs of each genre in an order of chance: every artist once before any twice."""
    there = find_songs(folder)
    chosen: list[Song] = []
    for genre in genres:
        mine = [song for song in there.songs if song.genre == genre]
        mine.sort(key=lambda song: sha256(f"{seed} {song.path}".encode()).digest())
        met: dict[str, int] = {}
        turns = []
        for song in mine:
            group = _group(song)
            met[group] = met.get(group, 0) + 1
            turns.append(met[group])
        order = sorted(range(len(mine)), key=lambda row: turns[row])
        chosen += [mine[row] for row in order[:most]]
    return str(there.folder), chosen


def _group(song: Song) -> str:
    return group_of(song.artist, song.title) if song.artist or song.title else song.path


def _real(folder: str, bars: int, song: Song) -> Excerpt | None:
    try:
        features = _cut(played(read(f"{folder}/{song.path}")), bars, song.path)
    except LibrettoError:
        return None
    return None if features is None else Excerpt(song.path, song.genre, _group(song), features)


def real_excerpts(folder: str, songs: Sequence[Song], bars: int, processes: int, step: Step) -> list[Excerpt]:
    """An excerpt of every song that has so many bars."""
    excerpts = []
    with ProcessPoolExecutor(processes or None) as pool:
        for number, excerpt in enumerate(pool.map(partial(_real, folder, bars), songs), start=1):
            excerpts += [] if excerpt is None else [excerpt]
            step(number, len(songs))
    return excerpts


def _ours(length: int, bars: int, asked: tuple[str, int]) -> Excerpt | None:
    genre, seed = asked
    features = _cut(compose_score(Contract(genre=genre, bars=length), seed), bars, f"{genre} {seed}")
    name = f"{genre} {seed}"
    return None if features is None else Excerpt(name, genre, f"ours {name}", features)


def our_excerpts(
    genres: Sequence[str], seeds: int, length: int, bars: int, processes: int, step: Step
) -> list[Excerpt]:
    """An excerpt of a piece of ours for every genre and seed; pieces are composed with so many bars in length."""
    asked = [(genre, seed) for genre in genres for seed in range(seeds)]
    excerpts = []
    with ProcessPoolExecutor(processes or None) as pool:
        for number, excerpt in enumerate(pool.map(partial(_ours, length, bars), asked), start=1):
            excerpts += [] if excerpt is None else [excerpt]
            step(number, len(asked))
    return excerpts
