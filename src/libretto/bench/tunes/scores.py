"""Real tunes as scores: a line, with its chords as labels where the collection has them, or all voices of a chorale."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.score import QUARTER, Key, Meter, Note, Score, Voice, parse_chord, spell
from libretto.score.chords import NO_CHORD

__all__ = ["COLLECTIONS", "score_of", "tunes_of"]

#: Collections that may teach: old books, and tunes whose age is theirs.
COLLECTIONS = ("aird", "chorales", "nottingham", "oneill", "ryan")
_UNIT = QUARTER // 48  # ticks of the unit that times are given in
_FLUTE, _CHOIR = 73, 52  # programs


def tunes_of(folder: Path, collection: str) -> Iterator[tuple[str, Score]]:
    """The tunes of a collection with the group of variants that each belongs to; what cannot be written is left out."""
    with gzip.open(folder / f"{collection}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            data = json.loads(line)
            try:
                yield str(data.get("group", data["id"])), score_of(data)
            except (LibrettoError, ValueError, IndexError):
                continue


def score_of(data: Mapping[str, Any]) -> Score:
    """A tune of a collection as a score."""
    voices: Mapping[str, Any] = data.get("voices") or {"Tune": data["notes"]}
    lines = [*data["bars"], data["end"]]
    first = min(note[0] for notes in voices.values() for note in notes)
    pickup = first < lines[0]
    lines = [first, *lines] if pickup else lines
    key = Key.parse(data["key"])
    program = _FLUTE if len(voices) == 1 else _CHOIR
    return Score.build(
        [Voice.of(name.capitalize(), _notes(notes, lines, key), program) for name, notes in voices.items()],
        bar_lines=[(line - lines[0]) * _UNIT for line in lines],
        meters=((0, Meter.parse(data["meter"])),),
        keys=((0, key),),
        chords=[_label(line, data.get("chords") or ()) for line in lines[:-1]],
        first_bar=0 if pickup else 1,
    )


def _notes(notes: list[list[int]], lines: list[int], key: Key) -> list[Note]:
    start, end = lines[0], lines[-1]
    sounding = sorted(note[:3] for note in notes if start <= note[0] < end)
    names = spell(np.array([note[2] for note in sounding]), key).tolist()
    return [
        Note((onset - start) * _UNIT, min(max(1, length), end - onset) * _UNIT, pitch, spelling=name)
        for (onset, length, pitch), name in zip(sounding, names, strict=True)
    ]


def _label(line: int, chords: Any) -> tuple[str, ...]:
    label = next((name for start, name in reversed(chords) if start <= line), None)
    return (label if label and parse_chord(label) else NO_CHORD,)
