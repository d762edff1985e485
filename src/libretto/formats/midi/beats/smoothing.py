"""A path of beats laid through the moments it met, as even as they allow."""

from __future__ import annotations

import numpy as np

from libretto.formats.midi.beats.playing import Played
from libretto.score.table import Floats

__all__ = ["EVEN", "even_path", "smoothed"]

_NEAR = 0.15  # beats from a beat within which a moment pulls at it
EVEN = 1.5  #: how much an uneven beat costs beside a moment of usual weight that is missed
_SLIGHT = 0.1  # how much the path pulls where nothing was played
_LEAST = 1e-3  # seconds: beats are at least so far apart


def smoothed(beats: Floats, played: Played) -> Floats:
    """The beats moved towards the moments on them; neighbouring beats keep nearly the same length."""
    if len(beats) < 3:
        return beats
    count = len(beats)
    place = np.interp(played.times, beats, np.arange(count))
    nearest = np.round(place).astype(np.int64)
    on = (np.abs(place - nearest) <= _NEAR) & (played.times >= beats[0] - _LEAST) & (played.times <= beats[-1] + _LEAST)
    pull = played.weights[on] / max(_LEAST, float(played.weights.mean()))
    weight = np.full(count, _SLIGHT) + np.bincount(nearest[on], weights=pull, minlength=count)
    sums = _SLIGHT * beats + np.bincount(nearest[on], weights=pull * played.times[on], minlength=count)
    path = even_path(np.asarray(weight, dtype=np.float64), np.asarray(sums, dtype=np.float64))
    return path if bool((np.diff(path) > _LEAST).all()) else beats


def even_path(weight: Floats, sums: Floats) -> Floats:
    """The path that is least far from what pulls and least uneven: a system with five diagonals, solved in order."""
    count = len(weight)
    diagonal = np.concatenate([[1.0, 5.0], np.full(max(0, count - 4), 6.0), [5.0, 1.0]])[:count]
    if count == 3:
        diagonal = np.array([1.0, 4.0, 1.0])
    first = np.full(count - 1, -4.0)
    first[0] = first[-1] = -2.0
    main, near, far = weight + EVEN * diagonal, EVEN * first, EVEN * np.ones(count - 2)
    pivots: list[float] = []
    nears: list[float] = []
    fars: list[float] = []
    values: list[float] = []
    for row in range(count):
        pivot, value = float(main[row]), float(sums[row])
        beside = float(near[row]) if row < count - 1 else 0.0
        if row > 0:
            pivot -= nears[row - 1] ** 2 * pivots[row - 1]
            value -= nears[row - 1] * values[row - 1]
            beside -= nears[row - 1] * fars[row - 1] * pivots[row - 1] if row < count - 1 else 0.0
        if row > 1:
            pivot -= fars[row - 2] ** 2 * pivots[row - 2]
            value -= fars[row - 2] * values[row - 2]
        pivots.append(pivot)
        nears.append(beside / pivot)
        fars.append((float(far[row]) if row < count - 2 else 0.0) / pivot)
        values.append(value)
    path = np.zeros(count + 2)
    for row in range(count - 1, -1, -1):
        path[row] = values[row] / pivots[row] - nears[row] * path[row + 1] - fars[row] * path[row + 2]
    return path[:count]
