"""A piece as it is measured: its notes as columns, and what they come to bar by bar, each worked out once.

Conventions: these are the pitched notes; percussion stands apart, in ``kit``. Notes are in order of voice, time and
pitch. Time is in ticks. An onset is a (voice, time) pair; a chord is one onset and several notes. A *cell* is what one
voice plays in one bar.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes.counting import TEN_THOUSAND, Kit, bar_likeness, prominent
from libretto.axes.fact import fact
from libretto.score import QUARTER, Score
from libretto.score.general_midi import guess_program
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import Grid

__all__ = ["SILENT", "Piece"]

SILENT = 128  #: the lowest pitch of a cell without notes: higher than any
_PITCH_BITS = 7  # of the one number that says what kind of note a note is: its voice, its place, its pitch


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

    @fact
    def _starts(self) -> Ints:
        """Where each onset begins."""
        change = np.ones(len(self.pitch), dtype=np.bool_)
        change[1:] = (self.onset[1:] != self.onset[:-1]) | (self.voice[1:] != self.voice[:-1])
        return np.flatnonzero(change)

    @fact
    def onset_size(self) -> Ints:
        """How many notes each onset has."""
        return np.diff(self._starts, append=len(self.pitch))

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
        return self.pitch[self._starts + self.onset_size - 1]

    @fact
    def _cells(self) -> Ints:
        """The first onset of each cell."""
        where = self.onset_voice * self.bars + self.onset_bar
        change = np.ones(len(where), dtype=np.bool_)
        change[1:] = where[1:] != where[:-1]
        return np.flatnonzero(change)

    def _by_cell(self, of_onsets: Ints, best: np.ufunc, silent: int) -> Ints:
        """The least or largest of something of onsets, by voice and bar."""
        table = np.full((self.voices, self.bars), silent)
        if len(of_onsets):
            where = self.onset_voice[self._cells], self.onset_bar[self._cells]
            table[where] = best.reduceat(of_onsets, self._cells)
        return table

    @fact
    def lowest(self) -> Ints:
        """The lowest pitch by voice and bar; ``SILENT`` where there is none."""
        return self._by_cell(self.onset_low, np.minimum, SILENT)

    @fact
    def highest(self) -> Ints:
        """The highest pitch by voice and bar; -1 where there is none."""
        return self._by_cell(self.onset_top, np.maximum, -1)

    @fact
    def widest(self) -> Ints:
        """From the lowest to the highest note of the widest onset, by voice and bar; -1 where there is none."""
        return self._by_cell(self.onset_top - self.onset_low, np.maximum, -1)

    @fact
    def half_mass(self) -> Floats:
        """How long each pitch class sounds, by bar and half of it, in ten-thousandths of a quarter."""
        late = self.position * 2 >= self.bar_lengths[self.bar]
        where = (self.bar * 2 + late) * 12 + self.pitch % 12
        return np.bincount(where, self.lengths, minlength=24 * self.bars).astype(np.float64).reshape(self.bars, 2, 12)

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
        bits = max(1, int(self.position.max(initial=0)).bit_length())
        kinds = ((self.voice << bits) + self.position << _PITCH_BITS) + self.pitch
        place = np.cumsum(self.sounding) - 1
        return bar_likeness(place[self.bar], kinds, int(np.count_nonzero(self.sounding)))
