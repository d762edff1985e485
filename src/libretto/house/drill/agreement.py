"""Chords and notes that agree: no label that the notes deny, and no chord held on under the next label."""

from __future__ import annotations

from collections import Counter

from libretto.house.drill.sheet import DrillSheet, Measure, score_of
from libretto.score import Note
from libretto.score.chords import NO_CHORD
from libretto.tasks.drill.promises import contradicted

__all__ = ["agreed", "untied"]

_CHORD = 3  # notes struck together


def agreed(sheet: DrillSheet) -> DrillSheet:
    """The sheet without the labels that its notes deny, and without chords that are held on under another label."""
    cut = untied(sheet)
    score = score_of(cut)
    first = score.numbers[0]
    bars = list(cut.bars)
    for number, place in contradicted(score):
        bar = bars[number - first]
        labels = list(bar.labels)
        labels[place] = NO_CHORD
        bars[number - first] = bar._replace(labels=tuple(labels) if set(labels) != {NO_CHORD} else (NO_CHORD,))
    return cut.with_bars(bars)


def untied(sheet: DrillSheet) -> DrillSheet:
    """The sheet with every struck chord ending where the next label begins that is not its own."""
    bars = [
        _cut(bar, _label_at_start(sheet.bars[index + 1]) if index + 1 < len(sheet.bars) else "")
        for index, bar in enumerate(sheet.bars)
    ]
    return sheet.with_bars(bars)


def _label_at_start(bar: Measure) -> str:
    return bar.labels[0]


def _cut(bar: Measure, after: str) -> Measure:
    struck = Counter(note.onset for note in bar.notes)
    count = len(bar.labels)
    edges = [(place * bar.length // count, label) for place, label in enumerate(bar.labels)]
    edges.append((bar.length, after))
    notes = tuple(_ended(note, edges) if struck[note.onset] >= _CHORD else note for note in bar.notes)
    return bar._replace(notes=notes)


def _ended(note: Note, edges: list[tuple[int, str]]) -> Note:
    """A note that ends at the first label after its start that is another than the one it was struck under."""
    own = next(label for tick, label in reversed(edges) if tick <= note.onset)
    if own == NO_CHORD:
        return note
    other = next((tick for tick, label in edges if tick > note.onset and label not in (own, NO_CHORD)), None)
    if other is None or note.onset + note.duration <= other:
        return note
    return note._replace(duration=other - note.onset)
