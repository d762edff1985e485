"""Where each ear begins to report: as many faults found as can be for a given share of songs with alarms.

Conventions: strengths are held out (learned without the song). A budget of untouched songs may give an alarm; it is
spent, step by step, on the ear that finds the most planted faults for the songs it costs. A fault counts as found once,
whichever ear finds it, and every kind of fault counts the same, however many were planted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.tasks.spot_facts import Floats

__all__ = ["levels_within"]

_STEPS = 8  # how many songs further down a single step may look


def levels_within(clean: Floats, faults: Floats, kinds: Sequence[str], budget: float) -> Floats:
    """For each ear the strength from which it reports, so that at most ``budget`` of the songs give an alarm.

    ``clean`` holds the most striking place of every untouched song (a row) for every ear (a column), ``faults`` the
    same for the place of every planted fault; ``kinds`` says of which kind each fault is.

    >>> levels_within(np.arange(100.0)[:, None], np.array([[98.5], [200.0]]), ["a", "a"], 0.05)
    array([98.000001])
    """
    names, which = np.unique(np.asarray(kinds), return_inverse=True)
    worth = 1 / np.bincount(which, minlength=len(names))[which]
    level = clean.max(axis=0) + 1e-6
    alarmed = np.zeros(len(clean), dtype=np.bool_)
    found = (faults >= level).any(axis=1)
    while True:
        best: tuple[float, int, float] | None = None
        for ear in range(clean.shape[1]):
            values = clean[:, ear]
            below = np.sort(values[values < level[ear]])[::-1]
            for depth in range(min(_STEPS, len(below) - 1)):
                lower = float(below[depth + 1]) + 1e-6
                cost = int((alarmed | (values >= lower)).sum())
                gain = float(worth[(faults[:, ear] >= lower) & ~found].sum())
                if not gain or cost > budget * len(clean):
                    continue
                rate = gain / (cost - alarmed.sum() + 0.01)
                if best is None or rate > best[0]:
                    best = rate, ear, lower
        if best is None:
            return np.asarray(level)
        level[best[1]] = best[2]
        alarmed |= clean[:, best[1]] >= best[2]
        found |= faults[:, best[1]] >= best[2]
