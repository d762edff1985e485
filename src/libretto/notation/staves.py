"""Staves: when a voice takes two of them, what stands on each and under which clefs, and which signs are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.notation.clefs import BASS, PERCUSSION, TREBLE, Clef, clefs_by_bar, clefs_of_instrument
from libretto.notation.hands import right_hand
from libretto.notation.rhythm import Piece
from libretto.score import Note, Voice
from libretto.score.general_midi import guess_program
from libretto.score.pitch import parse_letter

__all__ = ["FEET", "Staff", "accidentals", "signature_alter", "staves_of", "written_pitch"]

FEET = (35, 36, 44)  #: bass drums and the hi-hat's pedal have stems of their own, downwards
_KEYBOARDS = frozenset({*range(9), 11, 12, *range(16, 22), 23, 46})
_ENSEMBLES = frozenset({15, *range(44, 46), *range(48, 56), *range(61, 64), *range(80, 104)})
_LOW, _HIGH = 56, 65  # a staff of its own serves what lies above the one or below the other
_SHARE = 0.06  # of the notes must lie on the far side before a second staff is worth its room
_TOO_WIDE = 16  # semitones at once that no single staff shows well
_UPPER, _LOWER = (TREBLE, BASS, Clef("G", 2, 1)), (BASS, TREBLE, Clef("F", 4, -1))
_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


class Staff(NamedTuple):
    """One staff of a part: the clef of every bar, and the streams of notes on it, as voices of their own."""

    clefs: list[Clef]
    streams: tuple[Voice, ...]


def staves_of(voice: Voice, bar_lines: Sequence[int], written: bool = False) -> list[Staff]:
    """One staff, or two for chords on both sides of middle C; a drum kit's hands and feet part."""
    if voice.drums:
        feet = np.isin(voice.array["pitch"], FEET)
        streams = [voice.with_notes(voice.array[~feet]), voice.with_notes(voice.array[feet])]
        kit = tuple(each for each in streams if len(each.array)) or (voice,)
        return [Staff([PERCUSSION] * (len(bar_lines) - 1), kit)]
    program = guess_program(voice.name) if voice.program is None else voice.program
    if not _needs_two(voice, program):
        known = clefs_of_instrument(program, int(voice.array["pitch"].min(initial=127)), written)
        return [Staff(clefs_by_bar(voice.array, bar_lines, known), (voice,))]
    upper = right_hand(voice.array)
    hands = ((_UPPER, voice.with_notes(voice.array[upper])), (_LOWER, voice.with_notes(voice.array[~upper])))
    return [Staff(clefs_by_bar(hand.array, bar_lines, known), (hand,)) for known, hand in hands]


def _needs_two(voice: Voice, program: int) -> bool:
    """Whether an instrument that may have two staves plays what one would not show well."""
    if program not in _KEYBOARDS | _ENSEMBLES or not len(voice.array):
        return False
    pitches = voice.array["pitch"]
    starts = np.flatnonzero(np.diff(voice.array["onset"], prepend=-1))
    wide = np.maximum.reduceat(pitches, starts).astype(np.int64) - np.minimum.reduceat(pitches, starts) > _TOO_WIDE
    few = _SHARE * len(pitches)
    both = (pitches < _LOW).sum() > few and (pitches > _HIGH).sum() > few
    if program in _KEYBOARDS and voice.program is not None:
        return bool(both or wide.mean() > _SHARE)
    return bool(both and wide.any())


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
