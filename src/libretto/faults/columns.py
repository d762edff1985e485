"""Evidence as tables with named columns, and the few numbers that all evidence is worked out with.

The order of the columns is that of a tuple of names, and the trees of the ear count by it; everybody else asks by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

__all__ = ["CLASSES", "HELD", "PITCHES", "RUBBING", "RUBBING_CLASSES", "TINY", "Columns", "code_places"]

#: How many pitch classes and pitches there are.
CLASSES, PITCHES = 12, 128
#: Intervals that rub, in semitones: minor second, major seventh, minor ninth; and the same between pitch classes.
RUBBING, RUBBING_CLASSES = (1, 11, 13), (1, 11)
#: Quarters for which a note counts at most where sounds are weighed, as in ``Facts.bar_mass``.
HELD = 4.0
#: Takes the place of nothing where something is divided by it.
TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Columns:
    """A table of evidence: a row a place, and columns that are asked for by name."""

    names: tuple[str, ...]
    rows: Floats

    @classmethod
    def of(cls, names: tuple[str, ...], columns: Mapping[str, NDArray[Any]]) -> Columns:
        """The table of those columns, in the order of the names; there must be one for each name and no other."""
        if set(names) != set(columns):
            raise ValueError(f"columns and names differ: {sorted(set(names) ^ set(columns))}")
        return cls(names, np.stack([np.asarray(columns[name], dtype=np.float64) for name in names], axis=1))

    def __getitem__(self, name: str) -> Floats:
        return np.asarray(self.rows[:, self.names.index(name)])


def code_places(facts: Facts, slots: int) -> Ints:
    """The voice and the place in the bar of every note as one number, for so many places; later ones are the last."""
    return np.asarray(facts.voice * slots + np.clip(facts.slot, 0, slots - 1))
