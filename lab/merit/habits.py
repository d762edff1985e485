"""Habits of real music measured: ``python -m lab.merit.habits MUSIC`` writes ``merit/habits.json``.

Reads the texts of ``corpus/lakh``. Where pairs are judged held out, an artist's songs are left out of the habits that
they are held against. An instrument that is seldom heard borrows from its family, and a family from all instruments.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.merit.habits import TRAITS, Habits
from libretto.merit.harmony import chord_states
from libretto.merit.heard import Heard
from libretto.merit.parts import traits_of
from libretto.score import Score
from libretto.score.table import Floats, Ints

__all__ = ["Sample", "habits_of", "main", "sample_of", "samples_of"]

_PROGRAMS, _FAMILY, _STATES = 128, 8, 24
_WORTH = 6.0  # parts that what is borrowed is worth
_LEAST = (3.0, 3.0, 3.0, 0.25, 0.6, 0.4)  # of a spread, by trait: less would make every part odd
_SMOOTH = 20  # successions that what is usual anywhere is worth
_DIGITS = 3


@dataclass(frozen=True, eq=False)
class Sample:
    """What one song shows of habits: whose it is, its parts by program, its chords and their successions."""

    group: str
    parts: tuple[tuple[int, Floats], ...]
    states: Ints


def sample_of(song: Score, group: str) -> Sample:
    """What a song shows."""
    heard = Heard(song)
    voices, rows = traits_of(heard)
    parts = tuple((heard.programs[voice], row) for voice, row in zip(voices, rows, strict=True))
    return Sample(group, parts, chord_states(heard)[::2])


def samples_of(music: Path) -> Iterator[Sample]:
    """What every text of ``corpus/lakh`` shows."""
    root = music / "corpus" / "lakh"
    for song in find_songs(root).songs:
        try:
            yield sample_of(read(root / song.path), group_of(song.artist, song.title))
        except LibrettoError:
            continue


def _borrowed(rows: list[Floats], place: Floats, spread: Floats) -> tuple[Floats, Floats]:
    """Mean and spread of parts, held back towards what is usual around them."""
    if not rows:
        return place, spread
    table, many = np.stack(rows), len(rows)
    mean = (table.sum(axis=0) + _WORTH * place) / (many + _WORTH)
    square = ((table - mean) ** 2).sum(axis=0) + _WORTH * spread**2
    return mean, np.maximum(np.sqrt(square / (many + _WORTH)), _LEAST)


def habits_of(samples: Sequence[Sample]) -> Habits:
    """The habits that songs show together."""
    parts: dict[int, list[Floats]] = {}
    chord, follows = np.ones(_STATES), np.zeros((_STATES, _STATES))
    for sample in samples:
        for program, row in sample.parts:
            parts.setdefault(program, []).append(row)
        states = sample.states
        np.add.at(chord, states[states >= 0], 1)
        both = (states[:-1] >= 0) & (states[1:] >= 0)
        np.add.at(follows, (states[:-1][both], states[1:][both]), 1)
    everything = np.stack([row for rows in parts.values() for row in rows])
    place, spread = everything.mean(axis=0), everything.std(axis=0)
    places, spreads = np.empty((_PROGRAMS, len(TRAITS))), np.empty((_PROGRAMS, len(TRAITS)))
    for family in range(0, _PROGRAMS, _FAMILY):
        kin = [row for program in range(family, family + _FAMILY) for row in parts.get(program, [])]
        near = _borrowed(kin, place, spread)
        for program in range(family, family + _FAMILY):
            places[program], spreads[program] = _borrowed(parts.get(program, []), *near)
    usual = chord / chord.sum()
    after = (follows + _SMOOTH * usual) / (follows.sum(axis=1, keepdims=True) + _SMOOTH)
    return Habits(*(table.round(_DIGITS) for table in (places, spreads, np.log2(usual), np.log2(after))))


def main(arguments: Sequence[str]) -> None:
    """Measure the habits from a folder of music, and write them into the checkout."""
    asked = arguments_of("Measure habits anew.", "the folder that holds corpus/").parse_args(arguments)
    target = package_of(asked.checkout) / "merit" / "habits.json"
    samples = list(samples_of(asked.music))
    about = "Measured by lab.merit.habits on real songs; numbers only."
    tables = {name: table.tolist() for name, table in vars(habits_of(samples)).items()}
    keep_or_compare(compact_json({"about": about, "songs": len(samples)} | tables), target, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
