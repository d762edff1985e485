"""How like an example a sheet is, quickly: every way to lay the one over the other, and how many notes then agree.

The judge counts on true ticks what the best way shares beyond chance; a writer who tries a hundred changes needs a
price that falls with every note fewer, in all ways that share too much, and the bars where they are.
"""

from __future__ import annotations

import numpy as np

from libretto.house.drill.sheet import Sheet
from libretto.score import QUARTER, Score

__all__ = ["Likeness"]

_WIDE = 1 << 32
_CELL = QUARTER // 24


class Likeness:
    """An example, and how much of it may be found in a sheet before that has a price."""

    def __init__(self, example: Score, enough: float) -> None:
        self.onset = example.table["onset"].astype(np.int64) // _CELL
        self.pitch = example.table["pitch"].astype(np.int64)
        self.free = enough * len(self.onset)

    def of(self, sheet: Sheet) -> tuple[float, dict[int, int]]:
        """The price of a sheet, 0 where it shares little, and how many notes of each bar (from 0) are shared."""
        start, onsets, pitches, places = 0, [], [], []
        for index, bar in enumerate(sheet.bars):
            for note in bar.notes:
                onsets.append((start + note.onset) // _CELL)
                pitches.append(note.pitch)
                places.append(index)
            start += bar.length
        if not onsets or not len(self.onset):
            return 0.0, {}
        moves = (np.array(pitches)[:, None] - self.pitch + 128) * _WIDE + np.array(onsets)[:, None] - self.onset
        _, which, counts = np.unique(moves.ravel(), return_inverse=True, return_counts=True)
        over = np.maximum(counts - self.free, 0.0)
        if not over.any():
            return 0.0, {}
        dear = over[which.reshape(moves.shape)].max(axis=1)
        shared: dict[int, int] = {}
        for place, price in zip(places, dear.tolist(), strict=True):
            if price > 0:
                shared[place] = shared.get(place, 0) + 1
        return float((over**4).sum()), shared
