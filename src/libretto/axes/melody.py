"""Melody and lines: how far and by which steps the leading voice and the bass move."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import TEN_THOUSAND, entropy, known, over
from libretto.axes.tonality import tonic_of
from libretto.axes.views import View
from libretto.score.table import Floats

__all__ = [
    "ascending_ratio",
    "bass_register",
    "bass_step_ratio",
    "interval_entropy",
    "leap_ratio",
    "melody_note_length",
    "melody_voice_range",
    "pitch_range",
    "primary_bass_share",
    "step_ratio",
    "whole_tone_root_motion",
]

_STEP, _FOURTH, _FIFTH = 2, 5, 7  # semitones
_IS_PRIMARY = np.isin(np.arange(12), (0, _FOURTH, _FIFTH))  # the first, fourth and fifth degree of a key


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the whole piece.",
    more="reach lower in the bass or higher on top",
    less="bring the outer parts closer together",
)
def pitch_range(view: View) -> Floats:
    """The highest pitch less the lowest."""
    return known(view.compass())


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody moves by step.",
    more="connect melody notes by step",
    less="let the melody leap more",
)
def step_ratio(view: View) -> Floats:
    """The share of the melody's moves that are at most two semitones."""
    sizes = _sizes(view)
    return over(sizes[:, : _STEP + 1].sum(axis=1), sizes.sum(axis=1))


@axis(
    "melody",
    unit="0 to 1",
    meaning="How varied the sizes of the melody's moves are.",
    more="mix steps, thirds and larger leaps",
    less="keep to a few sizes of interval",
)
def interval_entropy(view: View) -> Floats:
    """The entropy of the sizes of the melody's moves, an octave and more counted as one."""
    return entropy(_sizes(view))


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody's movement goes up.",
    more="let the melody climb in small moves and fall in large ones",
    less="let the melody leap up and come down in small moves",
)
def ascending_ratio(view: View) -> Floats:
    """The share of the melody's moves that go up."""
    return over(view.moved[0].sum(axis=1), _sizes(view).sum(axis=1))


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the melody voice.",
    more="let the melody range wider",
    less="keep the melody in a narrower range",
)
def melody_voice_range(view: View) -> Floats:
    """The highest pitch of the melody voice less its lowest."""
    return known(view.compass(view.melody))


def _sizes(view: View) -> Floats:
    """How often the melody moves by each interval, up or down."""
    return view.moved[0] + view.moved[1]


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
    return over(view.of_voice(view.voice_pitch, view.bass), view.of_voice(view.voice_notes, view.bass))


@axis(
    "lines",
    unit="share of moves",
    meaning="How much of the bass line moves by step.",
    more="walk the bass by step",
    less="let the bass leap between chord notes",
)
def bass_step_ratio(view: View) -> Floats:
    """The share of the bass line's moves, repeated notes left out, that are at most two semitones."""
    onset, group = view.line(view.bass)
    move = np.abs(np.diff(view.piece.onset_low[onset]))
    real = (np.diff(group) == 0) & (move != 0)
    steps = np.bincount(group[1:][real], move[real] <= _STEP, minlength=view.groups)
    return over(steps, np.bincount(group[1:][real], minlength=view.groups))


@axis(
    "lines",
    unit="share of bass moves",
    meaning="How often the bass moves a whole tone from bar to bar.",
    more="move the harmony by whole tones, as from four to five",
    less="move the harmony by other steps than whole tones",
)
def whole_tone_root_motion(view: View) -> Floats:
    """The share of the bass's moves from bar to bar that are a whole tone up or down, whatever the octave."""
    motion = view.root_motion
    return over(motion[:, _STEP] + motion[:, -_STEP], motion.sum(axis=1))


@axis(
    "lines",
    unit="share of bars",
    meaning="How often the bass of a bar is the first, fourth or fifth degree of the key.",
    more="set more bars over tonic, subdominant and dominant",
    less="set more bars over other degrees of the key",
)
def primary_bass_share(view: View) -> Floats:
    """The share of bars with bass whose lowest bass note is the first, fourth or fifth degree of the heard key."""
    lowest, group = view.bass_by_bar
    primary = _IS_PRIMARY[(lowest - tonic_of(view)[group]) % 12]
    return over(np.bincount(group, primary, minlength=view.groups), np.bincount(group, minlength=view.groups))


@axis(
    "lines",
    unit="share of moves",
    meaning="How much of the melody moves by a fifth or more.",
    more="let the melody leap a fifth or more",
    less="keep the melody's moves below a fifth",
)
def leap_ratio(view: View) -> Floats:
    """The share of the melody's moves that are at least seven semitones."""
    sizes = _sizes(view)
    return over(sizes[:, _FIFTH:].sum(axis=1), sizes.sum(axis=1))


@axis(
    "lines",
    unit="quarter notes",
    meaning="How long the melody's notes last.",
    more="hold the melody's notes longer",
    less="give the melody shorter notes",
)
def melody_note_length(view: View) -> Floats:
    """The mean length of the notes of the melody voice."""
    lengths = view.of_voice(view.voice_lengths, view.melody)
    return over(lengths, view.of_voice(view.voice_notes, view.melody)) / TEN_THOUSAND
