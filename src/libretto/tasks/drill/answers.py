"""A learner's answer from a keyboard: notes in seconds, as they were played, as a Score that can be graded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.errors import LibrettoError
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.keys import Key, spell
from libretto.score.pitch import HIGHEST

__all__ = ["MOST_NOTES", "answer_of"]

#: Notes of one answer.
MOST_NOTES = 5_000
_TICKS_A_SECOND = 2 * QUARTER  # at the usual tempo of two quarter notes a second
_STEP = QUARTER // 480  # ticks: about a millisecond, finer than anybody plays
_LONGEST = 3_600.0  # seconds
_USUAL_VELOCITY = 80
_KEY = Key.parse("C major")


def answer_of(notes: Sequence[Sequence[float]]) -> Score:
    """Notes as (start in seconds, pitch, length in seconds, velocity; the last two may be left out) as a Score.

    >>> len(answer_of([(0.0, 60, 0.5, 80), (0.5, 62)]).table)
    2
    """
    if not 1 <= len(notes) <= MOST_NOTES:
        raise LibrettoError(f"an answer has 1 to {MOST_NOTES:,} notes, not {len(notes)}")
    made = [_note(row) for row in notes]
    return Score.build([Voice.of("Answer", made)], keys=((0, _KEY),))


def _note(row: Sequence[float]) -> Note:
    values = [*row, *(0.5, _USUAL_VELOCITY)[len(row) - 2 :]] if 2 <= len(row) < 4 else list(row)
    if len(values) < 4 or any(isinstance(value, bool) or not isinstance(value, int | float) for value in values):
        raise LibrettoError("a note is its start in seconds, its pitch, its length in seconds and its velocity")
    start, pitch, length, velocity = values[:4]
    if not (0 <= start <= _LONGEST and 0 < length <= _LONGEST and 0 <= pitch <= HIGHEST and 1 <= velocity <= HIGHEST):
        raise LibrettoError("a note lies within an hour, has a pitch from 0 to 127 and a velocity from 1 to 127")
    onset = round(start * _TICKS_A_SECOND / _STEP) * _STEP
    duration = max(1, round(length * _TICKS_A_SECOND / _STEP)) * _STEP
    return Note(onset, duration, int(pitch), int(velocity), int(spell(np.array([int(pitch)]), _KEY)[0]))
