"""How much is going on in a piece, bar by bar: the curve that one sees over a piece."""

from __future__ import annotations

import numpy as np

from libretto.score import QUARTER, Score

__all__ = ["energies"]

_DIGITS = 3
_NOTHING = 1e-9  # keeps a share of nothing from being divided by nothing


def energies(score: Score) -> list[float]:
    """How much goes on in each written bar, from 0 to 1: how many voices play, how loudly and how many notes start.

    Each of the three is taken as a share of the most that a bar of this piece has; the value is their geometric mean.
    """
    table, bars = score.table, score.bars
    if not len(table):
        return [0.0] * bars
    bar = table["bar"]
    count = np.bincount(bar, minlength=bars).astype(np.float64)
    loud = np.bincount(bar, table["velocity"], bars) / np.maximum(count, 1)
    playing = np.bincount(np.unique(bar.astype(np.int64) * len(score.voices) + table["voice"]) // len(score.voices))
    voices = np.zeros(bars)
    voices[: len(playing)] = playing
    dense = count * QUARTER / np.diff(score.bar_lines)
    parts = [part / max(float(part.max()), _NOTHING) for part in (dense, loud, voices)]
    return [round(float(value), _DIGITS) for value in np.where(count > 0, np.cbrt(np.prod(parts, axis=0)), 0.0)]
