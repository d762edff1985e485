"""The same performance on a clock of its own: bar lines, beats and tempi that follow what was played.

Every note keeps the time at which it sounds, within a tick; ticks, meters and tempi are new. A tempo holds for one
beat. Silence before the first beat becomes beats of silence; if it is less than half a beat, it is left out. Where
fewer beats come before the first bar line than a bar has, they are a pickup.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from libretto.errors import TooLarge
from libretto.formats.midi.beats.judging import Beats, find_beats
from libretto.formats.midi.beats.playing import played, seconds_at, ticks_at
from libretto.formats.midi.beats.smoothing import smoothed
from libretto.formats.midi.source import MidiPart, MidiSource, effective_changes
from libretto.score.table import Floats, Ints
from libretto.score.time import FASTEST_MICROS, QUARTER, SLOWEST_MICROS, Meter
from libretto.score.validate import MAX_BARS

__all__ = ["beats_of", "retimed"]

T = TypeVar("T")
_MICROS_A_SECOND = 1e6
_DOTTED = 3 * QUARTER // 2  # ticks: the beat of compound meters


class _Clock(NamedTuple):
    """A tempo map and what it leaves out at the beginning, in seconds."""

    tempos: tuple[tuple[int, int], ...]
    left_out: float

    def ticks(self, seconds: Floats) -> Ints:
        """The ticks at which times fall, none before the beginning."""
        return np.maximum(0, np.round(ticks_at(self.tempos, seconds - self.left_out))).astype(np.int64)


def beats_of(source: MidiSource) -> Beats | None:
    """The beats and bars of a performance, from the notes alone; None where too little is played to have any.

    Times are seconds by the source's own tempo map.
    """
    performance = played(source)
    beats = find_beats(performance)
    return None if beats is None else beats._replace(times=smoothed(beats.times, performance))


def retimed(source: MidiSource) -> MidiSource:
    """The same performance with beats, bars and tempi found anew; a source with too few notes stays as it is."""
    beats = beats_of(source)
    if beats is None:
        return source
    last = max(float(seconds_at(source.tempos, (part.onset + part.duration).max())) for part in source.parts)
    times, before, left_out = _from_the_start(_to_the_end(beats.times, last))
    unit = _DOTTED if beats.compound else QUARTER
    micros = np.round(np.diff(times) * _MICROS_A_SECOND * QUARTER / unit).astype(np.int64)
    micros = np.clip(micros, FASTEST_MICROS, SLOWEST_MICROS)
    tempos = effective_changes([(beat * unit, tempo) for beat, tempo in enumerate(micros.tolist())])
    clock = _Clock(tempos, left_out)
    return source._replace(
        parts=tuple(_moved(part, source, clock) for part in source.parts),
        meters=_meters(beats, before, len(times) - 1),
        tempos=tempos,
        keys=_changed(source.keys, source, clock),
        markers=tuple(_shifted(source.markers, source, clock)),
        resolution=1,
    )


def _to_the_end(times: Floats, last: float) -> Floats:
    """The beats, going on at the last tempo until the music ends."""
    period = float(times[-1] - times[-2])
    more = max(0, int(np.ceil((last - times[-1]) / period))) + 1
    if len(times) + more > MAX_BARS:
        raise TooLarge(f"the piece would have {len(times) + more:,} beats; the limit is {MAX_BARS:,}")
    return np.concatenate([times, times[-1] + period * np.arange(1, more + 1)])


def _from_the_start(times: Floats) -> tuple[Floats, int, float]:
    """The beats from the very beginning, counted from there; how many are new; and what is left out, in seconds."""
    first, period = float(times[0]), float(times[1] - times[0])
    before = max(0, round(first / period))
    if before + len(times) > MAX_BARS:
        raise TooLarge(f"the piece would have {before + len(times):,} beats; the limit is {MAX_BARS:,}")
    if before == 0:
        return times - first, 0, first
    return np.concatenate([np.linspace(0.0, first, before, endpoint=False), times]), before, 0.0


def _meters(beats: Beats, before: int, count: int) -> tuple[tuple[int, Meter], ...]:
    """Meters at the bar lines: the beats' bars, those of the silence before, and a pickup where there is one."""
    size, unit = beats.size, _DOTTED if beats.compound else QUARTER
    lines = (np.flatnonzero(beats.places == 0) + before).tolist()
    if not lines:
        lines = [0]
    earlier = list(range(lines[0] - size, -1, -size))[::-1]
    lines = [*earlier, *lines, *range(lines[-1] + size, count + size, size)]
    if lines[0] > 0:
        lines = [0, *lines]
    lengths = [(start, stop - start) for start, stop in pairwise(lines)]
    if lengths[0][1] < size:  # a pickup has the meter of the piece, said again where its first bar begins
        pickup, lengths = [(0, size)], lengths[1:]
    else:
        pickup = []
    meters = [
        (start * unit, Meter(3 * beat, 8) if beats.compound else Meter(beat, 4)) for start, beat in pickup + lengths
    ]
    possible = [change for change in meters if change[1].is_possible]
    return (*possible[: len(pickup)], *effective_changes(possible[len(pickup) :]))


def _moved(part: MidiPart, source: MidiSource, clock: _Clock) -> MidiPart:
    """A part on the new clock; no note gets shorter than a tick."""
    onset = clock.ticks(seconds_at(source.tempos, part.onset))
    stop = clock.ticks(seconds_at(source.tempos, part.onset + part.duration))
    shortest = (part.duration > 0).astype(np.int64)
    return part._replace(onset=onset, duration=np.maximum(stop - onset, shortest))


def _shifted(changes: tuple[tuple[int, T], ...], source: MidiSource, clock: _Clock) -> list[tuple[int, T]]:
    if not changes:
        return []
    ticks = clock.ticks(seconds_at(source.tempos, np.array([tick for tick, _ in changes], dtype=np.int64)))
    return list(zip(ticks.tolist(), (value for _, value in changes), strict=True))


def _changed(changes: tuple[tuple[int, T], ...], source: MidiSource, clock: _Clock) -> tuple[tuple[int, T], ...]:
    """Changes at their new ticks, the last of several at one; the first holds from the beginning."""
    moved = dict(_shifted(changes, source, clock))
    if moved:
        moved.setdefault(0, changes[0][1])
    return effective_changes(sorted(moved.items()))
