"""One voice as a detector sees it, the line that its highest notes draw, and the names of intervals and scales."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "FIFTH",
    "FOURTH",
    "GUIDES",
    "LEADING_MINOR",
    "LOOSE",
    "MAJOR",
    "MAJOR_SEVENTH",
    "MINOR",
    "MINOR_SEVENTH",
    "PITCHES",
    "SEVENTHS",
    "SIXTEENTH",
    "SIXTHS",
    "THIRDS",
    "TRITONE",
    "Run",
    "VoiceLine",
    "is_step",
    "runs",
]

#: How far a played note may stand from its place: a thirty-second.
LOOSE = QUARTER // 8
SIXTEENTH = QUARTER // 4


class Run(NamedTuple):
    """An unbroken stretch of rows: the first and the last of them."""

    first: int
    last: int

    @property
    def end(self) -> int:
        """The row after the last; of a run of moves, the note that the last move reaches."""
        return self.last + 1


def runs(flags: Bools, least: int = 1) -> list[Run]:
    """Every unbroken stretch of at least so many flags that hold."""
    if not flags.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [Run(first, end - 1) for first, end in edges.reshape(-1, 2).tolist() if end - first >= least]


def is_step(moves: Ints) -> Bools:
    """Which moves are steps, up or down: one or two semitones."""
    size = np.abs(moves)
    return np.asarray((size == 1) | (size == 2))


@dataclass(frozen=True, eq=False)
class VoiceLine:
    """Notes of one voice by onset and pitch: all arrays are aligned; ``bar`` counts bars from 0, ``beat`` is the
    length of a beat of that bar in ticks."""

    voice: str
    program: int
    onset: Ints
    duration: Ints
    pitch: Ints
    velocity: Ints
    bar: Ints
    position: Ints
    beat: Ints

    def __len__(self) -> int:
        return len(self.pitch)

    def where(self, rows: Ints | Bools) -> VoiceLine:
        """Some of its notes."""
        columns = (self.onset, self.duration, self.pitch, self.velocity, self.bar, self.position, self.beat)
        return VoiceLine(self.voice, self.program, *(column[rows] for column in columns))

    @cached_property
    def end(self) -> Ints:
        """When each note stops sounding."""
        return self.onset + self.duration

    @cached_property
    def starts(self) -> Ints:
        """The row at which each onset begins: notes struck together are one onset."""
        return np.flatnonzero(np.diff(self.onset, prepend=-1))

    @cached_property
    def sizes(self) -> Ints:
        """How many notes each onset has."""
        return np.diff(self.starts, append=len(self.onset))

    @cached_property
    def top(self) -> VoiceLine:
        """The highest note of each onset: what one would sing."""
        return self.where(self.starts + self.sizes - 1)

    @cached_property
    def low(self) -> VoiceLine:
        """The lowest note of each onset."""
        return self.where(self.starts)

    @cached_property
    def moves(self) -> Ints:
        """Semitones from each onset's highest note to the next one's."""
        return np.diff(self.top.pitch)

    @cached_property
    def gaps(self) -> Ints:
        """Ticks from each onset to the next."""
        return np.diff(self.top.onset)

    @cached_property
    def rests(self) -> Ints:
        """Ticks of silence between each onset's end (of its longest note) and the next onset; 0 where it rings on."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        ends = np.maximum.reduceat(self.end, self.starts)
        return np.maximum(self.top.onset[1:] - ends[:-1], 0)

    @cached_property
    def near_beat(self) -> Bools:
        """Which notes stand on a beat or within a thirty-second of one."""
        return np.asarray(np.abs((self.position + LOOSE) % self.beat - LOOSE) <= LOOSE)

    def is_single(self, most: float) -> bool:
        """Whether it has at most so many notes an onset."""
        return len(self) <= most * len(self.starts)


#: How many pitches MIDI has.
PITCHES = 128
FOURTH, TRITONE, FIFTH = 5, 6, 7
MINOR_SEVENTH, MAJOR_SEVENTH = 10, 11
#: Minor and major.
THIRDS, SIXTHS, SEVENTHS = (3, 4), (8, 9), (10, 11)
#: What leads from chord to chord: thirds and sevenths.
GUIDES = (*THIRDS, *SEVENTHS)
MAJOR = (0, 2, 4, 5, 7, 9, 11)
#: Minor with the leading tone beside the natural seventh.
LEADING_MINOR = (0, 2, 3, 5, 7, 8, 10, 11)
#: Minor with both forms of the sixth and the seventh degree.
MINOR = (0, 2, 3, 5, 7, 8, 9, 10, 11)
