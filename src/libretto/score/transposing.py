"""Transposition: notes, spellings, chord labels and keys move together; percussion stays."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from libretto.errors import ScoreError
from libretto.score.chords import transpose_chord
from libretto.score.keys import Key
from libretto.score.marks import follow
from libretto.score.model import Score
from libretto.score.pitch import FLATTEST, HIGHEST, SHARPEST, fifths_of_semitones
from libretto.score.places import place
from libretto.score.table import Ints
from libretto.score.voice import Note, Voice

__all__ = ["transpose"]


_MOST_ACCIDENTALS = 6  # a signature beyond six sharps or flats has a simpler name
_SIX_SHARPS = 6  # of D# minor, which reads better as Eb minor
_SINGLE_FLATTEST, _SINGLE_SHARPEST = -8, 12  # Fb and B#: what lies beyond is a double accidental
# How far from the signature a double accidental still belongs to the harmony, in fifths: up to the leading notes of the
# minor chords of a scale, down to the lowered sixth of a major one.
_HARMONY_FLAT, _HARMONY_SHARP = -4, 9


def transpose(score: Score, semitones: int) -> Score:
    """The piece that many semitones higher; percussion stays, spellings, chord labels and keys move along.

    Each key moves along the line of fifths to the place with at most six sharps or flats, and takes the
    spellings and labels under it along: A major goes up a semitone to Bb major, Bb major to B major, E minor down
    to Eb minor. No note gets a double accidental by it but a real one, such as the leading note of G# minor. So
    ``transpose(transpose(score, n), -n) == score`` unless something had to be re-spelled: a key that had
    six or more accidentals, a note with a double accidental, a chord root beyond Fb or E#.

    >>> from libretto.score import Note
    >>> tune = Score.build([Voice.of("LEAD", [Note.named("C#5", 0, 40320)])], keys=[(0, Key.parse("A"))])
    >>> up = transpose(tune, 1)
    >>> str(up.key), up.voices[0].notes[0].name
    ('Bb major', 'D5')
    """
    if not semitones:
        return score
    shifts = np.array([_shift(key, semitones) for _, key in score.keys], dtype=np.int64)
    return replace(
        score,
        voices=tuple(v if v.drums else _transposed(score, v, semitones, shifts) for v in score.voices),
        keys=tuple(
            (tick, Key(key.tonic + by, key.mode)) for (tick, key), by in zip(score.keys, shifts.tolist(), strict=True)
        ),
        chords=_transposed_chords(score, shifts),
    )


def _shift(key: Key, semitones: int) -> int:
    """How many fifths a key moves: the plain interval, or its enharmonic where that needs fewer accidentals."""
    # Down is the mirror of up, so that going and coming back cancel; whole octaves never re-spell.
    fifths = fifths_of_semitones(abs(semitones)) * (1 if semitones > 0 else -1)
    signature = key.signature + fifths
    if fifths and key.is_minor and signature == _SIX_SHARPS:
        return fifths - 12
    if not fifths or abs(signature) <= _MOST_ACCIDENTALS:
        return fifths
    turns = (abs(signature) + 11 - _MOST_ACCIDENTALS) // 12
    return fifths - 12 * turns * (1 if signature > 0 else -1)


def _transposed(score: Score, voice: Voice, semitones: int, shifts: Ints) -> Voice:
    notes = voice.array.copy()
    pitch = notes["pitch"].astype(np.int64) + semitones
    outside = (pitch < 0) | (pitch > HIGHEST)
    if outside.any():
        note = Note._make(voice.array[int(np.argmax(outside))].tolist())
        bar, beat = place(score, note.onset)
        raise ScoreError(
            f"{voice.name} bar {bar} beat {beat:g}: {note.name} cannot move by {semitones:+d} semitones; "
            "pitches run from C-1 to G9"
        )
    by = _in_force(score.keys, shifts, notes["onset"])
    signatures = np.array([key.signature for _, key in score.keys], dtype=np.int64) + shifts
    spelling = notes["spelling"].astype(np.int64) + by
    far = spelling - _in_force(score.keys, signatures, notes["onset"])
    spelling -= 12 * ((spelling > _SINGLE_SHARPEST) & (far > _HARMONY_SHARP) & (by != 0))
    spelling += 12 * ((spelling < _SINGLE_FLATTEST) & (far < _HARMONY_FLAT) & (by != 0))
    spelling += 12 * np.maximum(0, (FLATTEST - spelling + 11) // 12)
    spelling -= 12 * np.maximum(0, (spelling - SHARPEST + 11) // 12)
    notes["pitch"], notes["spelling"] = pitch, spelling
    return replace(voice, array=notes, marks=follow(voice.marks, voice.array, notes))


def _in_force(changes: Sequence[tuple[int, Any]], values: Ints, ticks: Ints) -> Ints:
    starts = np.array([tick for tick, _ in changes], dtype=np.int64)
    return values[np.searchsorted(starts, ticks, side="right") - 1]


def _transposed_chords(score: Score, shifts: Ints) -> tuple[tuple[str, ...], ...]:
    starts = [tick for tick, _ in score.keys]
    moved = []
    for bar, labels in enumerate(score.chords):
        start, length = score.bar_lines[bar], score.bar_lines[bar + 1] - score.bar_lines[bar]
        ticks = (start + part * length // len(labels) for part in range(len(labels)))
        by = (int(shifts[bisect_right(starts, tick) - 1]) for tick in ticks)
        moved.append(tuple(map(transpose_chord, labels, by)))
    return tuple(moved)
