"""Chords and notes that agree: no label that the notes deny, and no chord held on under the next label."""

from __future__ import annotations

from libretto.house.drill.sheet import DrillSheet, Measure, score_of
from libretto.score import Note, parse_chord
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
    denied: dict[int, list[int]] = {}
    for number, place in contradicted(score):
        denied.setdefault(number - first, []).append(place)
    for index, places in denied.items():
        bars[index] = _relabelled(bars[index], places)
    return cut.with_bars(bars)


def _relabelled(bar: Measure, places: list[int]) -> Measure:
    """The bar without the labels at some places; where nothing sounds the label before goes on."""
    labels, count = list(bar.labels), len(bar.labels)
    for place in places:
        start, end = place * bar.length // count, (place + 1) * bar.length // count
        silent = not any(note.onset < end and note.onset + note.duration > start for note in bar.notes)
        labels[place] = labels[place - 1] if silent and place else NO_CHORD
    return bar._replace(labels=tuple(labels) if len(set(labels)) > 1 else (labels[0],))


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
    struck: dict[int, list[Note]] = {}
    for note in bar.notes:
        struck.setdefault(note.onset, []).append(note)
    count = len(bar.labels)
    edges = [(place * bar.length // count, label) for place, label in enumerate(bar.labels)]
    edges.append((bar.length, after))
    ends = {onset: _end(chord, edges) for onset, chord in struck.items() if len(chord) >= _CHORD}
    return bar._replace(notes=tuple(_ended(note, ends.get(note.onset)) for note in bar.notes))


def _end(chord: list[Note], edges: list[tuple[int, str]]) -> int | None:
    """Where a struck chord ends: at the first label after its start that is another than the one it was struck under.

    Labels part a bar evenly, and a chord may be struck a little before its own: it goes on under that. Fewer tones than
    a chord has may be held over: they are suspended, or a line of their own.
    """
    onset = chord[0].onset
    own = next(label for tick, label in reversed(edges) if tick <= onset)
    if own == NO_CHORD:
        return None
    sounding = {note.pitch % 12 for note in chord}
    later = ((tick, label) for tick, label in edges if tick > onset and label not in (own, NO_CHORD))
    other = next((tick for tick, label in later if not _of(label, sounding)), None)
    held = [note for note in chord if other is not None and onset + note.duration > other]
    return other if len(held) >= _CHORD else None


def _ended(note: Note, end: int | None) -> Note:
    return note if end is None or note.onset + note.duration <= end else note._replace(duration=end - note.onset)


def _of(label: str, sounding: set[int]) -> bool:
    """Whether all that sounds is of the chord of a label."""
    chord = parse_chord(label)
    if chord is None:
        return False
    return sounding <= {(chord.root_class + interval) % 12 for interval in chord.intervals}
