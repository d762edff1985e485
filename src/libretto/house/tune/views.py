"""What is known of a step before any pitch is chosen: its place in bar, phrase and tune, lengths, key, kind and chord.

Conventions: a row a step, a column a view; everything is relative to the tonic, the bar and the beat, so that a tune
looks the same in every key. What is not known is nought: no chord, no kind, no earlier bar to look back at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretto.house.tune.step import Step
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = [
    "CHORD_VIEWS",
    "ECHO",
    "ECHO_VIEW",
    "KINDS",
    "KIND_VIEWS",
    "LAGS",
    "LAST_VIEW",
    "VIEWS",
    "View",
    "kind_of",
    "view",
]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

#: Kinds of tune that the model tells apart; the first is any other.
KINDS = ("", "reel", "jig", "slip jig", "hornpipe", "air", "march", "strathspey", "dance", "chorale")
_SAME_KIND = {
    "double jig": "jig",
    "slide": "jig",
    "clog": "hornpipe",
    "highland fling": "strathspey",
    "quick step": "march",
    "quickstep": "march",
    "carol": "air",
    "ballad air": "air",
    "morris": "dance",
    "playford dance": "dance",
    "minuet": "dance",
    "cotillon": "dance",
    "gavotte": "dance",
    "allemande": "dance",
    "hymn": "chorale",
}
#: How many bars back a step looks for what the tune said at the same place.
LAGS = (1, 2, 4, 8)
#: The source after the lags: the step that the plan says this one answers.
ECHO = len(LAGS)
_MODES = {"major": 0, "ionian": 0, "minor": 1, "aeolian": 1, "dorian": 2, "mixolydian": 3}
_OTHER_MODE = 4
_HARMONICS = (1, 2, 3, 4, 6, 8)  # how often a wave goes round in a bar: halves, thirds, beats and their halves
_FAR = 8  # bars, and notes, beyond which far is far
_LONG_TUNE = 6.0  # doublings of a bar in a long tune
_SHORT = 1 / 32  # of a quarter: the shortest length that is told apart

_METER_VIEWS, _MODE_VIEWS, _STRENGTHS = 7, _OTHER_MODE + 1, 5
_TIME_VIEWS = _METER_VIEWS + 2 * len(_HARMONICS) + _STRENGTHS + 13
_PHRASE_VIEWS = 22
_KIND_START = _TIME_VIEWS + _PHRASE_VIEWS + _MODE_VIEWS + 12
_CHORD_START = _KIND_START + len(KINDS)
_CHORD_COUNT = 1 + 12 + 12 + 3 + 1
#: Columns that name the kind, those that say what the chord is, the one that says that there is an echo, and how many.
KIND_VIEWS = slice(_KIND_START, _CHORD_START)
CHORD_VIEWS = slice(_CHORD_START, _CHORD_START + _CHORD_COUNT)
ECHO_VIEW = _CHORD_START + _CHORD_COUNT + 2 * len(LAGS)
VIEWS = ECHO_VIEW + 1
LAST_VIEW = _TIME_VIEWS + 4  #: the column that marks the last note of a phrase


@dataclass(frozen=True)
class View:
    """A plan as the model sees it, a row a step.

    ``sources`` are steps to look back at and ``roots`` those of chords above the tonic (-1 for none); ``tones`` are of
    the chord, ``scale`` of the key; ``strengths`` say how strong the place in the bar is.
    """

    views: Floats
    sources: Ints
    roots: Ints
    tones: NDArray[np.bool_]
    scale: NDArray[np.bool_]
    downbeats: NDArray[np.bool_]
    strengths: Ints


def kind_of(name: str) -> str:
    """The kind that the model knows by that name; "" where it knows none such.

    >>> kind_of("Double Jig"), kind_of("drum and bass")
    ('jig', '')
    """
    plain = " ".join(name.lower().replace("_", " ").replace("-", " ").split())
    plain = _SAME_KIND.get(plain, plain)
    return plain if plain in KINDS else ""


def view(steps: Sequence[Step], key: Key, meter: Meter, kind: str = "") -> View:
    """The plan of a tune as the model sees it."""
    onsets, lengths = _column([step.onset for step in steps]), _column([step.length for step in steps])
    roots, tones = _chords(steps, key)
    scale = np.zeros(12, dtype=np.bool_)
    scale[[(tone - key.tonic_class) % 12 for tone in key.classes]] = True
    strengths = _strengths(onsets, meter)
    sources, alike = _sources(steps, onsets, lengths, meter)
    views = np.concatenate(
        [
            _times(onsets, lengths, meter, strengths),
            _phrases(steps, onsets, lengths, meter),
            _one_hot(np.full(len(steps), _MODES.get(key.mode, _OTHER_MODE)), _MODE_VIEWS),
            np.tile(scale.astype(np.float32), (len(steps), 1)),
            _one_hot(np.full(len(steps), KINDS.index(kind_of(kind))), len(KINDS)),
            _chord_views(roots, tones),
            (sources[:, :ECHO] >= 0).astype(np.float32),
            alike,
            (sources[:, ECHO:] >= 0).astype(np.float32),
        ],
        axis=1,
    ).astype(np.float32)
    return View(views, sources, roots, tones, scale, strengths == 0, strengths)


def _column(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


def _one_hot(which: NDArray[np.integer], count: int) -> Floats:
    """A row a number: nought everywhere but there; numbers below nought are nowhere."""
    rows = np.zeros((len(which), count), dtype=np.float32)
    here = np.flatnonzero(which >= 0)
    rows[here, which[here]] = 1
    return rows


def _stack(columns: Sequence[NDArray[np.generic]]) -> Floats:
    return np.stack([column.astype(np.float32) for column in columns], axis=1)


def _strengths(onsets: Ints, meter: Meter) -> Ints:
    """How strong each place is: 0 the downbeat, 1 mid-bar, 2 another beat, 3 half or third of a beat, 4 finer."""
    place = onsets % meter.ticks
    part = meter.beat // (3 if meter.is_compound else 2)
    middle = meter.ticks // 2 if meter.beats % 2 == 0 else 0
    levels = np.where(place % part == 0, 3, 4)
    levels = np.where(place % meter.beat == 0, 2, levels)
    levels = np.where((middle > 0) & (place == middle) & (middle % meter.beat == 0), 1, levels)
    return np.where(place == 0, 0, levels).astype(np.int64)


def _meter_view(meter: Meter) -> int:
    """Which of the families of meters it is: two, three or four beats, plain or in threes, or another."""
    if meter.is_compound:
        return {2: 3, 3: 4, 4: 5}.get(meter.beats // 3, 6)
    beats = 4 if (meter.beats, meter.unit) == (2, 2) else meter.beats
    return {2: 0, 3: 1, 4: 2}.get(beats, 6)


def _times(onsets: Ints, lengths: Ints, meter: Meter, strengths: Ints) -> Floats:
    """Meter, place in the bar, and lengths of this note and its neighbours."""
    count = len(onsets)
    place = (onsets % meter.ticks) / meter.ticks
    waves = [wave(2 * np.pi * turn * place) for turn in _HARMONICS for wave in (np.sin, np.cos)]
    relative = np.log2(np.maximum(lengths / meter.beat, _SHORT)) / 3
    padded = np.concatenate([[0.0], relative, [0.0, 0.0]])
    gaps = np.maximum(onsets[1:] - (onsets + lengths)[:-1], 0) / meter.ticks
    before, after = np.concatenate([[0.0], gaps]), np.concatenate([gaps, [0.0]])
    usual = np.log2(np.maximum(lengths / max(float(np.median(lengths)), 1.0), _SHORT)) / 3
    columns = [
        padded[:count],
        relative,
        padded[2 : count + 2],
        padded[3 : count + 3],
        usual,
        padded[:count] == relative,
        padded[2 : count + 2] == relative,
        lengths >= meter.beat,
        lengths >= 2 * meter.beat,
        lengths * 4 <= meter.beat,
        before > 0,
        np.minimum(before, 1.0),
        after > 0,
    ]
    return np.concatenate(
        [
            _one_hot(np.full(count, _meter_view(meter)), _METER_VIEWS),
            _stack(waves),
            _one_hot(strengths, _STRENGTHS),
            _stack(columns),
        ],
        axis=1,
    )


def _far(ticks: NDArray[np.int64] | NDArray[np.float64], bar: int) -> NDArray[np.float64]:
    """A distance in bars as a share of what is far."""
    return np.clip(ticks / bar / _FAR, 0, 1)


def _phrases(steps: Sequence[Step], onsets: Ints, lengths: Ints, meter: Meter) -> Floats:
    """Where the step stands in its phrase and in the tune."""
    count, bar = len(steps), meter.ticks
    phrase, close = _column([step.phrase for step in steps]), _column([step.close for step in steps])
    new = np.concatenate([[True], phrase[1:] != phrase[:-1]])
    last = np.concatenate([new[1:], [True]])
    ends = np.flatnonzero(last)
    left = ends[np.searchsorted(ends, np.arange(count))] - np.arange(count)
    first_bar = -(-int(onsets[0]) // bar)
    number = onsets // bar - first_bar
    end = max(int(close[-1]), int(onsets[-1] + lengths[-1]))
    bars = max(end // bar - first_bar, 1)
    columns = [
        _far(onsets - phrase, bar),
        _far(close - onsets, bar),
        _far((close - phrase) / 2, bar),
        new,
        last,
        left == 1,
        close - onsets <= bar,
        close - onsets <= 2 * bar,
        np.minimum(left, _FAR) / _FAR,
        np.clip((onsets - onsets[0]) / max(end - int(onsets[0]), 1), 0, 1),
        _far(end - onsets, bar),
        end - onsets <= bar,
        close == close[-1],
        np.arange(count) == 0,
        np.arange(count) == count - 1,
        number < 0,
        np.full(count, min(np.log2(bars) / _LONG_TUNE, 1.0)),
        number % 2,
        number // 2 % 2,
        number // 4 % 2,
        number // 8 % 2,
        np.clip(number / (2 * _FAR), 0, 1),
    ]
    return _stack(columns)


def _chords(steps: Sequence[Step], key: Key) -> tuple[Ints, NDArray[np.bool_]]:
    """Roots above the tonic, and chord tones, by step."""
    roots = _column([-1 if step.chord is None else (step.chord.root_class - key.tonic_class) % 12 for step in steps])
    tones = np.zeros((len(steps), 12), dtype=np.bool_)
    for row, step in enumerate(steps):
        if step.chord is not None:
            tones[row, [(tone - key.tonic_class) % 12 for tone in step.chord.classes]] = True
    return roots, tones


def _chord_views(roots: Ints, tones: NDArray[np.bool_]) -> Floats:
    """Whether there is a chord, its root and tones, its third and seventh, and whether it is new."""
    known = roots >= 0
    above = [known & tones[np.arange(len(roots)), (roots + step) % 12] for step in (3, 4, 10)]
    new = np.concatenate([known[:1], known[1:] & ((roots[1:] != roots[:-1]) | (tones[1:] != tones[:-1]).any(axis=1))])
    return np.concatenate(
        [_stack([known]), _one_hot(roots, 12), tones.astype(np.float32), _stack([*above, new])], axis=1
    )


def _sources(steps: Sequence[Step], onsets: Ints, lengths: Ints, meter: Meter) -> tuple[Ints, Floats]:
    """For each step those at the same place some bars earlier, and its echo; and whether those bars have one rhythm."""
    at = {int(onset): index for index, onset in enumerate(onsets)}
    bar, count = meter.ticks, len(steps)
    rhythms: dict[int, list[tuple[int, int]]] = {}
    for onset, length in zip(onsets.tolist(), lengths.tolist(), strict=True):
        rhythms.setdefault(onset // bar, []).append((onset % bar, length))
    sources = np.full((count, len(LAGS) + 1), -1, dtype=np.int64)
    alike = np.zeros((count, len(LAGS)), dtype=np.float32)
    for index, onset in enumerate(onsets.tolist()):
        for column, lag in enumerate(LAGS):
            earlier = at.get(onset - lag * bar, -1)
            sources[index, column] = earlier if earlier < index else -1
            alike[index, column] = rhythms.get(onset // bar - lag) == rhythms[onset // bar]
        echo = steps[index].echo
        sources[index, ECHO] = echo if echo < index else -1
    return sources, alike
