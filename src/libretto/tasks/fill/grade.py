"""The final grade of a fill: how near it came to what had really been there. Nothing else may look at that.

Distances are in usual spreads of windows of one song, over all axes that apply. A distance alone says little, so it
stands beside references: how far the song's own windows are from the real region, and from each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.score.table import Floats, Ints
from libretto.tasks.fill.likeness import load_yardstick
from libretto.tasks.fill.material import Material
from libretto.tasks.fill.task import FillTask

__all__ = ["FillGrade", "beaten", "distance", "grade_fill"]

_CLIP = 4.0  # usual spreads; further off is no further
_PITCHES, _MOST_VOICES = 128, 1024


@dataclass(frozen=True)
class FillGrade:
    """How a fill stands to the real region: its distance, two references, and how much of it is the very same notes.

    ``pasted`` is how far the song's other windows are from the real region, ``among`` how far they are from each other.
    """

    distance: float
    pasted: float
    among: float
    same: float


def distance(one: Material, other: Material, bars: int) -> float:
    """How far apart two stretches of music are: the mean over all axes that apply to both, in usual spreads."""
    yard = load_yardstick()
    spread = yard.spread[yard.length(bars)][: len(yard.axes)]
    away = np.abs(one.axes - other.axes) / spread
    known = ~np.isnan(away)
    return float(np.minimum(away[known], _CLIP).mean()) if known.any() else 0.0


def beaten(real: Material, bars: int, cloud: str = "default") -> Floats:
    """How far every song of a cloud is from the real region: a fill beats those that are farther than it."""
    yard, home = load_yardstick(), load_cloud(cloud)
    away = np.minimum(np.abs(home.values - real.axes) / yard.spread[yard.length(bars)][: len(yard.axes)], _CLIP)
    known = ~np.isnan(away)
    return np.asarray(np.where(known, away, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1))


def grade_fill(task: FillTask, answer: Score, song: Score) -> FillGrade:
    """Compare an answer with the song it was taken from."""
    if task.outside(song) != task.digest or not task.same_outside(answer):
        raise LibrettoError("this is not the song of that task, or the answer changed it outside the gap")
    bars = task.last - task.first + 1
    real, made = task.around.of(song), task.around.of(answer)
    windows = task.around.materials
    pairs = [distance(a, b, bars) for i, a in enumerate(windows) for b in windows[:i]]
    mine, theirs = _notes(task, answer), _notes(task, song)
    same = float(np.isin(mine, theirs).mean()) if len(mine) else 0.0
    pasted = float(np.mean([distance(window, real, bars) for window in windows]))
    return FillGrade(distance(made, real, bars), pasted, float(np.mean(pairs)) if pairs else pasted, same)


def _notes(task: FillTask, score: Score) -> Ints:
    """Voice, start and pitch of every note in the gap as one number."""
    voices = np.array([v.name in task.voices and not v.drums for v in score.voices], dtype=np.bool_)
    rows = score.table
    rows = rows[voices[rows["voice"]] & (rows["bar"] >= task.span[0]) & (rows["bar"] <= task.span[1])]
    return np.asarray((rows["onset"] * _PITCHES + rows["pitch"]) * _MOST_VOICES + rows["voice"], dtype=np.int64)
