"""Variation: how much a piece changes on its way."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis, base_axes
from libretto.axes.views import Floats, View

__all__ = ["PUBLISHED_SPREAD", "within_song_variation"]

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
    if view.groups > 1 and len(view.pitch):
        base, spread = base_axes(), view.spread or PUBLISHED_SPREAD
        rows = np.stack([axis(view)[1:] for axis in base])
        default = np.array([[_WINDOW_DEFAULTS.get(axis.name, 0.0)] for axis in base])
        scale = np.array([spread[axis.name] for axis in base])
        values[0] = (np.where(np.isnan(rows), default, rows).std(axis=1) / scale).mean()
    return values
