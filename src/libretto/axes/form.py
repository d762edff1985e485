"""Form: how alike bars are, and where the music turns. Pieces of more than 4,096 sounding bars have no form here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.likeness import LONGEST
from libretto.axes.views import Floats, Ints, View

__all__ = ["distinct_bar_fraction", "novelty_rate", "sections_per_100_bars", "self_similarity"]


@axis(
    "form",
    unit="0 to 1",
    meaning="How much any bar shares with any other.",
    more="bring material back",
    less="vary what comes back",
)
def self_similarity(view: View) -> Floats:
    """The mean likeness of all pairs of sounding bars."""
    return _of_the_whole(view, lambda alike: (alike.sum() - len(alike)) / (len(alike) * (len(alike) - 1)), least=2)


@axis(
    "form",
    unit="0 to 1",
    meaning="How much changes from one bar to the next.",
    more="change more from bar to bar",
    less="let bars follow that share more",
)
def novelty_rate(view: View) -> Floats:
    """One minus the mean likeness of consecutive sounding bars."""
    return _of_the_whole(view, lambda alike: (1 - np.diagonal(alike, offset=1)).mean(), least=2)


@axis(
    "form",
    unit="share of bars",
    meaning="How many bars are not exact repeats of another.",
    more="vary repeated bars",
    less="repeat bars exactly",
)
def distinct_bar_fraction(view: View) -> Floats:
    """Different bars over all sounding bars."""
    return _of_the_whole(view, lambda alike: 1 - np.tril(alike == 1.0, -1).any(axis=1).mean())


@axis(
    "form",
    unit="sections in 100 bars",
    meaning="How often the music turns to something else.",
    more="mark sections off more clearly",
    less="let sections run longer",
)
def sections_per_100_bars(view: View) -> Floats:
    """Peaks of a checkerboard novelty curve over the bars' likeness, and one, for a hundred bars."""
    return _of_the_whole(view, _sections)


def _of_the_whole(view: View, function: Callable[[Floats], float], least: int = 1) -> Floats:
    """A function of the bars' likeness, for the whole piece if enough of its bars sound; windows have no form."""
    values = np.full(view.groups, np.nan)
    if least <= view.count[0] <= LONGEST:
        values[0] = function(view.likeness)
    return values


def _sections(likeness: Floats) -> float:
    curve = _novelty(likeness)
    inner, floor = curve[1:-1], curve.mean() + 0.5 * curve.std()
    peaks = (inner >= curve[:-2]) & (inner >= curve[2:]) & (inner >= floor)
    return float((np.count_nonzero(peaks) + 1) / len(likeness) * 100)


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
