"""Stretches of a piece side by side: first all of it, then its windows or whatever else was cut out.

Every fact here and every axis is an array with one entry a stretch; NaN says that something does not apply. What is
counted is counted once, by bar, and added up by stretch, so that a piece and its windows cost little more than the
piece alone. What depends on who is bass or melody of a stretch, or on which bars follow one another in it, is looked up
for each. Time is in ticks until a value leaves, then in quarter notes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from libretto.axes.fact import fact
from libretto.axes.piece import SILENT, Piece
from libretto.score.table import Bools, Floats, Ints

__all__ = ["View"]

_MELODY_CHORDS = 1.4  # notes an onset; a voice with fewer plays a line
_MELODY_ONSETS = 8  # a voice with fewer onsets is too seldom heard to be the melody
_OCTAVE = 12  # semitones; moves that are wider count as one


class View:
    """Stretches of a piece; ``stretches`` says of each which bars belong to it."""

    def __init__(self, piece: Piece, stretches: Bools, spread: Mapping[str, float] | None = None) -> None:
        self.piece, self.stretches, self.spread = piece, stretches, spread
        self.groups = len(stretches)
        self.known: dict[str, Floats] = {}  # axes measured so far
        self.facts: dict[str, Floats] = {}  # what several axes of one family share
        self._inside = stretches.astype(np.float64)

    @fact
    def whole(self) -> View:
        """The first stretch alone."""
        return View(self.piece, self.stretches[:1], self.spread)

    # adding up

    def total(self, bar: Ints, weights: Ints | Floats | Bools | None = None) -> Floats:
        """Of things that stand in those bars: how many, or how much, falls to each stretch."""
        return self.sum(np.bincount(bar, weights, minlength=self.piece.bars))

    def sum(self, by_bar: Ints | Floats | Bools) -> Floats:
        """What stands by bar (or by bar and column) added up for each stretch."""
        return np.asarray(self._inside @ by_bar.astype(np.float64, copy=False))

    def table(self, bar: Ints, column: Ints, columns: int, weights: Ints | None = None) -> Floats:
        """Of things that stand in those bars: counts or sums by stretch and column."""
        zones, of_bar, shares = self._zones
        flat = np.bincount(of_bar[bar] * columns + column, weights, minlength=zones * columns)
        return np.asarray(shares @ flat.reshape(zones, columns).astype(np.float64, copy=False))

    @fact
    def _zones(self) -> tuple[int, Ints, Floats]:
        """Runs of bars that belong to the same stretches: how many, which each bar is in, and whose each is."""
        edge = np.ones(self.piece.bars, dtype=np.bool_)
        edge[1:] = (self.stretches[:, 1:] != self.stretches[:, :-1]).any(axis=0)
        starts = np.flatnonzero(edge)
        return len(starts), np.cumsum(edge) - 1, self._inside[:, starts]

    # what is counted

    @fact
    def notes(self) -> Floats:
        """Notes of each stretch."""
        return self.sum(self.piece.notes_by_bar)

    @fact
    def bars(self) -> Floats:
        """Bars written, silent ones too."""
        return self._inside.sum(axis=1)

    @fact
    def count(self) -> Floats:
        """How many bars of each stretch sound."""
        return self.sum(self.piece.sounding)

    @fact
    def sounding(self) -> tuple[Ints, Ints]:
        """The bars that sound, stretch by stretch, and the stretch of each."""
        group, bar = np.nonzero(self.stretches & self.piece.sounding)
        return bar, group

    @fact
    def by_bar(self) -> Ints:
        """The prominent pitch classes of each sounding bar, as bits."""
        return self.piece.bar_sets[self.sounding[0]]

    @fact
    def onsets(self) -> Floats:
        """How many onsets each stretch has."""
        return self.total(self.piece.onset_bar)

    @fact
    def pitch_mass(self) -> Floats:
        """How long each pitch class sounds in each stretch, in ten-thousandths of a quarter."""
        return self.sum(self.piece.bar_mass)

    # voices

    def by_voice(self, weights: Ints | None = None) -> Floats:
        """How many notes each voice has in each stretch, or how much."""
        return self.table(self.piece.bar, self.piece.voice, self.piece.voices, weights)

    @fact
    def voice_notes(self) -> Floats:
        """How many notes each voice has in each stretch."""
        return self.by_voice()

    @fact
    def voice_onsets(self) -> Floats:
        """How many onsets each voice has in each stretch."""
        return self.table(self.piece.onset_bar, self.piece.onset_voice, self.piece.voices)

    @fact
    def voice_pitch(self) -> Floats:
        """The pitches of each voice added up, in each stretch."""
        return self.by_voice(self.piece.pitch)

    @fact
    def active(self) -> Floats:
        """In how many bars of each stretch voices play, all voices together."""
        return self.sum(np.count_nonzero(self.piece.lowest < SILENT, axis=0))

    @fact
    def _height(self) -> Floats:
        """The mean pitch of each voice in each stretch."""
        return np.asarray(self.voice_pitch / np.maximum(self.voice_notes, 1))

    @fact
    def bass(self) -> Ints:
        """The voice with the lowest mean pitch of each stretch; -1 where none sounds."""
        return self._chosen(-self._height)

    @fact
    def melody(self) -> Ints:
        """The highest voice that mostly plays single notes and plays often enough; else the highest voice."""
        onsets = self.voice_onsets
        line = (self.voice_notes / np.maximum(onsets, 1) < _MELODY_CHORDS) & (onsets >= _MELODY_ONSETS)
        return self._chosen(np.where(line | ~line.any(axis=1, keepdims=True), self._height, -1.0))

    def _chosen(self, height: Floats) -> Ints:
        """For each stretch its highest voice; of several the one with fewer, then later notes."""
        height = np.where(self.voice_notes > 0, height, -np.inf)
        chosen = height.argmax(axis=1)
        rivals = height == height.max(axis=1, keepdims=True)
        if np.count_nonzero(rivals) > self.groups:
            for group in np.flatnonzero((np.count_nonzero(rivals, axis=1) > 1) & (self.notes > 0)).tolist():
                chosen[group] = max(np.flatnonzero(rivals[group]).tolist(), key=lambda voice: self._rank(group, voice))
        return np.where(self.notes > 0, chosen, -1)

    def _rank(self, group: int, voice: int) -> tuple[object, ...]:
        """What decides between voices of equal mean pitch, so that the order of voices is no matter."""
        piece = self.piece
        mine = (piece.voice == voice) & self.stretches[group][piece.bar]
        return (-int(mine.sum()), *(column[mine].tolist() for column in (piece.onset, piece.pitch, piece.duration)))

    def of_voice(self, by_voice: Floats, voice: Ints) -> Floats:
        """Of something by stretch and voice: what belongs to one voice of each stretch; 0 where there is none."""
        return np.where(voice >= 0, by_voice[np.arange(self.groups), voice], 0.0)

    # lines

    def line(self, voice: Ints) -> tuple[Ints, Ints]:
        """The onsets of one voice of each stretch, and the stretch of each."""
        mine = (self.piece.onset_voice == voice[:, None]) & self.stretches[:, self.piece.onset_bar]
        group, onset = np.nonzero(mine)
        return onset, group

    @fact
    def moves(self) -> tuple[Ints, Ints]:
        """The melody's intervals in semitones, repeated notes left out, and the stretch of each."""
        onset, group = self.line(self.melody)
        top = self.piece.onset_top[onset]
        step = top[1:] - top[:-1]
        real = (step != 0) & (group[1:] == group[:-1])
        return step[real], group[1:][real]

    @fact
    def moved(self) -> tuple[Floats, Floats]:
        """How often the melody goes up, and down, by each interval; an octave and more count as one."""
        moves, group = self.moves
        sizes = 2 * _OCTAVE + 1  # from an octave down to one up
        where = group * sizes + np.clip(moves, -_OCTAVE, _OCTAVE) + _OCTAVE
        counts = np.bincount(where, minlength=sizes * self.groups).reshape(self.groups, sizes).astype(np.float64)
        return counts[:, _OCTAVE:], counts[:, _OCTAVE::-1]

    @fact
    def bass_by_bar(self) -> tuple[Ints, Ints]:
        """The lowest bass note of each bar with bass, and the stretch of each."""
        lowest = self.piece.lowest[self.bass]
        group, bar = np.nonzero((lowest < SILENT) & self.stretches & (self.bass >= 0)[:, None])
        return lowest[group, bar], group

    @fact
    def root_motion(self) -> Floats:
        """How often the lowest bass note rises so far from bar to bar, modulo the octave, by stretch.

        Bars without bass are skipped.
        """
        lowest, group = self.bass_by_bar
        follows = group[1:] == group[:-1]
        motion = ((lowest[1:] - lowest[:-1]) % _OCTAVE)[follows]
        counts = np.bincount(group[1:][follows] * _OCTAVE + motion, minlength=_OCTAVE * self.groups)
        return counts.reshape(self.groups, _OCTAVE).astype(np.float64)
