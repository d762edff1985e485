"""How alike the bars of a song are, note by note: as a whole, and in each of its voices.

Two bars of a voice are as alike as the places on which notes start, and the notes themselves, are the same (F1 each);
two bars of all voices also by what sounds in their halves and by how much is played. Places are sixteenths. Only so
many bars around a place are looked at; the others are never taken up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score
from libretto.score.table import Floats, Ints

__all__ = ["Alike", "alike"]

_SIXTEENTH = QUARTER // 4
_PITCHES = 128
_MOST = 480  # bars that are looked at
_NOTES, _PLACES, _CHROMA, _AMOUNT = 2.0, 1.0, 0.6, 0.6  # what the likeness of whole bars is made of
_OWN_NOTES, _OWN_PLACES = 0.6, 0.4  # and that of one voice
_LONGEST = 16  # halves of a bar for which a held note is followed


@dataclass(frozen=True, eq=False)
class Alike:
    """The bars from ``first`` on, as many as the tables have rows; 1 is the same, 0 nothing in common."""

    first: int
    whole: Floats
    voices: Floats


def alike(score: Score, around: tuple[int, int]) -> Alike:
    """How alike every two bars are, as far as they lie near those around which it is asked (indices)."""
    middle = (around[0] + around[1]) // 2
    first = max(0, min(middle - _MOST // 2, score.bars - _MOST))
    last = min(score.bars, first + _MOST)
    rows = score.table[(score.table["bar"] >= first) & (score.table["bar"] < last)]
    bars, bar = last - first, rows["bar"].astype(np.int64) - first
    slot = np.round(rows["position"] / _SIXTEENTH).astype(np.int64)
    notes = slot * _PITCHES + rows["pitch"]
    count = len(score.voices)
    voices = np.zeros((count, bars, bars))
    shared = [np.zeros((bars, bars)), np.zeros((bars, bars))]
    sizes = [np.zeros(bars), np.zeros(bars)]
    for voice in range(count):
        mine = rows["voice"] == voice
        for kind, (tokens, weight) in enumerate(((slot, _OWN_PLACES), (notes, _OWN_NOTES))):
            same, size = _shared(bar[mine], tokens[mine], bars)
            voices[voice] += weight * _f1(same, size)
            shared[kind] += same
            sizes[kind] += size
    places, exact = (_f1(same, size) for same, size in zip(shared, sizes, strict=True))
    played = np.bincount(bar, minlength=bars).astype(np.float64)
    larger = np.maximum(np.maximum(played[:, None], played[None, :]), 1.0)
    amount = 1.0 - np.abs(played[:, None] - played[None, :]) / larger
    whole = _NOTES * exact + _PLACES * places + _CHROMA * _chroma(score, rows, first, bars) + _AMOUNT * amount
    return Alike(first, np.asarray(whole / (_NOTES + _PLACES + _CHROMA + _AMOUNT)), voices)


def _shared(bar: Ints, tokens: Ints, bars: int) -> tuple[Floats, Floats]:
    """How many tokens every two bars share, and how many each has."""
    names, which = np.unique(tokens, return_inverse=True)
    held = np.zeros((bars, len(names)), dtype=np.float32)
    held[bar, which] = 1.0
    return np.asarray(held @ held.T, dtype=np.float64), np.asarray(held.sum(axis=1), dtype=np.float64)


def _f1(same: Floats, size: Floats) -> Floats:
    total = size[:, None] + size[None, :]
    return np.asarray(np.where(total > 0, 2 * same / np.maximum(total, 1.0), 1.0))


def _chroma(score: Score, rows: NDArray[Any], first: int, bars: int) -> Floats:
    """How alike what sounds in the halves of every two bars is."""
    lines = np.asarray(score.bar_lines[first : first + bars + 1], dtype=np.int64)
    edges = np.empty(2 * bars + 1, dtype=np.int64)
    edges[0::2], edges[1::2] = lines, (lines[:-1] + lines[1:]) // 2
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    rows = rows[~drums[rows["voice"]]] if len(drums) else rows
    onset, end = rows["onset"], rows["onset"] + rows["duration"]
    start = np.searchsorted(edges, onset, side="right") - 1
    mass = np.zeros((2 * bars, 12))
    for step in range(_LONGEST):
        half = np.minimum(start + step, 2 * bars - 1)
        sounds = (start + step < 2 * bars) & (edges[half] < end)
        if not sounds.any():
            break
        held = np.minimum(end, edges[half + 1]) - np.maximum(onset, edges[half])
        np.add.at(mass, (half[sounds], rows["pitch"][sounds] % 12), held[sounds])
    size = np.linalg.norm(mass, axis=1)
    unit = (mass / np.maximum(size, 1.0)[:, None]).reshape(bars, 2, 12)
    silent = (size == 0).reshape(bars, 2)
    total = np.zeros((bars, bars))
    for which in (0, 1):
        total += unit[:, which] @ unit[:, which].T + (silent[:, which][:, None] & silent[:, which][None, :])
    return total / 2
