"""A line of notes: of all ways through the scale, the one that sings best over these chords in this rhythm.

Two tastes share one search (``cheapest_way``). ``draw_line`` is for tunes of whole pieces: dissonance on strong beats
and long notes, distance from the curve the line should follow, intervals, leaps that are not recovered, dissonances
that do not resolve by step, and departure from the contour of its motif. ``sing`` is for drills, on a ladder of given
pitches: distance from the chord where it is heard, leaps that are not needed, notes said twice, distance from the arch
of the phrase and from a motif that is to come back. A little chance in the prices makes every seed another line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from libretto.house.core.dice import Dice
from libretto.score.table import Floats, Ints

__all__ = ["NEVER", "Place", "Slot", "Taste", "cheapest_way", "draw_line", "ladder", "sing", "steps_of"]

_BY_SIZE = (0.0, 0.0, 0.0, 0.55, 0.65, 0.95, 3.2, 1.25, 2.2, 2.0, 3.4, 4.6, 2.2)  # what an interval costs, by semitones
_FURTHER = 5.0  # what every wider one costs
_STEP = 2  # semitones; what is wider is no step
_LEAP, _BACK = 5, 4  # a fourth or more is a leap, and is recovered by a third or less
_UNRECOVERED, _UNRESOLVED = 1.3, 2.4
_CHEAPER_LEAPS, _DEARER_STEPS, _STEP_TAX, _EASIER_TURNS = 0.6, 0.35, 0.25, 0.5  # for a line that likes to leap
_JOIN = 0.6  # how much the move from the phrase before counts
_MOST_OFF = 5.0  # scale steps; further off its motif a line costs no more
_PASSING, _DISSONANT, _SHARPNESS = 0.1, 3.0, 1.6  # what a tone outside the chord costs at least, and by its weight

# The prices of drills.
_ARCH = 5.0  # the whole range away from the arch
_FOREIGN, _FOREIGN_WEAK = 4.5, 0.6  # a tone outside the chord, where it is heard and where it passes
_HEARD = 1.0  # what a tone that should be heard saves
_CHANCE = 1.6
_BEGINNING, _ENDING = 30, 60  # another tone than the line must begin or end on
_AGAIN, _THIRD, _WIDE, _BY_SEMITONE = 2.8, 0.5, 1.0, 0.12  # a note said twice, a third, and what is wider than that
_HARD = (6, 10, 11)  # semitones: a tritone and sevenths
_HARDER, _TOO_WIDE, _OFF_MOTIF = 2.0, 4.0, 1.6
_THIRDS = 4  # semitones


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
        below = sum(1 for degree in ordered if degree <= tone)
        places.append(octave * len(ordered) + below - 1 + (0.0 if tone in ordered else 0.5))
    return np.array(places, dtype=np.float64)


@lru_cache(maxsize=64)
def _moves(size: int, leaps: float, repeats: float) -> tuple[Floats, Floats]:
    """The price of every interval, and of every leap followed by every move."""
    away = np.arange(size)[None, :] - np.arange(size)[:, None]
    far = np.abs(away)
    table = np.array([*_BY_SIZE, *([_FURTHER] * max(0, size - len(_BY_SIZE)))])
    eager = max(0.0, leaps)
    scale = np.where(far > _STEP, 1.0 - _CHEAPER_LEAPS * leaps, 1.0 + _DEARER_STEPS * eager)
    price = table[far] * scale + np.where(np.isin(far, (1, _STEP)), _STEP_TAX * eager, 0.0)
    np.fill_diagonal(price, repeats)
    first, then = away[:, :, None], away[None, :, :]
    onward = (np.sign(first) == np.sign(then)) & (then != 0)
    bad = (np.abs(first) >= _LEAP) & (onward | (np.abs(then) > _BACK))
    return price, np.where(bad, _UNRECOVERED * (1.0 - _EASIER_TURNS * leaps), 0.0)


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
    price, recovery = _moves(len(pitches), round(taste.leaps, 2), round(taste.repeats, 2))
    away = np.abs(pitches[None, :] - pitches[:, None])
    own = [_price(place, pitches, taste, noise[index]) for index, place in enumerate(places)]

    def step(index: int) -> Floats:
        cost = price.copy()
        wanted = contour[index] if index < len(contour) else None
        if wanted is not None:
            off = np.abs(steps[None, :] - steps[:, None] - wanted)
            cost += taste.contour * np.minimum(off, _MOST_OFF)
        left = places[index - 1]
        leaving = ~np.isin(pitches % 12, list(left.chord)) & (left.weight > 0)
        cost += np.where(leaving[:, None] & ((away > _STEP) | (away == 0)), _UNRESOLVED, 0.0)
        return cost

    opening = np.full(price.shape, NEVER)
    if before is None:
        np.fill_diagonal(opening, own[0])
    else:
        start = int(np.clip(before, low, high)) - low
        opening[start] = own[0] + price[start] * _JOIN
    return [low + state for state in cheapest_way(own, step, opening, recovery)]


def _price(place: Place, pitches: Ints, taste: Taste, noise: Sequence[float]) -> Floats:
    """What every pitch of a register costs at a place."""
    tone = pitches % 12
    in_chord, in_scale = np.isin(tone, list(place.chord)), np.isin(tone, list(place.scale))
    cost = np.where(in_chord, 0.0, _PASSING + _DISSONANT * place.weight**_SHARPNESS)
    cost += np.where(in_chord | in_scale, 0.0, taste.chromatic)
    cost += taste.curve * (pitches - place.height) ** 2
    if place.favored:
        cost += np.where(np.isin(tone, list(place.favored)), 0.0, place.pull)
    for pitch, extra in place.extra:
        if pitches[0] <= pitch <= pitches[-1]:
            cost[pitch - pitches[0]] += extra
    return np.asarray(cost + taste.chance * np.asarray(noise[: len(pitches)]))


class Slot(NamedTuple):
    """One note to be sung: where it stands in the arch (0 to 1), how strong its place is, the chord's pitch classes,
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
    rng: Dice,
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
    own = [_slot_prices(slot, rungs, rng, dear) for slot in slots]
    for slot, classes, price in ((0, first, _BEGINNING), (-1, last, _ENDING)):
        if classes:
            own[slot] = own[slot] + np.array([0 if pitch % 12 in classes else price for pitch in rungs])
    moves = _move_table(tuple(rungs), widest)
    rows = np.arange(len(rungs))

    def step(place: int) -> Floats:
        wished = slots[place].move
        return moves if wished is None else moves + _OFF_MOTIF * np.abs(rows[None, :] - rows[:, None] - wished)

    opening = own[0][None, :]
    if before is not None:
        opening = opening + np.array([_move(pitch - before, widest) for pitch in rungs])
    return [rungs[row] for row in cheapest_way(own, step, opening)]


