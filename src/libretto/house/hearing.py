"""How the house hears a passage of a morph: speed, home, groove, harmony, instruments, fullness and height.

These are the things a band talks about when it plans a medley. They share nothing with the axes by which a morph is
judged, so that the plan is not drawn up by the judge's own numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Heard", "hear", "how_far"]

Floats = NDArray[np.float64]
_SLOTS, _FAMILIES = 16, 17
_OCTAVE = 12.0
#: One doubling of speed, of notes a bar or of their length counts as much as groove or harmony changed altogether.
_DOUBLING = 1.0


@dataclass(frozen=True, eq=False)
class Heard:
    """A passage as shares (groove, strokes, tones, players) and sizes (speed, fullness, height, length)."""

    shares: tuple[Floats, ...]
    sizes: Floats


def hear(
    notes: Sequence[tuple[int, int, int, int | None]],
    starts: Sequence[int],
    ticks: Sequence[int],
    tonic: int,
    tempo: float,
) -> Heard:
    """A passage from its notes (onset, length, pitch, program or None for drums), its bars, its tonic and its speed."""
    table = np.array([(a, b, c, -1 if d is None else d) for a, b, c, d in notes], dtype=np.int64).reshape(-1, 4)
    lines, lengths = np.asarray(starts, dtype=np.int64), np.asarray(ticks, dtype=np.int64)
    bar = np.clip(np.searchsorted(lines, table[:, 0], side="right") - 1, 0, len(lines) - 1)
    slot = np.clip((table[:, 0] - lines[bar]) * _SLOTS // lengths[bar], 0, _SLOTS - 1)
    drums = table[:, 3] < 0
    pitched = table[~drums]
    families = np.where(drums, _FAMILIES - 1, table[:, 3] // 8)
    shares = (
        _share(slot[~drums], _SLOTS),
        _share(slot[drums] + _SLOTS * np.isin(table[drums, 2], (35, 36, 38, 40)), 2 * _SLOTS),
        _share((pitched[:, 2] - tonic) % 12, 12, pitched[:, 1]),
        _share(families, _FAMILIES),
    )
    count = max(1, len(lines))
    usual = float(np.mean(lengths))
    sizes = np.array(
        [
            np.log2(tempo),
            np.log2(1 + len(table) / count),
            float(np.mean(pitched[:, 2])) / _OCTAVE if len(pitched) else 5.0,
            np.log2(float(np.mean(np.minimum(pitched[:, 1], usual))) / usual) / 2 if len(pitched) else -1.0,
        ]
    )
    return Heard(shares, sizes)


def _share(places: NDArray[np.int64], size: int, weights: NDArray[np.int64] | None = None) -> Floats:
    found = np.bincount(places, weights, minlength=size).astype(np.float64)
    return found / max(float(found.sum()), 1.0)


def _apart(one: Heard, other: Heard) -> float:
    """How different two passages sound: the part of every share that differs, and doublings."""
    shares = sum(float(np.abs(a - b).sum()) / 2 for a, b in zip(one.shares, other.shares, strict=True))
    return shares + float(np.minimum(np.abs(one.sizes - other.sizes) / _DOUBLING, 1.0).sum())


def how_far(passage: Heard, source: Sequence[Heard], target: Sequence[Heard]) -> float:
    """How far a passage has come from one end to the other, 0 to 1, by what it differs in from the passages of both."""
    near = float(np.mean([_apart(passage, each) for each in source]))
    far = float(np.mean([_apart(passage, each) for each in target]))
    return near / max(near + far, 1e-9)
