"""Counting that axes share: ratios, entropy, what stands on a beat, which pitch classes stand out, how alike bars are.

Conventions: everything has one row or entry a stretch; NaN says that there is nothing to divide by. For likeness a note
is of a *kind*: its voice, place in the bar and pitch. What two bars share is counted exactly. Kinds that many bars hold
are counted by a matrix product, the rest pair by pair, so that neither very long nor very varied pieces take more than
a few seconds.
"""

from __future__ import annotations

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
#: For every set of pitch classes, as bits: which pitch classes it holds.
PITCH_SETS: Bools = np.arange(1 << 12)[:, None] & _BITS != 0
_SMALL = 20_000_000  # cells of one product
_LARGEST = 2**62  # number that notes are told apart by
_OFTEN = 16  # a kind held by more than this part of the bars goes into the product
_CLOSE = QUARTER // 12  # ticks by which a note may miss a place and still stand on it


def bar_likeness(bar: Ints, kind: Ints, bars: int) -> Floats:
    """For notes, each in a bar and of a kind: the likeness of every pair of bars, from 0 to 1."""
    if int(kind.max()) > _LARGEST // bars:
        kind = np.unique(kind, return_inverse=True)[1]
    pairs = distinct(kind * bars + bar)  # a kind counts once a bar
    kind, bar = pairs // bars, pairs % bars
    which = np.cumsum(np.concatenate(([False], kind[1:] != kind[:-1])))
    kinds = int(which[-1]) + 1
    size = np.bincount(bar, minlength=bars).astype(np.float64)
    if bars * kinds <= _SMALL:
        shared = np.bincount(which)[which] > 1  # what one bar alone holds says only how large it is
        renamed = np.cumsum(np.concatenate(([False], which[shared][1:] != which[shared][:-1])))
        both = (
            _product(bar[shared], renamed, bars, int(renamed[-1]) + 1) if len(renamed) > 1 else np.zeros((bars, bars))
        )
        np.fill_diagonal(both, size)
    else:
        held = np.bincount(which)[which]
        often = held > bars // _OFTEN
        renamed = np.unique(which[often], return_inverse=True)[1]
        both = _product(bar[often], renamed, bars, int(renamed.max(initial=-1)) + 1)
        rare = ~often & (held > 1)
        both += _pair_by_pair(bar[rare], which[rare], bars)
        np.fill_diagonal(both, size)
    return np.asarray(both / (size[:, None] + size[None, :] - both))


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
    return np.asarray(part / np.where(whole > 0, whole, np.nan))


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
    return np.asarray(standing_out @ _BITS)


def has_chord(*intervals: int) -> Bools:
    """For every set of pitch classes on every root: whether it holds the root and the notes so far above it."""
    held = [PITCH_SETS, *(np.roll(PITCH_SETS, -interval, axis=1) for interval in intervals)]
    return np.asarray(np.logical_and.reduce(held))


def entropy(counts: Floats) -> Floats:
    """Row by row the entropy over what occurs, from 0 (one thing) to 1 (all equally often); NaN where nothing does."""
    total = counts.sum(axis=1)
    share = np.divide(counts, total[:, None], out=np.zeros_like(counts), where=total[:, None] > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    kinds = np.count_nonzero(counts, axis=1)
    result = np.where(total > 0, 0.0, np.nan)
    several = kinds > 1
    result[several] = -(share * logs).sum(axis=1)[several] / np.log2(kinds[several])
    return result


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
        self.bar, self.position, self.key = (
            strokes[name].astype(np.int64) for name in ("bar", "position", "pitch")
        )

    def __len__(self) -> int:
        return len(self.key)

    def kind(self, name: str) -> Bools:
        """Which strokes are of that kind; ``hand`` is all that belongs to no drum of the kit."""
        keys = [key for kind in KINDS.values() for key in kind] if name == "hand" else KINDS[name]
        mine = np.zeros(KEYS, dtype=np.bool_)
        mine[list(keys)] = True
        return (~mine if name == "hand" else mine)[self.key]
