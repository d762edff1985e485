"""Chance that can be repeated: a number for every place in a piece and every seed, whatever stands around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["leaning"]

_STEP, _FIRST, _SECOND = (np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def leaning(seed: int, *places: NDArray[np.integer] | int) -> NDArray[np.float64]:
    """Numbers from -1 to 1, most of them near 0, one for each place: the same for the same seed and place."""
    state = np.atleast_1d(np.array(seed % 2**64, dtype=np.uint64))
    for place in places:
        state = _mixed(state ^ np.atleast_1d(np.asarray(place, dtype=np.int64)).astype(np.uint64))
    one, other = _mixed(state), _mixed(state + _STEP)
    return np.asarray((one >> np.uint64(11)) / 2.0**53 + (other >> np.uint64(11)) / 2.0**53 - 1.0)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64: every bit of the result depends on every bit given."""
    state = state + _STEP
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return np.asarray(state ^ (state >> np.uint64(31)))
