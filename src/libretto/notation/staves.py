"""Staves: when a voice takes two, which hand takes which note, under which clefs, with which accidentals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.notation.clefs import (
    BASS,
    PERCUSSION,
    TREBLE,
    Clef,
    clefs_by_bar,
    clefs_of_instrument,
    ledger_cost,
    staff_steps,
)
from libretto.notation.rhythm import Piece
from libretto.score import QUARTER, Note, Voice
from libretto.score.general_midi import guess_program

__all__ = [
    "FEET",
    "LETTERS",
    "Sign",
    "Staff",
    "WrittenPitch",
    "accidentals",
    "right_hand",
    "signature_alters",
    "staves_of",
    "written_pitch",
]

FEET = (35, 36, 44)  #: bass drums and the hi-hat's pedal have stems of their own, downwards
_KEYBOARDS = frozenset({*range(9), 11, 12, *range(16, 22), 23, 46})
_ENSEMBLES = frozenset({15, *range(44, 46), *range(48, 56), *range(61, 64), *range(80, 104)})
_LOW, _HIGH = 56, 65  # a staff of its own serves what lies above the one or below the other
_SHARE = 0.06  # of the notes must lie on the far side before a second staff is worth its room
_TOP_PITCH = 127  # of MIDI: what stands for the lowest note where there is none
_TOO_WIDE = 16  # semitones at once that no single staff shows well
_UPPER, _LOWER = (TREBLE, BASS, Clef("G", 2, 1)), (BASS, TREBLE, Clef("F", 4, -1))
# What decides between the hands, in ledger lines:
_REACH = 12  # semitones that a hand spans with ease
_STRETCH = 3.0  # what each semitone beyond costs, in ledger lines
_MOVE = 0.18  # what a semitone's move of a hand costs
_LEDGER = 0.7  # a ledger line
_IDLE = 0.5  # a hand that rests while the other takes three notes or more
_HELD = 1.5  # a hand that still holds something from before: it would need a second layer
_UNEVEN = 2.5  # notes of one hand that start together and end apart need a second layer too
_SHORT = QUARTER // 4  # what is held no longer than this is let go
_LEFT_HOME, _RIGHT_HOME = 50.0, 72.0  # D3 and C5: where hands lie before they play


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
    program = guess_program(voice.name) if voice.program is None else voice.program
    if not _needs_two(voice, program):
        known = clefs_of_instrument(program, int(voice.array["pitch"].min(initial=_TOP_PITCH)), written)
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


class _Hand:
    """Where a hand is: the middle of what it last took, and what it still holds."""

    def __init__(self, home: float) -> None:
        self.at, self.until = home, 0
        self.low = self.high = home

    def take(self, pitches: NDArray[np.float64], until: int) -> None:
        self.at, self.until = float(pitches.mean()), until
        self.low, self.high = float(pitches[0]), float(pitches[-1])

    def cost(self, pitches: NDArray[np.float64], ends: NDArray[np.int64], onset: int, others: int) -> float:
        """How hard it is to take those notes now."""
        if not len(pitches):
            return _IDLE if others > 2 else 0.0
        low, high = float(pitches[0]), float(pitches[-1])
        cost = _UNEVEN if ends.max() - ends.min() > _SHORT else 0.0
        if self.until - onset > _SHORT:
            low, high, cost = min(low, self.low), max(high, self.high), cost + _HELD
        return cost + _MOVE * abs(float(pitches.mean()) - self.at) + _STRETCH * max(0.0, high - low - _REACH)


def right_hand(notes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes the right hand takes: of what starts together, the cut that is easiest to reach and to read.

    A hand moves from where it last was and lets go of nothing it holds, so that a line that crosses middle C stays in
    one hand.
    """
    upper = np.zeros(len(notes), dtype=np.bool_)
    steps = staff_steps(notes)
    high, low = ledger_cost(steps, TREBLE), ledger_cost(steps, BASS)
    pitch = notes["pitch"].astype(np.float64)
    ends = notes["onset"] + notes["duration"]
    starts = np.flatnonzero(np.diff(notes["onset"], prepend=-1)).tolist()
    left, right = _Hand(_LEFT_HOME), _Hand(_RIGHT_HOME)
    for first, stop in zip(starts, [*starts[1:], len(notes)], strict=True):
        group, onset = pitch[first:stop], int(notes["onset"][first])
        costs = [
            _LEDGER * float(low[first : first + cut].sum() + high[first + cut : stop].sum())
            + left.cost(group[:cut], ends[first : first + cut], onset, len(group))
            + right.cost(group[cut:], ends[first + cut : stop], onset, len(group))
            for cut in range(len(group) + 1)
        ]
        middle = first + int(np.argmin(costs))
        upper[middle:stop] = True
        for hand, part in ((left, slice(first, middle)), (right, slice(middle, stop))):
            if part.stop > part.start:
                hand.take(pitch[part], int(ends[part].max()))
    return upper


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
