"""Dynamics: how loudness is shaped. Nothing here applies where every note is equally loud: nobody wrote dynamics."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import across, near, over, scatter
from libretto.axes.views import View
from libretto.score import QUARTER
from libretto.score.table import Bools, Floats

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
    velocity, size = view.piece.velocity, view.voice_notes
    total, squares = (view.by_voice(view.piece.of_cells(values)) for values in (velocity, velocity**2))
    away = (size * squares - total * total) / np.maximum(size, 1)  # whole numbers until they are divided
    return _written(view, np.sqrt(over(across(away), view.notes)))


@axis(
    "dynamics",
    unit="velocity",
    meaning="How much louder notes on the beat are than the others.",
    more="accent the beats",
    less="accent the notes between the beats",
)
def beat_accent(view: View) -> Floats:
    """The mean velocity of notes on a quarter-note beat less that of the others."""
    on = near(view.piece.position, QUARTER)
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
    piece, (bar, group) = view.piece, view.sounding
    level = np.bincount(piece.bar, piece.velocity, minlength=piece.bars)[bar] / piece.notes_by_bar[bar]
    mean = over(np.bincount(group, level, minlength=view.groups), view.count)
    spread = np.bincount(group, (level - mean[group]) ** 2, minlength=view.groups)
    return _written(view, np.sqrt(over(spread, view.count)))


def _mean(view: View, which: Bools) -> Floats:
    return over(view.total(view.piece.bar, view.piece.velocity * which), view.total(view.piece.bar, which))


def _written(view: View, values: Floats) -> Floats:
    """The values, where a stretch has notes of different loudness."""
    if "touch" not in view.facts:
        bar, velocity = view.piece.bar, view.piece.velocity
        view.facts["touch"] = scatter(view.notes, view.total(bar, velocity), view.total(bar, velocity**2))
    return np.where(view.facts["touch"] > 0, values, np.nan)
