"""How much of a region is heard elsewhere in its song, note by note, at one distance in bars and one transposition.

Real songs repeat themselves: a region may come back to what its song has said, at the same pitch or at another, as much
as the song's other bars do.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score

__all__ = ["Reprise", "reprise"]

_SLOTS = 24
_REACH = 24  # semitones up or down
_MOST = 4_000  # notes of a region that are looked for
_PAIRS = 3_000_000


class Reprise(NamedTuple):
    """The largest share of a region's notes that other bars have at the same pitch, and how far away these are; then
    the same at some other pitch, with the semitones by which those bars lie higher."""

    share: float = 0.0
    shift: int = 0
    moved: float = 0.0
    moved_shift: int = 0
    semitones: int = 0


def reprise(score: Score, first: int, last: int, hidden: Collection[int] = ()) -> Reprise:
    """How much of those bars (indices) some other bars have too, as they are and transposed.

    Percussion takes no part where anything else plays, and is never transposed. ``hidden`` are bar indices that are not
    looked at.
    """
    table = score.table
    drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    inside = (table["bar"] >= first) & (table["bar"] <= last)
    pitched = bool((inside & ~drums[table["voice"]]).any())
    if pitched:
        table = table[~drums[table["voice"]]]
        inside = (table["bar"] >= first) & (table["bar"] <= last)
    others = table[~inside & ~np.isin(table["bar"], list(hidden))] if hidden else table[~inside]
    if not inside.any() or not len(others):
        return Reprise()
    mine = table[inside]
    mine = mine[:: -(-len(mine) // _MOST)]
    counts = _counts(_rows(score, mine), np.unique(_rows(score, others), axis=0), score.bars)
    shares = counts / len(mine)
    plain = shares[:, _REACH].copy()
    shares[:, _REACH] = 0.0
    best = int(np.argmax(plain))
    if not pitched:
        return Reprise(float(plain[best]), best - score.bars + 1)
    where, semitones = divmod(int(np.argmax(shares)), shares.shape[1])
    return Reprise(
        float(plain[best]),
        best - score.bars + 1,
        float(shares[where, semitones]),
        where - score.bars + 1,
        semitones - _REACH,
    )


def _rows(score: Score, rows: NDArray[Any]) -> NDArray[np.int64]:
    """Every note as its voice and place in the bar (one number), its bar and its pitch."""
    length = np.diff(np.asarray(score.bar_lines, dtype=np.int64))[rows["bar"]]
    slot = np.minimum(np.round(rows["position"] * _SLOTS / length).astype(np.int64), _SLOTS - 1)
    place = rows["voice"].astype(np.int64) * _SLOTS + slot
    return np.stack([place, rows["bar"].astype(np.int64), rows["pitch"].astype(np.int64)], axis=1)


def _counts(mine: NDArray[np.int64], theirs: NDArray[np.int64], bars: int) -> NDArray[np.float64]:
    """How many of my notes meet one of theirs, for every distance in bars (rows) and in semitones (columns)."""
    wide = 2 * _REACH + 1
    counts = np.zeros((2 * bars - 1) * wide)
    low = np.searchsorted(theirs[:, 0], mine[:, 0], side="left")
    size = np.searchsorted(theirs[:, 0], mine[:, 0], side="right") - low
    edges = np.searchsorted(np.cumsum(size), np.arange(_PAIRS, int(size.sum()) + _PAIRS, _PAIRS))
    begin = 0
    for end in [*edges.tolist()[:-1], len(mine)]:
        if end <= begin:
            continue
        here = size[begin:end]
        which = np.repeat(np.arange(begin, end), here)
        at = np.arange(len(which)) - np.repeat(np.cumsum(here) - here, here) + np.repeat(low[begin:end], here)
        up = theirs[at, 2] - mine[which, 2]
        near = np.abs(up) <= _REACH
        away = theirs[at, 1] - mine[which, 1] + bars - 1
        counts += np.bincount((away * wide + up + _REACH)[near], minlength=len(counts))
        begin = end
    return np.minimum(counts, len(mine)).reshape(2 * bars - 1, wide)
