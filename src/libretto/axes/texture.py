"""Texture: how many parts play, and how thick their chords are."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.views import View

__all__ = ["active_voice_density", "maximum_chord_width", "mean_simultaneity", "voice_count"]


@axis(
    "texture",
    unit="voices",
    meaning="How many parts play at all.",
    more="add a part",
    less="leave out a part",
)
def voice_count(view: View) -> float | None:
    """How many voices sound."""
    return float(len(view.voices)) if len(view) else None


@axis(
    "texture",
    unit="notes an onset",
    meaning="How many notes a part strikes at once.",
    more="play chords where single notes are",
    less="thin chords out to single notes",
)
def mean_simultaneity(view: View) -> float | None:
    """Notes an onset."""
    return len(view) / view.onsets if len(view) else None


@axis(
    "texture",
    unit="semitones",
    meaning="The widest chord that one part strikes.",
    more="open a chord out wide",
    less="keep chords in close position",
)
def maximum_chord_width(view: View) -> float | None:
    """From the lowest to the highest note of the widest onset; 0 where only single notes are struck."""
    return float(view.onset_width.max()) if len(view) else None


@axis(
    "texture",
    unit="voices a bar",
    meaning="How many parts play in a bar.",
    more="let more parts play together",
    less="let parts rest",
)
def active_voice_density(view: View) -> float | None:
    """The mean number of voices in a sounding bar."""
    if not len(view):
        return None
    cells = np.bincount(view.place * (int(view.voice.max()) + 1) + view.voice)
    return float(np.count_nonzero(cells) / view.count)
