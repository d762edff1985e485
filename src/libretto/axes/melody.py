"""Melody and lines: how far and by which steps the leading voice and the bass move."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import TEN_THOUSAND, entropy, over
from libretto.axes.tonality import tonic_of
from libretto.axes.views import View
from libretto.score.table import Bools, Floats

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
_PRIMARY = (0, _FOURTH, _FIFTH)  # the first, fourth and fifth degree of a key


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the whole piece.",
    more="reach lower in the bass or higher on top",
    less="bring the outer parts closer together",
)
def pitch_range(view: View) -> Floats:
    """The highest pitch less the lowest."""
    return _range(view, np.ones(len(view.pitch), dtype=np.bool_))


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody moves by step.",
    more="connect melody notes by step",
    less="let the melody leap more",
)
def step_ratio(view: View) -> Floats:
    """The share of the melody's moves that are at most two semitones."""
    moves, group = view.moves
    return over(view.total(group, np.abs(moves) <= _STEP), view.total(group))


@axis(
    "melody",
    unit="0 to 1",
    meaning="How varied the sizes of the melody's moves are.",
    more="mix steps, thirds and larger leaps",
    less="keep to a few sizes of interval",
)
def interval_entropy(view: View) -> Floats:
    """The entropy of the sizes of the melody's moves, an octave and more counted as one."""
    moves, group = view.moves
    sizes = 12 + 1  # from a unison to an octave
    counts = np.bincount(group * sizes + np.minimum(np.abs(moves), 12), minlength=sizes * view.groups)
    return entropy(counts.reshape(view.groups, sizes).astype(np.float64))


@axis(
    "melody",
    unit="share of moves",
    meaning="How much of the melody's movement goes up.",
    more="let the melody climb in small moves and fall in large ones",
    less="let the melody leap up and come down in small moves",
)
def ascending_ratio(view: View) -> Floats:
    """The share of the melody's moves that go up."""
    moves, group = view.moves
    return over(view.total(group, moves > 0), view.total(group))


@axis(
    "melody",
    unit="semitones",
    meaning="From the lowest to the highest note of the melody voice.",
    more="let the melody range wider",
    less="keep the melody in a narrower range",
)
def melody_voice_range(view: View) -> Floats:
    """The highest pitch of the melody voice less its lowest."""
    return _range(view, view.melody)


def _range(view: View, which: Bools) -> Floats:
    """From the lowest to the highest of some notes, for each stretch."""
    pitch, group = view.pitch[which], view.group[which]
    span = np.full(view.groups, np.nan)
    if len(pitch):
        edges = np.flatnonzero(np.diff(group, prepend=-1))
        span[group[edges]] = np.maximum.reduceat(pitch, edges) - np.minimum.reduceat(pitch, edges)
    return span


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
    return over(view.total(group[1:][real], np.abs(move[real]) <= _STEP), view.total(group[1:][real]))


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
    return over(view.total(group, np.isin(motion, (_STEP, 12 - _STEP))), view.total(group))


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
    return over(view.total(group, np.isin(degree, _PRIMARY)), view.total(group))


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
    return over(view.total(group, np.abs(moves) >= _FIFTH), view.total(group))


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
