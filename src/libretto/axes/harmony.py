"""Harmony: which pitch classes sound, how they gather, and how the bass moves."""

from __future__ import annotations

import numpy as np

from libretto.axes.axis import axis
from libretto.axes.counting import PITCH_SETS, entropy, has_chord, over
from libretto.axes.views import View
from libretto.score.table import Bools, Floats, distinct

__all__ = [
    "chord_change_rate",
    "chord_vocabulary_density",
    "chromaticism",
    "diminished_augmented_color",
    "distinct_pitch_classes",
    "fourth_motion_rate",
    "pitch_class_entropy",
    "root_motion_entropy",
]

_SCALES = np.array([[(pc - root) % 12 in (0, 2, 4, 5, 7, 9, 11) for pc in range(12)] for root in range(12)])
# For each set of pitch classes, as bits: whether it holds a diminished triad, and how many roots of augmented ones.
_DIMINISHED: Bools = np.asarray(has_chord(3, 6).any(axis=1))
_AUGMENTED = has_chord(4, 8).sum(axis=1)
_FOURTH = 5  # semitones


@axis(
    "harmony",
    unit="share of sounding time",
    meaning="How much sounds outside the best-fitting major scale.",
    more="borrow notes and chords from outside the key",
    less="stay closer to the notes of the key",
)
def chromaticism(view: View) -> Floats:
    """One minus the largest share of sounding time that one major scale holds."""
    return 1 - over((view.pitch_mass @ _SCALES.T).max(axis=1), view.pitch_mass.sum(axis=1))


@axis(
    "harmony",
    unit="pitch classes",
    meaning="How many of the twelve notes are used at all.",
    more="visit notes that have not been used",
    less="use fewer different notes",
)
def distinct_pitch_classes(view: View) -> Floats:
    """How many pitch classes sound."""
    return over(np.count_nonzero(view.pitch_mass, axis=1) * view.notes, view.notes)


@axis(
    "harmony",
    unit="0 to 1",
    meaning="How evenly the notes in use share the time.",
    more="spread the time over more notes",
    less="dwell on a few notes",
)
def pitch_class_entropy(view: View) -> Floats:
    """The entropy of sounding time over pitch classes."""
    return entropy(view.pitch_mass)


@axis(
    "harmony",
    unit="share of half-bar steps",
    meaning="How often the set of main notes changes from one half-bar to the next.",
    more="change chords more often",
    less="stay on chords longer",
)
def chord_change_rate(view: View) -> Floats:
    """Changes of the prominent pitch classes between half-bars, over all such steps."""
    sets, group = view.halves
    change = (sets[1:] != sets[:-1]) & (sets[1:] > 0) & (sets[:-1] > 0) & (group[1:] == group[:-1])
    changes = np.bincount(group[1:][change], minlength=view.groups)
    return over(changes, np.where(view.count > 0, 2 * view.count - 1, 0))


@axis(
    "harmony",
    unit="sets a bar",
    meaning="How many different chord colours there are for the length of the piece.",
    more="bring in new chords and voicings",
    less="return to chords already heard",
)
def chord_vocabulary_density(view: View) -> Floats:
    """Different sets of prominent pitch classes in half-bars, over the number of sounding bars."""
    sets, group = view.halves
    seen = distinct(group * len(PITCH_SETS) + sets)
    group, silent = seen // len(PITCH_SETS), seen % len(PITCH_SETS) == 0
    return over(np.bincount(group[~silent], minlength=view.groups), view.count)


@axis(
    "harmony",
    unit="0 to 1",
    meaning="How varied the moves of the bass from bar to bar are.",
    more="let the bass move by other intervals too",
    less="let the bass move by the same few intervals",
)
def root_motion_entropy(view: View) -> Floats:
    """The entropy of the bass's intervals from bar to bar."""
    return entropy(view.root_motion)


@axis(
    "harmony",
    unit="share of bass moves",
    meaning="How often the bass rises a fourth (or falls a fifth) into the next bar.",
    more="lead with falling fifths in the bass",
    less="use fewer falling fifths in the bass",
)
def fourth_motion_rate(view: View) -> Floats:
    """The share of the bass's moves from bar to bar that go up a fourth."""
    return over(view.root_motion[:, _FOURTH], view.root_motion.sum(axis=1))


@axis(
    "harmony",
    unit="a bar",
    meaning="How often the main notes of a bar hold a diminished or an augmented triad (seventh and sixth chords may).",
    more="use diminished, half-diminished or augmented chords",
    less="use plain major and minor chords",
)
def diminished_augmented_color(view: View) -> Floats:
    """Bars with a diminished triad, and augmented triads (each of their roots counts), over the sounding bars."""
    diminished = view.sum(_DIMINISHED[view.piece.bar_sets])
    augmented = view.sum(_AUGMENTED[view.piece.bar_sets])
    return over(diminished + np.minimum(augmented, view.count), view.count)
