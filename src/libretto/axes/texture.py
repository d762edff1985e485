"""Texture: how many parts play, and how thick their chords are."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.views import Floats, View, over

__all__ = ["active_voice_density", "maximum_chord_width", "mean_simultaneity", "voice_count"]


@axis(
    "texture",
    unit="voices",
    meaning="How many parts play at all.",
    more="add a part",
    less="leave out a part",
)
def voice_count(view: View) -> Floats:
    """How many voices sound."""
    return over(view.total(view.voice_group) * view.notes, view.notes)


@axis(
    "texture",
    unit="notes an onset",
    meaning="How many notes a part strikes at once.",
    more="play chords where single notes are",
    less="thin chords out to single notes",
)
def mean_simultaneity(view: View) -> Floats:
    """Notes an onset."""
    return over(view.notes, view.onsets)


@axis(
    "texture",
    unit="semitones",
    meaning="The widest chord that one part strikes.",
    more="open a chord out wide",
    less="keep chords in close position",
)
def maximum_chord_width(view: View) -> Floats:
    """From the lowest to the highest note of the widest onset; 0 where only single notes are struck."""
    widest = np.full(view.groups, np.nan)
    if len(view.pitch):
        edges = np.flatnonzero(np.diff(view.onset_group, prepend=-1))
        widest[view.onset_group[edges]] = np.maximum.reduceat(view.onset_width, edges)
    return widest


@axis(
    "texture",
    unit="voices a bar",
    meaning="How many parts play in a bar.",
    more="let more parts play together",
    less="let parts rest",
)
def active_voice_density(view: View) -> Floats:
    """The mean number of voices in a sounding bar."""
    voices = int(view.voice.max(initial=0)) + 1
    cells = np.flatnonzero(np.bincount(view.place * voices + view.voice, minlength=1))
    return over(view.total(view.sounding_group[cells // voices]) if len(view.pitch) else view.count, view.count)
