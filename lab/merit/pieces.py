"""Pairs measured: every song's bases and what was made of them, as rows of numbers.

Conventions: rows are kept as they come, so that measuring may go on where it stopped: one file of rows a song.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lab.merit.bases import Base, bases_of, tidy
from lab.merit.frozen import MORE
from lab.merit.habits import Sample, habits_of
from lab.merit.pairs import KINDS, worse
from libretto.bench.spotting import number_of
from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.merit.features import numbers_of
from libretto.merit.habits import Habits
from libretto.merit.heard import Heard
from libretto.score import Score, played
from libretto.score.table import Floats

__all__ = [
    "FOLDS",
    "Pairs",
    "Row",
    "Source",
    "draft_rows",
    "fold_of",
    "measured",
    "pairs_of",
    "rows_of_base",
    "sources",
]

FOLDS = 5  #: artists are held out by fifths
_REVISED, _DRAFT = "random revision", "draft revised"
_SHORT, _MIDDLE = 32, 64  # bars
_ENDING = "cadence cut"  # only music that ends can lose its ending


@dataclass(frozen=True)
class Source:
    """A song: its file and its artist (or title, where nobody is named)."""

    path: str
    group: str


@dataclass(frozen=True)
class Row:
    """A pair: what was done, for whom, how long, and the numbers of the better and the worse one."""

    group: str
    kind: str
    forces: str
    length: str
    better: dict[str, float]
    worse: dict[str, float]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs as arrays: labels, and a row of numbers each for better and worse, in the order of ``names``."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    better: Floats
    worse: Floats


def sources(music: Path) -> list[Source]:
    """The songs of ``corpus/midi`` in an order of chance."""
    root = music / "corpus" / "midi"
    songs = [Source(str(root / s.path), group_of(s.artist, s.title)) for s in find_songs(root).songs]
    return sorted(songs, key=lambda song: number_of(Path(song.path).name))


def rows_of_base(base: Base, group: str, habits: Habits, chance: np.random.Generator) -> Iterator[Row]:
    """A pair for every kind that the base has something to lose by."""
    own = numbers_of(Heard(base.score), habits)
    for kind in KINDS | MORE:
        if kind == _ENDING and not base.ends:
            continue
        other = worse(base.score, kind, chance)
        if other is not None:
            yield Row(group, kind, base.forces, base.length, own, numbers_of(Heard(other), habits))


def _rows_of(source: Source, habits: Habits) -> list[Row]:
    chance = np.random.default_rng(number_of(Path(source.path).name))
    try:
        song = read(source.path)
    except LibrettoError:
        return []
    return [row for base in bases_of(song, chance) for row in rows_of_base(base, source.group, habits, chance)]


def fold_of(group: str) -> int:
    """The fold of an artist."""
    return number_of(group) // 10 % FOLDS


def measured(
    songs: Sequence[Source], samples: Sequence[Sample], cache: Path | None, step: Callable[[str], None]
) -> list[Row]:
    """The pairs of every song; those that were measured before are taken from the cache.

    What is usual is learnt from samples of other artists, fold by fold.
    """
    habits = [habits_of([one for one in samples if fold_of(one.group) != out]) for out in range(FOLDS)]
    rows: list[Row] = []
    for number, source in enumerate(songs, 1):
        step(f"measuring {number}/{len(songs)}")
        kept = None if cache is None else cache / f"{number_of(source.path):020d}.json"
        if kept is not None and kept.is_file():
            rows += [Row(**row) for row in json.loads(kept.read_text(encoding="utf-8"))]
            continue
        fresh = _rows_of(source, habits[fold_of(source.group)])
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps([row.__dict__ for row in fresh]), encoding="utf-8")
        rows += fresh
    return rows


def draft_rows(drafts: Iterable[tuple[int, Score]], habits: Habits) -> Iterator[Row]:
    """The pairs of our own pieces, by the number of their brief; their forces are ``draft``.

    A random revision of them is a kind of its own. The habits know nothing of ours, so every brief is held out.
    """
    for number, score in drafts:
        chance = np.random.default_rng(number)
        bars = score.bars
        length = "short" if bars <= _SHORT else "middle" if bars <= _MIDDLE else "whole"
        base = Base(tidy(played(score)), "draft", length, True)
        for row in rows_of_base(base, f"brief {number}", habits, chance):
            yield replace(row, kind=_DRAFT if row.kind == _REVISED else row.kind)


def pairs_of(rows: Sequence[Row]) -> Pairs:
    """Rows as arrays; NaN where a number does not apply."""
    names = tuple(sorted({name for row in rows for name in row.better} | {n for row in rows for n in row.worse}))

    def table(side: str) -> Floats:
        return np.array([[getattr(row, side).get(name, np.nan) for name in names] for row in rows], dtype=np.float64)

    return Pairs(names, tuple(rows), table("better"), table("worse"))
