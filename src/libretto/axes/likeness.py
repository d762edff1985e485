"""How alike bars are: shared notes over all notes, for every pair of bars.

Conventions: a note is of a *kind*: its voice, place in the bar and pitch. What two bars share is counted exactly. Kinds
that many bars hold are counted by a matrix product, the rest pair by pair, so that neither very long nor very varied
pieces take more than a few seconds.
"""

from __future__ import annotations

import numpy as np

from libretto.score.arrays import Floats, Ints

__all__ = ["LONGEST", "bar_likeness"]

#: Longer pieces than this have no form: every bar would have to be compared with every other.
LONGEST = 4096
_SMALL = 20_000_000  # cells of one product
_OFTEN = 16  # a kind held by more than this part of the bars goes into the product


def bar_likeness(bar: Ints, kind: Ints, bars: int) -> Floats:
    """For notes, each in a bar and of a kind: the likeness of every pair of bars, from 0 to 1."""
    which = np.unique(kind, return_inverse=True)[1]
    pairs = np.unique(which * bars + bar)  # a kind counts once a bar
    which, bar = pairs // bars, pairs % bars
    kinds = int(which[-1]) + 1
    size = np.bincount(bar, minlength=bars).astype(np.float64)
    if bars * kinds <= _SMALL:
        both = _product(bar, which, bars, kinds)
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
