"""The scale that a passage keeps to: of the 24 major and harmonic minor scales the one that holds most of it."""

from __future__ import annotations

import numpy as np

from libretto.score.facts import Bools, Facts, Floats

__all__ = ["SCALES", "passages", "windows"]

_MAJOR, _MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11)


def _scales() -> Bools:
    sets = np.zeros((24, 12), dtype=np.bool_)
    for row, (steps, tonic) in enumerate((steps, tonic) for steps in (_MAJOR, _MINOR) for tonic in range(12)):
        sets[row, [(step + tonic) % 12 for step in steps]] = True
    return sets


#: Which pitch classes each of the 24 scales has.
SCALES = _scales()


def windows(mass: Floats, reach: int, *, without: bool = False) -> Floats:
    """What sounds in each bar and in so many on either side; ``without`` leaves the bar itself out."""
    edge = np.concatenate((np.zeros((1, mass.shape[1])), np.cumsum(mass, axis=0)))
    index = np.arange(len(mass))
    near = edge[np.minimum(index + reach + 1, len(mass))] - edge[np.maximum(index - reach, 0)]
    return np.asarray(np.maximum(near - mass, 0) if without else near)


def passages(facts: Facts, reach: int = 4, *, without: bool = False) -> tuple[Bools, Floats]:
    """For each bar the scale of the passage around it, and how much of the passage is in it (a share)."""
    near = windows(facts.bar_mass, reach, without=without)
    held = near @ SCALES.T.astype(np.float64)
    held[:, 12:] -= 0.01 * near.sum(axis=1, keepdims=True)  # in doubt, major or natural minor
    best = np.argmax(held, axis=1)
    inside = (near * SCALES[best]).sum(axis=1) / np.maximum(near.sum(axis=1), 1e-9)
    return SCALES[best], np.asarray(inside)
