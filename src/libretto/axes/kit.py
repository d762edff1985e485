"""Percussion of the stretches of a view: which drum is struck where in the bar, and how hard.

Conventions: one entry a stroke, ordered by stretch, bar and position. ``bar`` numbers the written bars of all
stretches in a row, as a View does. Drums go by the General MIDI keys and belong to one *kind* each.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from libretto.score.arrays import Bools, Ints

__all__ = ["KEYS", "KINDS", "Kit"]

KEYS = 128  #: how many keys there are on the drum channel


#: What the keys of a drum kit are, from a drummer's point of view; what is not named here is hand percussion.
KINDS: dict[str, tuple[int, ...]] = {
    "kick": (35, 36),
    "snare": (37, 38, 39, 40),
    "hat": (42, 44, 46),
    "ride": (51, 53, 59),
    "crash": (49, 52, 55, 57),
    "tom": (41, 43, 45, 47, 48, 50),
}


class Kit:
    """The strokes on percussion in several stretches."""

    def __init__(self, *, group: Ints, bar: Ints, onset: Ints, position: Ints, key: Ints, velocity: Ints) -> None:
        self.group, self.bar, self.onset, self.position = group, bar, onset, position
        self.key, self.velocity = key, velocity
        self._by_kind: dict[str, Bools] = {}

    def __len__(self) -> int:
        return len(self.key)

    def first(self, strokes: int) -> Kit:
        """So many strokes from the beginning."""
        names = ("group", "bar", "onset", "position", "key", "velocity")
        return Kit(**{name: getattr(self, name)[:strokes] for name in names})

    def kind(self, name: str) -> Bools:
        """Which strokes are of that kind; ``hand`` is all that belongs to no drum of the kit."""
        if name not in self._by_kind:
            keys = [key for kind in KINDS.values() for key in kind] if name == "hand" else KINDS[name]
            mine = np.zeros(KEYS, dtype=np.bool_)
            mine[list(keys)] = True
            self._by_kind[name] = (~mine if name == "hand" else mine)[self.key]
        return self._by_kind[name]

    @cached_property
    def bars(self) -> Ints:
        """The bars in which percussion plays."""
        return np.flatnonzero(np.bincount(self.bar, minlength=1))
