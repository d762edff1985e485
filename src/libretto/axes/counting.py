"""Counting that axes share: ratios, entropy, what stands on a beat, which pitch classes stand out, how alike bars are.

Conventions: everything has one row or entry a stretch; NaN says that there is nothing to divide by. For likeness a note
is of a *kind*: its voice, place in the bar and pitch. What two bars share is counted exactly. Kinds that many bars hold
are counted by a matrix product, the rest pair by pair, so that neither very long nor very varied pieces take more than
a few seconds.
"""

from __future__ import annotations

from math import log2, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER
from libretto.score.table import Bools, Floats, Ints, distinct

__all__ = [
    "KEYS",
    "KINDS",
    "LONGEST",
    "PITCH_SETS",
    "TEN_THOUSAND",
    "Kit",
    "bar_likeness",
    "entropy",
    "has_chord",
    "known",
    "near",
    "over",
    "prominent",
    "scatter",
]

#: Longer pieces than this have no form: every bar would have to be compared with every other.
LONGEST = 4096
#: Lengths are counted in this part of a quarter note.
TEN_THOUSAND = 10_000
_BITS = 1 << np.arange(12)
_POWERS = _BITS.astype(np.float64)  # products of such numbers are exact, and quick
#: For every set of pitch classes, as bits: which pitch classes it holds.
PITCH_SETS: Bools = np.arange(1 << 12)[:, None] & _BITS != 0
_SMALL = 20_000_000  # cells of one product
_LARGEST = 2**62  # number that notes are told apart by
_SMALL_BITS = 31  # of a number that is sorted in less time
_OFTEN = 16  # a kind held by more than this part of the bars goes into the product
_CLOSE = QUARTER // 12  # ticks by which a note may miss a place and still stand on it


def bar_likeness(bar: Ints, kind: Ints, bars: int) -> Floats:
    """For notes, each in a bar and of a kind: the likeness of every pair of bars, from 0 to 1."""
    bits = bars.bit_length()
    if int(kind.max()) > _LARGEST >> bits:
        kind = np.unique(kind, return_inverse=True)[1]
    pairs = kind << bits | bar
    pairs = distinct(pairs if int(kind.max()) >> _SMALL_BITS - bits else pairs.astype(np.int32))  # once a bar
    kind, bar = pairs >> bits, (pairs & (1 << bits) - 1).astype(np.int64)
    new = np.zeros(len(kind), dtype=np.int64)
    new[1:] = kind[1:] != kind[:-1]
    which = np.cumsum(new)
    kinds = int(which[-1]) + 1
    size = np.bincount(bar, minlength=bars).astype(np.float64)
    if bars * kinds <= _SMALL:
        shared = np.flatnonzero(np.bincount(which)[which] > 1)  # what one bar alone holds says only how large it is
        renamed = np.cumsum(new[shared]) if len(shared) else which[:0]
        both = _product(bar[shared], renamed, bars, int(renamed[-1]) + 1) if len(shared) else np.zeros((bars, bars))
        np.fill_diagonal(both, size)
    else:
        held = np.bincount(which)[which]
        often = held > bars // _OFTEN
        renamed = np.unique(which[often], return_inverse=True)[1]
        both = _product(bar[often], renamed, bars, int(renamed.max(initial=-1)) + 1)
        rare = ~often & (held > 1)
        both += _pair_by_pair(bar[rare], which[rare], bars)
        np.fill_diagonal(both, size)
    either = np.add.outer(size, size)
    either -= both
    return np.asarray(np.divide(both, either, out=both))


def _product(bar: Ints, which: Ints, bars: int, kinds: int) -> Floats:
    shown = np.zeros((bars, kinds), dtype=np.float32)
    shown[bar, which] = 1.0
    return (shown @ shown.T).astype(np.float64)


def _pair_by_pair(bar: Ints, which: Ints, bars: int) -> Floats:
    """Count, for kinds that few bars hold, every pair of bars that holds one; ``which`` is in order."""
    both = np.zeros(bars * bars)
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    held = np.diff(starts, append=len(which))
    for step in range(1, int(held.max(initial=1))):
        first = np.arange(len(bar) - step)
        same = first[which[step:] == which[:-step]]
        np.add.at(both, bar[same] * bars + bar[same + step], 1.0)
    table = both.reshape(bars, bars)
    return table + table.T


def over(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """A ratio for each stretch; NaN where there is nothing to divide by."""
    return np.array([one / all_ if all_ > 0 else nan for one, all_ in zip(part.tolist(), whole.tolist(), strict=True)])


def known(values: Ints) -> Floats:
    """Values that are never negative, as numbers; NaN where they are."""
    return np.array([value if value >= 0 else nan for value in values.tolist()])


def scatter(count: Floats, total: Floats, squares: Floats) -> Floats:
    """For how many whole numbers, their sum and that of their squares: count times the squares less the sum squared.

    Over the square of the count this is the variance. Nothing is rounded on the way, however alike the numbers are.
    """
    rows = zip(count.tolist(), total.tolist(), squares.tolist(), strict=True)
    return np.array([float(int(n) * int(q) - int(t) ** 2) for n, t, q in rows])


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


def entropy(counts: Floats) -> Floats:
    """Row by row the entropy over what occurs, from 0 (one thing) to 1 (all equally often); NaN where nothing does."""
    total = counts.sum(axis=1, keepdims=True)
    share = counts / np.maximum(total, 1)
    bits = -(share * np.log2(share + (counts == 0))).sum(axis=1)  # what does not occur has a logarithm of 0
    kinds = np.count_nonzero(counts, axis=1)
    rows = zip(bits.tolist(), kinds.tolist(), strict=True)
    return np.array([bit / log2(kind) if kind > 1 else 0.0 if kind else nan for bit, kind in rows])


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
    """The strokes on percussion of a piece, from rows of a note table."""

    def __init__(self, strokes: NDArray[Any]) -> None:
        self.bar, self.position, self.key = (strokes[name].astype(np.int64) for name in ("bar", "position", "pitch"))

    def __len__(self) -> int:
        return len(self.key)

    def kind(self, name: str) -> Bools:
        """Which strokes are of that kind; ``hand`` is all that belongs to no drum of the kit."""
        keys = [key for kind in KINDS.values() for key in kind] if name == "hand" else KINDS[name]
        mine = np.zeros(KEYS, dtype=np.bool_)
        mine[list(keys)] = True
        return (~mine if name == "hand" else mine)[self.key]
