"""How sure a figure is: 95% intervals for shares, and for figures over songs that come in groups.

Wilson's interval takes songs as independent draws. Where one artist has several songs they are not, so what is said of
a classifier is resampled artist by artist instead. The same input gives the same interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from libretto.score.arrays import Floats

__all__ = ["Estimate", "redrawn_share", "resampled", "wilson"]

_Z = 1.959964  # 95% of a normal curve lie within this many standard deviations
_ROUNDS, _SEED = 1000, 1  # how often groups are drawn anew, and by which dice
_LOW, _HIGH = 0.025, 0.975  # the shares between which 95% of the draws lie
_DIGITS = 5  # of a figure kept as data


class Estimate(NamedTuple):
    """A figure between the ends of its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.2f}-{self.high:.2f}]"

    @property
    def percent(self) -> str:
        """The figure and its interval as whole percents."""
        return f"{self.value:.0%} [{100 * self.low:.0f}-{100 * self.high:.0f}]"

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {name: round(number, _DIGITS) for name, number in self._asdict().items()}


def wilson(share: float, count: int) -> Estimate:
    """A share of so many, between the ends of Wilson's interval; anything is possible where nothing was counted.

    >>> wilson(0.5, 20).percent
    '50% [30-70]'
    """
    if count < 1:
        return Estimate(share, 0.0, 1.0)
    weight = _Z * _Z / count
    centre = (share + weight / 2) / (1 + weight)
    reach = _Z * sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    return Estimate(share, max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach)))


def resampled(tables: Floats, figure: Callable[[Floats], float]) -> Estimate:
    """A figure of the sum of tables, one a group, between the ends of what it is when groups are drawn anew."""
    count = len(tables)
    value = figure(tables.sum(axis=0))
    if count < 2:
        return Estimate(value, value, value)
    sums = (_draws(count) @ tables.reshape(count, -1)).reshape(_ROUNDS, *tables.shape[1:])
    low, high = np.percentile([figure(table) for table in sums], (100 * _LOW, 100 * _HIGH))
    return Estimate(value, float(low), float(high))


def redrawn_share(tallies: Sequence[tuple[int, int]], draws: int, seed: int = 0) -> Estimate:
    """The share of all tallies (so many of so many) together, between the ends of what it is when they are drawn anew.

    >>> redrawn_share([(1, 2), (2, 2), (0, 2)], 100).value
    0.5
    """
    dice = Random(seed)
    shares = sorted(_share(dice.choices(tallies, k=len(tallies))) for _ in range(draws))
    return Estimate(_share(tallies), shares[round(_LOW * (draws - 1))], shares[round(_HIGH * (draws - 1))])


def _share(tallies: Sequence[tuple[int, int]]) -> float:
    return sum(right for right, _ in tallies) / sum(of for _, of in tallies)


@lru_cache(maxsize=4)
def _draws(count: int) -> Floats:
    """How often each of so many groups is drawn, round by round."""
    dice = Random(_SEED)
    rounds = [np.bincount(dice.choices(range(count), k=count), minlength=count) for _ in range(_ROUNDS)]
    return np.array(rounds, dtype=np.float64)
