"""Staves: when a voice takes two, which hand takes which note, under which clefs, with which accidentals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.notation.clefs import (
    BASS,
    CHANGE,
    PERCUSSION,
    TREBLE,
    Clef,
    clefs_by_bar,
    clefs_of_instrument,
    ledger_cost,
    staff_steps,
)
from libretto.notation.hands import right_hand
from libretto.notation.instruments import instrument
from libretto.notation.rhythm import Piece
from libretto.score import Note, Voice

__all__ = [
    "FEET",
    "LETTERS",
    "Sign",
    "Staff",
    "WrittenPitch",
    "accidentals",
    "signature_alters",
    "staves_of",
    "written_pitch",
]

FEET = (35, 36, 44)  #: bass drums and the hi-hat's pedal have stems of their own, downwards
_KEYBOARDS = frozenset({*range(9), 11, 12, *range(16, 22), 23, 46})
_ENSEMBLES = frozenset({15, *range(44, 46), *range(48, 56), *range(61, 64), *range(80, 104)})
_SHARE = 0.06  # of the chords must be too wide before a second staff is worth its room
_FAR = 0.9  # ledger lines a note, from which on one staff is hard to read
_TOP_PITCH = 127  # of MIDI: what stands for the lowest note where there is none
_TOO_WIDE = 16  # semitones at once that no single staff shows well
_UPPER, _LOWER = (TREBLE, BASS, Clef("G", 2, 1)), (BASS, TREBLE, Clef("F", 4, -1))


class Staff(NamedTuple):
    """One staff of a part: the clef of every bar, and the streams of notes on it, as voices of their own."""

    clefs: list[Clef]
    streams: tuple[Voice, ...]


def staves_of(voice: Voice, bar_lines: Sequence[int], written: bool = False) -> list[Staff]:
    """One staff, or two for chords on both sides of middle C; a drum kit's hands and feet part."""
    if voice.drums:
        feet = np.isin(voice.array["pitch"], FEET)
        streams = [voice.with_notes(voice.array[~feet]), voice.with_notes(voice.array[feet])]
        kit = tuple(stream for stream in streams if len(stream.array)) or (voice,)
        return [Staff([PERCUSSION] * (len(bar_lines) - 1), kit)]
    program = instrument(voice)
    known = clefs_of_instrument(program, int(voice.array["pitch"].min(initial=_TOP_PITCH)), written)
    if not _needs_two(voice, program, bar_lines, known):
        return [Staff(clefs_by_bar(voice.array, bar_lines, known), (voice,))]
    upper = right_hand(voice.array)
    hands = ((_UPPER, voice.with_notes(voice.array[upper])), (_LOWER, voice.with_notes(voice.array[~upper])))
    return [Staff(clefs_by_bar(hand.array, bar_lines, known), (hand,)) for known, hand in hands]


def _needs_two(voice: Voice, program: int, bar_lines: Sequence[int], known: Sequence[Clef]) -> bool:
    """Whether an instrument that may have two staves plays what one would not show well.

    That is: chords wider than a staff, or notes far from it whatever clef each bar has. A single line that only
    wanders stays on one.
    """
    if program not in _KEYBOARDS | _ENSEMBLES or not len(voice.array):
        return False
    notes = voice.array
    starts = np.flatnonzero(np.diff(notes["onset"], prepend=-1))
    highest = np.maximum.reduceat(notes["pitch"], starts).astype(np.int64)
    wide = (highest - np.minimum.reduceat(notes["pitch"], starts) > _TOO_WIDE).mean()
    if program not in _KEYBOARDS or voice.program is None:
        return bool(wide > _SHARE) or (bool(wide) and _far(notes, bar_lines, known) > _FAR)
    return bool(wide > _SHARE) or _far(notes, bar_lines, known) > _FAR


def _far(notes: NDArray[Any], bar_lines: Sequence[int], known: Sequence[Clef]) -> float:
    """How far notes are from one staff: ledger lines a note under the best clefs, with what their changes cost."""
    clefs = clefs_by_bar(notes, bar_lines, known)
    bar = np.clip(np.searchsorted(np.asarray(bar_lines), notes["onset"], side="right") - 1, 0, len(clefs) - 1)
    steps = staff_steps(notes)
    which = np.array([known.index(clef) for clef in clefs])[bar]
    under = np.array([ledger_cost(steps, clef) for clef in known])
    changes = sum(one != other for one, other in pairwise(clefs))
    return float(under[which, np.arange(len(notes))].sum() + CHANGE * changes) / len(notes)


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
