"""Pieces measured for learning: real music at a glance, the same made worse, and attacks.

Conventions: one row a piece: its group (artist or tune), what it is (``real``, ``worse: kind``, ``attack: name``), the
number of the real piece that it was made of, and its quick numbers. Artists are held out by fifths.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from lab.merit.bases import bases_of, tidy
from lab.merit.frozen import MORE
from lab.merit.pairs import KINDS, worse
from lab.merit.pieces import Source, sources
from libretto.bench.attacks import attacks
from libretto.bench.spotting import number_of
from libretto.bench.tunes.scores import COLLECTIONS, tunes_of
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.reward.glance import Glance
from libretto.reward.numbers import numbers_of
from libretto.score import Score, played

__all__ = ["COPIES", "Row", "bases", "kept_rows", "rows_of"]

#: Attacks that nothing in the notes tells from music: the memory tells, and no curve learns from them.
COPIES = ("a copy", "a copy in another key", "a copy with jitter", "pasted examples")
_LONGEST = 96  # bars
_DAMAGES, _ATTACKS = 5, 7  # of each real piece, by chance
_FEWEST_BARS = 8


@dataclass(frozen=True)
class Row:
    """A piece measured: whose, what, made of which, and its numbers."""

    group: str
    what: str
    base: str
    numbers: dict[str, float]


def bases(music: Path, songs: Sequence[Source], tunes: int) -> Iterator[tuple[str, str, Score]]:
    """Real pieces with their group and name: stretches of songs, then so many tunes of each collection."""
    for source in songs:
        name = Path(source.path).name
        try:
            song = read(source.path)
            stretches = list(bases_of(song, np.random.default_rng(number_of(name))))
        except LibrettoError:
            continue
        for number, base in enumerate(stretches):
            if _FEWEST_BARS <= base.score.bars <= _LONGEST:
                yield source.group, f"{name} {number}", base.score
    for collection in COLLECTIONS:
        every = list(tunes_of(music / "tunes", collection))
        for number, (group, score) in enumerate(Random(collection).sample(every, min(tunes, len(every)))):
            if _FEWEST_BARS <= score.bars <= _LONGEST:
                yield group, f"{collection} {number}", tidy(played(score))


def _numbers(score: Score) -> dict[str, float]:
    return {name: float(f"{value:.6g}") for name, value in numbers_of(Glance(score)).items()}


def rows_of(group: str, name: str, score: Score) -> Iterator[Row]:
    """A real piece, a few ways of making it worse, and a few attacks in its frame."""
    chance = np.random.default_rng(number_of(name))
    yield Row(group, "real", name, _numbers(score))
    damages = list(KINDS | MORE)
    for kind in chance.choice(damages, _DAMAGES, replace=False).tolist():
        other = worse(score, kind, chance)
        if other is not None:
            yield Row(group, f"worse: {kind}", name, _numbers(other))
    able = [attack for attack in attacks if attack not in COPIES]
    for attack in chance.choice(able, _ATTACKS, replace=False).tolist():
        made = attacks[attack](score, (), chance)
        if isinstance(made, Score):
            yield Row(group, f"attack: {attack}", name, _numbers(made))


def kept_rows(music: Path, cache: Path, most: int | None = None, tunes: int = 150) -> list[Row]:
    """All rows, measured once and kept in a file."""
    if not cache.is_file():
        cache.parent.mkdir(parents=True, exist_ok=True)
        part = cache.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            for group, name, score in bases(music, sources(music)[:most], tunes):
                for row in rows_of(group, name, score):
                    file.write(json.dumps(row.__dict__) + "\n")
        part.rename(cache)
    with cache.open(encoding="utf-8") as file:
        return [Row(**json.loads(line)) for line in file]
