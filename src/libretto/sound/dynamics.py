"""How loud a player would play each note of a Score: accents, phrases, sections, and the top of a chord.

Everything adds up to one number from -1 to 1 a note, which moves its velocity inside the room that the author left: the
only velocity of a voice may move by about a fifth of itself, velocities near one another hardly or not at all. So what
was written softer than something else in its voice stays softer, and only flat playing is shaped much.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, WHOLE, Meter, Score
from libretto.score.table import Bools, Floats, Ints

__all__ = ["accents", "arches", "leaning", "moods", "shaded", "voicings"]

_SWING = 0.22  #: the part of a velocity by which it may move where nothing stands near it
_NEAR = QUARTER // 24  #: how far from a beat a played note still counts as on it
_SNARES = (38, 39, 40)
_LEAST_SWING = 3  # steps of velocity
_LEVELS = 128  # of velocity
_LOUDEST = _LEVELS - 1

# How much each counts in the shape of a voice.
_ACCENT, _DRUM_ACCENT, _MOOD, _ARCH, _CHANCE, _TOP = 0.6, 0.75, 0.6, 0.5, 0.15, 0.3


class _Weights(NamedTuple):
    """The weight of places in a bar."""

    downbeat: float
    half: float
    beat: float
    between: float
    rest: float
    held: float


_PLACES = _Weights(downbeat=1.0, half=0.5, beat=0.0, between=-0.4, rest=-0.7, held=0.1)
#: What a snare stresses: every second beat; strokes between the beats are ghosts.
_BACKBEAT, _SNARE_ON_BEAT, _SNARE_BETWEEN, _GHOST = 0.8, 0.2, -0.3, -0.9

# Phrases.
_LONGEST_PHRASE = 8 * WHOLE
_REST = QUARTER // 2  # a rest that ends a phrase
_LONG, _LONGER = 2 * QUARTER, 2  # a step that ends one: so long, and so many times the usual
_LEAST_PHRASE = 4  # onsets: shorter ones have no arch
_ARCH_HEIGHT, _ARCH_FOOT, _LATE = 1.4, -0.7, 1.3  # an arch from its foot, the summit behind the middle
_CONTOUR = 0.6  # what an octave above the middle of the phrase adds
_EMPTIEST = 0.25  # of the usual fullness: sections that are emptier count no less
_MOODS = (
    ("intro|break|ambient|quiet|soft", -0.6), ("outro|coda|ending|fade|end", -0.35), ("pre.?chorus|build|lift", 0.15),
    ("chorus|refrain|hook|drop|climax|tutti", 0.7), ("solo", 0.3), ("verse|theme|head", -0.15), ("bridge|middle", 0.0),
)  # fmt: skip


def shaded(score: Score, seed: int = 0) -> NDArray[np.int16]:
    """A velocity for every row of ``score.table``; in one voice a softer note never becomes as loud as a louder one."""
    table = score.table
    drums = _drums(score)
    shape = np.where(drums, _DRUM_ACCENT, _ACCENT) * accents(score) + _MOOD * moods(score)
    shape += np.where(drums, 0.0, _ARCH) * arches(score) + voicings(score)
    shape += _CHANCE * leaning(seed, table["voice"], table["onset"], table["pitch"])
    shape = np.clip(shape, -1.0, 1.0)
    low, high = _room(table["voice"], table["velocity"].astype(np.int64))
    return np.asarray(np.rint((low + high) / 2 + shape * (high - low) / 2), dtype=np.int16)


def _drums(score: Score) -> Bools:
    kits = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
    return kits[score.table["voice"]] if len(kits) else np.zeros(0, dtype=np.bool_)


def _room(voice: NDArray[np.int32], velocity: Ints) -> tuple[Ints, Ints]:
    """The softest and loudest that each note may become: less than half way to the next written level of its voice."""
    levels, which = np.unique(voice.astype(np.int64) * _LEVELS + velocity, return_inverse=True)
    value = levels % _LEVELS
    gaps = np.where(np.diff(levels // _LEVELS) == 0, (np.diff(levels) - 1) // 2, _LOUDEST)
    gap = np.minimum(np.append(gaps, _LOUDEST), np.insert(gaps, 0, _LOUDEST))
    swing = np.minimum(gap, np.maximum(_LEAST_SWING, np.rint(_SWING * value)).astype(np.int64))
    above = np.minimum(swing, _LOUDEST - value)
    # What the top of the range takes from a flat fortissimo is given back below, so that it has a shape too.
    below = np.minimum(np.where(gap == _LOUDEST, 2 * swing - above, swing), value - 1)
    return (value - below)[which], (value + above)[which]


def accents(score: Score) -> Floats:
    """The weight of each note's place in its bar: 1 on the downbeat, less on beats, below 0 between them."""
    table = score.table
    weight = np.zeros(len(table))
    starts = [tick for tick, _ in score.meters]
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    which = np.searchsorted(starts, lines[:-1], side="right") - 1
    for index, (_, meter) in enumerate(score.meters):
        rows = np.flatnonzero(which[table["bar"]] == index)
        place = table["position"][rows].astype(np.int64)
        if score.first_bar == 0 and index == 0:
            place += np.where(table["bar"][rows] == 0, max(0, meter.ticks - int(lines[1])), 0)
        weight[rows] = _weights(place, meter, table["duration"][rows])
        snares = _drums(score)[rows] & np.isin(table["pitch"][rows], _SNARES)
        weight[rows] = np.where(snares, _backbeats(place, meter), weight[rows])
    return weight


