"""Layers of small networks by products of matrices: local cells, and cells that remember, one way or both ways in time.

Weights are kept as halves in one file; sums are in single precision and always in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

__all__ = ["chances", "convolved", "positive", "read_weights", "remembered", "shifted_sum"]

Singles = NDArray[np.float32]
_FARTHEST = 30.0  # log-odds beyond which nothing is surer


@lru_cache(maxsize=4)
def read_weights(name: str) -> dict[str, Singles]:
    """The numbers of a network that the package brings, by their names."""
    data = files("libretto.hearing").joinpath(name).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as packed:
        return {key: packed[key].astype(np.float32) for key in packed.files}


def positive(values: Singles) -> Singles:
    """What is above nothing, in place."""
    return np.maximum(values, np.float32(0), out=values)


def chances(odds: Singles) -> Singles:
    """Log-odds as chances from 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -_FARTHEST, _FARTHEST))), dtype=np.float32)


def convolved(seen: Singles, weights: Singles, offset: Singles, step: int = 1) -> Singles:
    """Local cells over time and bands: frames, bands, cells in; every ``step``-th band out; nothing lies beyond the edges.

    The weights are cells out, cells in, frames, bands.
    """
    out, _, high, wide = weights.shape
    frames, bands = seen.shape[:2]
    padded = np.pad(seen, ((high // 2, high // 2), (wide // 2, wide // 2), (0, 0)))
    count = (bands - 1) // step + 1
    total = np.zeros((frames * count, out), dtype=np.float32)
    for row in range(high):
        for column in range(wide):
            piece = padded[row : row + frames, column : column + step * (count - 1) + 1 : step]
            total += np.ascontiguousarray(piece).reshape(frames * count, -1) @ weights[:, :, row, column].T
    return np.asarray(total + offset, dtype=np.float32).reshape(frames, count, out)


def shifted_sum(seen: Singles, weights: Singles, offset: Singles, steps: Sequence[int]) -> Singles:
    """Cells that look at keys so many steps away: frames, keys, cells in and out; nothing lies beyond the ends."""
    frames, keys, cells = seen.shape
    total = np.broadcast_to(offset, (frames, keys, weights.shape[1])).copy()
    for number, step in enumerate(steps):
        low, high = max(0, -step), keys - max(0, step)
        piece = np.ascontiguousarray(seen[:, low + step : high + step]).reshape(-1, cells)
        part = piece @ weights[number * cells : (number + 1) * cells]
        total[:, low:high] += part.reshape(frames, high - low, -1)
    return total


def remembered(rows: Singles, weights: dict[str, Singles], name: str) -> Singles:
    """Cells that remember (gated recurrent units), forwards and backwards: frames, sequences, cells in and out."""
    ways = [_one_way(rows, weights, f"{name}_%s_l0", 1), _one_way(rows, weights, f"{name}_%s_l0_reverse", -1)]
    return np.concatenate(ways, axis=2)


def _one_way(rows: Singles, weights: dict[str, Singles], name: str, way: int) -> Singles:
    own, back = weights[name % "weight_ih"].T, np.ascontiguousarray(weights[name % "weight_hh"].T)
    size = len(back)
    frames, count, cells = rows.shape
    told = (rows.reshape(-1, cells) @ np.ascontiguousarray(own) + weights[name % "bias_ih"]).reshape(frames, count, -1)
    offset = weights[name % "bias_hh"]
    now = np.zeros((count, size), dtype=np.float32)
    out = np.empty((frames, count, size), dtype=np.float32)
    one = np.float32(1)
    for frame in range(frames)[::way]:
        kept = now @ back
        kept += offset
        gates = told[frame, :, : 2 * size] + kept[:, : 2 * size]
        np.negative(gates, out=gates)
        np.exp(np.minimum(gates, np.float32(_FARTHEST), out=gates), out=gates)
        gates = one / (one + gates)
        new = np.tanh(told[frame, :, 2 * size :] + gates[:, :size] * kept[:, 2 * size :])
        now = new + gates[:, size:] * (now - new)
        out[frame] = now
    return out
