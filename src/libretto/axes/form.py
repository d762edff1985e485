"""Form and variation: how alike bars are, where the music turns, and how much stretches differ.

Pieces of more than 4,096 sounding bars have no form here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np

from libretto.axes.axis import axis, base_axes
from libretto.axes.counting import LONGEST
from libretto.axes.views import View
from libretto.score.table import Floats

__all__ = [
    "PUBLISHED_SPREAD",
    "distinct_bar_fraction",
    "novelty_rate",
    "sections_per_100_bars",
    "self_similarity",
    "within_song_variation",
]

_REACH = 4  # bars on each side of a turn that are compared, a quarter of a short piece
_HUNDRED_BARS = 100
_STANDS_OUT = 0.5  # spreads above the mean
_DIGITS = 12  # to which novelty is rounded


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
    return _of_the_whole(view, lambda alike: 1 - _repeats(alike))


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
        values[0] = function(view.piece.likeness)
    return values


def _repeats(alike: Floats) -> float:
    """The share of bars that are the same as one before."""
    return float(((alike == 1.0).argmax(axis=1) < np.arange(len(alike))).mean())


def _sections(likeness: Floats) -> float:
    curve = _novelty(likeness)
    mean = curve.sum() / len(curve)
    inner, floor = curve[1:-1], mean + _STANDS_OUT * sqrt(((curve - mean) ** 2).sum() / len(curve))
    peaks = (inner >= curve[:-2]) & (inner >= curve[2:]) & (inner >= floor)
    return float((np.count_nonzero(peaks) + 1) / len(likeness) * _HUNDRED_BARS)


def _novelty(likeness: Floats) -> Floats:
    """For each bar, how alike each side of it is within itself, less how alike the sides are to each other."""
    bars = len(likeness)
    reach = min(_REACH, max(1, bars // 4))
    padded = np.zeros((bars + 2 * reach, bars + 2 * reach))
    padded[reach:-reach, reach:-reach] = likeness
    down, right = padded.strides
    shape, steps = (bars, 2 * reach, 2 * reach), (down + right, down, right)
    around = np.ndarray(shape, padded.dtype, padded, strides=steps)  # what lies round each place of the diagonal
    side = np.repeat((-1.0, 1.0), reach)
    centre = np.arange(bars)
    cells = (np.minimum(centre + reach, bars) - np.maximum(centre - reach, 0)) ** 2
    # Rounded, so that equal neighbours compare equal.
    return np.asarray(np.round(((around @ side) @ side) / cells, _DIGITS))


_WINDOW_DEFAULTS = {"ascending_ratio": 0.5}  # what is published for a window without moves; 0 for other axes

#: The standard deviation of each base axis over the 314 songs of the published corpus.
PUBLISHED_SPREAD: dict[str, float] = {
    "syncopation_rate": 0.1379,
    "onset_density": 8.4656,
    "triplet_share": 0.2593,
    "onset_position_entropy": 0.0864,
    "duration_cv": 0.3902,
    "mean_duration": 0.3668,
    "density_variability": 0.1493,
    "chromaticism": 0.0772,
    "distinct_pitch_classes": 1.6731,
    "pitch_class_entropy": 0.0706,
    "chord_change_rate": 0.1164,
    "chord_vocabulary_density": 0.2999,
    "root_motion_entropy": 0.2066,
    "fourth_motion_rate": 0.1115,
    "diminished_augmented_color": 0.2711,
    "pitch_range": 10.8165,
    "step_ratio": 0.2313,
    "interval_entropy": 0.1936,
    "ascending_ratio": 0.0879,
    "melody_voice_range": 15.842,
    "voice_count": 3.2301,
    "mean_simultaneity": 0.4227,
    "maximum_chord_width": 14.6241,
    "active_voice_density": 1.6055,
}


@axis(
    "variation",
    unit="spreads of the corpus",
    meaning="How much rhythm, harmony, melody and texture change from one stretch of the piece to the next.",
    more="set sections off against each other",
    less="let sections share more of their character",
)
def within_song_variation(view: View) -> Floats:
    """How far the base axes of up to six windows of the piece scatter, on average, in spreads of the corpus."""
    values = np.full(view.groups, np.nan)
    if view.groups > 1 and view.notes[0] > 0:
        base, spread = base_axes(), view.spread or PUBLISHED_SPREAD
        rows = np.array([axis(view)[1:].tolist() for axis in base])
        for row in np.flatnonzero(np.isnan(rows).any(axis=1)).tolist():
            rows[row] = np.where(np.isnan(rows[row]), _WINDOW_DEFAULTS.get(base[row].name, 0.0), rows[row])
        values[0] = (rows.std(axis=1) / [spread[axis.name] for axis in base]).mean()
    return values
