"""How much of a region is heard elsewhere in its song, note by note, at one distance in bars.

Real songs repeat themselves: a region may come back to what its song has said as much as the song's other bars do.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score

__all__ = ["reprise"]

_SLOTS = 24
_MOST = 4_000


def reprise(score: Score, first: int, last: int, hidden: Collection[int] = ()) -> tuple[float, int]:
    """The largest share of the notes in those bars (indices) that some other bars have too, and how far away these are.

    Percussion takes no part where anything else plays. ``hidden`` are bar indices that are not looked at.
    """
    table = score.table
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    inside = (table["bar"] >= first) & (table["bar"] <= last)
    if (inside & ~drums[table["voice"]]).any():
        table = table[~drums[table["voice"]]]
        inside = (table["bar"] >= first) & (table["bar"] <= last)
    others = table[~inside & ~np.isin(table["bar"], list(hidden))] if hidden else table[~inside]
    if not inside.any() or not len(others):
        return 0.0, 0
    token, base = _tokens(score, table[inside])
    theirs, _ = _tokens(score, others)
    bars = table["bar"][inside].astype(np.int64)
    if len(token) > _MOST:
        step = -(-len(token) // _MOST)
        token, bars = token[::step], bars[::step]
    known = np.unique(others["bar"].astype(np.int64) * base + theirs)
    shifts = np.arange(-last, score.bars - first)
    wanted = (bars[None] + shifts[:, None]) * base + token[None]
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    shares = (known[at] == wanted).mean(axis=1)
    best = int(np.argmax(shares))
    return float(shares[best]), int(shifts[best])


def _tokens(score: Score, rows: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """Voice, pitch and place in the bar of every note as one number, and a number larger than any of them."""
    length = np.diff(np.asarray(score.bar_lines, dtype=np.int64))[rows["bar"]]
    slot = np.minimum(np.round(rows["position"] * _SLOTS / length).astype(np.int64), _SLOTS - 1)
    voice = rows["voice"].astype(np.int64)
    return (voice * 128 + rows["pitch"]) * _SLOTS + slot, len(score.voices) * 128 * _SLOTS
