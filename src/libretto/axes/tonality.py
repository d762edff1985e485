"""Tonality: major or minor, how firmly, and how rich the chords are.

The key is heard from how long each pitch class sounds, by correlation with how often the degrees of a major and of a
minor scale are usually heard (the weights are those that Krumhansl and Kessler measured with listeners).
"""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import PITCH_SETS, has_chord, over
from libretto.axes.views import View
from libretto.score.table import Bools, Floats, Ints

__all__ = ["chord_size", "major_chord_share", "minor_leaning", "tonic_of", "tonic_weight"]

_MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
_MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)


def _turned(weights: tuple[float, ...]) -> Floats:
    """The weights of all twelve keys, each with mean 0 and spread 1."""
    even = (np.array(weights) - np.mean(weights)) / np.std(weights)
    return np.stack([np.roll(even, tonic) for tonic in range(12)])


_KEYS = np.concatenate([_turned(_MAJOR), _turned(_MINOR)])
_SIZES = PITCH_SETS.sum(axis=1)
_HAS_MAJOR: Bools = np.asarray(has_chord(4, 7).any(axis=1))
_HAS_MINOR: Bools = np.asarray(has_chord(3, 7).any(axis=1))
_DIGITS = 9  # to which fits are rounded, so that equal keys compare equal


def _fits(view: View) -> Floats:
    """How well each of the 12 major and 12 minor keys fits each stretch, from -1 to 1."""
    if "key fits" not in view.facts:
        mass = view.pitch_mass - view.pitch_mass.mean(axis=1, keepdims=True)
        spread = np.sqrt((mass**2).mean(axis=1, keepdims=True))
        even = np.divide(mass, spread, out=np.zeros_like(mass), where=spread > 0)
        view.facts["key fits"] = np.round(np.einsum("gp,kp->gk", even, _KEYS) / 12, _DIGITS)
    return view.facts["key fits"]


def tonic_of(view: View) -> Ints:
    """The tonic of the key that fits each stretch best, as a pitch class; of equal ones the longest sounding."""
    fits = _fits(view)
    best = np.maximum(fits[:, :12], fits[:, 12:])
    rival = best == best.max(axis=1, keepdims=True)
    return np.asarray(np.where(rival, view.pitch_mass, -1.0).argmax(axis=1))


@axis(
    "tonality",
    unit="-1 to 1",
    meaning="How much closer the notes are to a minor than to a major key.",
    more="lean on minor chords and the lowered third and sixth",
    less="lean on major chords and the raised third and sixth",
)
def minor_leaning(view: View) -> Floats:
    """The fit of the best minor key less the fit of the best major key."""
    fits = _fits(view)
    return np.where(view.notes > 0, fits[:, 12:].max(axis=1) - fits[:, :12].max(axis=1), np.nan)


@axis(
    "tonality",
    unit="share of sounding time",
    meaning="How much time is spent on the home note.",
    more="return to the home note more often, and stay",
    less="stay away from the home note longer",
)
def tonic_weight(view: View) -> Floats:
    """The share of sounding time of the tonic's pitch class, in the key that fits best."""
    mine = view.pitch_mass[np.arange(view.groups), tonic_of(view)]
    return over(mine, view.pitch_mass.sum(axis=1))


@axis(
    "tonality",
    unit="share of half-bars",
    meaning="How many of the chords are major and not minor.",
    more="use more major chords",
    less="use more minor chords",
)
def major_chord_share(view: View) -> Floats:
    """Of the half-bars whose main notes hold a major or a minor triad, the share with a major and no minor one."""
    major, minor = _HAS_MAJOR[view.piece.half_sets], _HAS_MINOR[view.piece.half_sets]
    return over(_half_bars(view, major & ~minor), _half_bars(view, major | minor))


@axis(
    "tonality",
    unit="notes",
    meaning="How many different notes a chord has.",
    more="add sevenths, ninths and other colours to the chords",
    less="use plain triads and open fifths",
)
def chord_size(view: View) -> Floats:
    """The mean number of prominent pitch classes in the half-bars that sound."""
    return over(_half_bars(view, _SIZES[view.piece.half_sets]), _half_bars(view, view.piece.half_sets > 0))


def _half_bars(view: View, weight: Bools | Ints) -> Floats:
    return view.sum(weight.sum(axis=1))
