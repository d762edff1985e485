"""Bass lines: how the lowest part moves against the beat and the chords."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.sight import Sight, Sighting

__all__ = ["walking"]


@detectors.register("walking_bass")
def walking(sight: Sight, where: str = "bass", bars: int = 2, steps: float = 0.5) -> list[Sighting]:
    """Quarter notes on every beat for several bars, mostly by step, seldom the same note twice."""
    found = []
    for line in sight.chosen(where):
        low = line.low
        count = np.bincount(low.bar, minlength=sight.bars)
        beats = np.bincount(low.bar[low.on_beat], minlength=sight.bars)
        wanted = sight.bar_length // sight.beat
        move = np.abs(np.diff(low.pitch))
        by_step = np.bincount(low.bar[1:], (move > 0) & (move <= 4), minlength=sight.bars)
        good = (beats == wanted) & (count <= wanted + 2) & (wanted >= 3) & (by_step >= steps * wanted)
        found += [place for place in sight.spans(good, line.voice) if place.last - place.first + 1 >= bars]
    return found
