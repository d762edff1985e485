"""Chords that can be written: a chord whose tones would need double accidentals is named, and its notes are written,
from the other name of its root (B7 for C flat 7, F7 for E sharp 7), as players read it."""

from __future__ import annotations

from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.score import Chord, Note, parse_chord
from libretto.score.chords import transpose_chord

__all__ = ["plainly_named"]

_FIFTHS = {0: 0, 3: -3, 4: 4, 7: 1, 10: -2, 11: 5}  # from the root of a chord to its tones on the line of fifths
_FLATTEST, _SHARPEST = -8, 12  # F flat and B sharp: what lies beyond needs two accidentals
_AROUND = 12  # fifths to the other name of a pitch


def plainly_named(sheet: DrillSheet) -> DrillSheet:
    """The sheet with no chord that needs double accidentals, its notes written as the chord is."""
    return sheet.with_bars([_plain(bar) for bar in sheet.bars])


def _plain(bar: Measure) -> Measure:
    ways = [_way(label) for label in bar.labels]
    if not any(ways):
        return bar
    labels = tuple(transpose_chord(label, way) if way else label for label, way in zip(bar.labels, ways, strict=True))
    notes = []
    for note in bar.notes:
        place = min(len(labels) - 1, note.onset * len(labels) // bar.length)
        chord = parse_chord(labels[place])
        notes.append(_named(note, chord) if ways[place] and chord is not None else note)
    return bar._replace(labels=labels, notes=tuple(notes))


def _way(label: str) -> int:
    """How far along the line of fifths a chord is moved to be written without double accidentals; 0: not at all."""
    chord = parse_chord(label)
    if chord is None:
        return 0
    names = [chord.root + _FIFTHS[tone] for tone in chord.intervals if tone in _FIFTHS]
    return _AROUND if min(names) < _FLATTEST else -_AROUND if max(names) > _SHARPEST else 0


def _named(note: Note, chord: Chord) -> Note:
    """A note by the name that lies nearest to those of the chord."""
    middle = chord.root + 1
    others = [note.spelling + by for by in (-_AROUND, 0, _AROUND)]
    return note._replace(spelling=min(others, key=lambda name: abs(name - middle)))
