"""Density: fewer notes or more of them without another idea; what is weakest goes, what is long is divided."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.edits.spans import Notes, Spans, bars_in, remade, starts_in, stretches
from libretto.score import QUARTER, Score, Voice

__all__ = ["divided", "embellished", "thinned"]

Ticks = NDArray[np.int64]
_HATS = (42, 44, 46, 51, 59)
_EVEN = QUARTER // 4
_MOST_GONE = 0.6  # of the starts at most
_ECHO, _FAINTEST = 12, 20  # what is struck again is so much softer
_LONGEST = 0.9  # of a step of weight: length decides only between starts of the same weight
_FIRM = 4  # the weight from which on a start always stays


def thinned(score: Score, share: float, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """The piece with that share of the starts of those voices left out: off the beat first, short ones first."""

    def fewer(voice: Voice, notes: Notes, line: Ticks) -> Notes:
        place = notes["onset"] - line
        on_beat = np.where(place % (2 * QUARTER) == 0, 3, np.where(place % QUARTER == 0, 2, 0))
        weight = np.where(place == 0, _FIRM, on_beat)
        weight = weight + np.where(place % (QUARTER // 2) == 0, 1, 0)
        starts, which = np.unique(notes["onset"], return_inverse=True)
        best = np.zeros(len(starts))
        np.maximum.at(best, which, weight + np.minimum(notes["duration"] / (4 * QUARTER), _LONGEST))
        gone = np.argsort(best, kind="stable")[: int(np.ceil(min(share, _MOST_GONE) * len(starts)))]
        gone = gone[best[gone] < _FIRM]
        return np.asarray(notes[~np.isin(which, gone)])

    return _remade(score, names, spans, fewer)


def divided(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """The piece with long notes of those voices struck again, and steady cymbals twice as fast."""

    def more(voice: Voice, notes: Notes, line: Ticks) -> Notes:
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
        extra["velocity"] = np.maximum(extra["velocity"].astype(np.int64) - _ECHO, _FAINTEST)
        return np.concatenate([notes, extra])

    return _remade(score, names, spans, more)


def embellished(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Every other bar of those divided, beginning with the first: the same, and yet not the same as elsewhere."""
    inside = np.flatnonzero(bars_in(score, spans)).tolist()
    return divided(score, names, [(score.numbers[bar], score.numbers[bar]) for bar in inside[::2]])


def _remade(score: Score, names: Sequence[str], spans: Spans, change: Callable[[Voice, Notes, Ticks], Notes]) -> Score:
    """The piece with other notes in those voices and bars; no pitch is struck twice at once."""
    ticks, voices = stretches(score, spans), []
    lines = np.asarray(score.bar_lines)
    for voice in score.voices:
        notes = voice.array
        mine = starts_in(notes, ticks)
        if (not names or voice.name in names) and mine.any():
            bars = np.searchsorted(lines, notes["onset"][mine], side="right") - 1
            made = change(voice, notes[mine], lines[bars])
            made = made[starts_in(made, ticks)]
            every = np.concatenate([notes[~mine], made])
            every = every[np.lexsort((every["pitch"], every["onset"]))]
            again = (np.diff(every["onset"]) == 0) & (np.diff(every["pitch"]) == 0)
            voice = voice.with_notes(every[np.concatenate([[True], ~again])])
        voices.append(voice)
    return remade(score, voices, spans)
