"""Texture and arranging: how many parts play, how thick their chords are, and how parts go together and rest."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import LONGEST, near, over
from libretto.axes.views import View
from libretto.score import QUARTER
from libretto.score.table import Floats, distinct

__all__ = [
    "active_voice_density",
    "comping_on_beat",
    "maximum_chord_width",
    "mean_simultaneity",
    "parts_together",
    "resting_parts",
    "two_bar_return",
    "voice_count",
]


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


@axis(
    "arranging",
    unit="voices an instant",
    meaning="How many parts strike together.",
    more="let parts strike the same rhythm together",
    less="let parts answer each other in different rhythms",
)
def parts_together(view: View) -> Floats:
    """Onsets over the different instants at which something starts."""
    span = int(view.onset.max(initial=0)) + 1
    instants = distinct(view.onset_group * span + view.onset_time) // span
    return over(view.onsets, view.total(instants))


@axis(
    "arranging",
    unit="share of chords",
    meaning="How much of the accompanying chords falls on the beat.",
    more="strike the accompaniment on the beats",
    less="push the accompaniment off the beats",
)
def comping_on_beat(view: View) -> Floats:
    """The share of chords on a quarter-note beat, in voices that are neither bass nor melody."""
    chord = (view.onset_size > 1) & ~np.isin(view.onset_key, distinct(view.key[view.bass | view.melody]))
    return over(
        view.total(view.onset_group, chord & near(view.onset_position, QUARTER)), view.total(view.onset_group, chord)
    )


@axis(
    "arranging",
    unit="share of bars and voices",
    meaning="How much the parts rest while others play.",
    more="let parts rest and come back",
    less="let parts play on",
)
def resting_parts(view: View) -> Floats:
    """One minus the share of (sounding bar, voice) pairs in which the voice starts a note."""
    voices = int(view.voice.max(initial=0)) + 1
    cells = np.flatnonzero(np.bincount(view.place * voices + view.voice, minlength=1)) if len(view.pitch) else view.bar
    active = view.total(view.sounding_group[cells // voices])
    return 1 - over(active, view.total(view.voice_group) * view.count if len(view.pitch) else view.count)


@axis(
    "arranging",
    unit="0 to 1",
    meaning="How much a bar shares with the bar two bars later.",
    more="repeat in units of two bars",
    less="vary what returns after two bars",
)
def two_bar_return(view: View) -> Floats:
    """The mean likeness of sounding bars that are two apart, for the whole piece."""
    values = np.full(view.groups, np.nan)
    if 2 < view.count[0] <= LONGEST:
        values[0] = np.diagonal(view.likeness, offset=2).mean()
    return values
