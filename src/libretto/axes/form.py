"""Form: how alike bars are, and where the music turns."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.views import Floats, Ints, View

__all__ = ["distinct_bar_fraction", "novelty_rate", "sections_per_100_bars", "self_similarity"]


@axis(
    "form",
    unit="0 to 1",
    meaning="How much any bar shares with any other.",
    more="bring material back",
    less="vary what comes back",
)
def self_similarity(view: View) -> float | None:
    """The mean likeness of all pairs of sounding bars."""
    if view.count < 2:
        return None
    total = view.likeness.sum() - view.count
    return float(total / (view.count * (view.count - 1)))


@axis(
    "form",
    unit="0 to 1",
    meaning="How much changes from one bar to the next.",
    more="change more from bar to bar",
    less="let bars follow that share more",
)
def novelty_rate(view: View) -> float | None:
    """One minus the mean likeness of consecutive sounding bars."""
    if view.count < 2:
        return None
    return float((1 - np.diagonal(view.likeness, offset=1)).mean())


@axis(
    "form",
    unit="share of bars",
    meaning="How many bars are not exact repeats of another.",
    more="vary repeated bars",
    less="repeat bars exactly",
)
def distinct_bar_fraction(view: View) -> float | None:
    """Different bars over all sounding bars."""
    if not len(view):
        return None
    repeats = np.tril(view.likeness == 1.0, -1).any(axis=1).sum()
    return float(1 - repeats / view.count)


@axis(
    "form",
    unit="sections in 100 bars",
    meaning="How often the music turns to something else.",
    more="mark sections off more clearly",
    less="let sections run longer",
)
def sections_per_100_bars(view: View) -> float | None:
    """Peaks of a checkerboard novelty curve over the bars' likeness, and one, for a hundred bars."""
    if not len(view):
        return None
    curve = _novelty(view.likeness)
    inner, floor = curve[1:-1], curve.mean() + 0.5 * curve.std()
    peaks = (inner >= curve[:-2]) & (inner >= curve[2:]) & (inner >= floor)
    return float((peaks.sum() + 1) / view.count * 100)


def _novelty(likeness: Floats) -> Floats:
    """For each bar, how alike each side of it is within itself, less how alike the sides are to each other."""
    bars = len(likeness)
    reach = min(4, max(1, bars // 4))
    total = np.zeros((bars + 1, bars + 1))
    total[1:, 1:] = likeness.cumsum(axis=0).cumsum(axis=1)
    centre = np.arange(bars)
    low, high = np.maximum(centre - reach, 0), np.minimum(centre + reach, bars)

    def block(top: Ints, bottom: Ints, left: Ints, right: Ints) -> Floats:
        return np.asarray(total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left])

    before, after = block(low, centre, low, centre), block(centre, high, centre, high)
    across = block(low, centre, centre, high)
    cells = (high - low) ** 2
    # Rounded, so that equal neighbours compare equal.
    return np.asarray(np.round((before + after - 2 * across) / cells, 12))
