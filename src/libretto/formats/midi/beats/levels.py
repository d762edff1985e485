"""The levels of one pulse: a path of beats halved, doubled, in threes, and the same in every phase."""

from __future__ import annotations

import numpy as np

from libretto.score.table import Floats

__all__ = ["FASTEST", "SLOWEST", "levels_of"]

FASTEST, SLOWEST = 0.24, 1.6  #: seconds a beat, as the middle of a piece has it: what people tap
#: Each beat divided by the first, and then as many taken together as the second says.
_RATIOS = ((1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (2, 3), (3, 2))
_LEAST_BEATS = 4
_SAME, _SHARE = 0.035, 0.92  # seconds, and how much of two paths is the same where they are one


def levels_of(paths: list[Floats]) -> list[Floats]:
    """Every path at every level and phase that people tap, each only once."""
    kept: list[Floats] = []
    for divided, joined in _RATIOS:
        for path in paths:
            fine = _divided(path, divided)
            for phase in range(joined):
                level = fine[phase::joined]
                if len(level) >= _LEAST_BEATS and _is_tapped(level) and not any(_agree(level, one) for one in kept):
                    kept.append(level)
    return kept


def _divided(path: Floats, parts: int) -> Floats:
    """A path with each beat divided."""
    count = len(path)
    return np.interp(np.arange((count - 1) * parts + 1) / parts, np.arange(count), path)


def _is_tapped(level: Floats) -> bool:
    return FASTEST <= float(np.median(np.diff(level))) <= SLOWEST


def _agree(first: Floats, second: Floats) -> bool:
    """Whether two paths are nearly the same beats."""
    if not 0.8 < len(first) / len(second) < 1.25:
        return False
    at = np.clip(np.searchsorted(second, first), 1, len(second) - 1)
    near = np.minimum(np.abs(first - second[at]), np.abs(first - second[at - 1]))
    return float((near <= _SAME).mean()) >= _SHARE
