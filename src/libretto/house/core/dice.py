"""Chance with a name: every decision of the house composer has its own stream of numbers, from the seed.

So one decision more or less, say another fill, changes nothing elsewhere in the piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

__all__ = ["Dice", "dice", "weighted"]

#: A stream of chance that a seed decides.
Dice = Random

T = TypeVar("T")


def dice(seed: int, *names: object) -> Dice:
    """A stream of numbers of its own for every seed and name."""
    return Random("/".join(map(str, (seed, *names))))


def weighted(choices: Sequence[T], weights: Sequence[float], seed: int, *names: object) -> T:
    """One of several things, the heavier the likelier."""
    return dice(seed, *names).choices(choices, weights)[0]
