"""Variation: how much a piece changes on its way."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.views import Floats, View

__all__ = ["PUBLISHED_SPREAD", "scatter", "windows", "within_song_variation"]

_MIN_BARS = 4
_MOST_WINDOWS, _FEWEST_WINDOWS, _BARS_A_WINDOW = 6, 2, 6
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
    return np.full(view.groups, np.nan)  # needs the windows beside the piece: measure() fills it in


def windows(bars: int) -> list[tuple[int, int]]:
    """The windows of a piece: two to six of equal length, the last takes the rest; none in less than four bars."""
    if bars < _MIN_BARS:
        return []
    count = min(_MOST_WINDOWS, max(_FEWEST_WINDOWS, bars // _BARS_A_WINDOW))
    size = bars // count
    return list(pairwise([*range(0, size * count, size), bars]))


def scatter(rows: Mapping[str, Floats], spread: Mapping[str, float]) -> float | None:
    """The value, from the base axes' values in the windows; None where there are no windows."""
    if not all(len(values) for values in rows.values()):
        return None
    table = np.stack(list(rows.values()))
    default = np.array([[_WINDOW_DEFAULTS.get(name, 0.0)] for name in rows])
    scale = np.array([spread[name] for name in rows])
    return float((np.where(np.isnan(table), default, table).std(axis=1) / scale).mean())
