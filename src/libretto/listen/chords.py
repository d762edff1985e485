"""Chords to be heard: struck and held, then broken; plain, or as hands play them.

All chance comes from a ``Random`` that is passed in. Ranges are pairs of the least and the most that chance may give.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from libretto.listen.stimuli import EIGHTH, Stimulus, StruckTone, one_voice, programs_of
from libretto.score.time import QUARTER

__all__ = ["CHORD_TONES", "make_chord", "make_hard_chord"]

#: Chord qualities and their tones above the root.
CHORD_TONES = {"major": (0, 4, 7), "minor": (0, 3, 7), "dominant": (0, 4, 7, 10), "diminished": (0, 3, 6)}
_TRIAD_QUALITIES = ("major", "minor", "diminished")
_ROOTS = {"piano": (45, 65), "guitar": (45, 62)}
_DOUBLED = (0, 0, 1, 2)  # notes that sound an octave higher too
_HELD_BEATS = (2, 3, 4)
_CHORD_LOUD, _UNEVEN, _CHORD_TEMPOS = (80, 100), (-6, 6), (80, 126)
_ONLY_UP, _RINGS = 0.7, 0.3  # how often a broken chord does not come down again, and how often its notes ring on
_DETACHED = 0.96  # the part of its length that a note of a broken chord sounds

# Hard chords: strummed, spread over strings, inner notes and single ones soft.
_HARD_ROOTS = {"piano": (45, 65), "guitar": (40, 57)}
_HARD_LOUD = (76, 100)
_SPREAD, _HARD_RINGS = 0.5, 0.4  # how often a triad is spread, and how often the notes of a broken one ring on
#: How a guitar spreads a triad over its strings, as tone of the chord (from 0) and octave; a piano knows all but one.
_SPREADS = {
    "guitar": (
        ((0, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)),
        ((0, 0), (2, 0), (0, 1), (1, 1)),
        ((0, 0), (2, 0), (1, 1)),
    ),
    "piano": (
        ((0, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)),
        ((0, 0), (2, 0), (0, 1), (1, 1)),
    ),
}
_STRUM = QUARTER // 16  # the most between two strings of a strummed chord
_ROLLED = 0.3  # how often a chord of an instrument that is not strummed is rolled
_INNER_SOFTER, _OUTER_SOFTER = (0, 28), (0, 10)  # by how much inner notes, and the lowest and highest, are softer
_SINGLE_STEPS = (QUARTER, QUARTER, EIGHTH + EIGHTH // 2)  # from one note of a broken chord to the next


def make_chord(rng: Random, quality: str, instrument: str) -> Stimulus:
    """A chord in root position, struck and held, then its notes one by one; at times some are doubled an octave up."""
    root = rng.randint(*_ROOTS[instrument])
    pitches = [root + tone for tone in CHORD_TONES[quality]]
    pitches += [pitch + 12 for pitch in pitches[: rng.choice(_DOUBLED)]]
    beats = rng.choice(_HELD_BEATS)
    loud = rng.randint(*_CHORD_LOUD)
    notes = [StruckTone(0, beats * QUARTER, pitch, loud + rng.randint(*_UNEVEN)) for pitch in pitches]
    order = _broken(rng, pitches)
    rings = rng.random() < _RINGS and len(order) == len(pitches)
    for index, pitch in enumerate(order):
        length = (len(order) - index) * QUARTER if rings else QUARTER
        start = (beats + index) * QUARTER
        notes.append(StruckTone(start, int(length * _DETACHED), pitch, loud + rng.randint(*_UNEVEN)))
    program = rng.choice(programs_of(instrument))
    return Stimulus(one_voice(notes, program, rng.randint(*_CHORD_TEMPOS)), instrument, tuple(sorted(set(pitches))))


def _broken(rng: Random, pitches: Sequence[int]) -> list[int]:
    """The notes of a chord one by one: up, or up and down again."""
    return list(pitches) if rng.random() < _ONLY_UP else [*pitches, *pitches[-2::-1]]


def make_hard_chord(rng: Random, quality: str, instrument: str) -> Stimulus:
    """A chord as hands play it: strummed, spread over the strings of a guitar, inner voices and single notes soft."""
    pitches = _spread(rng, quality, instrument)
    loud = rng.randint(*_HARD_LOUD)
    beats = rng.choice(_HELD_BEATS)
    strum = rng.randint(0, _STRUM) if instrument == "guitar" or rng.random() < _ROLLED else 0
    notes = []
    for index, pitch in enumerate(pitches):
        inner = 0 < index < len(pitches) - 1
        soft = rng.randint(*(_INNER_SOFTER if inner else _OUTER_SOFTER))
        notes.append(StruckTone(index * strum, beats * QUARTER - index * strum, pitch, loud - soft))
    order = _broken(rng, pitches)
    step = rng.choice(_SINGLE_STEPS)
    rings = rng.random() < _HARD_RINGS and len(order) == len(pitches)
    for index, pitch in enumerate(order):
        length = (len(order) - index) * step if rings else step
        start = beats * QUARTER + index * step
        notes.append(StruckTone(start, int(length * _DETACHED), pitch, loud - rng.randint(*_INNER_SOFTER)))
    program = rng.choice(programs_of(instrument, hard=True))
    return Stimulus(one_voice(notes, program, rng.randint(*_CHORD_TEMPOS)), instrument, tuple(sorted(set(pitches))))


def _spread(rng: Random, quality: str, instrument: str) -> list[int]:
    """The pitches of a chord above a root, close together or, at times, spread over octaves."""
    root, tones = rng.randint(*_HARD_ROOTS[instrument]), CHORD_TONES[quality]
    if quality in _TRIAD_QUALITIES and rng.random() < _SPREAD:
        spread = rng.choice(_SPREADS[instrument])
        return sorted({root + tones[tone] + 12 * octave for tone, octave in spread})
    return [root + tone for tone in tones]
