"""Derived facts, computed once and shared by all axes.

Conventions: percussion takes no part. Time is in ticks until a value leaves, then in quarter notes. ``bar`` is the
index of a written bar; ``sounding`` are those with at least one pitched note, in order, and ``place`` is a note's
index among them. An onset is a (voice, time) pair; a chord is one onset and several notes.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER, Score

__all__ = ["TEN_THOUSAND", "Bools", "Floats", "Ints", "View", "entropy", "prominent", "view_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

TEN_THOUSAND = 10_000
_BITS = 1 << np.arange(12)
_MELODY_CHORDS, _MELODY_ONSETS = 1.4, 8


def view_of(score: Score) -> View:
    """The pitched notes of a Score and where they stand."""
    pitched = np.array([not voice.drums for voice in score.voices], dtype=np.bool_)
    table = score.table
    notes = table[pitched[table["voice"]]] if len(table) else table
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    triplets = np.array([grid.triplet for grid in score.grids], dtype=np.bool_)
    columns = ("voice", "onset", "duration", "pitch", "bar", "position")
    return View(tuple(notes[name].astype(np.int64) for name in columns), lines, triplets)


class View:
    """The pitched notes of a piece, or of some of its bars, in order of voice, time and pitch."""

    def __init__(self, columns: tuple[Ints, ...], lines: Ints, triplets: Bools) -> None:
        self.lines, self.triplets, self._columns = lines, triplets, columns
        self.voice, self.onset, self.duration, self.pitch, self.bar, self.position = columns

    def window(self, first: int, last: int) -> View:
        """The bars from ``first`` up to, not including, ``last``."""
        inside = np.flatnonzero((self.bar >= first) & (self.bar < last))
        voice, onset, duration, pitch, bar, position = (column[inside] for column in self._columns)
        columns = (voice, onset - self.lines[first], duration, pitch, bar - first, position)
        return View(columns, self.lines[first : last + 1] - self.lines[first], self.triplets[first:last])

    def __len__(self) -> int:
        return len(self.pitch)

    @property
    def bars(self) -> int:
        """Bars written, silent ones too."""
        return len(self.lines) - 1

    @cached_property
    def sounding(self) -> Ints:
        """The indices of the bars that sound."""
        return np.flatnonzero(np.bincount(self.bar, minlength=1))

    @property
    def count(self) -> int:
        """How many bars sound."""
        return len(self.sounding)

    @cached_property
    def place(self) -> Ints:
        """For each note the place of its bar among the sounding ones."""
        return np.searchsorted(self.sounding, self.bar)

    @cached_property
    def bar_length(self) -> Ints:
        """For each note how long its bar is."""
        return np.diff(self.lines)[self.bar]

    @cached_property
    def lengths(self) -> Ints:
        """Lengths in ten-thousandths of a quarter note: the published precision, in numbers that add up exactly."""
        return np.asarray(np.rint(self.duration * (TEN_THOUSAND / QUARTER)), dtype=np.int64)

    @cached_property
    def _onset_starts(self) -> Ints:
        """Where each onset begins: notes stand in order of voice, time and pitch, as in ``score.table``."""
        change = np.ones(len(self), dtype=np.bool_)
        change[1:] = (self.voice[1:] != self.voice[:-1]) | (self.onset[1:] != self.onset[:-1])
        return np.flatnonzero(change)

    @cached_property
    def onset_voice(self) -> Ints:
        """The voice of each onset."""
        return self.voice[self._onset_starts]

    @cached_property
    def onset_position(self) -> Ints:
        """Where in its bar each onset stands."""
        return self.position[self._onset_starts]

    @cached_property
    def onset_top(self) -> Ints:
        """The highest pitch of each onset, in order of voice and time."""
        return np.maximum.reduceat(self.pitch, self._onset_starts)

    @cached_property
    def onset_width(self) -> Ints:
        """From the lowest to the highest pitch of each onset."""
        return self.onset_top - np.minimum.reduceat(self.pitch, self._onset_starts)

    @property
    def onsets(self) -> int:
        """How many onsets there are."""
        return len(self._onset_starts)

    @cached_property
    def voices(self) -> Ints:
        """The voices that sound."""
        return np.flatnonzero(np.bincount(self.voice, minlength=1))

    @cached_property
    def mean_pitch(self) -> Floats:
        """The mean pitch of each sounding voice."""
        which = np.searchsorted(self.voices, self.voice)
        return np.bincount(which, weights=self.pitch) / np.bincount(which)

    @property
    def bass(self) -> int:
        """The voice with the lowest mean pitch."""
        return self._extreme(self.mean_pitch == self.mean_pitch.min())

    @cached_property
    def melody(self) -> int:
        """The highest voice that mostly plays single notes and plays often enough; else the highest voice."""
        notes = np.bincount(np.searchsorted(self.voices, self.voice), minlength=len(self.voices))
        onsets = np.bincount(np.searchsorted(self.voices, self.onset_voice), minlength=len(self.voices))
        lines = (notes / onsets < _MELODY_CHORDS) & (onsets >= _MELODY_ONSETS)
        height = np.where(lines, self.mean_pitch, -1.0) if lines.any() else self.mean_pitch
        return self._extreme(height == height.max())

    def _extreme(self, candidates: Bools) -> int:
        """The candidate voice; of several the one with fewer, then later notes: the order of voices is no matter."""
        voices = self.voices[candidates].tolist()
        if len(voices) == 1:
            return int(voices[0])

        def rank(voice: int) -> tuple[object, ...]:
            mine = self.voice == voice
            return (-int(mine.sum()), *(column[mine].tolist() for column in (self.onset, self.pitch, self.duration)))

        return int(max(voices, key=rank))

    @cached_property
    def moves(self) -> Ints:
        """The melody's intervals in semitones, repeated notes left out."""
        line = self.onset_top[self.onset_voice == self.melody]
        steps = line[1:] - line[:-1]
        return np.asarray(steps[steps != 0])

    @cached_property
    def pitch_mass(self) -> Floats:
        """How long each pitch class sounds, in ten-thousandths of a quarter."""
        return np.bincount(self.pitch % 12, weights=self.lengths, minlength=12).astype(np.float64)

    @cached_property
    def halves(self) -> Ints:
        """The prominent pitch classes of each half of each sounding bar, as bits."""
        half = self.place * 2 + (self.position * 2 >= self.bar_length)
        return prominent(self._mass_by(half, 2 * self.count))

    @cached_property
    def by_bar(self) -> Ints:
        """The prominent pitch classes of each sounding bar, as bits."""
        return prominent(self._mass_by(self.place, self.count))

    def _mass_by(self, group: Ints, groups: int) -> Floats:
        flat = np.bincount(group * 12 + self.pitch % 12, weights=self.lengths, minlength=groups * 12)
        return flat.reshape(groups, 12).astype(np.float64)

    @cached_property
    def root_motion(self) -> Ints:
        """From bar to bar how far the lowest bass note rises, modulo the octave; bars without bass are skipped."""
        mine = np.flatnonzero(self.voice == self.bass)
        bar = self.bar[mine]
        starts = np.concatenate(([0], np.flatnonzero(bar[1:] != bar[:-1]) + 1))
        lowest = np.minimum.reduceat(self.pitch[mine], starts)
        return np.asarray((lowest[1:] - lowest[:-1]) % 12)

    @cached_property
    def likeness(self) -> Floats:
        """How alike the sounding bars are: shared notes over all notes, for every pair."""
        keys = ((self.voice << 40) + self.position << 7) + self.pitch
        kinds, which = np.unique(keys, return_inverse=True)
        shown = np.zeros((self.count, len(kinds)), dtype=np.float32)
        shown[self.place, which] = 1.0
        both = (shown @ shown.T).astype(np.float64)
        size = np.diag(both)
        return both / (size[:, None] + size[None, :] - both)


def prominent(mass: Floats) -> Ints:
    """Pitch classes that sound at least 0.3 times as long as the longest, row by row, as bits; none in silence."""
    peak = mass.max(axis=1, keepdims=True)
    return np.asarray(((10 * mass >= 3 * peak) & (mass > 0)) @ _BITS)


def entropy(counts: Floats | Ints) -> float:
    """Entropy over what occurs, from 0 (one thing) to 1 (all equally often)."""
    found = counts[counts > 0]
    if len(found) < 2:
        return 0.0
    share = found / found.sum()
    return float(-(share * np.log2(share)).sum() / np.log2(len(found)))
