"""Notes drawn at random: what real music is told apart from.

Percussion, instruments, lengths and loudness stay, so that only the choice of notes tells the two apart. The
same piece is always shaken the same way.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score, Voice
from libretto.score.table import Ints

__all__ = ["WAYS", "plain_spellings", "shaken"]

#: How notes are drawn: pitches within each part's range; places too; any pitch at any place.
WAYS = ("pitches", "places", "anything")
_SLOT = QUARTER // 4  # places are drawn on sixteenths
_FIFTH, _FLATS = 7, 5  # semitones of a fifth; flats are used up to five fifths below C
_LOWEST, _HIGHEST = 36, 96  # where notes of any pitch lie, C2 to C7


def shaken(score: Score, way: str) -> Score:
    """The piece with its pitched notes drawn at random."""
    rng = Random(f"{score.digest} {way}")
    voices = [voice if voice.drums else _shaken(voice, score.ticks, rng, way) for voice in score.voices]
    return Score.build(
        voices,
        bar_lines=score.bar_lines,
        meters=score.meters,
        keys=score.keys,
        tempos=score.tempos,
        chords=score.chords,
    )


def _shaken(voice: Voice, ticks: int, rng: Random, way: str) -> Voice:
    notes = voice.array.copy()
    if not len(notes):
        return voice
    low, high = (_LOWEST, _HIGHEST) if way == "anything" else (int(notes["pitch"].min()), int(notes["pitch"].max()))
    notes["pitch"] = low + _drawn(rng, len(notes), high - low + 1)
    notes["spelling"] = plain_spellings(notes["pitch"].astype(np.int64))
    if way != "pitches":
        notes["onset"] = _drawn(rng, len(notes), max(1, ticks // _SLOT)) * _SLOT
    kept = np.unique(notes[["onset", "pitch"]], return_index=True)[1]
    return voice.with_notes(notes[np.sort(kept)])


def plain_spellings(pitch: Ints) -> Ints:
    """How pitches are spelled where nobody said: D flat to F sharp, as fifths from C."""
    return np.asarray((pitch * _FIFTH + _FLATS) % 12 - _FLATS)


def _drawn(rng: Random, count: int, below: int) -> NDArray[np.int64]:
    """So many whole numbers from 0 up to a bound."""
    return np.array([int(rng.random() * below) for _ in range(count)], dtype=np.int64)
