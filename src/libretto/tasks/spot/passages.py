"""Bars beside other bars: what sounds around each, the scale that a passage keeps to, and how alike bars are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.arrays import Bools, Floats
from libretto.score.facts import Facts
from libretto.tasks.spot.columns import CLASSES, TINY

__all__ = ["SCALES", "most_alike", "passages", "running_sum", "unit_rows", "windows"]

_MAJOR, _MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 11)  # semitones above the tonic
_IN_DOUBT = 0.01  # of what sounds: so much less is held by a harmonic minor scale, so that major wins where both fit
_NEAREST = 3  # bars that speak for how alike a bar is to others


def _scales() -> Bools:
    """The 24 major and harmonic minor scales as sets of pitch classes: major on C to B, then minor."""
    sets = [(steps, tonic) for steps in (_MAJOR, _MINOR) for tonic in range(CLASSES)]
    table = np.zeros((len(sets), CLASSES), dtype=np.bool_)
    for row, (steps, tonic) in enumerate(sets):
        table[row, [(step + tonic) % CLASSES for step in steps]] = True
    return table


#: Which pitch classes each of the 24 scales has.
SCALES = _scales()


def running_sum(mass: Floats) -> Floats:
    """What has sounded before each bar line, so that any stretch is the difference of two rows."""
    return np.concatenate((np.zeros((1, mass.shape[1])), np.cumsum(mass, axis=0)))


def windows(mass: Floats, reach: int, *, without: bool = False) -> Floats:
    """What sounds in each bar and in so many on either side; ``without`` leaves the bar itself out."""
    edge, index = running_sum(mass), np.arange(len(mass))
    near = edge[np.minimum(index + reach + 1, len(mass))] - edge[np.maximum(index - reach, 0)]
    return np.asarray(np.maximum(near - mass, 0) if without else near)


def passages(facts: Facts, reach: int = 4, *, without: bool = False) -> tuple[Bools, Floats]:
    """For each bar the scale of the passage around it, and how much of the passage is in it (a share)."""
    near = windows(facts.bar_mass, reach, without=without)
    held = near @ SCALES.T.astype(np.float64)
    held[:, CLASSES:] -= _IN_DOUBT * near.sum(axis=1, keepdims=True)
    best = np.argmax(held, axis=1)
    inside = (near * SCALES[best]).sum(axis=1) / np.maximum(near.sum(axis=1), TINY)
    return SCALES[best], np.asarray(inside)


def unit_rows(rows: NDArray[np.floating[Any]]) -> Floats:
    """The rows, each scaled to length one, so that a product of two is their cosine."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), TINY))


def most_alike(mine: Floats, all_bars: Floats) -> Floats:
    """How like each bar the most alike of the others are: the mean of the best three."""
    like = mine @ all_bars.T
    np.fill_diagonal(like, 0)
    top = np.partition(like, -_NEAREST, axis=1)[:, -_NEAREST:] if like.shape[1] > _NEAREST else like
    return np.asarray(top.mean(axis=1), dtype=np.float64)
