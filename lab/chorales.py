"""The check of four-part writing on a collection of chorales that is kept as JSON lines: alarms in 100 bars.

``python -m lab.chorales FOLDER [strict|free] [bare]`` reads ``chorales.jsonl.gz`` there. The collection holds no
spelling, so that notes are spelled anew, as they are for MIDI; the ends of phrases are its fermatas.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from libretto.bench.part_writing import alarms_in, alarms_lines
from libretto.faults.harmony.styles import FREE
from libretto.score import Key, Meter, Note, Score, Voice
from libretto.score.marks import Mark
from libretto.score.spelling import spell_notes
from libretto.score.time import QUARTER

__all__ = ["chorale_score", "chorales", "main"]

_UNIT = QUARTER // 48  # the collection counts in 48ths of a quarter


def chorales(folder: Path, *, fermatas: bool = True) -> Iterator[Score]:
    """Every chorale of the collection, with or without its fermatas."""
    with gzip.open(folder / "chorales.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield chorale_score(json.loads(line), fermatas=fermatas)


def chorale_score(entry: dict[str, Any], *, fermatas: bool = True) -> Score:
    """One chorale as a piece in four voices, a fermata on every note that ends a phrase."""
    key, bars = Key.parse(entry["key"]), [bar * _UNIT for bar in entry["bars"]]
    shift = -min(0, *(start * _UNIT for notes in entry["voices"].values() for start, _, _ in notes))
    lines = sorted({0, *(bar + shift for bar in bars), entry["end"] * _UNIT + shift})
    ends = {start * _UNIT + shift for start in entry["phrases"]} | {lines[-1]}
    voices = []
    for name, rows in entry["voices"].items():
        times = [(start * _UNIT + shift, length * _UNIT, pitch) for start, length, pitch in rows]
        onset, _, pitches = (np.array(column) for column in zip(*times, strict=True))
        names = spell_notes(onset, pitches, np.zeros(len(onset), np.int64), [(0, key)])
        notes = [Note(a, b, c, spelling=int(d)) for (a, b, c), d in zip(times, names, strict=True)]
        marks = [Mark(n.onset, "fermata", "", n.duration, n.pitch) for n in notes if n.onset + n.duration in ends]
        voices.append(Voice.of(name.title(), notes).with_marks(marks if fermatas else []))
    meter = Meter.parse(entry["meter"])
    return Score.build(voices, bar_lines=lines, meters=[(0, meter)], keys=[(0, key)], first_bar=0 if shift else 1)


def main(folder: str, style: str = FREE, signs: str = "") -> None:
    """Print the table; ``bare`` takes the fermatas away, as MIDI has none."""
    print("\n".join(alarms_lines(alarms_in(chorales(Path(folder), fermatas=signs != "bare"), style))))


if __name__ == "__main__":
    main(*sys.argv[1:])
