"""What was played, in seconds: notes, and the moments at which something begins.

Fingers that mean one moment do not fall at one time, so starts that are close together are one moment. A moment has a
weight: many notes, long notes, low notes and struck drums weigh more, since beats are where such things happen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.formats.midi.source import MidiPart, MidiSource
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import QUARTER

__all__ = ["CRASHES", "KICKS", "SNARES", "Played", "moments_of", "played", "seconds_at", "ticks_at"]

_MICROS_A_SECOND = 1e6
_TOGETHER, _SPREAD = 0.030, 0.070  # seconds from note to note, and from the first to the last, of one moment
_LONG = 1.0  # seconds: what sounds longer weighs no more
#: General MIDI keys of drums that tell beats.
KICKS, SNARES, CRASHES = (35, 36), (37, 38, 39, 40), (49, 52, 55, 57)
_BASS_REACH = 5  # semitones above the lowest note around that are still the bass
_AROUND = 2.0  # seconds on each side in which the lowest note is looked for
_SLICE = 0.5  # seconds of a slice of time, for the lowest note around


class Played(NamedTuple):
    """Notes in order of time, in seconds; ``length`` is to the note's end, ``room`` to the next start of its part."""

    start: Floats
    length: Floats
    room: Floats
    pitch: Ints
    velocity: Ints
    drums: Bools
    bass: Bools
    moment: Ints
    times: Floats
    weights: Floats


def seconds_at(tempos: tuple[tuple[int, int], ...], ticks: Ints) -> Floats:
    """When ticks fall, by a tempo map that begins at tick 0."""
    starts, passed, micros = _map(tempos)
    at = np.searchsorted(starts, ticks, side="right") - 1
    return np.asarray((passed[at] + (ticks - starts[at]) * micros[at] / QUARTER) / _MICROS_A_SECOND)


def ticks_at(tempos: tuple[tuple[int, int], ...], seconds: Floats) -> Floats:
    """Which ticks fall at times, by a tempo map that begins at tick 0; the other way round of ``seconds_at``."""
    starts, passed, micros = _map(tempos)
    time = seconds * _MICROS_A_SECOND
    at = np.maximum(np.searchsorted(passed, time, side="right") - 1, 0)
    return np.asarray(starts[at] + (time - passed[at]) * QUARTER / micros[at])


def _map(tempos: tuple[tuple[int, int], ...]) -> tuple[Ints, Floats, Floats]:
    """Ticks at which tempi begin, microseconds passed by then, microseconds a quarter."""
    starts = np.array([tick for tick, _ in tempos], dtype=np.int64)
    micros = np.array([value for _, value in tempos], dtype=np.float64)
    passed = np.concatenate([[0.0], np.cumsum(np.diff(starts) * micros[:-1] / QUARTER)])
    return starts, passed, micros


def played(source: MidiSource) -> Played:
    """The notes of a source as they sound, in order of time."""
    parts = source.parts
    onset = np.concatenate([np.empty(0, dtype=np.int64), *(part.onset for part in parts)])
    stop = np.concatenate([np.empty(0, dtype=np.int64), *(part.onset + part.duration for part in parts)])
    start, end = seconds_at(source.tempos, onset), seconds_at(source.tempos, stop)
    room = np.concatenate([np.empty(0), *_rooms(parts, start)])
    pitch = np.concatenate([np.empty(0, dtype=np.int64), *(part.pitch for part in parts)])
    velocity = np.concatenate([np.empty(0, dtype=np.int64), *(part.velocity for part in parts)])
    drums = np.concatenate([np.empty(0, dtype=np.bool_), *(np.full(len(p.onset), p.drums) for p in parts)])
    order = np.argsort(start, kind="stable")
    start, pitch, drums, room = start[order], pitch[order], drums[order], room[order]
    length = (end[order] - start) if len(order) else start
    bass = _bass(start, pitch, drums)
    moment, times = moments_of(start)
    weights = _weights(moment, len(times), np.where(drums, 0.0, room), pitch, drums, bass)
    return Played(start, length, room, pitch, velocity[order], drums, bass, moment, times, weights)


def _rooms(parts: tuple[MidiPart, ...], start: Floats) -> list[Floats]:
    """For each note how long it is until its part begins another that is not of the same moment."""
    rooms, first = [], 0
    for part in parts:
        mine = start[first : first + len(part.onset)]
        first += len(part.onset)
        ordered = np.unique(mine)
        after = np.searchsorted(ordered, mine + _SPREAD, side="right")
        following = np.append(ordered, ordered[-1:] + _LONG * 2)[after] if len(mine) else mine
        rooms.append(np.minimum(following - mine, 2 * _LONG * 2))
    return rooms


def moments_of(start: Floats) -> tuple[Ints, Floats]:
    """The moment of each start, given in order, and when the moments are: the middle of their starts."""
    moment = np.empty(len(start), dtype=np.int64)
    number, first, last = -1, -np.inf, -np.inf
    for index, time in enumerate(start.tolist()):
        if time - last > _TOGETHER or time - first > _SPREAD:
            number, first = number + 1, time
        moment[index], last = number, time
    counts = np.bincount(moment, minlength=number + 1)
    return moment, np.bincount(moment, weights=start, minlength=number + 1) / np.maximum(counts, 1)


def _bass(start: Floats, pitch: Ints, drums: Bools) -> Bools:
    """Which notes are near the lowest of the time around them."""
    if not len(start):
        return drums
    slices = np.minimum((start - start[0]) / _SLICE, len(start) * 64).astype(np.int64)
    used, which = np.unique(slices, return_inverse=True)
    lowest = np.full(len(used), 999)
    np.minimum.at(lowest, which[~drums], pitch[~drums])
    reach = round(_AROUND / _SLICE)
    around = lowest.copy()
    for step in range(1, reach + 1):
        for shifted, near in ((slice(step, None), slice(None, -step)), (slice(None, -step), slice(step, None))):
            close = np.abs(used[shifted] - used[near]) <= reach
            around[shifted] = np.where(close, np.minimum(around[shifted], lowest[near]), around[shifted])
    return ~drums & (pitch <= around[which] + _BASS_REACH)


def _weights(moment: Ints, count: int, room: Floats, pitch: Ints, drums: Bools, bass: Bools) -> Floats:
    """How much each moment weighs."""
    notes = np.bincount(moment, minlength=count)
    longest = np.zeros(count)
    np.maximum.at(longest, moment, np.minimum(room, _LONG))
    low = np.bincount(moment, weights=bass, minlength=count) > 0
    struck = drums & np.isin(pitch, KICKS + SNARES)
    hit = np.bincount(moment, weights=struck, minlength=count) > 0
    return np.asarray(0.5 + 0.5 * np.log2(1 + notes) + longest + 0.5 * low + 0.5 * hit)
