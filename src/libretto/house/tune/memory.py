"""What a tune has said so far, as the model remembers it: the last moves, its compass, what earlier bars did here.

Conventions: a pitch is counted from ``LOWEST`` below the tonic of the tune's register, so that class 24 is that tonic;
rows are whatever goes together: all notes of a tune when it is measured, all drafts of a step when it is told.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.house.tune.views import LAGS, View

__all__ = [
    "ABSENT",
    "CLASSES",
    "LOWEST",
    "POINTERS",
    "SOURCES",
    "TABLES",
    "Habit",
    "Heard",
    "Scale",
    "followed",
    "recall",
    "register_of",
    "retrace",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

LOWEST = 24  #: semitones below the tonic that are still told apart
CLASSES = 61  #: pitches in all: five octaves and one
SOURCES = len(LAGS) + 1  #: places a step looks back at: the lags, and its echo
_WIDEST = 13  # semitones from which on a move is just wide
ABSENT = 2 * _WIDEST + 1  #: the number of a move that is not there
_MOVES = ABSENT + 1
#: Rows of the tables that numbers of ``recall`` look up, in order: the last pitch, the two last moves, three degrees,
#: and for each source how far off its pitch is and how it moved.
TABLES = (CLASSES + 1, _MOVES, _MOVES, 13, 13, 13, *(_MOVES,) * (2 * SOURCES))
#: Pitches that a source suggests: its own, its move in semitones, its move in steps of the scale.
POINTERS = 3 * SOURCES
_CENTRE = 6.0  # semitones that the middle of a tune usually lies above its tonic
_KEPT = 0.75  # of what was followed so far, a note later


class Scale(NamedTuple):
    """Pitches as steps of the scale and back: ``steps`` by class, ``tones`` by step."""

    steps: Ints
    tones: Ints

    @classmethod
    def of(cls, tones: NDArray[np.bool_]) -> Scale:
        """The scale of those tones above the tonic."""
        classes = np.arange(CLASSES)
        inside = tones[(classes - LOWEST) % 12]
        return cls(np.maximum(np.cumsum(inside) - 1, 0).astype(np.int64), classes[inside])


class Heard(NamedTuple):
    """What went before, by row: the last three classes (-1 for none), highest and lowest, the last downbeat's class."""

    last: Ints
    second: Ints
    third: Ints
    highest: Ints
    lowest: Ints
    downbeat: Ints


class Habit(NamedTuple):
    """What the sources say here, by row: their classes, those just before (-1 for none), how well each was followed."""

    classes: Ints
    before: Ints
    followed: Floats


def register_of(tonic: int, middle: float) -> int:
    """The tonic, as a pitch, of the register round that middle."""
    return tonic % 12 + 12 * int(np.floor((middle - _CENTRE - tonic % 12) / 12 + 0.5))


def _move(there: Ints, here: Ints) -> Ints:
    """The number of a move; ``ABSENT`` where one of its ends is not there."""
    size = np.minimum(np.maximum(there - here, -_WIDEST), _WIDEST) + _WIDEST
    return np.where((there >= 0) & (here >= 0), size, ABSENT)


def recall(heard: Heard, habit: Habit, roots: Ints, scale: Scale) -> tuple[Ints, Floats, Ints]:
    """What the model reads: numbers for ``TABLES``, plain numbers, and the classes that sources point to (or -1)."""
    last = heard.last
    numbers = [
        np.where(last >= 0, last, CLASSES),
        _move(last, heard.second),
        _move(heard.second, heard.third),
        np.where(last >= 0, (last - LOWEST) % 12, 12),
        np.where(heard.second >= 0, (heard.second - LOWEST) % 12, 12),
        np.where((last >= 0) & (roots >= 0), (last - LOWEST - roots) % 12, 12),
    ]
    here = last[:, None]
    told = np.concatenate(
        [np.stack(numbers, axis=1), _move(habit.classes, here), _move(habit.classes, habit.before)], axis=1
    )
    compass = np.stack([heard.highest - last, last - heard.lowest, heard.downbeat - last], axis=1) / 12
    plain = np.concatenate([np.where(here >= 0, compass, 0), habit.followed], axis=1).astype(np.float32)
    return told.astype(np.int64), plain, _pointers(here, habit, scale)


def _pointers(here: Ints, habit: Habit, scale: Scale) -> Ints:
    """The classes that sources suggest: their own pitch, their move, their move in steps of the scale."""
    there = habit.classes >= 0
    moved = there & (habit.before >= 0) & (here >= 0)
    by_tones = np.where(moved, here + habit.classes - habit.before, -1)
    step = scale.steps[here] + scale.steps[habit.classes] - scale.steps[habit.before]
    inside = moved & (step >= 0) & (step < len(scale.tones))
    by_steps = np.where(inside, scale.tones[np.where(inside, step, 0)], -1)
    pointed = np.concatenate([np.where(there, habit.classes, -1), by_tones, by_steps], axis=1)
    return np.where((pointed >= 0) & (pointed < CLASSES), pointed, -1)


def followed(before: Floats, chosen: Ints, pointers: Ints) -> Floats:
    """How well sources were followed, a note later: in pitch, then in steps of the scale; as before where silent."""
    offered = np.concatenate([pointers[:, :SOURCES], pointers[:, 2 * SOURCES :]], axis=1)
    kept = np.float32(_KEPT) * before + np.float32(1 - _KEPT) * (offered == chosen[:, None])
    return np.where(offered >= 0, kept, before).astype(np.float32)


def retrace(view: View, classes: Ints) -> tuple[Ints, Floats, Ints]:
    """What the model reads at every step of a tune that is known, as ``recall`` says it step by step."""
    count = len(classes)
    padded = np.concatenate([np.full(3, -1), classes])
    last = padded[2 : count + 2]
    marked = np.where(view.downbeats, np.arange(count), -1)
    beaten = np.concatenate([[-1], np.maximum.accumulate(marked)[:-1]])
    heard = Heard(
        last,
        padded[1 : count + 1],
        padded[:count],
        np.concatenate([[-1], np.maximum.accumulate(classes)[:-1]]),
        np.concatenate([[-1], np.minimum.accumulate(classes)[:-1]]),
        np.where(beaten >= 0, classes[beaten], last),
    )
    there = view.sources
    said = np.where(there >= 0, classes[there], -1)
    before = np.where(there >= 1, classes[np.maximum(there - 1, 0)], -1)
    habit = Habit(said, before, np.zeros((count, 2 * SOURCES), dtype=np.float32))
    told, plain, pointers = recall(heard, habit, view.roots, Scale.of(view.scale))
    for step in range(1, count):
        was = slice(step - 1, step)
        habit.followed[step] = followed(habit.followed[was], classes[was], pointers[was])[0]
    return told, np.concatenate([plain[:, : -2 * SOURCES], habit.followed], axis=1), pointers
