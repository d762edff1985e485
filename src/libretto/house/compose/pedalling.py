"""The pedal of a piano: held while a chord is broken low down, and changed with the chord, in styles that do so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from libretto.house.charts.habits import habits_of
from libretto.house.compose.plan import Plan
from libretto.score import QUARTER, Score, Voice, parse_chord
from libretto.score.marks import Mark

__all__ = ["pedalled"]

_HABIT = "pedal"
_PIANOS = (0, 1, 2)  # programs
_LOW = 60  # pitches below are the left hand's
_FEWEST = 3  # of its notes under one pedal
_OF_THE_CHORD = 0.8  # of these at least are its tones
_GAP = QUARTER // 8  # for which the foot is up


def pedalled(score: Score, plan: Plan) -> Score:
    """The piece with the pedal of its pianos, where players of its style hold it."""
    if _HABIT not in habits_of(plan):
        return score
    voices = tuple(
        voice.with_marks((*voice.marks, *_pedals(score, voice))) if voice.program in _PIANOS else voice
        for voice in score.voices
    )
    return replace(score, voices=voices)


def _pedals(score: Score, voice: Voice) -> list[Mark]:
    """Where the pedal is held: under each chord that the left hand breaks."""
    made = []
    onsets, pitches = voice.array["onset"], voice.array["pitch"].astype(np.int64)
    for bar in range(score.bars):
        for start, end, label in score.chord_spans(bar):
            chord = parse_chord(label)
            low = pitches[(onsets >= start) & (onsets < end) & (pitches < _LOW)]
            if chord is None or len(low) < _FEWEST or len(np.unique(low)) < _FEWEST:
                continue
            inside = np.isin(low % 12, sorted(chord.classes))
            if float(inside.mean()) >= _OF_THE_CHORD and end - start > 2 * _GAP:
                made.append(Mark(start, "pedal", "", end - start - _GAP))
    return made
