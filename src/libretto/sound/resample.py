"""Another sampling rate: each sample is a windowed sinc over the old ones, and a block of them one matrix product."""

from __future__ import annotations

from functools import lru_cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

__all__ = ["resampled"]

_REACH = 48  # input samples to each side, at rates that stay or rise
_BLOCKS_AT_ONCE = 2048


def resampled(sound: NDArray[np.float32], old: int, new: int) -> NDArray[np.float32]:
    """The same sound at another rate; rows are moments, columns channels."""
    if old == new:
        return sound
    up, down = new // gcd(old, new), old // gcd(old, new)
    matrix = _matrix(up, down)
    reach = (len(matrix) - down) // 2
    blocks = -(-len(sound) // down)
    length = -(-len(sound) * up // down)
    result = np.empty((blocks * up, sound.shape[1]), dtype=np.float32)
    for channel in range(sound.shape[1]):
        padded = np.zeros(blocks * down + 2 * reach, dtype=np.float32)
        padded[reach : reach + len(sound)] = sound[:, channel]
        windows = np.lib.stride_tricks.sliding_window_view(padded, len(matrix))[::down]
        for first in range(0, blocks, _BLOCKS_AT_ONCE):
            some = slice(first, min(blocks, first + _BLOCKS_AT_ONCE))
            result[some.start * up : some.stop * up, channel] = (windows[some] @ matrix).ravel()
    return result[:length]


@lru_cache(maxsize=4)
def _matrix(up: int, down: int) -> NDArray[np.float32]:
    """What ``down`` input samples and their neighbours give to ``up`` output samples."""
    cutoff = 0.96 * min(1.0, up / down)
    reach = int(np.ceil(_REACH / cutoff))
    at = np.arange(up) * down / up
    distance = at[None, :] - (np.arange(down + 2 * reach) - reach)[:, None]
    taps = np.where(np.abs(distance) <= reach, np.sinc(cutoff * distance) * _kaiser(distance / reach), 0.0)
    return np.asarray(taps / taps.sum(axis=0), dtype=np.float32)


def _kaiser(place: NDArray[np.float64]) -> NDArray[np.float64]:
    """A Kaiser window over places from -1 to 1."""
    return np.asarray(np.i0(9.0 * np.sqrt(np.maximum(0.0, 1 - place**2))) / np.i0(9.0))
