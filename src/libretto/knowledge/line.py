"""One part as a detector sees it: its notes in order of time, and the line that its highest notes draw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from libretto.score.arrays import Bools, Ints

__all__ = ["Bools", "Ints", "Line"]


@dataclass(frozen=True, eq=False)
class Line:
    """Notes of one voice by onset and pitch: all arrays are aligned; ``bar`` counts bars from 0, ``beat`` is the
    length of a beat of that bar in ticks (a dotted quarter in 6/8, 9/8 and 12/8)."""

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

    def where(self, rows: Ints | Bools) -> Line:
        """Some of its notes."""
        columns = (self.onset, self.duration, self.pitch, self.velocity, self.bar, self.position, self.beat)
        return Line(self.voice, self.program, *(column[rows] for column in columns))

    @cached_property
    def starts(self) -> Ints:
        """The row at which each onset begins: notes struck together are one onset."""
        return np.flatnonzero(np.diff(self.onset, prepend=-1))

    @cached_property
    def sizes(self) -> Ints:
        """How many notes each onset has."""
        return np.diff(self.starts, append=len(self.onset))

    @cached_property
    def top(self) -> Line:
        """The highest note of each onset: what one would sing."""
        return self.where(self.starts + self.sizes - 1)

    @cached_property
    def low(self) -> Line:
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
        ends = np.maximum.reduceat(self.onset + self.duration, self.starts)
        return np.maximum(self.top.onset[1:] - ends[:-1], 0)

    @cached_property
    def on_beat(self) -> Bools:
        """Which notes stand on a beat."""
        return np.asarray(self.position % self.beat == 0)
