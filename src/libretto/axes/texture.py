"""Texture and arranging: how many parts play, how thick their chords are, and how parts go together and rest."""

from __future__ import annotations

import numpy as np

from libretto.axes.alike import LONGEST
from libretto.axes.axis import axis
from libretto.axes.counting import known, near, over
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
    return over(_voices(view) * view.notes, view.notes)


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
    piece = view.piece
    widths = piece.of_cell_onsets(piece.onset_top - piece.onset_low, np.maximum)
    return known(view.largest(widths))


@axis(
    "texture",
    unit="voices a bar",
    meaning="How many parts play in a bar.",
    more="let more parts play together",
    less="let parts rest",
)
def active_voice_density(view: View) -> Floats:
    """The mean number of voices in a sounding bar."""
    return over(view.total(view.piece.cell_bar), view.count)


def _voices(view: View) -> Floats:
    """How many voices sound in each stretch."""
    return np.asarray(np.count_nonzero(view.voice_notes, axis=1), dtype=np.float64)


@axis(
    "arranging",
    unit="voices an instant",
    meaning="How many parts strike together.",
    more="let parts strike the same rhythm together",
    less="let parts answer each other in different rhythms",
)
def parts_together(view: View) -> Floats:
    """Onsets over the different instants at which something starts."""
    piece = view.piece
    span = int(piece.onset_position.max(initial=0)) + 1
    return over(view.onsets, view.total(distinct(piece.onset_bar * span + piece.onset_position) // span))


@axis(
    "arranging",
    unit="share of chords",
    meaning="How much of the accompanying chords falls on the beat.",
    more="strike the accompaniment on the beats",
    less="push the accompaniment off the beats",
)
def comping_on_beat(view: View) -> Floats:
    """The share of chords on a quarter-note beat, in voices that are neither bass nor melody."""
    piece, others = view.piece, np.ones((view.groups, view.piece.voices))
    others[np.arange(view.groups), view.bass] = others[np.arange(view.groups), view.melody] = 0
    chord = piece.onset_size > 1
    on, every = (
        (others * view.table(piece.onset_bar[which], piece.onset_column[which], piece.voices)).sum(axis=1)
        for which in (chord & near(piece.onset_position, QUARTER), chord)
    )
    return over(on, every)


@axis(
    "arranging",
    unit="share of bars and voices",
    meaning="How much the parts rest while others play.",
    more="let parts rest and come back",
    less="let parts play on",
)
def resting_parts(view: View) -> Floats:
    """One minus the share of (sounding bar, voice) pairs in which the voice starts a note."""
    return 1 - over(view.total(view.piece.cell_bar), _voices(view) * view.count)


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
    for song, alike in enumerate(view.piece.alike.later(2)):
        if 2 < view.count[song] <= LONGEST:
            values[song] = alike.mean()
    return values
