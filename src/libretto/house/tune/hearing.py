"""What the model that was taught tunes says of every pitch, for many ways of a line side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.house.tune.guarding import Guard
from libretto.house.tune.laying import Slot
from libretto.house.tune.memory import CLASSES, LOWEST, register_of
from libretto.house.tune.room import Room
from libretto.house.tune.step import Step
from libretto.house.tune.telling import Drafts
from libretto.score.table import Bools, Floats, Ints

__all__ = ["Listener"]

_UNHEARD = 12.0  # what a pitch costs that the model does not know, in nats
_MOST = 9.0  # nats; no pitch costs more, however unlikely


class Listener:
    """Somebody who knows many tunes and listens to several ways of one, a note at a time."""

    def __init__(self, slots: Sequence[Slot], room: Room, middle: float) -> None:
        lowest = register_of(room.key.tonic_class, middle) - LOWEST
        pitches = np.arange(room.low, room.high + 1)
        self.columns = np.clip(pitches - lowest, 0, CLASSES - 1)
        self.known = (pitches >= lowest) & (pitches < lowest + CLASSES)
        self.drafts = Drafts.begin(_steps(slots, room), room.key, room.meter, room.kind, 1)
        self.pointers: Ints | None = None
        self.guard = Guard([slot.length for slot in slots])

    def prices(self, index: int) -> Floats:
        """What every pitch costs each way at a slot: how unlikely it is, in nats."""
        said, self.pointers = self.drafts.listen(index)
        return np.where(self.known, np.minimum(_MOST, -said[:, self.columns]), _UNHEARD)

    def own(self, index: int, told: Ints, columns: Ints) -> Bools:
        """Which ways go on without reciting a tune that taught the model; all where none does."""
        recited = self.guard.recites(index, told, columns)
        return np.ones(len(columns), dtype=bool) if recited.all() else ~recited

    def go_on(self, index: int, rows: Ints, columns: Ints) -> None:
        """Go on with those ways, each with another note."""
        if self.pointers is not None:
            self.drafts.keep(rows)
            self.drafts.sing(index, self.columns[columns], self.pointers[rows])


def _steps(slots: Sequence[Slot], room: Room) -> list[Step]:
    """The slots as the model reads them: phrases run from close to close."""
    ticks = room.meter.ticks
    before = room.first * ticks
    bounds: list[tuple[int, int]] = []
    first = 0
    for index, slot in enumerate(slots):
        if slot.close or index == len(slots) - 1:
            begin, end = slots[first].start, slot.start + slot.length
            bounds += [(begin, end)] * (index + 1 - first)
            first = index + 1
    return [
        Step(before + slot.start, slot.length, room.chord(slot.start), before + begin, before + end, echo=slot.source)
        for slot, (begin, end) in zip(slots, bounds, strict=True)
    ]