def _on(place: Ints, step: int) -> Bools:
    return np.asarray((place + _NEAR) % step <= 2 * _NEAR)


def _weights(place: Ints, meter: Meter, duration: Ints) -> Floats:
    """The weight of places in bars of one meter."""
    beat, length = meter.beat, meter.ticks
    small = meter.pulse if meter.is_compound else beat // 2
    weight = np.full(len(place), _PLACES.rest)
    weight[_on(place, small)] = _PLACES.between
    held = (place + _NEAR) % beat + duration > beat + 2 * _NEAR  # a syncopation leans on its start
    weight[held] = _PLACES.held
    weight[_on(place, beat)] = _PLACES.beat
    if length // beat % 2 == 0 and length > 2 * beat:
        weight[_on(place, length // 2)] = _PLACES.half
    weight[_on(place, length)] = _PLACES.downbeat
    return weight


def _backbeats(place: Ints, meter: Meter) -> Floats:
    """The weight of a snare's places in bars of one meter."""
    weight = np.full(len(place), _GHOST)
    weight[_on(place, meter.beat // 2)] = _SNARE_BETWEEN
    weight[_on(place, meter.beat)] = _SNARE_ON_BEAT
    weight[_on(place - meter.beat, 2 * meter.beat)] = _BACKBEAT
    return weight


def arches(score: Score) -> Floats:
    """Rise and fall over each phrase of each pitched voice, with a little more weight on higher notes."""
    shape = np.zeros(len(score.table))
    for index, voice in enumerate(score.voices):
        if not voice.drums and len(voice.array):
            first = int(np.searchsorted(score.table["voice"], index))
            shape[first : first + len(voice.array)] = _arched(voice.array)
    return shape


def _arched(notes: NDArray[Any]) -> Floats:
    onsets, group = np.unique(notes["onset"], return_inverse=True)
    top = np.zeros(len(onsets))
    np.maximum.at(top, group, notes["pitch"])
    stop = np.zeros(len(onsets), dtype=np.int64)
    np.maximum.at(stop, group, notes["onset"] + notes["duration"])
    phrase = _phrases(onsets, np.maximum.accumulate(stop))
    starts = np.flatnonzero(np.diff(phrase, prepend=-1))
    counts = np.diff(np.append(starts, len(onsets)))
    begins, ends = onsets[starts], onsets[np.append(starts[1:], len(onsets)) - 1]
    through = (onsets - begins[phrase]) / np.maximum(1, ends - begins)[phrase]
    arch = _ARCH_HEIGHT * np.sin(np.pi * through**_LATE) + _ARCH_FOOT
    contour = np.clip((top - (np.add.reduceat(top, starts) / counts)[phrase]) / 12, -1, 1)
    return np.asarray(np.where(counts[phrase] >= _LEAST_PHRASE, arch + _CONTOUR * contour, 0.0)[group])


def _phrases(onsets: Ints, stops: Ints) -> Ints:
    """The number of each onset's phrase: one ends with a rest, with a much longer note, or after eight bars."""
    steps = np.diff(onsets)
    if not len(steps):
        return np.zeros(len(onsets), dtype=np.int64)
    rests = onsets[1:] - stops[:-1] >= _REST
    long = steps >= max(_LONG, _LONGER * int(np.median(steps)))
    cuts = [0, *(np.flatnonzero(rests | long) + 1).tolist(), len(onsets)]
    phrase = np.zeros(len(onsets), dtype=np.int64)
    for start, stop in pairwise(cuts):
        phrase[start:stop] = (onsets[start:stop] - onsets[start]) // _LONGEST_PHRASE
        phrase[start:stop] += phrase[start - 1] + 1 if start else 0
    return np.unique(phrase, return_inverse=True)[1].astype(np.int64)


def moods(score: Score) -> Floats:
    """How much each note's section asks for: by its name, or by how full it is where the name says nothing."""
    if len(score.sections) < 2:
        return np.zeros(len(score.table))
    starts = np.array([tick for tick, _ in score.sections], dtype=np.int64)
    which = np.searchsorted(starts, score.table["onset"], side="right") - 1
    lengths = np.diff(np.append(starts, score.ticks))
    fullness = np.bincount(which[which >= 0], minlength=len(starts)) / lengths
    usual = max(1, len(score.table)) / score.ticks
    asked = [_mood(name, full / usual) for (_, name), full in zip(score.sections, fullness, strict=True)]
    return np.array([*asked, 0.0])[which]  # what stands before the first section is neutral


def _mood(name: str, fullness: float) -> float:
    """What a section asks for by its name or, where that says nothing, by its fullness against the whole piece."""
    said = (value for words, value in _MOODS if re.search(rf"\b({words})", name.lower()))
    return next(said, min(1.0, max(-1.0, log2(max(fullness, _EMPTIEST)))) / 2)


def voicings(score: Score) -> Floats:
    """The top note of each chord of a pitched voice forward, the others back."""
    table, drums = score.table, _drums(score)
    if not len(table):
        return np.zeros(0)
    fresh = np.ones(len(table), dtype=np.bool_)
    fresh[1:] = (np.diff(table["onset"]) != 0) | (np.diff(table["voice"]) != 0)
    chord = np.cumsum(fresh) - 1
    sizes, tops = np.bincount(chord), np.maximum.reduceat(table["pitch"], np.flatnonzero(fresh))
    is_top = table["pitch"] == tops[chord]
    return np.where((sizes[chord] > 1) & ~drums, np.where(is_top, _TOP, -_TOP), 0.0)


# The constants of splitmix64.
_STEP, _FIRST, _SECOND = (np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_SHIFTS = tuple(np.uint64(number) for number in (30, 27, 31))
_UNUSED_BITS = np.uint64(11)  # of 64: a float holds 53


def leaning(seed: int, *places: NDArray[np.integer] | int) -> NDArray[np.float64]:
    """Numbers from -1 to 1, most of them near 0, one for each place: the same for the same seed and place."""
    state = np.atleast_1d(np.array(seed % 2**64, dtype=np.uint64))
    for place in places:
        state = _mixed(state ^ np.atleast_1d(np.asarray(place, dtype=np.int64)).astype(np.uint64))
    one, other = _mixed(state), _mixed(state + _STEP)
    return np.asarray((one >> _UNUSED_BITS) / 2.0**53 + (other >> _UNUSED_BITS) / 2.0**53 - 1.0)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64: every bit of the result depends on every bit given."""
    state = state + _STEP
    first, second, third = _SHIFTS
    state = (state ^ (state >> first)) * _FIRST
    state = (state ^ (state >> second)) * _SECOND
    return np.asarray(state ^ (state >> third))
