"""Whether the notes of a file have anything to do with its beats.

Starts that follow a click, however loosely, crowd around some division of its beat; starts that do not are spread
evenly over it. How crowded they are is the length of the mean arrow when each start points to its place in the
division as a clock's hand does: 1 where all are at one place, near 0 where they are anywhere. A constant delay turns
all arrows alike and changes nothing, and a pickup is whole divisions. Swing and triplets have divisions of their own.

Said of a file only where no division crowds its starts at all, there are enough of them, and its tempo hardly ever
changes: a tempo map that moves is somebody's account of the beats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.formats.midi.source import MidiSource
from libretto.score.table import Ints, distinct
from libretto.score.time import QUARTER

__all__ = ["Freedom", "freedom_of", "ignores_bar_lines"]

_DIVISIONS = np.array([1, 2, 3, 4, 6, 8, 12, 24])  # of a quarter: straight, in threes, and both together
_LEAST_STARTS = 24  # with fewer, chance makes arrows of any length
_MOST_STARTS = 20_000  # are looked at; more say nothing new
_MOST_TEMPOS = 8
#: Starts at random have arrows of about 1/sqrt(starts), and the longest of eight is somewhat longer; music repeats
#: itself, and its starts are not independent: some length is left even in long pieces.
_FLOOR, _CHANCE = 0.10, 1.2


class Freedom(NamedTuple):
    """How crowded the starts of a file are around the divisions of its beat (0 to 1), and how much chance would be."""

    crowding: float
    chance: float
    starts: int
    tempos: int

    @property
    def is_free(self) -> bool:
        """Whether the notes ignore the bar lines."""
        return self.starts >= _LEAST_STARTS and self.tempos <= _MOST_TEMPOS and self.crowding < self.chance


def freedom_of(source: MidiSource) -> Freedom:
    """What the starts of a source say about its beats."""
    starts = distinct(np.concatenate([np.empty(0, dtype=np.int64), *(part.onset for part in source.parts)]))
    if not len(starts):
        return Freedom(1.0, 0.0, 0, len(source.tempos))
    chance = _FLOOR + _CHANCE / float(np.sqrt(len(starts)))
    return Freedom(_crowding(starts), chance, len(starts), len(source.tempos))


def _crowding(starts: Ints) -> float:
    """The longest mean arrow of any division."""
    looked_at = starts[:: -(-len(starts) // _MOST_STARTS)]
    turns = 2j * np.pi / QUARTER * (looked_at % QUARTER)
    return max(float(np.abs(np.exp(division * turns).mean())) for division in _DIVISIONS.tolist())


def ignores_bar_lines(source: MidiSource) -> bool:
    """Whether notes were recorded freely, over beats and bar lines that mean nothing."""
    return freedom_of(source).is_free
