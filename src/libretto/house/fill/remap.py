"""Bring notes from one chord to another: root to root, third to third, steps of the scale to steps, register kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.fill.reading import Harmony

__all__ = ["moved", "moved_notes"]

#: Which part of a chord an interval above the root is: root, second, third, fourth, fifth, sixth, seventh.
_DEGREE = (0, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 6)


def moved(pitch: int, source: Harmony, target: Harmony, home: frozenset[int]) -> int:
    """The note that does over the target chord what this one does over the source, as near as can be.

    >>> c, f = (0, frozenset({0, 4, 7})), (5, frozenset({5, 9, 0}))
    >>> [moved(pitch, c, f, frozenset({0, 2, 4, 5, 7, 9, 11})) for pitch in (60, 64, 67, 62)]
    [65, 69, 72, 67]
    """
    if source is None or target is None or source == target:
        return pitch
    interval = (pitch - source[0]) % 12
    if pitch % 12 in source[1]:
        degree = _DEGREE[interval]
        fitting = [tone for tone in target[1] if _DEGREE[(tone - target[0]) % 12] == degree] or list(target[1])
        return min((_near(pitch, tone) for tone in sorted(fitting)), key=lambda each: (abs(each - pitch), each))
    if pitch % 12 in target[1]:
        return pitch
    wanted = _near(pitch, (interval + target[0]) % 12)
    at_home = home | target[1]
    return min(range(wanted - 2, wanted + 3), key=lambda each: (each % 12 not in at_home, abs(each - wanted), each))


def _near(pitch: int, tone: int) -> int:
    """The pitch of that class nearest to another."""
    up = (tone - pitch) % 12
    return pitch + (up if up <= 6 else up - 12)


def moved_notes(
    notes: NDArray[Any],
    source: tuple[Harmony, Harmony],
    target: tuple[Harmony, Harmony],
    home: frozenset[int],
    half: int,
) -> NDArray[Any]:
    """The notes of a bar brought from its chords to others; notes that start before ``half`` belong to the first."""
    if source == target:
        return notes
    made = notes.copy()
    later = (notes["onset"] >= half).astype(np.int64)
    for index in range(len(made)):
        which = int(later[index])
        made["pitch"][index] = np.clip(moved(int(notes["pitch"][index]), source[which], target[which], home), 0, 127)
    return made
