"""Derived facts, computed once and shared by all axes.

Conventions: a View holds the pitched notes of several *stretches* side by side: first a whole piece, then its windows
or whatever else ``stretches`` cut out. Every fact and every axis is an array with one entry a stretch, so a piece and
its windows cost little more than the piece alone; NaN says that something does not apply. Percussion stands apart, in
``kit``. Time is in ticks until a value leaves, then in quarter notes. ``bar`` numbers the written bars of all stretches
in a row; ``sounding`` are those with at least one pitched note, and ``place`` is a note's index among them. An onset is
a (voice, time) pair; a chord is one onset and several notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from libretto.axes.counting import TEN_THOUSAND, Kit, bar_likeness, prominent
from libretto.axes.fact import fact
from libretto.score import QUARTER
from libretto.score.table import Bools, Floats, Ints

__all__ = ["View"]

_MELODY_CHORDS = 1.4  # notes an onset; a voice with fewer plays a line
_MELODY_ONSETS = 8  # a voice with fewer onsets is too seldom heard to be the melody
_OF_NOTES = ("group", "voice", "onset", "duration", "pitch", "velocity", "program", "bar", "position")
_OF_BARS = ("bar_group", "bar_lengths", "bar_seconds", "triplets")
_PITCH_BITS = 7  # of the one number that says what kind of note a note is: its voice, its place, its pitch


class View:
    """Pitched notes of several stretches, ordered by stretch, voice, time and pitch, and the bars they stand in."""

    def __init__(
        self,
        *,
        group: Ints,
        voice: Ints,
        onset: Ints,
        duration: Ints,
        pitch: Ints,
        velocity: Ints,
        program: Ints,
        bar: Ints,
        position: Ints,
        bar_group: Ints,
        bar_lengths: Ints,
        bar_seconds: Floats,
        triplets: Bools,
        kit: Kit,
        spread: Mapping[str, float] | None = None,
    ) -> None:
        self.group, self.voice, self.onset, self.duration = group, voice, onset, duration
        self.pitch, self.velocity, self.program, self.bar, self.position = pitch, velocity, program, bar, position
        self.bar_group, self.bar_lengths, self.bar_seconds = bar_group, bar_lengths, bar_seconds
        self.triplets, self.kit = triplets, kit
        self.groups, self.spread = int(bar_group[-1]) + 1, spread
        self.among: View | None = None  # the view whose first stretch this one is
        self.known: dict[str, Floats] = {}  # axes measured so far
        self.facts: dict[str, Floats] = {}  # what several axes of one family share

    @cached_property
    def whole(self) -> View:
        """The first stretch alone."""
        notes, strokes = (int(np.searchsorted(group, 1)) for group in (self.group, self.kit.group))
        bars = int(np.searchsorted(self.bar_group, 1))
        columns = {name: getattr(self, name)[:notes] for name in _OF_NOTES}
        columns |= {name: getattr(self, name)[:bars] for name in _OF_BARS}
        whole = View(**columns, kit=self.kit.first(strokes), spread=self.spread)
        whole.among = self
        return whole

    def size_of(self, kind: str) -> int:
        """How many stretches, notes, sounding bars, halves of those, onsets or voices there are."""
        if kind == "note":
            return len(self.pitch)
        if kind == "stretch":
            return self.groups
        if kind in ("sounding", "half"):
            bars = int(np.count_nonzero(np.bincount(self.bar, minlength=1)))
            return bars if kind == "sounding" else 2 * bars
        group = self.among.onset_group if kind == "onset" else self.among.voice_group  # type: ignore[union-attr]
        return int(np.searchsorted(group, 1))

    def total(self, where: Ints, weights: Ints | Floats | Bools | None = None) -> Floats:
        """How many, or how much, falls to each stretch."""
        return np.bincount(where, weights, minlength=self.groups).astype(np.float64, copy=False)

    def table(self, row: Ints, column: Ints, columns: int, weights: Ints | None = None) -> Floats:
        """Counts or sums by stretch (or any other row) and column."""
        rows = self.groups if row is self.group else int(row.max(initial=-1)) + 1
        flat = np.bincount(row * columns + column, weights, minlength=rows * columns)
        return flat.reshape(rows, columns).astype(np.float64, copy=False)

    @fact("stretch")
    def notes(self) -> Floats:
        """Notes of each stretch."""
        return self.total(self.group)

    @fact("stretch")
    def bars(self) -> Floats:
        """Bars written, silent ones too."""
        return self.total(self.bar_group)

    @fact("sounding")
    def sounding(self) -> Ints:
        """The bars that sound."""
        return np.flatnonzero(np.bincount(self.bar, minlength=1))

    @fact("sounding")
    def sounding_group(self) -> Ints:
        """The stretch of each sounding bar."""
        return self.bar_group[self.sounding]

    @fact("stretch")
    def count(self) -> Floats:
        """How many bars of each stretch sound."""
        return self.total(self.sounding_group)

    @fact("note")
    def place(self) -> Ints:
        """For each note the place of its bar among the sounding ones."""
        return np.searchsorted(self.sounding, self.bar)

    @fact("note")
    def lengths(self) -> Ints:
        """Lengths in ten-thousandths of a quarter note: the published precision, in numbers that add up exactly."""
        return np.asarray(np.rint(self.duration * (TEN_THOUSAND / QUARTER)), dtype=np.int64)

    @fact("onset")
    def _starts(self) -> Ints:
        """Where each onset begins."""
        change = np.ones(len(self.pitch), dtype=np.bool_)
        change[1:] = (self.key[1:] != self.key[:-1]) | (self.onset[1:] != self.onset[:-1])
        return np.flatnonzero(change)

    @fact("onset")
    def onset_group(self) -> Ints:
        """The stretch of each onset."""
        return self.group[self._starts]

    @fact("stretch")
    def onsets(self) -> Floats:
        """How many onsets each stretch has."""
        return self.total(self.onset_group)

    @fact("onset")
    def onset_key(self) -> Ints:
        """The voice and stretch of each onset, as one number."""
        return self.key[self._starts]

    @fact("onset")
    def onset_time(self) -> Ints:
        """When each onset sounds."""
        return self.onset[self._starts]

    @fact("onset")
    def onset_size(self) -> Ints:
        """How many notes each onset has."""
        return np.diff(self._starts, append=len(self.pitch))

    @fact("onset")
    def onset_position(self) -> Ints:
        """Where in its bar each onset stands."""
        return self.position[self._starts]

    @fact("onset")
    def onset_top(self) -> Ints:
        """The highest pitch of each onset."""
        return np.maximum.reduceat(self.pitch, self._starts) if len(self.pitch) else self.pitch

    @fact("onset")
    def onset_width(self) -> Ints:
        """From the lowest to the highest pitch of each onset."""
        return self.onset_top - np.minimum.reduceat(self.pitch, self._starts) if len(self.pitch) else self.pitch

    @fact("note")
    def key(self) -> Ints:
        """One number for each voice of each stretch."""
        return self.group * (int(self.voice.max(initial=0)) + 1) + self.voice

    @fact("voice")
    def voices(self) -> Ints:
        """The keys of the voices that sound."""
        return np.flatnonzero(np.bincount(self.key, minlength=1))

    @fact("voice")
    def voice_group(self) -> Ints:
        """The stretch of each sounding voice."""
        return self.voices // (int(self.voice.max(initial=0)) + 1)

    @fact("voice")
    def _mean_pitch(self) -> Floats:
        size = np.bincount(self.key)[self.voices]
        return np.asarray(np.bincount(self.key, self.pitch)[self.voices] / size)

    @fact("note")
    def bass(self) -> Bools:
        """Which notes belong to the voice with the lowest mean pitch of their stretch."""
        return self._notes_of(self._chosen(-self._mean_pitch))

    @cached_property
    def _melody(self) -> Ints:
        """The highest voice that mostly plays single notes and plays often enough; else the highest voice."""
        onsets = np.bincount(self.key[self._starts], minlength=1)[self.voices]
        line = (np.bincount(self.key)[self.voices] / onsets < _MELODY_CHORDS) & (onsets >= _MELODY_ONSETS)
        some = self.total(self.voice_group, line)[self.voice_group] > 0
        return self._chosen(np.where(line | ~some, self._mean_pitch, -1.0))

    @fact("note")
    def melody(self) -> Bools:
        """Which notes belong to the melody voice of their stretch."""
        return self._notes_of(self._melody)

    def _notes_of(self, keys: Ints) -> Bools:
        chosen = np.zeros(int(self.key.max(initial=0)) + 1, dtype=np.bool_)
        chosen[keys] = True
        return chosen[self.key]

    def _chosen(self, height: Floats) -> Ints:
        """For each stretch the key of its highest voice; of several the one with fewer, then later notes."""
        edges = np.flatnonzero(np.diff(self.voice_group, prepend=-1))
        best = np.maximum.reduceat(height, edges) if len(edges) else height
        top = height == best[np.cumsum(np.diff(self.voice_group, prepend=-1) > 0) - 1]
        rivals = self.voices[top]
        groups = self.voice_group[top]
        if len(rivals) == len(edges):
            return np.asarray(rivals)
        return np.array([max(rivals[groups == group].tolist(), key=self._rank) for group in np.unique(groups)])

    def _rank(self, key: int) -> tuple[object, ...]:
        """What decides between voices of equal mean pitch, so that the order of voices is no matter."""
        mine = self.key == key
        return (-int(mine.sum()), *(column[mine].tolist() for column in (self.onset, self.pitch, self.duration)))

    @fact("pairs")
    def bass_line(self) -> tuple[Ints, Ints]:
        """The lowest note of each onset of the bass voice, and its stretch."""
        mine = self.bass[self._starts]
        lowest = self.onset_top - self.onset_width
        return lowest[mine], self.onset_group[mine]

    @fact("pairs")
    def moves(self) -> tuple[Ints, Ints]:
        """The melody's intervals in semitones, repeated notes left out, and the stretch of each."""
        line = np.flatnonzero(self.melody[self._starts])
        top, group = self.onset_top[line], self.onset_group[line]
        step = top[1:] - top[:-1]
        real = (step != 0) & (group[1:] == group[:-1])
        return step[real], group[1:][real]

    @fact("stretch")
    def pitch_mass(self) -> Floats:
        """How long each pitch class sounds in each stretch, in ten-thousandths of a quarter."""
        return self.table(self.group, self.pitch % 12, 12, self.lengths)

    @fact("half")
    def halves(self) -> Ints:
        """The prominent pitch classes of each half of each sounding bar, as bits."""
        half = self.place * 2 + (self.position * 2 >= self.bar_lengths[self.bar])
        mass = np.bincount(half * 12 + self.pitch % 12, self.lengths, minlength=2 * 12 * len(self.sounding))
        return prominent(mass.reshape(-1, 12).astype(np.float64))

    @fact("sounding")
    def by_bar(self) -> Ints:
        """The prominent pitch classes of each sounding bar, as bits."""
        return prominent(self.table(self.place, self.pitch % 12, 12, self.lengths))

    @fact("pairs")
    def root_motion(self) -> tuple[Ints, Ints]:
        """How far the lowest bass note rises from bar to bar, modulo the octave, and the stretch of each move.

        Bars without bass are skipped.
        """
        place = self.place[self.bass]
        starts = np.flatnonzero(np.diff(place, prepend=-1))
        lowest = np.minimum.reduceat(self.pitch[self.bass], starts) if len(starts) else starts
        group = self.sounding_group[place[starts]]
        follows = group[1:] == group[:-1]
        return ((lowest[1:] - lowest[:-1]) % 12)[follows], group[1:][follows]

    @fact("whole")
    def likeness(self) -> Floats:
        """How alike the sounding bars of the whole piece are: shared notes over all notes, for every pair."""
        whole = slice(0, int(np.searchsorted(self.group, 1)))
        bits = max(1, int(self.position[whole].max(initial=0)).bit_length())
        kinds = ((self.voice[whole] << bits) + self.position[whole] << _PITCH_BITS) + self.pitch[whole]
        return bar_likeness(self.place[whole], kinds, int(self.count[0]))
