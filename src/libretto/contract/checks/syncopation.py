"""Syncopation as it is heard: a note that begins off the beat, and nothing of its line on the beat after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.where import Spans, within
from libretto.score import QUARTER, Score

__all__ = ["syncopated_share", "upper_voices"]

_LEVELS = (QUARTER, QUARTER // 2)  # beats, and halves of beats as in a rag
_LOW = 48  # C3: a part whose middle note lies below it is a bass
_TWO_HANDS, _RIGHT = 30, 57  # semitones that two hands span, and A3: from where on the right one plays


def upper_voices(score: Score, voices: Sequence[int]) -> list[int]:
    """Those of some voices that have pitches and notes, without a bass beside others."""
    pitched = [index for index in voices if not score.voices[index].drums and len(score.voices[index].array)]
    upper = [index for index in pitched if float(np.median(score.voices[index].array["pitch"])) >= _LOW]
    return upper or pitched


def syncopated_share(score: Score, voices: Sequence[int], spans: Spans) -> float:
    """The share of the bars of some voices that are syncopated; of a bass only where nobody else is asked about."""
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    played = syncopated = 0
    for index in upper_voices(score, voices):
        every = np.unique(_right_hand(score.voices[index].array)["onset"].astype(np.int64))
        inside = np.unique(within(score.voices[index].array, spans, score)["onset"].astype(np.int64))
        onset = every[np.isin(every, inside)]
        bars = np.searchsorted(lines, onset, side="right") - 1
        place = onset - lines[bars]
        leans = np.zeros(len(onset), dtype=np.bool_)
        for level in _LEVELS:
            beat = onset - place % level + level  # the next
            leans |= (place % level != 0) & ~np.isin(beat, every) & (beat < score.ticks)
        played += len(np.unique(bars))
        syncopated += len(np.unique(bars[leans]))
    return syncopated / played if played else 0.0


def _right_hand(notes: NDArray[Any]) -> NDArray[Any]:
    """What a right hand plays of notes that span two hands; all notes of anybody else."""
    wide = len(notes) > 0 and int(notes["pitch"].max()) - int(notes["pitch"].min()) >= _TWO_HANDS
    return notes[notes["pitch"] >= _RIGHT] if wide else notes
