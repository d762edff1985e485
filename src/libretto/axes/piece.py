"""A piece as it is measured: its notes as columns, and what they come to bar by bar, each worked out once.

Conventions: these are the pitched notes; percussion stands apart, in ``kit``. Notes are in order of voice, time and
pitch. Time is in ticks. An onset is a (voice, time) pair; a chord is one onset and several notes. A *cell* is what one
voice plays in one bar.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes.counting import TEN_THOUSAND, Kit, bar_likeness, prominent
from libretto.axes.fact import fact
from libretto.score import QUARTER, Score
from libretto.score.general_midi import guess_program
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import WHOLE, Grid

__all__ = ["Piece"]

_CLASSES = np.arange(128) % 12  # the pitch class of each pitch
_PITCH_BITS = 7  # of the one number that says what kind of note a note is: its voice, its place, its pitch


def _changes(first: Ints, second: Ints) -> Ints:
    """Where either of two columns is another than in the row before."""
    change = np.ones(len(first), dtype=np.bool_)
    change[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return np.flatnonzero(change)


def _sizes(starts: Ints, stop: int) -> Ints:
    """How long each of several runs is, the last of which ends before ``stop``."""
    sizes = np.empty_like(starts)
    sizes[:-1] = starts[1:] - starts[:-1]
    sizes[-1:] = stop - starts[-1:]
    return sizes


class Piece:
    """The pitched notes of a piece and the bars they stand in."""

    def __init__(self, score: Score, table: NDArray[Any], grids: tuple[Grid, ...]) -> None:
        drums = np.array([voice.drums for voice in score.voices], dtype=np.bool_)
        strokes = table[:0]
        if drums.any():
            percussive = drums[table["voice"]]
            table, strokes = table[~percussive], table[percussive]
        self._table, self._score, self._grids, self.kit = table, score, grids, Kit(strokes)
        self.voice, self.onset, self.pitch, self.bar, self.position = (
            table[name].astype(np.int64) for name in ("voice", "onset", "pitch", "bar", "position")
        )
        self.bars, self.voices = score.bars, max(1, len(score.voices))

    @fact
    def duration(self) -> Ints:
        """How long each note lasts."""
        return self._table["duration"].astype(np.int64)

    @fact
    def velocity(self) -> Ints:
        """How loud each note is."""
        return self._table["velocity"].astype(np.int64)

    @fact
    def programs(self) -> Ints:
        """The instrument of each voice: what its name suggests where it names none."""
        programs = [guess_program(v.name) if v.program is None else v.program for v in self._score.voices]
        return np.array(programs or [0], dtype=np.int64)

    @fact
    def bar_lengths(self) -> Ints:
        """The length of each bar."""
        lines = np.array(self._score.bar_lines, dtype=np.int64)
        return lines[1:] - lines[:-1]

    @fact
    def bar_seconds(self) -> Floats:
        """How long each bar sounds."""
        return np.diff(self._score.seconds_at(np.array(self._score.bar_lines, dtype=np.int64)))

    @fact
    def triplets(self) -> Bools:
        """Which bars are written on a triplet grid."""
        return np.array([grid.triplet for grid in self._grids], dtype=np.bool_)

    @fact
    def notes_by_bar(self) -> Ints:
        """How many notes start in each bar."""
        return np.bincount(self.bar, minlength=self.bars)

    @fact
    def sounding(self) -> Bools:
        """Which bars have at least one note."""
        return self.notes_by_bar > 0

    @fact
    def lengths(self) -> Ints:
        """Lengths in ten-thousandths of a quarter note: the published precision, in numbers that add up exactly."""
        return np.asarray(np.rint(self.duration * (TEN_THOUSAND / QUARTER)), dtype=np.int64)

    # onsets

    @fact
    def _starts(self) -> Ints:
        """Where each onset begins."""
        return _changes(self.onset, self.voice)

    @fact
    def onset_size(self) -> Ints:
        """How many notes each onset has."""
        return _sizes(self._starts, len(self.pitch))

    @fact
    def onset_voice(self) -> Ints:
        """The voice of each onset."""
        return self.voice[self._starts]

    @fact
    def onset_bar(self) -> Ints:
        """The bar of each onset."""
        return self.bar[self._starts]

    @fact
    def onset_time(self) -> Ints:
        """When each onset sounds."""
        return self.onset[self._starts]

    @fact
    def onset_position(self) -> Ints:
        """Where in its bar each onset stands."""
        return self.position[self._starts]

    @fact
    def onset_low(self) -> Ints:
        """The lowest pitch of each onset."""
        return self.pitch[self._starts]

    @fact
    def onset_top(self) -> Ints:
        """The highest pitch of each onset."""
        return np.asarray(self.pitch[self._starts + (self.onset_size - 1)])

    # cells

    @fact
    def _cells(self) -> Ints:
        """The first onset of each cell."""
        return _changes(self.onset_bar, self.onset_voice)

    @fact
    def _first_notes(self) -> Ints:
        """The first note of each cell."""
        return self._starts[self._cells]

    @fact
    def cell_voice(self) -> Ints:
        """The voice of each cell."""
        return self.onset_voice[self._cells]

    @fact
    def cell_bar(self) -> Ints:
        """The bar of each cell."""
        return self.onset_bar[self._cells]

    @fact
    def cell_notes(self) -> Ints:
        """How many notes each cell has."""
        return _sizes(self._first_notes, len(self.pitch))

    @fact
    def cell_onsets(self) -> Ints:
        """How many onsets each cell has."""
        return _sizes(self._cells, len(self._starts))

    @fact
    def cell_low(self) -> Ints:
        """The lowest pitch of each cell."""
        return self.of_cells(self.pitch, np.minimum)

    @fact
    def cell_top(self) -> Ints:
        """The highest pitch of each cell."""
        return self.of_cells(self.pitch, np.maximum)

    def of_cells(self, of_notes: Ints, way: np.ufunc = np.add) -> Ints:
        """Something of notes added up, or its least or largest, for each cell."""
        return np.asarray(way.reduceat(of_notes, self._first_notes)) if len(of_notes) else of_notes

    def of_cell_onsets(self, of_onsets: Ints | Bools, way: np.ufunc = np.add) -> Ints:
        """The same of something of onsets."""
        return (
            np.asarray(way.reduceat(of_onsets.astype(np.int64, copy=False), self._cells))
            if len(of_onsets)
            else self.pitch
        )

    # harmony and likeness

    @fact
    def half_mass(self) -> Floats:
        """How long each pitch class sounds, by bar and half of it, in ten-thousandths of a quarter."""
        late = self.position * 2 >= self.bar_lengths[self.bar]
        where = (self.bar * 2 + late) * 12 + _CLASSES[self.pitch]
        mass = np.bincount(where, self.lengths, minlength=24 * self.bars)
        return mass.astype(np.float64, copy=False).reshape(self.bars, 2, 12)

    @fact
    def bar_mass(self) -> Floats:
        """How long each pitch class sounds, by bar."""
        return np.asarray(self.half_mass[:, 0] + self.half_mass[:, 1])

    @fact
    def half_sets(self) -> Ints:
        """The prominent pitch classes of each half of each bar, as bits; 0 in silence."""
        return prominent(self.half_mass.reshape(-1, 12)).reshape(-1, 2)

    @fact
    def bar_sets(self) -> Ints:
        """The prominent pitch classes of each bar, as bits; 0 in silence."""
        return prominent(self.bar_mass)

    @fact
    def likeness(self) -> Floats:
        """How alike the bars that sound are: shared notes over all notes, for every pair."""
        slot = gcd(*(WHOLE // division for division in {grid.division for grid in self._grids}))
        place = self.position // slot  # as notes stand on the grids of their bars, in the smallest numbers
        kinds = ((self.voice << int(place.max(initial=0)).bit_length()) + place << _PITCH_BITS) + self.pitch
        sounding = np.cumsum(self.sounding) - 1
        return bar_likeness(sounding[self.bar], kinds, int(sounding[-1]) + 1)
