"""Staves: which clef a voice is written under, when it takes two staves, and which accidentals are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.formats.musicxml.rhythm import Piece
from libretto.score import Note, Voice
from libretto.score.pitch import parse_letter

__all__ = ["FEET", "Clef", "Staff", "accidentals", "signature_alter", "staves_of", "written_pitch"]

_KEYBOARDS = frozenset({*range(8), *range(16, 21), 46})
_GUITARS, _VIOLA = range(24, 32), 41
FEET = (35, 36, 44)  #: bass drums and the hi-hat's pedal have stems of their own, downwards
_MIDDLE = 60
_HAND = 12  # what one hand takes without a reason to divide
_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


class Clef(NamedTuple):
    """A clef as MusicXML writes it."""

    sign: str
    line: int
    octaves: int = 0

    def xml(self, number: int | None = None) -> str:
        """The clef element, numbered where there are several staves."""
        which = f' number="{number}"' if number else ""
        line = f"<line>{self.line}</line>" if self.sign != "percussion" else ""
        octaves = f"<clef-octave-change>{self.octaves}</clef-octave-change>" if self.octaves else ""
        return f"<clef{which}><sign>{self.sign}</sign>{line}{octaves}</clef>"


class Staff(NamedTuple):
    """One staff of a part: its clef and the streams of notes on it, as voices of their own."""

    clef: Clef
    streams: tuple[Voice, ...]


_TREBLE, _BASS = Clef("G", 2), Clef("F", 4)


def staves_of(voice: Voice) -> list[Staff]:
    """One staff, or two for a keyboard that plays on both sides of middle C; a drum kit's hands and feet part."""
    if voice.drums:
        feet = np.isin(voice.array["pitch"], FEET)
        streams = [voice.with_notes(voice.array[~feet]), voice.with_notes(voice.array[feet])]
        return [Staff(Clef("percussion", 2), tuple(each for each in streams if len(each.array)) or (voice,))]
    pitches = voice.array["pitch"]
    if voice.program in _KEYBOARDS and len(pitches) and pitches.min() < _MIDDLE - 3 and pitches.max() > _MIDDLE + 3:
        upper = _right_hand(voice.notes)
        array = voice.array
        return [Staff(_TREBLE, (voice.with_notes(array[upper]),)), Staff(_BASS, (voice.with_notes(array[~upper]),))]
    return [Staff(_clef(voice), (voice,))]


def _clef(voice: Voice) -> Clef:
    """The clef that keeps most notes near the staff."""
    if not len(voice.array):
        return _TREBLE
    middle = float(np.median(voice.array["pitch"]))
    if voice.program in _GUITARS and middle < 72:
        return Clef("G", 2, -1)
    if voice.program == _VIOLA and 50 <= middle <= 70:
        return Clef("C", 3)
    if middle < 57:
        return Clef("F", 4, -1) if middle < 36 else _BASS
    return Clef("G", 2, 1) if middle > 88 else _TREBLE


def _right_hand(notes: Sequence[Note]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which notes go on the upper staff: what starts together stays together where one hand can take it."""
    upper = np.zeros(len(notes), dtype=np.bool_)
    high, low = 72.0, 48.0  # where the hands last were
    at = 0
    while at < len(notes):
        stop = at
        while stop < len(notes) and notes[stop].onset == notes[at].onset:
            stop += 1
        pitches = [note.pitch for note in notes[at:stop]]
        if pitches[-1] - pitches[0] > _HAND:
            upper[at:stop] = [pitch >= _MIDDLE for pitch in pitches]
        else:
            mean = sum(pitches) / len(pitches)
            near_middle = abs(mean - _MIDDLE) <= 4
            above = abs(mean - high) <= abs(mean - low) if near_middle else mean > _MIDDLE
            upper[at:stop] = above
            if above:
                high = mean
            else:
                low = mean
        at = stop
    return upper


def written_pitch(note: Note) -> tuple[str, int, int]:
    """Letter, alteration and octave of a note as spelled."""
    alter = (note.spelling + 1) // 7
    return "FCGDAEB"[(note.spelling + 1) % 7], alter, (note.pitch - alter) // 12 - 1


def signature_alter(letter: str, signature: int) -> int:
    """What a key signature does to a letter."""
    place = parse_letter(letter)
    assert place is not None
    return (signature + 5 - place) // 7


def accidentals(layers: Sequence[Sequence[Piece]], signature: int) -> dict[tuple[int, int, int], str]:
    """Signs to draw in one bar of one staff, by (layer, piece, note of the chord).

    A sign holds for its line until the bar ends, in all layers; a tied note repeats none.
    """
    in_force: dict[tuple[str, int], int] = {}
    drawn: dict[tuple[int, int, int], str] = {}
    places = [(piece.start, layer, index) for layer, pieces in enumerate(layers) for index, piece in enumerate(pieces)]
    for _, layer, index in sorted(places):
        piece = layers[layer][index]
        if piece.span is None or piece.tied_from:
            continue
        for which, note in enumerate(piece.span.notes):
            letter, alter, octave = written_pitch(note)
            if in_force.get((letter, octave), signature_alter(letter, signature)) != alter:
                drawn[layer, index, which] = _SIGNS[alter]
                in_force[letter, octave] = alter
    return drawn
