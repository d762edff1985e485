"""Tunes of the collections as steps and pitches, and which are kept aside.

A shipped model learns notes only from collections in the public domain (``TAUGHT``); of pop909 it learns statistics,
and essen is only measured. Tunes that change meter or key are left out, and so are two books of nottingham that hold
tunes by living or recent writers.
"""

from __future__ import annotations

import gzip
import itertools
import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from libretto.house.tune.step import Step
from libretto.score.chords import Chord, parse_chord
from libretto.score.keys import Key
from libretto.score.time import QUARTER, Meter

__all__ = ["COLLECTIONS", "TAUGHT", "TEACH", "TEST", "VALID", "Tune", "read_tunes"]

#: Collections whose tunes teach the model, and all that are looked at.
TAUGHT = ("aird", "oneill", "ryan", "nottingham", "chorales")
COLLECTIONS = (*TAUGHT, "pop909", "essen")
TEACH, VALID, TEST = 0, 1, 2  #: what a tune is for
_TEST_SHARE, _VALID_SHARE = 0.10, 0.15  # of all tunes; of the rest 5 in 100 say when to stop
_UNIT = QUARTER // 48
_MODERN = ("nottingham:ashover:", "nottingham:waltzes:")  # books with tunes by living or recent writers
_FEWEST = 16
_TEMPLATES = ("", "m", "dim", "7", "m7", "maj7", "m7b5")
_ROOTS = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")


@dataclass(frozen=True)
class Tune:
    """A tune of a collection: its plan, its pitches, and what it is for."""

    name: str
    collection: str
    kind: str
    key: Key
    meter: Meter
    steps: tuple[Step, ...]
    pitches: tuple[int, ...]
    part: int


def read_tunes(folder: Path, collection: str) -> Iterator[Tune]:
    """The tunes of a collection that keep one meter and one key."""
    with gzip.open(folder / f"{collection}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry.get("meters") or entry.get("keys") or entry["id"].startswith(_MODERN):
                continue
            if len(entry["notes"]) >= _FEWEST:
                yield _tune(entry, collection)


def _part(entry: dict[str, Any]) -> int:
    """Variants of one tune are kept together: the hash is of their group."""
    share = int(sha256(f"tunes/{entry.get('group', entry['id'])}".encode()).hexdigest()[:8], 16) / 2**32
    return TEST if share < _TEST_SHARE else VALID if share < _VALID_SHARE else TEACH


def _tune(entry: dict[str, Any], collection: str) -> Tune:
    notes = [(start * _UNIT, length * _UNIT, pitch) for start, length, pitch in entry["notes"]]
    meter, key = Meter.parse(entry["meter"]), Key.parse(entry["key"])
    starts = sorted({start * _UNIT for start in entry["phrases"]}) or _breaths(notes, meter)
    ends = [*starts[1:], max(entry["end"] * _UNIT, notes[-1][0] + notes[-1][1])]
    chords = [(start * _UNIT, parse_chord(label) if label else None) for start, label in entry["chords"] or ()]
    if collection == "chorales":
        chords = _harmony(entry["voices"], meter)
    times = [start for start, _ in chords]
    pitches = [pitch for _, _, pitch in notes]
    echoes = _echoes(notes, meter, key)
    steps = []
    for index, (onset, length, _) in enumerate(notes):
        phrase = max(bisect_right(starts, onset) - 1, 0)
        held = bisect_right(times, onset) - 1
        chord = chords[held][1] if held >= 0 else None
        steps.append(Step(onset, length, chord, min(starts[phrase], onset), ends[phrase], echo=echoes[index]))
    kind = "" if collection == "essen" else entry["kind"]
    return Tune(entry["id"], collection, kind, key, meter, tuple(steps), tuple(pitches), _part(entry))


def _breaths(notes: list[tuple[int, int, int]], meter: Meter) -> list[int]:
    """Where phrases begin when nobody says so: after rests of a beat."""
    starts = [notes[0][0]]
    for (onset, length, _), (after, _, _) in itertools.pairwise(notes):
        if after - onset - length >= meter.beat:
            starts.append(after)
    return starts


def _harmony(voices: dict[str, list[list[int]]], meter: Meter) -> list[tuple[int, Chord | None]]:
    """The chord of every beat of a chorale, from its four voices: the one that covers most of what sounds."""
    beats: dict[int, np.ndarray[Any, Any]] = {}
    beat = meter.beat // _UNIT
    for name, notes in voices.items():
        for start, length, pitch in notes:
            for slot in range(start // beat, (start + length - 1) // beat + 1):
                shared = min(start + length, (slot + 1) * beat) - max(start, slot * beat)
                weights = beats.setdefault(slot, np.zeros((2, 12)))
                weights[0, pitch % 12] += shared
                if name == "bass":
                    weights[1, pitch % 12] += shared
    chords = [chord for root in _ROOTS for quality in _TEMPLATES if (chord := parse_chord(root + quality))]
    heard: list[tuple[int, Chord | None]] = []
    for slot, (sounding, bass) in sorted(beats.items()):
        fits = [
            2 * sounding[list(chord.classes)].sum() + 0.5 * bass[chord.root_class] - 0.2 * beat * len(chord.classes)
            for chord in chords
        ]
        heard.append((slot * beat * _UNIT, chords[int(np.argmax(fits))]))
    return heard


def _echoes(notes: list[tuple[int, int, int]], meter: Meter, key: Key) -> list[int]:
    """For every note of a bar that answers an earlier one the note that it answers, else -1.

    A bar answers the latest earlier one of its rhythm that agrees with it in most pitches, or in most moves.
    """
    bars: dict[int, list[int]] = {}
    for index, (onset, _, _) in enumerate(notes):
        bars.setdefault(onset // meter.ticks, []).append(index)
    echoes = [-1] * len(notes)
    same: dict[tuple[tuple[int, int], ...], list[list[int]]] = {}
    for members in bars.values():
        rhythm = tuple((notes[index][0] % meter.ticks, notes[index][1]) for index in members)
        earlier = same.setdefault(rhythm, [])
        scored = [(_agreement(notes, members, other, key), number) for number, other in enumerate(earlier)]
        if scored and len(members) > 1 and max(scored)[0] >= 0.6:
            for index, source in zip(members, earlier[max(scored)[1]], strict=True):
                echoes[index] = source
        earlier.append(members)
    return echoes


def _agreement(notes: list[tuple[int, int, int]], these: list[int], those: list[int], key: Key) -> float:
    """The share of notes of two bars of one rhythm that agree in pitch, or of moves in steps of the scale."""
    here, there = [notes[index][2] for index in these], [notes[index][2] for index in those]
    pitches = sum(a == b for a, b in zip(here, there, strict=True)) / len(here)
    tones = sorted(key.classes)
    steps = [[pitch // 12 * 7 + bisect_right(tones, pitch % 12) for pitch in bar] for bar in (here, there)]
    moves = [[b - a for a, b in itertools.pairwise(bar)] for bar in steps]
    alike = sum(a == b for a, b in zip(moves[0], moves[1], strict=True))
    return max(pitches, alike / max(len(moves[0]), 1))
