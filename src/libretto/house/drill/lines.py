"""A line through given rhythms: the cheapest way up and down a ladder of pitches, found exactly, with a little chance.

Every note has a price: distance from the chord where it is heard, leaps that are not needed, notes said twice,
distance from the arch of the phrase and from a motif that is to come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

__all__ = ["Slot", "ladder", "sing"]


class Slot(NamedTuple):
    """One note to be found: where it stands in the arch (0 to 1), how strong its place is, the chord's pitch classes,
    and the move (in rungs) that a motif asks for."""

    height: float
    strong: bool
    tones: frozenset[int] = frozenset()
    move: int | None = None


def ladder(classes: frozenset[int] | set[int], low: int, high: int) -> list[int]:
    """Every pitch of those classes within a range."""
    return [pitch for pitch in range(low, high + 1) if pitch % 12 in classes]


def sing(
    slots: Sequence[Slot],
    rungs: Sequence[int],
    rng: Random,
    *,
    first: frozenset[int] = frozenset(),
    last: frozenset[int] = frozenset(),
    widest: int = 7,
    before: int | None = None,
    dear: frozenset[int] = frozenset(),
) -> list[int]:
    """Pitches for those slots; ``first`` and ``last`` are the classes the line begins and ends on, ``before`` the pitch
    it comes from, ``dear`` the classes that should be heard."""
    if not slots or not rungs:
        return []
    size = len(rungs)
    own = [_prices(slot, rungs, rng, dear) for slot in slots]
    if first:
        own[0] = [price + (0 if rungs[row] % 12 in first else 30) for row, price in enumerate(own[0])]
    if last:
        own[-1] = [price + (0 if rungs[row] % 12 in last else 60) for row, price in enumerate(own[-1])]
    cost = [
        own[0][row] + (_move(rungs[row] - before, 0, None, widest) if before is not None else 0) for row in range(size)
    ]
    back: list[list[int]] = []
    for place in range(1, len(slots)):
        came, now = [], []
        for row in range(size):
            options = [
                cost[other] + _move(rungs[row] - rungs[other], row - other, slots[place].move, widest)
                for other in range(size)
            ]
            best = min(range(size), key=options.__getitem__)
            came.append(best)
            now.append(options[best] + own[place][row])
        back.append(came)
        cost = now
    row = min(range(size), key=cost.__getitem__)
    path = [row]
    for came in reversed(back):
        row = came[row]
        path.append(row)
    return [rungs[each] for each in reversed(path)]


def _prices(slot: Slot, rungs: Sequence[int], rng: Random, dear: frozenset[int]) -> list[float]:
    span = max(1, rungs[-1] - rungs[0])
    prices = []
    for pitch in rungs:
        price = 5.0 * abs((pitch - rungs[0]) / span - slot.height)
        if slot.tones and pitch % 12 not in slot.tones:
            price += 4.5 if slot.strong else 0.6
        if pitch % 12 in dear:
            price -= 1.0
        prices.append(price + rng.random() * 1.6)
    return prices


def _move(semitones: int, rungs: int, wished: int | None, widest: int) -> float:
    """What a move costs: a step nothing, a repetition something, a leap more the wider it is."""
    size = abs(semitones)
    price = 2.8 if size == 0 else 0.0 if size <= 2 else 0.5 if size <= 4 else 1.0 + 0.12 * size
    if size in (6, 10, 11):
        price += 2.0
    if size > widest:
        price += 4.0 + (size - widest)
    if wished is not None:
        price += 1.6 * abs(rungs - wished)
    return price
