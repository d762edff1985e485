"""Where each kind of fault begins to be reported: as many found as can be for a given share of songs with alarms.

Conventions: strengths are held out (learned without the song). A budget of untouched songs may give an alarm; it is
spent, step by step, on the kind that finds the most planted faults for the songs it costs. No kind may spend more than
its part.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from libretto.tasks.spot_facts import Floats

__all__ = ["levels_within"]

_STEPS = 6  # how many songs further down a single step may look


def levels_within(
    clean: Mapping[str, Floats], faults: Mapping[str, Floats], budget: float, part: float
) -> dict[str, float]:
    """For each kind the strength from which it is reported, so that at most ``budget`` of the songs give an alarm.

    ``clean`` holds, kind by kind, the most striking place of every untouched song in the same order; ``faults`` how
    striking planted faults are; ``part`` is the share of songs in which one kind may give an alarm.

    >>> levels_within({"a": np.arange(100.0)}, {"a": np.array([98.5, 200.0])}, 0.05, 0.05)["a"] > 94
    True
    """
    songs = len(next(iter(clean.values())))
    level = {kind: float(values.max()) + 1e-6 for kind, values in clean.items()}
    alarmed = np.zeros(songs, dtype=np.bool_)
    while True:
        best: tuple[float, str, float] | None = None
        for kind, values in clean.items():
            below = np.sort(values[values < level[kind]])[::-1]
            for depth in range(1, min(_STEPS, len(below) - 1) + 1):
                lower = float(below[depth]) + 1e-6
                mine = values >= lower
                gain = int(((faults[kind] >= lower) & (faults[kind] < level[kind])).sum())
                if not gain or mine.mean() > part or (alarmed | mine).mean() > budget:
                    continue
                worth = gain / ((alarmed | mine).sum() - alarmed.sum() + 0.01)
                if best is None or worth > best[0]:
                    best = worth, kind, lower
        if best is None:
            return level
        level[best[1]] = best[2]
        alarmed |= clean[best[1]] >= best[2]
