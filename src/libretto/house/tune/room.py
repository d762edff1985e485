"""Where a tune is to be grown, and what has grown there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from libretto.house.tune.laying import Slot
from libretto.house.tune.themes import TuneNote
from libretto.score.chords import Chord
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["Grown", "Room"]

_C_MAJOR = Key(0)


@dataclass(frozen=True)
class Room:
    """Where a tune is to be grown.

    ``first`` is its first bar in the piece (from 0); ``chord_at`` goes by ticks from the start of the piece. ``height``
    is where in the range the tune lies (0 low, 1 high), ``peak`` where its highest note comes, as a fraction of the
    room (None: as the template has it). ``last`` is the end of the piece. ``scale`` are the pitch classes of the
    style's own scale, if it has one. ``bare``: nobody else plays the harmony. ``leap`` is how freely it leaps, ``busy``
    (-1 to 1) whether it has fewer or more notes than the template.
    """

    key: Key
    meter: Meter
    bars: int
    first: int
    chord_at: Callable[[int], Chord | None]
    low: int
    high: int
    height: float = 0.5
    peak: float | None = None
    last: bool = False
    scale: frozenset[int] | None = None
    kind: str = ""
    bare: bool = False
    leap: float = 0.5
    busy: float = 0.0

    @property
    def ticks(self) -> int:
        """The length of the room."""
        return self.bars * self.meter.ticks

    def chord(self, tick: int) -> Chord | None:
        """The chord at a tick of the room; before the piece begins there is none."""
        at = self.first * self.meter.ticks + tick
        return self.chord_at(at) if at >= 0 else None


@dataclass(frozen=True)
class Grown:
    """A tune that has grown: its notes, and the slots they stand in, by which it can be brought back."""

    notes: tuple[TuneNote, ...]
    ideas: tuple[Slot, ...] = ()
    key: Key = _C_MAJOR
    bars: int = 0
