"""How the house hears a passage of a morph: speed, home, groove, harmony, instruments, fullness, height and loudness.

These are the things a band talks about when it plans a medley. They share nothing with the axes by which a morph is
judged, so that the plan is not drawn up by the judge's own numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libretto.score.arrays import Floats

__all__ = ["Ear", "Floats", "count", "hear"]

_SLOTS, _FAMILIES = 16, 17
_PARTS = np.cumsum((_SLOTS, 2 * _SLOTS, 12, _FAMILIES)).tolist()
_WEIGHTS = (2.0, 0.5, 1.0, 2.0)  # of groove, strokes, tones and who plays, set by ear on pairs for practice
_SUMS = 9  # notes, pitched ones, heights and their squares, lengths and their squares, loudness, strokes, players
_LOW_DRUMS = (35, 36, 38, 40)
_EVEN = 0.05  # how much even what never changes in a song may change


def count(
    notes: Sequence[tuple[int, int, int, int, int | None]],
    starts: Sequence[int],
    ticks: Sequence[int],
    tonics: Sequence[int],
) -> Floats:
    """What a player does in every bar, as sums that may be added up over players and bars.

    Notes are onset, length, pitch, velocity and program (None for drums); bars have a start, a length and a tonic.
    """
    table = np.array([(a, b, c, d, -1 if e is None else e) for a, b, c, d, e in notes], dtype=np.int64).reshape(-1, 5)
    lines, lengths = np.asarray(starts, dtype=np.int64), np.asarray(ticks, dtype=np.int64)
    bar = np.clip(np.searchsorted(lines, table[:, 0], side="right") - 1, 0, len(lines) - 1)
    slot = np.clip((table[:, 0] - lines[bar]) * _SLOTS // lengths[bar], 0, _SLOTS - 1)
    made: Floats = np.zeros((len(lines), _PARTS[-1] + _SUMS))
    drums = table[:, 4] < 0
    low = np.isin(table[:, 2], _LOW_DRUMS)
    long = np.minimum(np.maximum(table[:, 1], 1) / lengths[bar], 1.0)
    np.add.at(made, (bar, np.where(drums, _PARTS[0] + slot + _SLOTS * low, slot)), 1.0)
    at, pitched, size, where = bar[~drums], table[~drums], long[~drums], _PARTS[-1]
    home = np.asarray(tonics, dtype=np.int64)[at]
    np.add.at(made, (at, _PARTS[1] + (pitched[:, 2] - home) % 12), size)
    np.add.at(made, (bar, _PARTS[2] + np.where(drums, _FAMILIES - 1, table[:, 4] // 8)), 1.0)
    high, length = pitched[:, 2] / 12, np.log2(size)
    np.add.at(made, (bar, where), 1.0)
    np.add.at(made, (bar, where + 6), table[:, 3] / 24)
    for place, values in enumerate((np.ones(len(at)), high, high**2, length, length**2), start=1):
        np.add.at(made, (at, where + place), values)
    struck = np.unique(np.column_stack([at, pitched[:, 0]]), axis=0)[:, 0]
    np.add.at(made, (struck, where + 7), 1.0)
    made[np.unique(bar), where + 8] = 1.0
    return made


def hear(sums: Floats, bars: int, tempo: Floats | float) -> Floats:
    """Passages from their sums over so many bars and their speeds, a row each."""
    parts = np.split(np.asarray(sums), _PARTS, axis=-1)
    shares = [
        weight * np.sqrt(each / np.maximum(each.sum(axis=-1, keepdims=True), 1e-9))
        for weight, each in zip(_WEIGHTS, parts[:-1], strict=True)
    ]
    every, pitched, high, high2, length, length2, loud, struck, players = np.moveaxis(parts[-1], -1, 0)
    some = np.maximum(pitched, 1.0)
    height, lasting = high / some, length / some
    sizes = (
        np.broadcast_to(np.log2(tempo), every.shape),
        np.log2(1 + every / bars),
        np.where(pitched > 0, height, 5.0),
        np.sqrt(np.maximum(high2 / some - height**2, 0.0)),
        np.where(pitched > 0, lasting / 2, -1.0),
        np.sqrt(np.maximum(length2 / some - lasting**2, 0.0)) / 2,
        loud / np.maximum(every, 1.0),
        np.log2(np.maximum(some / np.maximum(struck, 1.0), 1.0)),
        players / bars / 4,
        (every - pitched) / np.maximum(every, 1.0),
    )
    return np.concatenate([*shares, np.stack(sizes, axis=-1)], axis=-1)


@dataclass(frozen=True, eq=False)
class Ear:
    """An ear that knows both songs: what tells them apart counts by how little it changes within either."""

    weights: Floats
    low: float
    high: float

    @classmethod
    def of(cls, source: Floats, target: Floats) -> Ear:
        """An ear for the way between passages of one song and passages of another, a row each."""
        size = len(source) + len(target)
        within = (source.var(axis=0) * len(source) + target.var(axis=0) * len(target)) / size
        weights = (target.mean(axis=0) - source.mean(axis=0)) / (within + within.mean() + _EVEN)
        low, high = (float(np.median(each @ weights)) for each in (source, target))
        return cls(weights, low, high if high - low > 1e-9 else low + 1.0)

    def how_far(self, passages: Floats) -> Floats:
        """How far passages have come from one song to the other: 0 is as the one, 1 as the other."""
        return np.asarray((passages @ self.weights - self.low) / (self.high - self.low))
