"""Dynamics: how loudness is shaped. Nothing here applies where every note is equally loud: nobody wrote dynamics."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import near, over
from libretto.axes.views import View
from libretto.score import QUARTER
from libretto.score.table import Bools, Floats, Ints

__all__ = ["beat_accent", "loudness_drift", "touch_variety"]


@axis(
    "dynamics",
    unit="velocity",
    meaning="How much a player varies the touch from note to note.",
    more="shape each line with louder and softer notes",
    less="play each line more evenly",
)
def touch_variety(view: View) -> Floats:
    """The standard deviation of velocity within a voice, all voices together."""
    size, total = np.bincount(view.key), np.bincount(view.key, view.velocity)
    mean = total / np.maximum(size, 1)
    away = view.velocity - mean[view.key] if len(view.key) else view.velocity
    return _written(view, np.sqrt(over(view.total(view.group, away**2), view.notes)))


@axis(
    "dynamics",
    unit="velocity",
    meaning="How much louder notes on the beat are than the others.",
    more="accent the beats",
    less="accent the notes between the beats",
)
def beat_accent(view: View) -> Floats:
    """The mean velocity of notes on a quarter-note beat less that of the others."""
    on = near(view.position, QUARTER)
    return _written(view, _mean(view, on) - _mean(view, ~on))


@axis(
    "dynamics",
    unit="velocity",
    meaning="How much louder some bars are than others.",
    more="set loud passages against soft ones",
    less="keep passages at one level",
)
def loudness_drift(view: View) -> Floats:
    """The standard deviation of the mean velocity of sounding bars."""
    size = np.maximum(np.bincount(view.place, minlength=len(view.sounding)), 1)
    level = np.bincount(view.place, view.velocity, minlength=len(view.sounding)) / size
    group = view.sounding_group
    mean = over(view.total(group, level[: len(group)]), view.count)
    return _written(view, np.sqrt(over(view.total(group, (level[: len(group)] - mean[group]) ** 2), view.count)))


def _mean(view: View, which: Bools) -> Floats:
    return over(view.total(view.group, view.velocity * which), view.total(view.group, which))


def _written(view: View, values: Floats) -> Floats:
    """The values, where a stretch has notes of different loudness."""
    away: Ints = np.abs(view.velocity - view.velocity[np.searchsorted(view.group, view.group)])
    return np.where(view.total(view.group, away) > 0, values, np.nan)
