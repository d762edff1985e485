"""Lines: how the bass and the melody go, beyond the published axes."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.tonality import tonic_of
from libretto.axes.views import TEN_THOUSAND, Floats, View, over

__all__ = [
    "bass_register",
    "bass_step_ratio",
    "leap_ratio",
    "melody_note_length",
    "primary_bass_share",
    "whole_tone_root_motion",
]


@axis(
    "lines",
    unit="MIDI pitch",
    meaning="How high the bass plays.",
    more="lift the bass",
    less="lower the bass",
    transposable=False,
)
def bass_register(view: View) -> Floats:
    """The mean pitch of the bass voice."""
    return over(view.total(view.group, view.pitch * view.bass), view.total(view.group, view.bass))


@axis(
    "lines",
    unit="share of moves",
    meaning="How much of the bass line moves by step.",
    more="walk the bass by step",
    less="let the bass leap between chord notes",
)
def bass_step_ratio(view: View) -> Floats:
    """The share of the bass line's moves, repeated notes left out, that are at most two semitones."""
    line, group = view.bass_line
    move = np.diff(line)
    real = (np.diff(group) == 0) & (move != 0)
    return over(view.total(group[1:][real], np.abs(move[real]) <= 2), view.total(group[1:][real]))


@axis(
    "lines",
    unit="share of bass moves",
    meaning="How often the bass moves a whole tone from bar to bar.",
    more="move the harmony by whole tones, as from four to five",
    less="move the harmony by other steps than whole tones",
)
def whole_tone_root_motion(view: View) -> Floats:
    """The share of the bass's moves from bar to bar that are a whole tone up or down, whatever the octave."""
    motion, group = view.root_motion
    return over(view.total(group, (motion == 2) | (motion == 10)), view.total(group))


@axis(
    "lines",
    unit="share of bars",
    meaning="How often the bass of a bar is the first, fourth or fifth degree of the key.",
    more="set more bars over tonic, subdominant and dominant",
    less="set more bars over other degrees of the key",
)
def primary_bass_share(view: View) -> Floats:
    """The share of bars with bass whose lowest bass note is the first, fourth or fifth degree of the heard key."""
    place = view.place[view.bass]
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    lowest = np.minimum.reduceat(view.pitch[view.bass], starts) if len(starts) else starts
    group = view.sounding_group[place[starts]]
    degree = (lowest - tonic_of(view)[group]) % 12
    return over(view.total(group, np.isin(degree, (0, 5, 7))), view.total(group))


@axis(
    "lines",
    unit="share of moves",
    meaning="How much of the melody moves by a fifth or more.",
    more="let the melody leap a fifth or more",
    less="keep the melody's moves below a fifth",
)
def leap_ratio(view: View) -> Floats:
    """The share of the melody's moves that are at least seven semitones."""
    moves, group = view.moves
    return over(view.total(group, np.abs(moves) >= 7), view.total(group))


@axis(
    "lines",
    unit="quarter notes",
    meaning="How long the melody's notes last.",
    more="hold the melody's notes longer",
    less="give the melody shorter notes",
)
def melody_note_length(view: View) -> Floats:
    """The mean length of the notes of the melody voice."""
    return over(view.total(view.group, view.lengths * view.melody), view.total(view.group, view.melody)) / TEN_THOUSAND
