"""Melody: how far and by which steps the leading voice moves."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.views import Bools, Floats, View, entropy, over

__all__ = ["ascending_ratio", "interval_entropy", "melody_voice_range", "pitch_range", "step_ratio"]


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the whole piece.",
    more="reach lower in the bass or higher on top",
    less="bring the outer parts closer together",
)
def pitch_range(view: View) -> Floats:
    """The highest pitch less the lowest."""
    return _range(view, np.ones(len(view.pitch), dtype=np.bool_))


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody moves by step.",
    more="connect melody notes by step",
    less="let the melody leap more",
)
def step_ratio(view: View) -> Floats:
    """The share of the melody's moves that are at most two semitones."""
    moves, group = view.moves
    return over(view.total(group, np.abs(moves) <= 2), view.total(group))


@axis(
    "melody",
    unit="0 to 1",
    meaning="How varied the sizes of the melody's moves are.",
    more="mix steps, thirds and larger leaps",
    less="keep to a few sizes of interval",
)
def interval_entropy(view: View) -> Floats:
    """The entropy of the sizes of the melody's moves, an octave and more counted as one."""
    moves, group = view.moves
    counts = np.bincount(group * 13 + np.minimum(np.abs(moves), 12), minlength=13 * view.groups)
    return entropy(counts.reshape(view.groups, 13).astype(np.float64))


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody's movement goes up.",
    more="let the melody climb in small moves and fall in large ones",
    less="let the melody leap up and come down in small moves",
)
def ascending_ratio(view: View) -> Floats:
    """The share of the melody's moves that go up."""
    moves, group = view.moves
    return over(view.total(group, moves > 0), view.total(group))


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the melody voice.",
    more="let the melody range wider",
    less="keep the melody in a narrower range",
)
def melody_voice_range(view: View) -> Floats:
    """The highest pitch of the melody voice less its lowest."""
    return _range(view, view.melody)


def _range(view: View, which: Bools) -> Floats:
    """From the lowest to the highest of some notes, for each stretch."""
    pitch, group = view.pitch[which], view.group[which]
    span = np.full(view.groups, np.nan)
    if len(pitch):
        edges = np.flatnonzero(np.diff(group, prepend=-1))
        span[group[edges]] = np.maximum.reduceat(pitch, edges) - np.minimum.reduceat(pitch, edges)
    return span
