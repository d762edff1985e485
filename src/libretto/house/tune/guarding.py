"""A guard beside a tune that is being told: whether a note would end a run of a tune that taught the model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.house.tune.net import arrays
from libretto.house.tune.sketch import RUN, known, last_move, length_keys, move_weights

__all__ = ["Guard"]

Ints = NDArray[np.int64]


class Guard:
    """Knows the lengths of a tune's notes, and by the shipped sketch all runs that are not to be recited."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._lengths = length_keys(np.array(lengths, dtype=np.int64))
        self._sketch = arrays()["sketch"].astype(np.uint8, copy=False)

    def recites(self, index: int, told: Ints, candidates: Ints) -> NDArray[np.bool_]:
        """Which candidates for a note would end a run of a taught tune.

        ``told`` are the pitches so far, a row a draft, at least up to that note; ``candidates`` one or several a row.
        Pitches may be counted from anywhere. Early notes end no run.
        """
        if index < RUN - 1:
            return np.zeros(candidates.shape, dtype=np.bool_)
        run = told[:, index - RUN + 1 : index]
        begun = move_weights(run[:, 1:] - run[:, :-1]) + self._lengths[index]
        last = run[:, -1]
        if candidates.ndim > 1:
            begun, last = begun[:, None], last[:, None]
        return known(self._sketch, begun + last_move(candidates - last))
