"""Fewer or more notes without another idea: what is weakest goes, what is long or steady is divided."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score, Voice
from libretto.score.edit import regrid
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["divided", "thinned"]

Notes = NDArray[Any]
_HATS = (42, 44, 46, 51, 59)
_EVEN = QUARTER // 4


def thinned(score: Score, wish: Wish) -> Score:
    """The piece with the weakest starts of a wish's voices left out: off the beat first, short ones first."""
    share = min(0.6, qualities()["busy"].least * wish.strength * 1.5)

    def fewer(voice: Voice, notes: Notes, line: NDArray[np.int64]) -> Notes:
        place = notes["onset"] - line
        weight = np.where(place == 0, 4, np.where(place % (2 * QUARTER) == 0, 3, np.where(place % QUARTER == 0, 2, 0)))
        weight = weight + np.where(place % (QUARTER // 2) == 0, 1, 0)
        starts, which = np.unique(notes["onset"], return_inverse=True)
        best = np.zeros(len(starts))
        np.maximum.at(best, which, weight + np.minimum(notes["duration"] / (4 * QUARTER), 0.9))
        gone = np.argsort(best, kind="stable")[: int(np.ceil(share * len(starts)))]
        gone = gone[best[gone] < 4]
        return notes[~np.isin(which, gone)]

    return _changed(score, wish, fewer)


def divided(score: Score, wish: Wish) -> Score:
    """The piece with long notes of a wish's voices struck again, and steady cymbals twice as fast."""

    def more(voice: Voice, notes: Notes, line: NDArray[np.int64]) -> Notes:
        if voice.drums:
            hats = notes[np.isin(notes["pitch"], _HATS)]
            gaps = np.diff(hats["onset"], append=hats["onset"][-1:])
            extra = hats[(gaps >= 2 * _EVEN) & (gaps <= 2 * QUARTER)].copy()
            extra["onset"] += gaps[(gaps >= 2 * _EVEN) & (gaps <= 2 * QUARTER)] // 2
        else:
            extra = notes[notes["duration"] >= QUARTER].copy()
            half = extra["duration"] // 2 // _EVEN * _EVEN
            cut = notes["duration"] >= QUARTER
            notes = notes.copy()
            notes["duration"][cut] = half
            extra["onset"] += half
            extra["duration"] -= half
        extra["velocity"] = np.maximum(extra["velocity"].astype(np.int64) - 12, 20)
        return np.concatenate([notes, extra])

    return _changed(score, wish, more)


def _changed(score: Score, wish: Wish, change: Any) -> Score:
    low, high = score.index_of(wish.first), score.index_of(wish.last)
    start, end = score.bar_lines[low], score.bar_lines[high + 1]
    lines, voices = np.asarray(score.bar_lines), []
    for voice in score.voices:
        notes = voice.array
        mine = (notes["onset"] >= start) & (notes["onset"] < end)
        if (not wish.voices or voice.name in wish.voices) and mine.any():
            bars = np.searchsorted(lines, notes["onset"][mine], side="right") - 1
            made = change(voice, notes[mine], lines[bars])
            made = made[(made["onset"] >= start) & (made["onset"] < end)]
            every = np.concatenate([notes[~mine], made])
            every = every[np.lexsort((every["pitch"], every["onset"]))]
            again = (np.diff(every["onset"]) == 0) & (np.diff(every["pitch"]) == 0)
            voice = voice.with_notes(every[np.concatenate([[True], ~again])])
        voices.append(voice)
    touched = np.zeros(score.bars, dtype=np.bool_)
    touched[low : high + 1] = True
    return replace(score, voices=tuple(voices), grids=regrid(voices, score.bar_lines, score.grids, touched))
