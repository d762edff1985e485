"""A piece at a glance: the arrays that every quick number is counted from, read once.

Conventions: only notes count; names, labels and signatures change nothing. ``slot`` is a place in the bar in
sixteenths, rounded, so that what was played can be compared with itself. A *cell* is one bar of one voice. A *line* is
the highest notes of a voice, one an onset. Percussion is counted apart.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from libretto.score import Score
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import QUARTER

__all__ = ["CLASSES", "SLOTS", "Glance"]

CLASSES = 12  #: pitch classes
SLOTS = 32  #: sixteenths of a bar that are told apart; later ones of a very long bar count as the last
_SIXTEENTH = QUARTER // 4
_LONGEST = 8 * QUARTER  # a note that rings longer counts as long as this
_PITCHES = 128
_LEAST = 0.25  # of the bars: a voice that sounds in fewer does not lead
_WEIGHT = 1 << 36  # marks of cells are sums of random whole numbers below this, which doubles hold exactly
_SEED = 20260  # of those numbers: any will do, as long as it stays
_MARKS = np.random.default_rng(_SEED).integers(1, _WEIGHT, SLOTS * 4 * _PITCHES).astype(np.float64)


class Glance:
    """The pitched notes of a piece in order of voice and time, and what is counted of them more than once."""

    def __init__(self, score: Score) -> None:
        table = score.sounds
        drums = np.array([voice.drums for voice in score.voices] or [True], dtype=np.bool_)
        beaten = drums[table["voice"]]
        notes = table[~beaten] if beaten.any() else table
        self.score, self.bars, self.voices = score, score.bars, len(score.voices)
        self.lines: Ints = np.asarray(score.bar_lines, dtype=np.int64)
        self.onset: Ints = notes["onset"]
        self.duration: Ints = np.minimum(notes["duration"], _LONGEST)
        self.pitch: Ints = notes["pitch"].astype(np.int64)
        self.velocity: Ints = notes["velocity"].astype(np.int64)
        self.voice: Ints = notes["voice"].astype(np.int64)
        self.bar: Ints = notes["bar"].astype(np.int64)
        self.position: Ints = notes["position"]
        self.slot: Ints = _slots(self.position)
        self.count = len(notes)
        self.kit = table[beaten]
        self.pitch_class: Ints = self.pitch % CLASSES

    @cached_property
    def cell(self) -> Ints:
        """The cell of each note, as one number."""
        return self.voice * self.bars + self.bar

    @cached_property
    def tops(self) -> Ints:
        """Which notes are the highest of their voice and onset: the lines of all voices, one after the other."""
        if not self.count:
            return np.empty(0, dtype=np.int64)
        last = np.append((np.diff(self.onset) != 0) | (np.diff(self.voice) != 0), True)
        return np.flatnonzero(last)

    @cached_property
    def joined(self) -> Bools:
        """For each note of ``tops`` but the last whether the next is of the same voice."""
        return np.asarray(np.diff(self.voice[self.tops]) == 0)

    @cached_property
    def steps(self) -> Ints:
        """The intervals of all lines, voice by voice."""
        return np.asarray(np.diff(self.pitch[self.tops])[self.joined])

    @cached_property
    def gaps(self) -> Ints:
        """From each note of a line to the next, in sixteenths."""
        return np.asarray(np.rint(np.diff(self.onset[self.tops])[self.joined] / _SIXTEENTH), dtype=np.int64)

    @cached_property
    def sounding(self) -> Bools:
        """In which bars each voice starts a note: voices as rows."""
        counts = np.bincount(self.cell, minlength=self.voices * self.bars)
        return np.asarray(counts.reshape(self.voices, self.bars) > 0)

    @cached_property
    def lead(self) -> Ints:
        """Notes of the line that leads, in order: the highest of those that play most of the time."""
        tops = self.tops
        if not len(tops):
            return tops
        voice = self.voice[tops]
        many = np.bincount(voice, minlength=self.voices)
        height = np.bincount(voice, self.pitch[tops], self.voices) / np.maximum(many, 1)
        share = self.sounding.mean(axis=1)
        able = share >= _LEAST * max(float(share.max()), 1.0 / max(self.bars, 1))
        return np.asarray(tops[voice == int(np.where(able & (many > 0), height, -1.0).argmax())])

    @cached_property
    def strokes(self) -> tuple[Ints, Ints]:
        """The bar and slot of every stroke of percussion."""
        return self.kit["bar"].astype(np.int64), _slots(self.kit["position"])

    def marks(self, values: Ints, cell: Ints, cells: int) -> Floats:
        """A number for each cell that is the same where the same values are in it, whatever their order."""
        return np.asarray(np.bincount(cell, _MARKS[values % len(_MARKS)], minlength=cells), dtype=np.float64)

    @cached_property
    def rhythm_marks(self) -> Floats:
        """For each voice and bar a number that stands for its rhythm; 0 where nothing starts."""
        tops = self.tops
        return self.marks(self.slot[tops], self.cell[tops], self.voices * self.bars).reshape(self.voices, self.bars)

    @cached_property
    def note_marks(self) -> Floats:
        """The same for its notes, places and pitches."""
        values = self.slot * _PITCHES + self.pitch
        return self.marks(values, self.cell, self.voices * self.bars).reshape(self.voices, self.bars)

    @cached_property
    def shape_marks(self) -> Floats:
        """The same for its notes wherever they lie: places, and pitches above the first."""
        first = np.append(True, np.diff(self.cell) != 0)[: self.count]
        start = self.pitch[np.maximum.accumulate(np.where(first, np.arange(self.count), 0))]
        values = self.slot * _PITCHES + (self.pitch - start) % _PITCHES + SLOTS * _PITCHES
        return self.marks(values, self.cell, self.voices * self.bars).reshape(self.voices, self.bars)

    @cached_property
    def mass(self) -> Floats:
        """How long each pitch class sounds in each half bar (by where notes start): halves as rows, two a bar."""
        length = np.diff(self.lines)
        half = 2 * self.bar + (2 * self.position >= length[self.bar])
        flat = np.bincount(
            half * CLASSES + self.pitch_class, self.duration / QUARTER, minlength=2 * CLASSES * self.bars
        )
        return np.asarray(flat.reshape(-1, CLASSES), dtype=np.float64)

    @cached_property
    def together(self) -> tuple[Ints, Ints, Floats]:
        """Which notes sound together, and for how long in quarters; of very thick music only some."""
        order = np.argsort(self.onset, kind="stable")
        onset = self.onset[order]
        end = onset + self.duration[order]
        places = np.arange(self.count)
        many = np.minimum(np.searchsorted(onset, end, "left") - places - 1, _MOST_TOGETHER)
        first = np.repeat(places, many)
        start = np.cumsum(many) - many
        second = first + 1 + np.arange(len(first)) - np.repeat(start, many)
        time = np.minimum(end[first], end[second]) - onset[second]
        return order[first], order[second], time / QUARTER


_MOST_TOGETHER = 24  # notes that begin while one sounds, and are held against it


def _slots(position: Ints) -> Ints:
    return np.minimum(np.rint(position / _SIXTEENTH).astype(np.int64), SLOTS - 1)
