"""Music with the sense taken out: what notes drawn at random look like, beside the real thing.

Real pieces and their shaken versions teach a cloud what order is. Percussion, instruments, lengths and loudness stay
as they are, so that only the choice of notes tells the two apart. The same piece is always shaken the same way.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score, Voice

__all__ = ["WAYS", "shaken"]

#: How notes are drawn: pitches within each part's range; places too; any pitch at any place.
WAYS = ("pitches", "places", "anything")
_SLOT = QUARTER // 4
_LOWEST, _HIGHEST = 36, 96


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
    notes["spelling"] = (notes["pitch"].astype(np.int64) * 7 + 5) % 12 - 5
    if way != "pitches":
        notes["onset"] = _drawn(rng, len(notes), max(1, ticks // _SLOT)) * _SLOT
    kept = np.unique(notes[["onset", "pitch"]], return_index=True)[1]
    return voice.with_notes(notes[np.sort(kept)])


def _drawn(rng: Random, count: int, below: int) -> NDArray[np.int64]:
    """So many whole numbers from 0 up to a bound."""
    return np.array([int(rng.random() * below) for _ in range(count)], dtype=np.int64)
