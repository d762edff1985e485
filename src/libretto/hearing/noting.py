"""Heard notes as a Score: on the grid of the tempo that was found, in bars of the meter, in the key that is heard."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.hearing.beats import Beat
from libretto.hearing.notes import HeardNote
from libretto.score import Note, Score, Voice
from libretto.score.keys import Key, infer_key, spell_drums
from libretto.score.spelling import spell_notes
from libretto.score.table import Floats
from libretto.score.time import QUARTER, micros_of_bpm

__all__ = ["drums_noted", "noted", "quarters_of"]

_SIXTEENTHS = 4  # in a quarter
_SIXTEENTH = QUARTER // _SIXTEENTHS
_LOUDEST, _SOFTEST, _HALF_AS_STRONG = 100, 20, 10  # velocities, and how much softer a note half as strong is
_FAINTEST = 0.01  # of the strongest note
_NEAR = 0.17  # of a quarter: an onset so near to a beat says where the beat is
_FOLLOW, _BEND = 0.25, 0.02  # how much of that the next beat follows, and the tempo


def quarters_of(times: Floats, beat: Beat) -> Floats:
    """Moments as quarters after the first bar line, a tempo that drifts being followed beat by beat."""
    if not len(times):
        return times
    moments = np.unique(times)
    last = float(moments[-1]) + 2 * beat.quarter
    ticks = [beat.first]
    quarter = beat.quarter
    while ticks[-1] < last:
        here = ticks[-1]
        around = moments[np.abs(moments - here) <= _NEAR * quarter]
        off = float(around.mean() - here) if len(around) else 0.0
        quarter += _BEND * off
        ticks.append(here + _FOLLOW * off + quarter)
    back = np.arange(int(np.ceil((beat.first - float(moments[0])) / beat.quarter)) + 1, 0, -1)
    places = np.concatenate((beat.first - back * beat.quarter, ticks))
    return np.interp(times, places, np.arange(len(places)) - len(back))


def _slots(starts: Floats, beat: Beat) -> np.ndarray:
    """The sixteenth on which each note begins, from the start of the bar in which the first one does."""
    quarters = quarters_of(starts, beat)
    slots = np.round(quarters * _SIXTEENTHS).astype(np.int64)
    bar = beat.meter.ticks // _SIXTEENTH
    return slots - int(np.floor(slots.min() / bar)) * bar


def _velocity(strength: float, loudest: float) -> int:
    part = max(_FAINTEST, strength / max(loudest, _FAINTEST))
    return max(_SOFTEST, min(_LOUDEST, round(_LOUDEST + _HALF_AS_STRONG * float(np.log2(part)))))


def noted(heard: Sequence[HeardNote], beat: Beat, name: str = "Heard") -> Score:
    """Notes as one voice on sixteenths, in the key by how long each pitch sounds."""
    slots = _slots(np.array([note.start for note in heard]), beat)
    pitches = np.array([note.pitch for note in heard])
    spans = np.array([max(1, round((note.stop - note.start) * _SIXTEENTHS / beat.quarter)) for note in heard])
    key = infer_key(pitches, spans)
    names = spell_notes(slots * _SIXTEENTH, pitches, np.zeros(len(pitches), np.int64), [(0, key)])
    loudest = max(note.strength for note in heard)
    taken: dict[tuple[int, int], Note] = {}
    for note, slot, span, fifths in zip(heard, slots.tolist(), spans.tolist(), names.tolist(), strict=True):
        loud = _velocity(note.strength, loudest)
        taken.setdefault((slot, note.pitch), Note(slot * _SIXTEENTH, span * _SIXTEENTH, note.pitch, loud, fifths))
    return _score(Voice.of(name, _parted(taken)), beat, keys=((0, key),))


def drums_noted(strokes: Sequence[HeardNote], beat: Beat) -> Score:
    """Strokes as a drum voice on sixteenths."""
    slots = _slots(np.array([stroke.start for stroke in strokes]), beat)
    loudest = max(stroke.strength for stroke in strokes)
    taken: dict[tuple[int, int], Note] = {}
    for stroke, slot in zip(strokes, slots.tolist(), strict=True):
        fifths = int(spell_drums(np.array([stroke.pitch]))[0])
        loud = _velocity(stroke.strength, loudest)
        taken.setdefault((slot, stroke.pitch), Note(slot * _SIXTEENTH, _SIXTEENTH, stroke.pitch, loud, fifths))
    return _score(Voice.of("Drums", list(taken.values()), drums=True), beat)


def _score(voice: Voice, beat: Beat, keys: Sequence[tuple[int, Key]] | None = None) -> Score:
    tempos = ((0, micros_of_bpm(round(beat.bpm, 1))),)
    return Score.build([voice], meters=((0, beat.meter),), keys=keys, tempos=tempos)


def _parted(taken: dict[tuple[int, int], Note]) -> list[Note]:
    """The notes, none sounding on where its own pitch begins again."""
    notes: list[Note] = []
    following: dict[int, int] = {}
    for (_, pitch), note in sorted(taken.items(), reverse=True):
        end = min(note.onset + note.duration, following.get(pitch, note.onset + note.duration))
        notes.append(note._replace(duration=end - note.onset))
        following[pitch] = note.onset
    return notes
