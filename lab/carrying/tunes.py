"""Real tunes with chords as scores, and the chords of other tunes put under them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from libretto.score import QUARTER, Key, Meter, Note, Score, Voice, parse_chord, spell
from libretto.score.chords import NO_CHORD, transpose_chord

__all__ = ["Tune", "read_tunes", "taught", "wrong_chords"]

_UNIT = QUARTER // 48  # ticks of the unit that times are given in
_WRONG = (2, 5, 7, 10)  # semitones by which the chords of a tune are moved to be wrong: near keys, the hardest


class Tune(NamedTuple):
    """A tune: its name, the group of tunes that are variants of it, its key, and itself as a score with its chords."""

    name: str
    group: str
    key: Key
    score: Score


def taught(name: str) -> bool:
    """Whether a tune is of the half that teaches, by its name's hash."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def read_tunes(path: Path, most: int | None = None) -> Iterator[Tune]:
    """The tunes of a collection that have chords."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            data = json.loads(line)
            if data["chords"] and any(label and parse_chord(label) for _, label in data["chords"]):
                yield Tune(data["id"], data.get("group", data["id"]), Key.parse(data["key"]), _score(data))
                most = None if most is None else most - 1
                if most == 0:
                    return


def _score(data: Mapping[str, Any]) -> Score:
    lines = [*data["bars"], data["end"]]
    first = min(note[0] for note in data["notes"])
    pickup = first < lines[0]
    lines = [first, *lines] if pickup else lines
    start = lines[0]
    key = Key.parse(data["key"])
    sounding = [note for note in data["notes"] if start <= note[0] < lines[-1]]
    names = spell(np.array([note[2] for note in sounding]), key).tolist()
    notes = [
        Note((onset - start) * _UNIT, min(max(1, length), lines[-1] - onset) * _UNIT, pitch, spelling=name)
        for (onset, length, pitch, *_), name in zip(sounding, names, strict=True)
    ]
    return Score.build(
        [Voice.of("Tune", notes, 0)],
        bar_lines=[(line - start) * _UNIT for line in lines],
        meters=((0, Meter.parse(data["meter"])),),
        keys=((0, key),),
        chords=_labels(lines, data["chords"]),
        first_bar=0 if pickup else 1,
    )


def _labels(lines: Sequence[int], chords: Sequence[tuple[int, str | None]]) -> list[tuple[str, ...]]:
    """The chords by bar: one, or that of each half where they differ."""

    def at(time: int) -> str:
        label = next((name for start, name in reversed(chords) if start <= time), None)
        return label if label and parse_chord(label) else NO_CHORD

    bars: list[tuple[str, ...]] = []
    for start, end in pairwise(lines):
        pair = at(start), at((start + end) // 2)
        bars.append(pair if pair[0] != pair[1] else pair[:1])
    return bars


def wrong_chords(tunes: Sequence[Tune], index: int) -> dict[str, list[tuple[str, ...]]]:
    """Chords that are not a tune's: another's in its key, its own a bar late, in another order, and in another key."""
    tune = tunes[index]
    own = list(tune.score.chords)
    dice = Random(tune.name)
    alike = [other for other in tunes if other.group != tune.group and other.key.is_minor == tune.key.is_minor]
    other = dice.choice(alike or list(tunes))
    fifths = tune.key.tonic - other.key.tonic
    theirs = [tuple(transpose_chord(label, fifths) for label in bar) for bar in other.score.chords]
    mixed = own[:]
    dice.shuffle(mixed)
    step = dice.choice(_WRONG) * 7 % 12
    return {
        "another tune's": [theirs[bar % len(theirs)] for bar in range(len(own))],
        "a bar late": own[-1:] + own[:-1],
        "in another order": mixed,
        "in another key": [tuple(transpose_chord(label, step) for label in bar) for bar in own],
    }
