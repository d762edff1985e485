"""How much of a region is heard elsewhere in its song, note by note, at one distance in bars and one transposition.

Real songs repeat themselves: a region may come back to what its song has said, at the same pitch or at another, as much
as the song's other bars do.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score
from libretto.score.table import Floats

__all__ = ["CHANGES", "Reprise", "Seams", "hardest_seam", "reprise"]

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


#: What may change across a bar line, in words.
CHANGES = ("how much is played", "how high the parts lie", "how loud they are", "who plays")
_LEAST = (0.15, 1.0, 2.0, 0.05)


@dataclass(frozen=True, eq=False)
class Seams:
    """Every bar line of a piece as how much changes across it; rows are bar lines, the first between bars 0 and 1."""

    changes: Floats = field(repr=False)

    @classmethod
    def of(cls, score: Score, voices: Sequence[str] | None = None) -> Seams:
        """The bar lines of a piece, over some voices or all."""
        count, bars = len(score.voices), score.bars
        notes, high, loud = (np.zeros((count, bars)) for _ in range(3))
        table = score.table
        for column, name in ((high, "pitch"), (loud, "velocity")):
            np.add.at(column, (table["voice"], table["bar"]), table[name].astype(np.float64))
        np.add.at(notes, (table["voice"], table["bar"]), 1.0)
        if voices is not None:
            mine = np.array([voice.name in voices for voice in score.voices], dtype=np.bool_)
            notes, high, loud = notes[mine], high[mine], loud[mine]
        plays = notes > 0
        high, loud = high / np.maximum(notes, 1), loud / np.maximum(notes, 1)
        a, b = plays[:, :-1], plays[:, 1:]
        both, some = a & b, a | b
        together, either = np.maximum(both.sum(axis=0), 1), np.maximum(some.sum(axis=0), 1)
        amount = np.abs(np.log2((notes[:, 1:] + 1) / (notes[:, :-1] + 1)) * some).sum(axis=0) / either
        up = (np.abs(high[:, 1:] - high[:, :-1]) * both).sum(axis=0) / together
        louder = (np.abs(loud[:, 1:] - loud[:, :-1]) * both).sum(axis=0) / together
        return cls(np.stack([amount, up, louder, (some & ~both).sum(axis=0) / either], axis=1))

    def jolt(self, line: int, gap: tuple[int, int]) -> tuple[float, int]:
        """How much more changes across a bar line than across the song's own outside a gap (bar indices), in usual
        spreads, and which of ``CHANGES`` stands out most."""
        own = np.array([i for i in range(len(self.changes)) if not gap[0] - 1 <= i <= gap[1]], dtype=np.int64)
        if not len(own):
            return 0.0, 0
        rows = self.changes[own]
        spread = np.maximum(rows.std(axis=0), np.array(_LEAST))
        away = np.maximum((self.changes[line] - rows.mean(axis=0)) / spread, 0.0)
        return float(away.mean()), int(np.argmax(away))


def hardest_seam(score: Score, voices: Sequence[str], gap: tuple[int, int]) -> tuple[float, int, int]:
    """The harder of the two seams of a gap (bar indices) in those voices: how hard, which of ``CHANGES``, and the bar
    before it."""
    seams = Seams.of(score, voices)
    ends = [line for line in (gap[0] - 1, gap[1]) if 0 <= line < len(seams.changes)]
    return max(((*seams.jolt(line, gap), line) for line in ends), default=(0.0, 0, gap[0]))
