"""Stretches of a piece side by side: first all of it, then its windows or whatever else was cut out.

Every fact here and every axis is an array with one entry a stretch; NaN says that something does not apply. What is
counted is counted once, by bar, and added up by stretch, so that a piece and its windows cost little more than the
piece alone. What depends on who is bass or melody of a stretch, or on which bars follow one another in it, is looked up
for each. Time is in ticks until a value leaves, then in quarter notes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np

from libretto.axes.fact import fact
from libretto.axes.piece import Piece
from libretto.score.table import Bools, Floats, Ints

__all__ = ["View"]

_MELODY_CHORDS = 1.4  # notes an onset; a voice with fewer plays a line
_MELODY_ONSETS = 8  # a voice with fewer onsets is too seldom heard to be the melody
_COUNTS = frozenset(("notes", "bars", "count", "onsets", "pitch_mass", "root_motion"))
_OF_VOICES = frozenset(("voice_notes", "voice_onsets", "voice_pitch", "voice_lengths", "cells", "bass", "melody"))
_PAIRS = frozenset(("sounding", "halves", "moves", "bass_by_bar"))  # facts that are values with the stretch of each
_OCTAVE = 12  # semitones; moves that are wider count as one


class View:
    """A piece and stretches of it: spans of bars (indices, the last not included), or the piece ``without`` each span.

    ``stretches`` says of each which bars belong to it.
    """

    def __init__(
        self,
        piece: Piece,
        spans: Sequence[tuple[int, int]],
        spread: Mapping[str, float] | None = None,
        *,
        without: bool = False,
    ) -> None:
        self.piece, self.spread, self.groups = piece, spread, len(spans) + 1
        self._spans, self._without = spans, without
        self.known: dict[str, Floats] = {}  # axes measured so far
        self.facts: dict[str, Floats] = {}  # what several axes of one family share
        self.stretches = np.full((self.groups, piece.bars), without)
        self.stretches[0] = True
        for stretch, (first, last) in zip(self.stretches[1:], spans, strict=True):
            stretch[first:last] = not without
        self._inside = self.stretches.astype(np.float64)

    @fact
    def whole(self) -> View:
        """The first stretch alone; what is known of all stretches is known of it."""
        whole = View(self.piece, (), self.spread)
        for name in (_COUNTS | _OF_VOICES) & self.__dict__.keys():
            whole.__dict__[name] = self.__dict__[name][:1]
        for name in _PAIRS & self.__dict__.keys():
            values, group = self.__dict__[name]
            stop = int(np.searchsorted(group, 1))
            whole.__dict__[name] = values[:stop], group[:stop]
        return whole

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
        edges = sorted({0, self.piece.bars, *chain.from_iterable(self._spans)})
        return len(edges) - 1, np.repeat(np.arange(len(edges) - 1), np.diff(edges)), self._inside[:, edges[:-1]]

    # what is counted

    @fact
    def notes(self) -> Floats:
        """Notes of each stretch."""
        return self.sum(self.piece.notes_by_bar)

    @fact
    def bars(self) -> Floats:
        """Bars written, silent ones too."""
        return np.asarray(self._inside.sum(axis=1))

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
    def halves(self) -> tuple[Ints, Ints]:
        """The prominent pitch classes of each half of each sounding bar, as bits, and the stretch of each half."""
        bar, group = self.sounding
        return self.piece.half_sets[bar].ravel(), np.repeat(group, 2)

    @fact
    def by_bar(self) -> Ints:
        """The prominent pitch classes of each sounding bar, as bits."""
        return self.piece.bar_sets[self.sounding[0]]

    @fact
    def onsets(self) -> Floats:
        """How many onsets each stretch has."""
        return self.total(self.piece.cell_bar, self.piece.cell_onsets)

    @fact
    def pitch_mass(self) -> Floats:
        """How long each pitch class sounds in each stretch, in ten-thousandths of a quarter."""
        return self.sum(self.piece.bar_mass)

    # voices

    def by_voice(self, of_cells: Ints) -> Floats:
        """Something of cells added up by stretch and voice."""
        return self.table(self.piece.cell_bar, self.piece.cell_voice, self.piece.voices, of_cells)

    @fact
    def voice_notes(self) -> Floats:
        """How many notes each voice has in each stretch."""
        return self.by_voice(self.piece.cell_notes)

    @fact
    def voice_onsets(self) -> Floats:
        """How many onsets each voice has in each stretch."""
        return self.by_voice(self.piece.cell_onsets)

    @fact
    def voice_pitch(self) -> Floats:
        """The pitches of each voice added up, in each stretch."""
        return self.by_voice(self.piece.of_cells(self.piece.pitch))

    @fact
    def voice_lengths(self) -> Floats:
        """The lengths of each voice's notes added up, in each stretch."""
        return self.by_voice(self.piece.of_cells(self.piece.lengths))

    @fact
    def cells(self) -> Bools:
        """Which cells belong to each stretch."""
        return self.stretches[:, self.piece.cell_bar]

    @fact
    def bass(self) -> Ints:
        """The voice with the lowest mean pitch of each stretch; -1 where none sounds."""
        return self._chosen([{voice: -mean for voice, mean in heights.items()} for heights in self._heights])

    @fact
    def melody(self) -> Ints:
        """The highest voice that mostly plays single notes and plays often enough; else the highest voice."""
        notes, onsets, lines = self.voice_notes.tolist(), self.voice_onsets.tolist(), []
        for group, heights in enumerate(self._heights):
            often = [voice for voice in heights if onsets[group][voice] >= _MELODY_ONSETS]
            single = [voice for voice in often if notes[group][voice] / onsets[group][voice] < _MELODY_CHORDS]
            lines.append({voice: heights[voice] for voice in single or heights})
        return self._chosen(lines)

    @fact
    def _heights(self) -> list[dict[int, float]]:
        """For each stretch the mean pitch of each voice that sounds."""
        rows = zip(self.voice_notes.tolist(), self.voice_pitch.tolist(), strict=True)
        pairs = [enumerate(zip(notes, pitch, strict=True)) for notes, pitch in rows]
        return [{voice: total / notes for voice, (notes, total) in pair if notes} for pair in pairs]

    def _chosen(self, heights: list[dict[int, float]]) -> Ints:
        """For each stretch its highest voice; of several the one with fewer, then later notes."""
        chosen = []
        for group, height in enumerate(heights):
            best = max(height.values(), default=0.0)
            rivals = [voice for voice, mean in height.items() if mean == best] or [-1]
            chosen.append(rivals[0] if len(rivals) == 1 else max(rivals, key=partial(self._rank, group)))
        return np.array(chosen, dtype=np.int64)

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
        chosen = np.zeros(self.piece.voices + 1, dtype=np.bool_)  # one more, for none
        chosen[voice] = True
        onset = np.flatnonzero(chosen[self.piece.onset_voice])
        group, which = np.nonzero(
            (self.piece.onset_voice[onset] == voice[:, None]) & self.stretches[:, self.piece.onset_bar[onset]]
        )
        return onset[which], group

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
        group, cell = np.nonzero(self.cells & (self.piece.cell_voice == self.bass[:, None]))
        return self.piece.cell_low[cell], group

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
