"""A player for a Score: what a person adds to the page without being told.

Loudness is in ``dynamics``; here is time. All voices share a small unsteadiness at each tick, each adds its own, chords
of plucked and struck instruments are spread a little, the bass leans back, and a key that is struck again is let go
before. A voice that lies off the grid was played by somebody already and keeps its time. No note changes places with
another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score import WHOLE, Score, Voice, played
from libretto.score.table import Floats, Ints, frozen
from libretto.sound.articulation import articulate
from libretto.sound.dynamics import leaning, shaded
from libretto.sound.mix import program_of
from libretto.sound.synth import BLOCKS_A_SECOND, DRUM_CHANNEL, MAX_SAMPLES_AT_ONCE

__all__ = ["KEYED", "PLAYED", "Performance", "Strip", "keyed", "passes", "perform"]

_SHARED_SECONDS, _OWN_SECONDS, _DRUM_SECONDS = 0.004, 0.007, 0.004
_BASS_LEAN_SECONDS = 0.003
_LARGEST_SPREAD_SECONDS = 0.03
#: Seconds from note to note of a chord: pianos and mallets, guitars, the harp.
_SPREADS = ((range(0, 16), 0.002), (range(24, 32), 0.007), (range(46, 47), 0.009))
_BASSES = range(32, 40)
_PLAYED_PART = 0.25  # of the starts: so many off every grid were played
_SAFE = 4  # a note moves by at most this part of the time to its neighbour
_LIFT_PART = 5  # a key is lifted by at most this part of the time between two strokes
_SHORTEST_SECONDS, _LIFT_SECONDS = 0.001, 0.025
_LATTICES = (WHOLE // 48, WHOLE // 64)  #: starts on neither of these were played, not written


def perform(score: Score, seed: int = 0) -> Performance:
    """Play a Score as a careful musician would: the same playing for the same Score and seed.

    Velocities that a person varied keep their order within a voice (see ``dynamics``); dots shorten notes, and the
    pedal holds them (see ``articulation``).
    """
    score = played(score)
    notes = Performance.exact(score).notes.copy()
    notes["velocity"] = shaded(score, seed)
    for index, voice in enumerate(score.voices):
        rows = slice(*np.searchsorted(score.table["voice"], [index, index + 1]))
        if rows.start < rows.stop:
            _move(notes[rows], score.table[rows], voice, seed)
    articulate(score, notes)
    return Performance(score, frozen(notes))


def _move(notes: NDArray[Any], written: NDArray[Any], voice: Voice, seed: int) -> None:
    """Move the notes of one voice in time."""
    length = notes["stop"] - notes["start"]
    if not _was_played(written):
        onset = written["onset"]
        own = _DRUM_SECONDS if voice.drums else _OWN_SECONDS
        name = sum(map(ord, voice.name))
        shift = _SHARED_SECONDS * leaning(seed, onset) + own * leaning(seed, onset, name)
        shift += _BASS_LEAN_SECONDS if not voice.drums and program_of(voice) in _BASSES else 0.0
        shift += _spread(written, voice)
        notes["start"] += _within_gaps(notes["start"], shift)
        np.maximum(notes["start"], 0.0, out=notes["start"])
    notes["stop"] = notes["start"] + length
    _lift(notes)


def _was_played(written: NDArray[Any]) -> bool:
    """Whether a quarter of the starts or more lie on no usual grid."""
    off = np.all([written["position"] % step != 0 for step in _LATTICES], axis=0)
    return bool(off.mean() >= _PLAYED_PART)


def _spread(written: NDArray[Any], voice: Voice) -> Floats:
    """How much later each note of a chord is struck than its lowest: strings and hammers are not one machine."""
    step = 0.0 if voice.drums else _spread_seconds(program_of(voice))
    fresh = np.ones(len(written), dtype=np.bool_)
    fresh[1:] = np.diff(written["onset"]) != 0
    place = np.arange(len(written))
    rank = place - place[fresh][np.cumsum(fresh) - 1]
    return np.asarray(np.minimum(rank * step, _LARGEST_SPREAD_SECONDS))


def _spread_seconds(program: int) -> float:
    return next((seconds for programs, seconds in _SPREADS if program in programs), 0.0)


def _within_gaps(start: Floats, shift: Floats) -> Floats:
    """Shifts of at most a quarter of the time to the neighbouring start, so that order is kept."""
    times, which = np.unique(start, return_inverse=True)
    gaps = np.diff(times, prepend=-np.inf, append=np.inf)
    most = np.minimum(gaps[:-1], gaps[1:])[which] / _SAFE
    return np.asarray(np.clip(shift, -most, most))


def _lift(notes: NDArray[Any]) -> None:
    """Let a key go shortly before it is struck again."""
    order = np.lexsort((notes["start"], notes["pitch"]))
    start, stop, pitch = notes["start"][order], notes["stop"][order].copy(), notes["pitch"][order]
    again = (pitch[1:] == pitch[:-1]) & (start[1:] > start[:-1]) & (stop[:-1] >= start[1:] - _LIFT_SECONDS)
    again &= stop[:-1] <= start[1:] + _LIFT_SECONDS  # a longer overlap was meant
    lifted = start[1:] - np.minimum(_LIFT_SECONDS, (start[1:] - start[:-1]) / _LIFT_PART)
    stop[:-1] = np.where(again, np.minimum(stop[:-1], lifted), stop[:-1])
    notes["stop"][order] = np.maximum(stop, start + _SHORTEST_SECONDS)


PLAYED = np.dtype([("start", "<f8"), ("stop", "<f8"), ("pitch", "<i2"), ("velocity", "<i2"), ("voice", "<i4")])


@dataclass(frozen=True, eq=False)
class Performance:
    """Every note of a Score as it sounds, in the order of ``score.table``; ``notes`` has ``PLAYED`` rows, read-only."""

    score: Score
    notes: NDArray[Any]

    @classmethod
    def exact(cls, score: Score) -> Performance:
        """The piece as written: times by the tempo map, velocities as they stand."""
        score = played(score)
        table = score.table
        notes = np.empty(len(table), PLAYED)
        notes["start"] = score.seconds_at(table["onset"])
        notes["stop"] = score.seconds_at(table["onset"] + table["duration"])
        for column in ("pitch", "velocity", "voice"):
            notes[column] = table[column]
        return cls(score, frozen(notes))

    @property
    def voices(self) -> tuple[Voice, ...]:
        """The voices that play."""
        return self.score.voices

    @property
    def seconds(self) -> float:
        """When the last note has been released."""
        return float(self.notes["stop"].max(initial=0.0))


KEYED = np.dtype([("start", "<i8"), ("stop", "<i8"), ("pitch", "<i2"), ("velocity", "<i2")])
_PITCHED = [channel for channel in range(16) if channel != DRUM_CHANNEL]
_AT_ONCE = 3 * MAX_SAMPLES_AT_ONCE // 4  # the rest is for notes that ring after their release
_BIN = BLOCKS_A_SECOND // 20  # blocks in which it is counted what sounds at once
_SHORTEST_STROKE_SECONDS = 0.25


class Strip(NamedTuple):
    """Some notes of one voice on one channel, as ``KEYED`` rows: starts and stops in blocks."""

    voice: int
    channel: int
    notes: NDArray[Any]


@dataclass
class _Pass:
    load: Ints
    strips: list[Strip] = field(default_factory=list)
    kit: int | None = None

    def take(self, voice: int, notes: NDArray[Any], load: Ints, kit: int | None) -> bool:
        """Play these notes of a voice too, if there is a channel and room for them."""
        channel = self._channel_for(kit)
        if channel is None or (self.strips and int((self.load + load).max()) > _AT_ONCE):
            return False
        self.load += load
        self.kit = kit if kit is not None else self.kit
        self.strips.append(Strip(voice, channel, notes))
        return True

    def _channel_for(self, kit: int | None) -> int | None:
        """A channel for one more voice, if there is one; a new pass has every channel free."""
        if kit is not None:
            return DRUM_CHANNEL if self.kit in (None, kit) else None
        taken = {strip.channel for strip in self.strips}
        return next((channel for channel in _PITCHED if channel not in taken), None)


def keyed(notes: NDArray[Any], drums: bool = False) -> NDArray[Any]:
    """The notes of a voice in blocks, such that no key is struck while it is held: what overlaps is cut.

    A key that is struck while it is held sounds anew and until the last of its notes ends. Notes of one key that start
    together become one, the loudest and longest. Strokes on drums are held for a while, because some kits stop their
    samples when a key is let go.
    """
    if not len(notes):
        return np.empty(0, KEYED)
    held = np.maximum(notes["stop"], notes["start"] + _SHORTEST_STROKE_SECONDS) if drums else notes["stop"]
    rows = np.empty(len(notes), KEYED)
    rows["start"] = np.rint(notes["start"] * BLOCKS_A_SECOND)
    rows["stop"] = np.maximum(np.rint(held * BLOCKS_A_SECOND), rows["start"] + 1)
    rows["pitch"], rows["velocity"] = notes["pitch"], notes["velocity"]
    rows = rows[np.lexsort((-rows["velocity"], rows["start"], rows["pitch"]))]
    # A key's notes stand together; shifting each key beyond the one before lets one running maximum serve all.
    shift = rows["pitch"].astype(np.int64) * (int(rows["stop"].max(initial=0)) + 1)
    stop = np.maximum.accumulate(rows["stop"] + shift) - shift
    leads = np.ones(len(rows), dtype=np.bool_)
    leads[1:] = (np.diff(rows["pitch"]) != 0) | (np.diff(rows["start"]) != 0)
    first = np.flatnonzero(leads)
    last = np.append(first[1:], len(rows)) - 1
    chosen, ends = rows[first], stop[last]
    again = chosen["pitch"][1:] == chosen["pitch"][:-1]
    ends[:-1] = np.where(again, np.minimum(ends[:-1], chosen["start"][1:]), ends[:-1])
    chosen["stop"] = ends
    return chosen


def passes(performance: Performance, layers: Sequence[Ints], kits: Sequence[int | None]) -> list[list[Strip]]:
    """The strips of each pass; for each voice ``layers`` says how many samples a key takes, ``kits`` its kit."""
    bins = int((performance.seconds + 1) * BLOCKS_A_SECOND) // _BIN + 2
    made: list[_Pass] = []
    for index, voice in enumerate(performance.voices):
        notes = keyed(performance.notes[performance.notes["voice"] == index], voice.drums)
        if not len(notes):
            continue
        parts = -(-int(_load(notes, layers[index], bins).max()) // _AT_ONCE)
        for part in range(max(1, parts)):
            some = notes[part :: max(1, parts)]
            _place(made, index, some, _load(some, layers[index], bins), kits[index])
    return [one.strips for one in made]


def _load(notes: NDArray[Any], layers: Ints, bins: int) -> Ints:
    """How many samples sound in each short stretch of time."""
    cost = np.maximum(1, layers[notes["pitch"]])
    change = np.zeros(bins + 1, dtype=np.int64)
    np.add.at(change, notes["start"] // _BIN, cost)
    np.add.at(change, np.minimum(notes["stop"] // _BIN + 1, bins), -cost)
    return np.cumsum(change[:-1])


def _place(made: list[_Pass], voice: int, notes: NDArray[Any], load: Ints, kit: int | None) -> None:
    """Put notes into the first pass that has a channel and room for them, or into a new one."""
    if not any(one.take(voice, notes, load, kit) for one in made):
        made.append(_Pass(np.zeros(len(load), dtype=np.int64)))
        made[-1].take(voice, notes, load, kit)
