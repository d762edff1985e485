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
from libretto.score.table import Bools, Floats, Ints

__all__ = [
    "CLASSES",
    "HELD",
    "PITCHES",
    "RUBBING",
    "RUBBING_CLASSES",
    "TINY",
    "Columns",
    "added_up",
    "code_places",
    "one_of",
]

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


def added_up(rows: list[NDArray[Any]]) -> NDArray[Any]:
    """Twelve rows added up in the order in which numpy adds up twelve numbers that stand in a row; they are used up."""
    for step in (1, 2, 4):  # two by two
        for one in range(0, 8, 2 * step):
            rows[one] += rows[one + step]
    for late in rows[8:]:
        rows[0] += late
    return rows[0]


def one_of(values: Ints, wanted: tuple[int, ...]) -> Bools:
    """Which values are one of a few: what ``np.isin`` says, in less time."""
    return np.asarray(np.logical_or.reduce([values == one for one in wanted]))
