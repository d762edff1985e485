"""Songs as they are measured, one or many side by side: notes as columns, what they come to bar by bar, each once.

Conventions: these are the pitched notes; percussion stands apart, in ``kit``. Notes are in order of song, voice, time
and pitch. Bars and voices are numbered through all songs; the *column* of a voice is its number in its own song. Time
is in ticks. An onset is a (voice, time) pair; a chord is one onset and several notes. A *cell* is what one voice plays
in one bar. Nothing that is measured of a song depends on which others stand beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.axes.alike import Alike
from libretto.axes.counting import TEN_THOUSAND, Kit, prominent
from libretto.axes.fact import fact
from libretto.score import QUARTER, Score
from libretto.score.general_midi import guess_program
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import WHOLE, Grid

__all__ = ["Pieces", "Written"]

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


class Written(NamedTuple):
    """A song as it is measured: the Score, and its notes and grids as they are written down."""

    score: Score
    table: NDArray[Any]
    grids: tuple[Grid, ...]


class Pieces:
    """The pitched notes of songs and the bars they stand in."""

    def __init__(self, written: Sequence[Written]) -> None:
        self._written, self.songs = written, len(written)
        self.bars_of = np.array([song.score.bars for song in written], dtype=np.int64)
        voices_of = np.array([max(1, len(song.score.voices)) for song in written], dtype=np.int64)
        self.first_bar, self.first_voice = np.cumsum(self.bars_of) - self.bars_of, np.cumsum(voices_of) - voices_of
        self.bars, self.voices = int(self.bars_of.sum()), int(voices_of.max())  # all bars; columns of voices
        self.song_of_voice: Ints = np.repeat(np.arange(self.songs), voices_of)
        self.notes_of = np.array([len(song.table) for song in written], dtype=np.int64)
        self._pitched: Bools | None = None  # all notes are, until percussion is found
        voice, bar = self._column("voice"), self._column("bar")
        if self.songs > 1:
            voice += np.repeat(self.first_voice, self.notes_of)
            bar += np.repeat(self.first_bar, self.notes_of)
        drums = np.array([drums for song in written for drums in _drums(song.score)], dtype=np.bool_)
        self.kit = Kit(voice[:0], voice[:0], voice[:0])
        if drums.any():
            strokes = drums[voice]
            self.kit = Kit(bar[strokes], self._column("position")[strokes], self._column("pitch")[strokes])
            self._pitched = ~strokes
            voice, bar = voice[self._pitched], bar[self._pitched]
            self.notes_of = np.bincount(self.song_of_voice[voice], minlength=self.songs)
        self.voice, self.bar = voice, bar
        self.onset, self.pitch, self.position = (self._column(name) for name in ("onset", "pitch", "position"))

    def _column(self, name: str) -> Ints:
        """A column of all tables; without percussion, once it is known what that is."""
        column = np.concatenate([song.table[name] for song in self._written], dtype=np.int64)
        return column if self._pitched is None else column[self._pitched]

    @fact
    def duration(self) -> Ints:
        """How long each note lasts."""
        return self._column("duration")

    @fact
    def velocity(self) -> Ints:
        """How loud each note is."""
        return self._column("velocity")

    @fact
    def programs(self) -> Ints:
        """The instrument of each voice, by song and column: what its name suggests where it names none."""
        programs = np.zeros((self.songs, self.voices), dtype=np.int64)
        for row, song in zip(programs, self._written, strict=True):
            played_on = [guess_program(v.name) if v.program is None else v.program for v in song.score.voices]
            row[: len(played_on)] = played_on
        return programs

    @fact
    def bar_lengths(self) -> Ints:
        """The length of each bar."""
        lines = np.array([line for song in self._written for line in song.score.bar_lines], dtype=np.int64)
        within = np.ones(len(lines) - 1, dtype=np.bool_)
        within[self.first_bar[1:] + np.arange(self.songs - 1)] = False  # from the end of a song to the next begin
        return np.asarray(np.diff(lines)[within])

    @fact
    def bar_seconds(self) -> Floats:
        """How long each bar sounds."""
        lines = [(song.score, np.array(song.score.bar_lines, dtype=np.int64)) for song in self._written]
        return np.concatenate([np.diff(score.seconds_at(ticks)) for score, ticks in lines])

    @fact
    def triplets(self) -> Bools:
        """Which bars are written on a triplet grid."""
        return np.array([grid.triplet for song in self._written for grid in song.grids], dtype=np.bool_)

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
    def _columns(self) -> Ints:
        """The column of each voice."""
        return np.arange(len(self.song_of_voice)) - self.first_voice[self.song_of_voice]

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
    def onset_column(self) -> Ints:
        """The same as a number in its song."""
        return self._columns[self.onset_voice]

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
    def cell_column(self) -> Ints:
        """The same as a number in its song."""
        return self._columns[self.cell_voice]

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
    def alike(self) -> Alike:
        """Which notes which of the bars that sound have in common."""
        divisions = {grid.division for song in self._written for grid in song.grids}
        place = self.position // gcd(*(WHOLE // division for division in divisions))  # in the smallest numbers
        column = self._columns[self.voice]
        kinds = ((column << int(place.max(initial=0)).bit_length()) + place << _PITCH_BITS) + self.pitch
        number = np.cumsum(self.sounding) - 1  # among the bars that sound
        return Alike(number[self.bar], kinds, self.notes_of, np.add.reduceat(self.sounding, self.first_bar))

    def largest(self, of_notes: Ints) -> Ints:
        """The largest number that something of notes is in each song; 0 where there is none."""
        some, most = self.notes_of > 0, np.zeros(self.songs, dtype=np.int64)
        if some.any():
            most[some] = np.maximum.reduceat(of_notes, (np.cumsum(self.notes_of) - self.notes_of)[some])
        return most


def _drums(score: Score) -> list[bool]:
    """Which voices are percussion; a piece without voices counts as one that is silent."""
    return [voice.drums for voice in score.voices] or [False]
