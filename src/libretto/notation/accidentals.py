"""Accidentals: what a note is called on paper, and which signs are drawn in a bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libretto.notation.rhythm import Piece
from libretto.score import Note

__all__ = ["LETTERS", "Sign", "WrittenPitch", "accidentals", "signature_alters", "written_pitch"]

LETTERS = "FCGDAEB"  #: in the order in which sharps are added: the line of fifths from -1 on
_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


class WrittenPitch(NamedTuple):
    """A note as spelled; an octave begins with its C."""

    letter: str
    alter: int
    octave: int


class Sign(NamedTuple):
    """Which note of a bar a sign stands before: its layer, its piece in the layer, its place in the chord."""

    layer: int
    piece: int
    note: int


def written_pitch(note: Note) -> WrittenPitch:
    """Letter, alteration and octave of a note as spelled."""
    alter, letter = divmod(note.spelling + 1, len(LETTERS))
    return WrittenPitch(LETTERS[letter], alter, (note.pitch - alter) // 12 - 1)


def signature_alters(signature: int) -> dict[str, int]:
    """What a key signature does to each letter, also beyond seven sharps or flats.

    >>> signature_alters(-1)["B"], signature_alters(8)["F"]
    (-1, 2)
    """
    last = len(LETTERS) - 1
    return {letter: (signature + last - index) // len(LETTERS) for index, letter in enumerate(LETTERS)}


def accidentals(layers: Sequence[Sequence[Piece]], signature: int) -> dict[Sign, str]:
    """The signs to draw in one bar of one staff, as MusicXML names them.

    A sign holds for its line until the bar ends, in all layers; a tied note repeats none.
    """
    by_key = signature_alters(signature)
    held: dict[tuple[str, int], int] = {}
    drawn: dict[Sign, str] = {}
    places = [(piece.start, layer, index) for layer, pieces in enumerate(layers) for index, piece in enumerate(pieces)]
    for _, layer, index in sorted(places):
        piece = layers[layer][index]
        if piece.span is None or piece.tied_from:
            continue
        for which, note in enumerate(piece.span.notes):
            letter, alter, octave = written_pitch(note)
            if held.get((letter, octave), by_key[letter]) != alter:
                drawn[Sign(layer, index, which)] = _SIGNS[alter]
                held[letter, octave] = alter
    return drawn
