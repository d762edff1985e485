"""Melody: how far and by which steps the leading voice moves."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.views import View, entropy

__all__ = ["ascending_ratio", "interval_entropy", "melody_voice_range", "pitch_range", "step_ratio"]


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the whole piece.",
    more="reach lower in the bass or higher on top",
    less="bring the outer parts closer together",
)
def pitch_range(view: View) -> float | None:
    """The highest pitch less the lowest."""
    return float(np.ptp(view.pitch)) if len(view) else None


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody moves by step.",
    more="connect melody notes by step",
    less="let the melody leap more",
)
def step_ratio(view: View) -> float | None:
    """The share of the melody's moves that are at most two semitones."""
    if not len(view) or not len(view.moves):
        return None
    return float(np.count_nonzero(np.abs(view.moves) <= 2) / len(view.moves))


@axis(
    "melody",
    unit="0 to 1",
    meaning="How varied the sizes of the melody's moves are.",
    more="mix steps, thirds and larger leaps",
    less="keep to a few sizes of interval",
)
def interval_entropy(view: View) -> float | None:
    """The entropy of the sizes of the melody's moves, an octave and more counted as one."""
    if not len(view) or not len(view.moves):
        return None
    return entropy(np.bincount(np.minimum(np.abs(view.moves), 12)))


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody's movement goes up.",
    more="let the melody climb in small moves and fall in large ones",
    less="let the melody leap up and come down in small moves",
)
def ascending_ratio(view: View) -> float | None:
    """The share of the melody's moves that go up."""
    if not len(view) or not len(view.moves):
        return None
    return float(np.count_nonzero(view.moves > 0) / len(view.moves))


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the melody voice.",
    more="let the melody range wider",
    less="keep the melody in a narrower range",
)
def melody_voice_range(view: View) -> float | None:
    """The highest pitch of the melody voice less its lowest."""
    return float(np.ptp(view.pitch[view.voice == view.melody])) if len(view) else None