def _slot_prices(slot: Slot, rungs: Sequence[int], rng: Dice, dear: frozenset[int]) -> Floats:
    """What every rung costs at a slot."""
    span = max(1, rungs[-1] - rungs[0])
    prices = []
    for pitch in rungs:
        price = _ARCH * abs((pitch - rungs[0]) / span - slot.height)
        if slot.tones and pitch % 12 not in slot.tones:
            price += _FOREIGN if slot.strong else _FOREIGN_WEAK
        if pitch % 12 in dear:
            price -= _HEARD
        prices.append(price + rng.random() * _CHANCE)
    return np.array(prices)


@lru_cache(maxsize=512)
def _move_table(rungs: tuple[int, ...], widest: int) -> Floats:
    """The price of every move from rung to rung."""
    return np.array([[_move(there - here, widest) for there in rungs] for here in rungs])


def _move(semitones: int, widest: int) -> float:
    """What a move costs: a step nothing, a repetition something, a leap more the wider it is."""
    size = abs(semitones)
    if size == 0:
        price = _AGAIN
    elif size <= _STEP:
        price = 0.0
    else:
        price = _THIRD if size <= _THIRDS else _WIDE + _BY_SEMITONE * size
    if size in _HARD:
        price += _HARDER
    if size > widest:
        price += _TOO_WIDE + (size - widest)
    return price


#: The price of what must not be.
NEVER = 1e9


def cheapest_way(
    own: Sequence[Floats], step: Callable[[int], Floats], opening: Floats | None = None, turn: Floats | None = None
) -> list[int]:
    """The states of the cheapest way through places, each of which offers the same row of states; one a place.

    A state may be a pitch, a rung of a ladder, or a bar of a song. The way is exact: dynamic programming over pairs of
    neighbouring states, so that a price may depend on two moves in a row.
    ``own[p][s]`` is the price of a state at a place and ``step(p)[r, s]`` that of moving from one state to another
    before place ``p``. ``opening[q, s]`` is the price of beginning on ``s`` after ``q`` (by default what the first
    place asks), and ``turn[q, r, s]`` that of a move from ``q`` to ``r`` followed by one from ``r`` to ``s``.
    """
    best = own[0][None, :] if opening is None else opening
    back: list[Ints] = []
    size = len(own[0])
    for place in range(1, len(own)):
        if turn is None:
            chosen = np.broadcast_to(np.argmin(best, axis=0)[:, None], (size, size))
            reached = best.min(axis=0)[:, None]
        else:
            total = best[:, :, None] + turn
            chosen = np.argmin(total, axis=0)
            reached = np.take_along_axis(total, chosen[None], axis=0)[0]
        back.append(chosen)
        best = reached + step(place) + own[place][None, :]
    last = int(np.argmin(best.min(axis=0)))
    way = [last, int(np.argmin(best[:, last]))]
    for chosen in reversed(back):
        way.append(int(chosen[way[-1], way[-2]]))
    return way[: len(own)][::-1]
