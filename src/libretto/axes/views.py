"""Stretches of songs side by side: first each song whole, then its windows or whatever else was cut out.

Every fact here and every axis is an array with one entry a stretch; NaN says that something does not apply. What is
counted is counted once, by bar, and added up by stretch, so that songs and their windows cost little more than the
songs alone. What depends on who is bass or melody of a stretch, or on which bars follow one another in it, is looked up
for each. Time is in ticks until a value leaves, then in quarter notes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from libretto.axes.fact import fact
from libretto.axes.piece import Pieces
from libretto.axes.zones import Spans, Zones, runs
from libretto.score.table import Bools, Floats, Ints

__all__ = ["View"]

_MELODY_CHORDS = 1.4  # notes an onset; a voice with fewer plays a line
_MELODY_ONSETS = 8  # a voice with fewer onsets is too seldom heard to be the melody
_COUNTS = frozenset(("notes", "bars", "count", "onsets", "pitch_mass", "root_motion"))
_OF_VOICES = frozenset(("voice_notes", "voice_onsets", "voice_pitch", "voice_lengths", "bass", "melody"))
_PAIRS = frozenset(("sounding", "halves", "moves", "bass_by_bar"))  # facts that are values with the stretch of each
_OCTAVE = 12  # semitones; moves that are wider count as one
_HIGH = 128  # no pitch is as high


class View:
    """Songs and stretches of them: of each song spans of bars, or the song ``without`` each span.

    The first stretches are the songs themselves; ``song`` says of each stretch which song it belongs to.
    """

    def __init__(
        self, piece: Pieces, spans: Sequence[Spans], spread: Mapping[str, float] | None = None, *, without: bool = False
    ) -> None:
        self.piece, self.spread, self.songs = piece, spread, piece.songs
        self.groups = self.songs + sum(map(len, spans))
        self.song: Ints = np.repeat(np.tile(np.arange(self.songs), 2), [*(1 for _ in spans), *map(len, spans)])
        self.known: dict[str, Floats] = {}  # axes measured so far
        self.facts: dict[str, Floats] = {}  # what several axes of one family share
        self._zones = Zones(piece.bars_of.tolist(), spans, without=without)

    @fact
    def whole(self) -> View:
        """The songs alone; what is known of all stretches is known of them."""
        whole = View(self.piece, [()] * self.songs, self.spread)
        for name in (_COUNTS | _OF_VOICES) & self.__dict__.keys():
            whole.__dict__[name] = self.__dict__[name][: self.songs]
        for name in _PAIRS & self.__dict__.keys():
            values, group = self.__dict__[name]
            stop = int(np.searchsorted(group, self.songs))
            whole.__dict__[name] = values[:stop], group[:stop]
        return whole

    # adding up

    def total(self, bar: Ints, weights: Ints | Floats | Bools | None = None) -> Floats:
        """Of things that stand in those bars: how many, or how much, falls to each stretch."""
        return self.sum(np.bincount(bar, weights, minlength=self.piece.bars))

    def sum(self, by_bar: Ints | Floats | Bools) -> Floats:
        """What stands by bar (or by bar and column) added up for each stretch."""
        return self._zones.sum(by_bar)

    def table(self, bar: Ints, column: Ints, columns: int, weights: Ints | None = None) -> Floats:
        """Of things that stand in those bars: counts or sums by stretch and column."""
        return self._table(self._zones.of_bar[bar] * columns + column, columns, weights)

    def _table(self, place: Ints, columns: int, weights: Ints | None) -> Floats:
        """The same for places in a table by zone."""
        flat = np.bincount(place, weights, minlength=self._zones.count * columns)
        return self._zones.over(flat.reshape(-1, columns).astype(np.float64, copy=False))

    # what is counted

    @fact
    def notes(self) -> Floats:
        """Notes of each stretch."""
        return self.sum(self.piece.notes_by_bar)

    @fact
    def bars(self) -> Floats:
        """Bars written, silent ones too."""
        return self._zones.over((self._zones.stops - self._zones.starts).astype(np.float64))

    @fact
    def count(self) -> Floats:
        """How many bars of each stretch sound."""
        return self.sum(self.piece.sounding)

    @fact
    def sounding(self) -> tuple[Ints, Ints]:
        """The bars that sound, stretch by stretch, and the stretch of each."""
        zones = self._zones
        bar, pair = runs(zones.starts[zones.zone], zones.stops[zones.zone])
        sounds = self.piece.sounding[bar]
        return bar[sounds], zones.stretch[pair[sounds]]

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

    @fact
    def _cell_place(self) -> Ints:
        """Where each cell stands in a table by zone and column of voices."""
        return self._zones.of_bar[self.piece.cell_bar] * self.piece.voices + self.piece.cell_column

    def by_voice(self, of_cells: Ints) -> Floats:
        """Something of cells added up by stretch and column of voices."""
        return self._table(self._cell_place, self.piece.voices, of_cells)

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
    def bass(self) -> Ints:
        """The voice with the lowest mean pitch of each stretch, by its column; -1 where none sounds."""
        return self._chosen(-self._heights, self.voice_notes > 0)

    @fact
    def melody(self) -> Ints:
        """The highest voice that mostly plays single notes and plays often enough; else the highest voice."""
        often = self.voice_onsets >= _MELODY_ONSETS
        single = often & (self.voice_notes / np.maximum(self.voice_onsets, 1) < _MELODY_CHORDS)
        return self._chosen(self._heights, np.where(single.any(axis=1, keepdims=True), single, self.voice_notes > 0))

    @fact
    def _heights(self) -> Floats:
        """The mean pitch of each voice in each stretch; 0 where it is silent."""
        return np.asarray(self.voice_pitch / np.maximum(self.voice_notes, 1))

    def _chosen(self, heights: Floats, among: Bools) -> Ints:
        """For each stretch its highest voice; of several the one with fewer, then later notes."""
        heights = np.where(among, heights, -np.inf)
        rivals = (heights == heights.max(axis=1, keepdims=True)) & among
        tied = np.flatnonzero(np.count_nonzero(rivals, axis=1) > 1)
        if len(tied):
            notes = np.where(rivals[tied], self.voice_notes[tied], np.inf)
            rivals[tied] &= notes == notes.min(axis=1, keepdims=True)
            tied = tied[np.count_nonzero(rivals[tied], axis=1) > 1]
        chosen = np.where(among.any(axis=1), rivals.argmax(axis=1), -1)
        if len(tied):
            chosen[tied] = self._latest(tied, rivals[tied])
        return chosen

    def _latest(self, tied: Ints, rivals: Bools) -> list[int]:
        """Of voices of equal mean pitch and as many notes the one with later notes: their order is no matter."""
        piece, zones = self.piece, self._zones
        which, column = np.nonzero(rivals)
        first = np.searchsorted(zones.stretch, tied)[which]
        pair, rival = runs(first, np.searchsorted(zones.stretch, tied + 1)[which])
        voice = (piece.first_voice[self.song[tied[which]]] + column)[rival]
        note, run = self._runs_of(piece.voice, piece.bar, voice, zones.zone[pair])
        edges = np.searchsorted(rival[run], np.arange(len(which) + 1)).tolist()
        columns = [values[note].tolist() for values in (piece.onset, piece.pitch, piece.duration)]
        ranks = [tuple(values[first:stop] for values in columns) for first, stop in pairwise(edges)]
        chosen: dict[int, int] = {}
        for number, group in enumerate(which.tolist()):
            if group not in chosen or ranks[number] > ranks[chosen[group]]:
                chosen[group] = number
        return [int(column[number]) for number in chosen.values()]

    def _runs_of(self, voices: Ints, bars: Ints, voice: Ints, zone: Ints) -> tuple[Ints, Ints]:
        """Of things in order of voice and bar: those of each voice in each zone, and which of these each belongs to."""
        here = voices * self._zones.count + self._zones.of_bar[bars]  # in order, as zones follow one another
        wanted = voice * self._zones.count + zone
        return runs(np.searchsorted(here, wanted), np.searchsorted(here, wanted + 1))

    def of_voice(self, by_voice: Floats, voice: Ints) -> Floats:
        """Of something by stretch and voice: what belongs to one voice of each stretch; 0 where there is none."""
        return np.where(voice >= 0, by_voice[np.arange(self.groups), voice], 0.0)

    # lines

    def line(self, voice: Ints) -> tuple[Ints, Ints]:
        """The onsets of one voice of each stretch, and the stretch of each."""
        return self._of_one(self.piece.onset_voice, self.piece.onset_bar, voice)

    def _of_one(self, voices: Ints, bars: Ints, voice: Ints) -> tuple[Ints, Ints]:
        """Of things in order of voice and bar: those of one voice of each stretch, and the stretch of each."""
        mine = np.where(voice >= 0, self.piece.first_voice[self.song] + voice, -1)
        which, pair = self._runs_of(voices, bars, mine[self._zones.stretch], self._zones.zone)
        return which, self._zones.stretch[pair]

    @fact
    def every_onset(self) -> tuple[Ints, Ints]:
        """The onsets of each stretch in order of voice and time, and the stretch of each."""
        zones, piece = self._zones, self.piece
        if self.groups == self.songs:
            return np.arange(len(piece.onset_voice)), piece.song_of_voice[piece.onset_voice]
        of_onset = zones.of_bar[piece.onset_bar]
        order = np.argsort(of_onset, kind="stable")
        edges = np.searchsorted(of_onset[order], np.arange(zones.count + 1))
        place, pair = runs(edges[zones.zone], edges[zones.zone + 1])
        sorted_ = np.sort(zones.stretch[pair] * len(order) + order[place])
        return sorted_ % max(1, len(order)), sorted_ // max(1, len(order))

    @fact
    def _extremes(self) -> tuple[Ints, Ints]:
        """The lowest and the highest pitch by zone and column of voices."""
        shape = self._zones.count, self.piece.voices
        low, high = np.full(shape, _HIGH), np.full(shape, -1)
        np.minimum.at(low.reshape(-1), self._cell_place, self.piece.cell_low)
        np.maximum.at(high.reshape(-1), self._cell_place, self.piece.cell_top)
        return low, high

    def compass(self, voice: Ints | None = None) -> Floats:
        """From the lowest to the highest pitch of each stretch, or of one voice of each; negative where none sounds."""
        zones, (low, high) = self._zones, self._extremes
        if voice is None:
            low, high = low.min(axis=1)[zones.zone], high.max(axis=1)[zones.zone]
        else:
            low, high = (of[zones.zone, voice[zones.stretch]] for of in (low, high))
        return zones.gathered(high, np.maximum, -1) - zones.gathered(low, np.minimum, _HIGH)

    def largest(self, of_cells: Ints) -> Floats:
        """The largest of something of cells in each stretch; -1 where there is none."""
        by_zone = np.full(self._zones.count, -1)
        np.maximum.at(by_zone, self._zones.of_bar[self.piece.cell_bar], of_cells)
        return self._zones.over(by_zone, np.maximum, -1)

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
        cell, group = self._of_one(self.piece.cell_voice, self.piece.cell_bar, self.bass)
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
