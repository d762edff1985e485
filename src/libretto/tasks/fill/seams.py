"""Seams: how a bar goes over into the next, against how the song's own bars do.

What is compared across a bar line: how much each voice plays, how high and how loud, and who plays at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from libretto.score import Score
from libretto.score.arrays import Floats

__all__ = ["CHANGES", "Seams", "hardest_seam"]

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
