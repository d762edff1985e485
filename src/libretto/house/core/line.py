"""A line of notes: of all ways through the scale, the one that sings best over these chords in this rhythm.

Every note has a price: dissonance on strong beats and long notes, distance from the curve the line should follow,
intervals (steps are cheap, large leaps dear), leaps that are not recovered, dissonances that do not resolve by step,
and departure from the contour of its motif. The cheapest line is found exactly, over pairs of notes; a little chance
in the prices makes every seed another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.arrays import Floats

__all__ = ["Place", "Slot", "Taste", "draw_line", "ladder", "sing", "steps_of"]

_BY_SIZE = (0.0, 0.0, 0.0, 0.55, 0.65, 0.95, 3.2, 1.25, 2.2, 2.0, 3.4, 4.6, 2.2)
_FURTHER = 5.0
_LEAP, _BACK = 5, 4
_UNRECOVERED, _UNRESOLVED = 1.3, 2.4


@dataclass(frozen=True)
class Taste:
    """What a line likes: how freely it leaps, repeats notes and leaves the scale, and how firmly it keeps a contour."""

    leaps: float = 0.0
    repeats: float = 0.8
    chromatic: float = 2.6
    chance: float = 0.5
    contour: float = 0.7
    curve: float = 0.035


@dataclass(frozen=True)
class Place:
    """Where a note stands: chord tones and scale there, how much dissonance weighs, and where the line should lie."""

    chord: frozenset[int]
    scale: frozenset[int]
    weight: float
    height: float
    favored: frozenset[int] = frozenset()
    pull: float = 3.5  # how much it costs not to take a favored tone
    extra: tuple[tuple[int, float], ...] = ()


def steps_of(scale: Sequence[int], low: int, high: int) -> Floats:
    """Every pitch of a register as a number of scale steps; what lies between two steps is a half."""
    ordered = sorted(set(scale))
    places = []
    for pitch in range(low, high + 1):
        octave, tone = divmod(pitch, 12)
        below = sum(1 for each in ordered if each <= tone)
        places.append(octave * len(ordered) + below - 1 + (0.0 if tone in ordered else 0.5))
    return np.array(places, dtype=np.float64)


@lru_cache(maxsize=64)
def _moves(size: int, leaps: float, repeats: float) -> tuple[Floats, Floats]:
    """The price of every interval, and of every leap followed by every move."""
    away = np.arange(size)[None, :] - np.arange(size)[:, None]
    table = np.array([*_BY_SIZE, *([_FURTHER] * max(0, size - len(_BY_SIZE)))])
    scale = np.where(np.abs(away) > 2, 1.0 - 0.6 * leaps, 1.0 + 0.35 * max(0.0, leaps))
    price = table[np.abs(away)] * scale + np.where(np.isin(np.abs(away), (1, 2)), 0.25 * max(0.0, leaps), 0.0)
    np.fill_diagonal(price, repeats)
    first, then = away[:, :, None], away[None, :, :]
    leapt = np.abs(first) >= _LEAP
    bad = leapt & ((np.sign(first) == np.sign(then)) & (then != 0) | (np.abs(then) > _BACK))
    return price, np.where(bad, _UNRECOVERED * (1.0 - 0.5 * leaps), 0.0)


def draw_line(
    places: Sequence[Place],
    low: int,
    high: int,
    steps: Floats,
    taste: Taste,
    noise: Sequence[Sequence[float]],
    contour: Sequence[float | None] = (),
    before: int | None = None,
) -> list[int]:
    """The pitches of a line, one a place; ``contour`` asks for a move in scale steps before each note but the first."""
    if not places:
        return []
    pitches = np.arange(low, high + 1)
    size = len(pitches)
    price, recovery = _moves(size, round(taste.leaps, 2), round(taste.repeats, 2))
    away = np.abs(pitches[None, :] - pitches[:, None])
    own = [_price(place, pitches, taste, noise[index]) for index, place in enumerate(places)]
    foreign = [~np.isin(pitches % 12, list(place.chord)) for place in places]
    if before is None:
        best = np.full((size, size), 1e9)
        np.fill_diagonal(best, own[0])
    else:
        start = int(np.clip(before, low, high)) - low
        best = np.full((size, size), 1e9)
        best[start] = own[0] + price[start] * 0.6
    back: list[NDArray[np.int64]] = []
    for index in range(1, len(places)):
        step = price.copy()
        wanted = contour[index] if index < len(contour) else None
        if wanted is not None:
            step += taste.contour * np.minimum(np.abs(steps[None, :] - steps[:, None] - wanted), 5.0)
        leaving = foreign[index - 1] & (places[index - 1].weight > 0)
        step += np.where(leaving[:, None] & ((away > 2) | (away == 0)), _UNRESOLVED, 0.0)
        total = best[:, :, None] + recovery
        chosen = np.argmin(total, axis=0)
        back.append(chosen)
        best = np.take_along_axis(total, chosen[None], axis=0)[0] + step + own[index][None, :]
    return _traced(best, back, low)


def _price(place: Place, pitches: NDArray[np.int64], taste: Taste, noise: Sequence[float]) -> Floats:
    tone = pitches % 12
    in_chord, in_scale = np.isin(tone, list(place.chord)), np.isin(tone, list(place.scale))
    cost = np.where(in_chord, 0.0, 0.1 + 3.0 * place.weight**1.6)
    cost += np.where(in_chord | in_scale, 0.0, taste.chromatic)
    cost += taste.curve * (pitches - place.height) ** 2
    if place.favored:
        cost += np.where(np.isin(tone, list(place.favored)), 0.0, place.pull)
    for pitch, extra in place.extra:
        if pitches[0] <= pitch <= pitches[-1]:
            cost[pitch - pitches[0]] += extra
    return np.asarray(cost + taste.chance * np.asarray(noise[: len(pitches)]))


def _traced(best: Floats, back: Sequence[NDArray[np.int64]], low: int) -> list[int]:
    """Follow the cheapest line back to its beginning."""
    before, last = np.unravel_index(int(np.argmin(best)), best.shape)
    line = [int(last), int(before)]
    for chosen in reversed(back):
        line.append(int(chosen[line[-1], line[-2]]))
    count = len(back) + 1
    return [low + each for each in line[:count][::-1]]


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
