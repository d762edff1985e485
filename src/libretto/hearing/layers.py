"""Layers of small networks by products of matrices: local cells, and cells that remember, one way or both ways in time.

Weights are kept as halves in one file; sums are in single precision and always in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

__all__ = ["chances", "convolved", "positive", "read_weights", "remembered", "shifted_sum", "windows"]

Singles = NDArray[np.float32]
_FARTHEST = 30.0  # log-odds beyond which nothing is surer
_AT_ONCE = 128  # frames
_HALF = np.float32(0.5)


@lru_cache(maxsize=4)
def read_weights(name: str) -> dict[str, Singles]:
    """The numbers of a network that the package brings, by their names."""
    data = files("libretto.hearing").joinpath(name).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as packed:
        return {key: packed[key].astype(np.float32) for key in packed.files}


def windows(count: int, size: int, margin: int) -> Iterator[tuple[int, int, int, int]]:
    """Stretches of frames, and what is heard around each: first, one after the last, and the same with the margins."""
    for first in range(0, count, size):
        last = min(count, first + size)
        yield first, last, max(0, first - margin), min(count, last + margin)


def positive(values: Singles) -> Singles:
    """What is above nothing, in place."""
    return np.maximum(values, np.float32(0), out=values)


def chances(odds: Singles) -> Singles:
    """Log-odds as chances from 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -_FARTHEST, _FARTHEST))), dtype=np.float32)


def convolved(seen: Singles, weights: Singles, offset: Singles, step: int = 1) -> Singles:
    """Local cells over time and bands: frames, bands, cells in; every ``step``-th band out; no more beyond the edges.

    The weights are cells out, cells in, frames, bands.
    """
    out, _, high, wide = weights.shape
    frames, bands = seen.shape[:2]
    padded = np.pad(seen, ((high // 2, high // 2), (wide // 2, wide // 2), (0, 0)))
    count = (bands - 1) // step + 1
    table = np.ascontiguousarray(weights.transpose(2, 3, 1, 0)).reshape(-1, out)
    total = np.empty((frames, count, out), dtype=np.float32)
    for first in range(0, frames, _AT_ONCE):
        last = min(frames, first + _AT_ONCE)
        pieces = [
            padded[first + row : last + row, column : column + step * (count - 1) + 1 : step]
            for row in range(high)
            for column in range(wide)
        ]
        total[first:last] = np.concatenate(pieces, axis=2) @ table
    total += offset
    return total


def shifted_sum(seen: Singles, weights: Singles, offset: Singles, steps: Sequence[int]) -> Singles:
    """Cells that look at keys so many steps away: frames, keys, cells in and out; nothing lies beyond the ends."""
    frames, keys, _ = seen.shape
    far = max(abs(step) for step in steps)
    total = np.empty((frames, keys, weights.shape[1]), dtype=np.float32)
    for first in range(0, frames, _AT_ONCE):
        padded = np.pad(seen[first : first + _AT_ONCE], ((0, 0), (far, far), (0, 0)))
        pieces = [padded[:, far + step : far + step + keys] for step in steps]
        total[first : first + _AT_ONCE] = np.concatenate(pieces, axis=2) @ weights
    total += offset
    return total


def remembered(rows: Singles, weights: dict[str, Singles], name: str) -> Singles:
    """Cells that remember (gated recurrent units), forwards and backwards: frames, sequences, cells in and out."""
    frames, count, cells = rows.shape
    flat = rows.reshape(-1, cells)
    told, backs, offsets = [], [], []
    for way in ("_l0", "_l0_reverse"):
        own = np.ascontiguousarray(weights[f"{name}_weight_ih{way}"].T)
        told.append((flat @ own + weights[f"{name}_bias_ih{way}"]).reshape(frames, count, -1))
        backs.append(weights[f"{name}_weight_hh{way}"].T)
        offsets.append(weights[f"{name}_bias_hh{way}"])
    back, offset = np.ascontiguousarray(backs), np.stack(offsets)[:, None]
    size = back.shape[1]
    now = np.zeros((2, count, size), dtype=np.float32)
    out = np.empty((frames, count, 2 * size), dtype=np.float32)
    for frame in range(frames):
        kept = now @ back
        kept += offset
        here = np.stack((told[0][frame], told[1][frames - 1 - frame]))
        gates = here[:, :, : 2 * size] + kept[:, :, : 2 * size]
        gates *= _HALF
        np.tanh(gates, out=gates)  # half of it, and a half, is the logistic curve
        gates *= _HALF
        gates += _HALF
        new = np.tanh(here[:, :, 2 * size :] + gates[:, :, :size] * kept[:, :, 2 * size :])
        now = new + gates[:, :, size:] * (now - new)
        out[frame, :, :size] = now[0]
        out[frames - 1 - frame, :, size:] = now[1]
    return out
