"""Where each ear begins to report: as many faults found as can be for a given share of songs with alarms.

Conventions: strengths are held out (learned without the song). An ear's level lies just above one of the untouched
songs, and that song is charged as an alarm as well: of songs that were not used to set the level, as many are to be
expected beyond it (the level above the k-th of n songs is passed by k of n + 1). The songs of the budget are shared out
by exchange: as long as that finds more faults, or as many with fewer alarms, one ear gets some and another gives some
back. A fault counts once, whichever ear finds it.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from libretto.tasks.spot_facts import Floats

__all__ = ["levels_within"]

_GIVEN, _TAKEN = 7, 7  # songs that change hands in one exchange, at most
_SILENT = 1e9  # the level of an ear that gets no song


def levels_within(clean: Floats, faults: Floats, budget: float) -> Floats:
    """For each ear the strength from which it reports, so that at most ``budget`` of other songs give an alarm.

    ``clean`` holds the most striking place of every untouched song (a row) for every ear (a column), ``faults`` the
    same for the place of every planted fault.

    >>> levels_within(np.arange(99.0)[:, None], np.array([[94.5], [200.0]]), 0.05)
    array([94.000001])
    """
    songs, ears = clean.shape
    most = int(budget * (songs + 1))
    silent = np.full((1, ears), _SILENT)
    ladder = np.concatenate((silent, np.sort(clean, axis=0)[::-1][:most]))  # the song charged last, ear by ear

    def charged(many: NDArray[np.int64]) -> Floats:
        return np.asarray(ladder[many, np.arange(ears)])

    def worth(many: NDArray[np.int64]) -> tuple[int, int]:
        """Faults found, and songs that are charged (less is more); nothing beyond the budget."""
        alarmed = int((clean >= charged(many)).any(axis=1).sum())
        found = int((faults >= charged(many) + 1e-6).any(axis=1).sum())
        return (found, -alarmed) if alarmed <= most else (-1, 0)

    many = np.zeros(ears, dtype=np.int64)
    best = worth(many)
    while True:
        better: tuple[tuple[int, int], NDArray[np.int64]] | None = None
        for gains, gives in product(range(ears), repeat=2):
            for given, taken in product(range(_GIVEN + 1), range(_TAKEN + 1)):
                tried = many.copy()
                tried[gains] += given
                tried[gives] -= taken
                if tried.min() < 0 or tried.max() > most or (gains == gives and given and taken):
                    continue
                value = worth(tried)
                if value > (better[0] if better else best):
                    better = value, tried
        if better is None:
            return charged(many) + 1e-6
        best, many = better
