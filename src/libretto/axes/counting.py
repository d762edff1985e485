"""Counting that axes share: ratios, entropy, what stands on a beat, which pitch classes stand out.

Conventions: everything has one row or entry a stretch; NaN says that there is nothing to divide by. Whatever is not a
whole number is added up in an order that is the same however many stretches stand side by side.
"""

from __future__ import annotations

from functools import lru_cache
from math import log2

import numpy as np

from libretto.score import QUARTER
from libretto.score.table import Bools, Floats, Ints, distinct

__all__ = [
    "KEYS",
    "KINDS",
    "PITCH_SETS",
    "TEN_THOUSAND",
    "Kit",
    "across",
    "entropy",
    "has_chord",
    "known",
    "near",
    "over",
    "prominent",
    "scatter",
]

#: Lengths are counted in this part of a quarter note.
TEN_THOUSAND = 10_000
_BITS = 1 << np.arange(12)
_POWERS = _BITS.astype(np.float64)  # products of such numbers are exact, and quick
#: For every set of pitch classes, as bits: which pitch classes it holds.
PITCH_SETS: Bools = np.arange(1 << 12)[:, None] & _BITS != 0
_EXACT = 2.0**62  # below this, numbers of 64 bits hold products of whole numbers
_CLOSE = QUARTER // 12  # ticks by which a note may miss a place and still stand on it


def over(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """A ratio for each stretch; NaN where there is nothing to divide by."""
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0))


def known(values: Ints | Floats) -> Floats:
    """Values that are never negative, as numbers; NaN where they are."""
    return np.where(values >= 0, values, np.nan)


def across(table: Floats) -> Floats:
    """Each row added up from left to right: further columns of zeros change nothing, not even by rounding."""
    return np.asarray(table.cumsum(axis=1)[:, -1])


def scatter(count: Floats, total: Floats, squares: Floats) -> Floats:
    """For how many whole numbers, their sum and that of their squares: count times the squares less the sum squared.

    Over the square of the count this is the variance. Nothing is rounded on the way, however alike the numbers are.
    """
    n, t, q = (values.astype(np.int64) for values in (count, total, squares))
    if float(count.max(initial=0.0)) * float(squares.max(initial=0.0)) < _EXACT:
        return np.asarray(n * q - t * t, dtype=np.float64)
    rows = zip(n.tolist(), t.tolist(), q.tolist(), strict=True)  # numbers of any size
    return np.array([float(n * q - t**2) for n, t, q in rows])


def near(position: Ints, unit: int) -> Bools:
    """Which positions stand on a multiple of a unit, give or take a twelfth of a quarter note."""
    return np.asarray((position + _CLOSE) % unit <= 2 * _CLOSE)


def prominent(mass: Floats) -> Ints:
    """Pitch classes that sound at least 0.3 times as long as the longest, row by row, as bits; none in silence."""
    peak = mass.max(axis=1, keepdims=True, initial=0.0)
    standing_out = (10 * mass >= 3 * peak) & (mass > 0)  # in whole numbers: 0.3 times would be rounded
    return np.asarray(standing_out.astype(np.float64) @ _POWERS, dtype=np.int64)


def has_chord(*intervals: int) -> Bools:
    """For every set of pitch classes on every root: whether it holds the root and the notes so far above it."""
    held = [PITCH_SETS, *(np.roll(PITCH_SETS, -interval, axis=1) for interval in intervals)]
    return np.asarray(np.logical_and.reduce(held))


def entropy(counts: Floats, columns: Ints | None = None) -> Floats:
    """Row by row the entropy over what occurs, from 0 (one thing) to 1 (all equally often); NaN where nothing does.

    ``columns`` says how many columns of each row count, where these are fewer for some.
    """
    if columns is not None and int(columns.min(initial=counts.shape[1])) < counts.shape[1]:
        values = np.empty(len(counts))
        for size in distinct(columns).tolist():  # numbers are added up in the same order, whatever stands beside them
            values[columns == size] = entropy(counts[columns == size, :size])
        return values
    total = counts.sum(axis=1, keepdims=True)
    share = counts / np.maximum(total, 1)
    bits = 0.0 - (share * np.log2(share + (counts == 0))).sum(axis=1)  # what does not occur has a logarithm of 0
    kinds = np.count_nonzero(counts, axis=1)
    return np.where(kinds > 0, bits / _most_bits(counts.shape[1])[kinds], np.nan)


@lru_cache(maxsize=64)
def _most_bits(columns: int) -> Floats:
    """The most bits that so many things can have, by how many occur; 1 where there is nothing to choose from."""
    return np.array([1.0, 1.0, *(log2(kinds) for kinds in range(2, columns + 1))])


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
    """The strokes on percussion: in which bar, where in it, and on which key each is."""

    def __init__(self, bar: Ints, position: Ints, key: Ints) -> None:
        self.bar, self.position, self.key = bar, position, key

    def __len__(self) -> int:
        return len(self.key)

    def kind(self, name: str) -> Bools:
        """Which strokes are of that kind; ``hand`` is all that belongs to no drum of the kit."""
        keys = [key for kind in KINDS.values() for key in kind] if name == "hand" else KINDS[name]
        mine = np.zeros(KEYS, dtype=np.bool_)
        mine[list(keys)] = True
        return (~mine if name == "hand" else mine)[self.key]
