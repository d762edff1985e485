"""The arithmetic of a study: exact binomial intervals and chances, Bradley-Terry strengths, Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.statistics import Estimate

__all__ = ["Strength", "alpha", "bradley_terry", "chance", "exact_share"]

_TAIL = 0.025  # on each side of an interval of 95 in a hundred
_HALVINGS = 60  # of an interval from 0 to 1: beyond what a float can tell
_NORMAL = 1.959963984540054  # standard errors to each side of an interval of 95 in a hundred
_DRAW = 0.5  # a win added each way between two that met, so that a clean sweep has a finite strength
_MOST_STEPS, _CLOSE = 10_000, 1e-10


def _log_chance(wins: int, count: int, share: float) -> float:
    """The logarithm of the chance of just so many wins."""
    ways = lgamma(count + 1) - lgamma(wins + 1) - lgamma(count - wins + 1)
    return ways + (wins * log(share) if wins else 0.0) + ((count - wins) * log(1 - share) if wins < count else 0.0)


def _at_least(wins: int, count: int, share: float) -> float:
    """The chance of so many wins or more."""
    return sum(exp(_log_chance(k, count, share)) for k in range(wins, count + 1))


def exact_share(wins: int, count: int) -> Estimate:
    """A share between the ends of its exact interval of 95 in a hundred (Clopper and Pearson).

    >>> exact_share(8, 10).percent
    '80% [44-97]'
    """
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    low = 0.0 if not wins else _crossing(lambda share: _at_least(wins, count, share) - _TAIL)
    high = 1.0 if wins == count else _crossing(lambda share: _at_least(wins + 1, count, share) - (1 - _TAIL))
    return Estimate(wins / count, low, high)


def _crossing(rising: Any) -> float:
    """Where a rising function of a share is zero."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def chance(wins: int, count: int) -> float:
    """How likely a fair coin is at least so far from even, on either side (exact).

    >>> round(chance(8, 10), 4)
    0.1094
    """
    return min(1.0, 2 * _at_least(max(wins, count - wins), count, 0.5)) if count else 1.0


@dataclass(frozen=True)
class Strength:
    """How strong a system is in pairs: log-odds against the mean of all, with the ends of its interval."""

    name: str
    value: float
    low: float
    high: float


def bradley_terry(names: Sequence[str], wins: Sequence[Sequence[float]]) -> list[Strength]:
    """Strengths by which the odds of a pair are their ratio, strongest first; ``wins[a][b]`` of a over b.

    Half a win each way is added to every pair that met. Intervals are Wald's, from the information at the maximum.
    """
    won: NDArray[np.float64] = np.array(wins, dtype=np.float64)
    met = (won + won.T) > 0
    won = won + _DRAW * met
    games = won + won.T
    strength = np.ones(len(names))
    for _ in range(_MOST_STEPS):
        denominator = np.where(met, games / (strength[:, None] + strength[None, :]), 0.0).sum(axis=1)
        new = np.where(denominator > 0, won.sum(axis=1) / np.where(denominator > 0, denominator, 1.0), 1.0)
        new /= exp(float(np.log(new).mean()))
        moved = float(np.abs(np.log(new) - np.log(strength)).max())
        strength = new
        if moved < _CLOSE:
            break
    logs = np.log(strength)
    chances = strength[:, None] / (strength[:, None] + strength[None, :])
    shared = games * chances * (1 - chances)
    information = np.diag(shared.sum(axis=1)) - shared
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information, hermitian=True)), 0.0))
    rows = [
        Strength(name, float(value), float(value - _NORMAL * error), float(value + _NORMAL * error))
        for name, value, error in zip(names, logs, errors, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row.value, row.name))


def alpha(units: Sequence[Sequence[str]]) -> float | None:
    """Krippendorff's alpha for names: 1 is full agreement, 0 as by chance; None where nothing can be told.

    Each unit holds what the listeners said of one question; those with fewer than two answers do not count.

    >>> alpha([["a", "a"], ["b", "b"], ["a", "b"]])
    0.4444444444444444
    """
    counted = [Counter(unit) for unit in units if len(unit) > 1]
    whole = sum(counted, Counter())
    total = whole.total()
    expected = sum(a * b for name, a in whole.items() for other, b in whole.items() if name != other)
    if not expected:
        return None
    differing = 0.0
    for unit in counted:
        size = unit.total()
        differing += sum(a * b for name, a in unit.items() for other, b in unit.items() if name != other) / (size - 1)
    return 1 - (total - 1) * differing / expected
