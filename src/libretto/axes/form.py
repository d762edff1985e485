"""Form and variation: how alike bars are, where the music turns, and how much stretches differ.

Pieces of more than 4,096 sounding bars have no form here.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np

from libretto.axes.alike import LONGEST
from libretto.axes.axis import axis, base_axes
from libretto.axes.views import View
from libretto.score.table import Floats, Ints, distinct

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
    return np.asarray(_form(view)[0])


@axis(
    "form",
    unit="0 to 1",
    meaning="How much changes from one bar to the next.",
    more="change more from bar to bar",
    less="let bars follow that share more",
)
def novelty_rate(view: View) -> Floats:
    """One minus the mean likeness of consecutive sounding bars."""
    values = np.full(view.groups, np.nan)
    for song, alike in enumerate(view.piece.alike.later(1)):
        if 1 < view.count[song] <= LONGEST:
            values[song] = (1 - alike).mean()
    return values


@axis(
    "form",
    unit="share of bars",
    meaning="How many bars are not exact repeats of another.",
    more="vary repeated bars",
    less="repeat bars exactly",
)
def distinct_bar_fraction(view: View) -> Floats:
    """Different bars over all sounding bars."""
    return np.asarray(_form(view)[1])


@axis(
    "form",
    unit="sections in 100 bars",
    meaning="How often the music turns to something else.",
    more="mark sections off more clearly",
    less="let sections run longer",
)
def sections_per_100_bars(view: View) -> Floats:
    """Peaks of a checkerboard novelty curve over the bars' likeness, and one, for a hundred bars."""
    return np.asarray(_form(view)[2])


def _form(view: View) -> Floats:
    """Self-similarity, distinct bars and sections of whole songs, one at a time; windows have no form."""
    if "form" not in view.facts:
        values = view.facts["form"] = np.full((3, view.groups), np.nan)
        longest = min(LONGEST, int(view.count[: view.songs].max())) + 2 * _REACH
        room = np.empty(longest * longest)
        for song, alike in view.piece.alike.matrices():
            bars = len(alike)
            likeness = (alike.sum() - bars) / (bars * (bars - 1)) if bars > 1 else np.nan
            values[:, song] = likeness, 1 - _repeats(alike), _sections(alike, room)
    return view.facts["form"]


def _repeats(alike: Floats) -> float:
    """The share of bars that are the same as one before."""
    return float(((alike == 1.0).argmax(axis=1) < np.arange(len(alike))).mean())


def _sections(likeness: Floats, room: Floats) -> float:
    curve = _novelty(likeness, room)
    mean = curve.sum() / len(curve)
    inner, floor = curve[1:-1], mean + _STANDS_OUT * sqrt(((curve - mean) ** 2).sum() / len(curve))
    peaks = (inner >= curve[:-2]) & (inner >= curve[2:]) & (inner >= floor)
    return float((np.count_nonzero(peaks) + 1) / len(likeness) * _HUNDRED_BARS)


def _novelty(likeness: Floats, room: Floats) -> Floats:
    """For each bar, how alike each side of it is within itself, less how alike the sides are to each other."""
    bars, (side, cells) = len(likeness), _around(len(likeness))
    reach, wide = len(side) // 2, bars + len(side)
    padded = room[: wide * wide].reshape(wide, wide)
    padded[:reach] = padded[-reach:] = padded[:, :reach] = padded[:, -reach:] = 0
    padded[reach:-reach, reach:-reach] = likeness
    down, right = padded.strides
    shape, steps = (bars, 2 * reach, 2 * reach), (down + right, down, right)
    around = np.ndarray(shape, padded.dtype, padded, strides=steps)  # what lies round each place of the diagonal
    # Rounded, so that equal neighbours compare equal.
    return np.asarray(np.round(((around @ side) @ side) / cells, _DIGITS))


@lru_cache(maxsize=256)
def _around(bars: int) -> tuple[Floats, Ints]:
    """On which side of a place each bar near it lies, and how many pairs of bars there are round each place."""
    reach = min(_REACH, max(1, bars // 4))
    centre = np.arange(bars)
    cells = (np.minimum(centre + reach, bars) - np.maximum(centre - reach, 0)) ** 2
    return np.repeat((-1.0, 1.0), reach), cells


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
    if view.groups == view.songs:
        return values
    base, spread = base_axes(), view.spread or PUBLISHED_SPREAD
    rows = np.array([axis(view)[view.songs :] for axis in base])
    for row in np.flatnonzero(np.isnan(rows).any(axis=1)).tolist():
        rows[row] = np.where(np.isnan(rows[row]), _WINDOW_DEFAULTS.get(base[row].name, 0.0), rows[row])
    spreads = np.array([spread[axis.name] for axis in base])
    count = np.bincount(view.song[view.songs :], minlength=view.songs)
    first = np.cumsum(count) - count
    for windows in distinct(count[count > 0]).tolist():
        songs = np.flatnonzero((count == windows) & (view.notes[: view.songs] > 0))
        mine = rows[:, first[songs, None] + np.arange(windows)]
        values[songs] = np.ascontiguousarray((mine.std(axis=2) / spreads[:, None]).T).mean(axis=1)
    return values
