"""A line through the slots of a room: of many ways kept side by side, the one that sings best.

A way is priced note by note: what its pitch costs there (``places``), how it got there, whether a leap is recovered and
a foreign tone resolved, whether it wobbles, how far it leaves the moves of its template or the idea it returns to, and
how much it recites the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from libretto.house.tune.laying import Slot
from libretto.house.tune.places import NEVER, Ground, ground_of
from libretto.house.tune.room import Grown, Room
from libretto.house.tune.themes import TuneNote
from libretto.score.table import Floats, Ints

__all__ = ["Held", "Taste", "sing", "sung"]

_WAYS = 20  # ways kept side by side
_MOVES = (0.3, 0.12, 0.0, 0.55, 0.6, 0.75, 2.6, 0.85, 1.5, 1.3, 2.4, 3.6, 1.3)  # what a move costs, by semitones
_FURTHER = 5.0
_LEAP, _THIRD, _STEP = 5, 4, 2  # semitones
_ONWARD, _BACK_FAR, _STAYS = 1.5, 0.8, 0.25  # after a leap: on in its direction, back by a leap, or no move
_ZIGZAG, _RETURN, _AGAIN = 6.0, 0.25, 0.9  # a-b-a-b, a-b-a, and one more of these among the last few notes
_THRICE = 0.8  # a note the third time
_RECENT = 6  # notes
_UNRESOLVED, _STAYED = 1.6, 0.5
_TURN, _CLASS = 0.7, 0.5  # another direction than the template's move, another kind of move
_SMALL = 0.5  # of that, where neither move is a leap
_SIGNATURE, _WIDE, _SHORT = 1.7, 3, 0.15  # leaps of a fourth and more are a theme's signature
_RECITES, _FEW = 0.6, 2  # as many moves may be the template's, each further one costs
_GRIP, _BY_STEP = 2.6, 0.25  # what leaving the idea costs that returns, and by semitone
_REACH = 7  # steps up or down at most to which an idea moves
_OTHER_SHIFT, _NOT_AGAIN = 0.35, 0.6  # what it costs to move an idea further than its template does, or at all
_SAID = 0.9  # what a note costs that was said at the same place of the template before
_GAP = 1.2  # three semitones that look like a step
_JOIN = 0.6  # how much the move into a return counts beforehand
_APART, _MOST_APART = 0.2, 1.4  # what it costs to come to a close from further off than a step, by semitone
_EASIER = 0.5  # a move over a breath


@dataclass(frozen=True)
class Taste:
    """How freely a line leaps (0.5 as usual), how firmly it keeps its template's moves and the ideas that return."""

    leap: float = 0.5
    contour: float = 1.0
    grip: float = 1.0
    recites: float = 1.0


def sung(
    slots: Sequence[Slot],
    room: Room,
    seed: object,
    taste: Taste,
    held: Sequence[Held | None] = (),
    *,
    crowned: bool = True,
    extra: Floats | None = None,
) -> Grown:
    """The tune that the slots of a room become; ``extra`` are prices of somebody else, slots by pitches."""
    if not slots:
        return Grown((), (), room.key, room.bars)
    ground = ground_of(slots, room, seed, crowned=crowned)
    if extra is not None:
        ground = replace(ground, prices=ground.prices + extra)
    pitches = sing(slots, ground, taste, held)
    notes = tuple(
        TuneNote(slot.start, slot.length, pitch, slot.accent) for slot, pitch in zip(slots, pitches, strict=True)
    )
    ideas = tuple(replace(slot, chord=room.chord(slot.start)) for slot in slots)
    return Grown(notes, ideas, room.key, room.bars)


@dataclass
class _Ways:
    """Ways side by side: columns of pitches so far, and what each has cost."""

    columns: Ints
    cost: Floats
    run: Ints  # how many moves in a row were the template's
    shift: Ints  # how far the idea that returns is moved


class Held(NamedTuple):
    """A pitch that a tune already had somewhere, and how firmly it keeps it."""

    pitch: int
    grip: float = 1.0


def sing(slots: Sequence[Slot], ground: Ground, taste: Taste, held: Sequence[Held | None] = ()) -> list[int]:
    """The pitches of the best way; ``held`` are pitches that a tune had there and keeps where it can."""
    if not slots:
        return []
    table = _move_table(len(ground.pitches), taste.leap)
    ways = _Ways(
        np.zeros((1, 0), dtype=np.int64), np.zeros(1), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    )
    for index, slot in enumerate(slots):
        price = np.repeat(ground.prices[index][None, :], len(ways.cost), axis=0)
        if index:
            price += _moving(ways, ground, table, slots, index, taste)
        if slot.group >= 0 and (index == 0 or slots[index - 1].group != slot.group):
            ways.shift = _shifts(ways, ground, slots, index)
        if slot.source >= 0:
            price += _returning(ways, ground, slots, index, taste)
        if slot.unlike >= 0:
            price[np.arange(len(ways.cost)), ways.columns[:, slot.unlike]] += _SAID
        kept = held[index] if held else None
        if kept is not None:
            away = np.abs(ground.pitches - kept.pitch)
            price += np.where(away == 0, 0.0, kept.grip * (_GRIP + _BY_STEP * np.minimum(away, _REACH)))[None, :]
        ways = _kept(ways, price, ground, slot)
    best = ways.columns[int(np.argmin(ways.cost))]
    return [int(ground.pitches[column]) for column in best]


def _kept(ways: _Ways, price: Floats, ground: Ground, slot: Slot) -> _Ways:
    """The best ways of all that go on from these."""
    total = ways.cost[:, None] + price
    flat = np.argsort(total, axis=None, kind="stable")[:_WAYS]
    rows, columns = np.unravel_index(flat, total.shape)
    cost = total[rows, columns]
    good = cost < cost[0] + NEVER / 2
    rows, columns, cost = rows[good], columns[good], cost[good]
    run = np.zeros(len(rows), dtype=np.int64)
    if ways.columns.shape[1] and slot.move is not None:
        same = columns - ways.columns[rows, -1] == slot.move
        run = np.where(same, ways.run[rows] + 1, 0)
    grown = np.concatenate([ways.columns[rows], columns[:, None]], axis=1)
    return _Ways(grown, cost, run, ways.shift[rows])


def _move_table(size: int, leap: float) -> Floats:
    """What every move costs, by columns."""
    far = np.abs(np.arange(size)[None, :] - np.arange(size)[:, None])
    prices = np.array([*_MOVES, *([_FURTHER] * max(0, size - len(_MOVES)))])
    scale = np.where(far >= _LEAP, 1.5 - leap, 1.0)
    return np.asarray(prices[far] * scale, dtype=np.float64)


def _moving(ways: _Ways, ground: Ground, table: Floats, slots: Sequence[Slot], index: int, taste: Taste) -> Floats:
    """What the move to every pitch costs each way."""
    slot = slots[index]
    before = ways.columns[:, -1]
    away = np.arange(len(ground.pitches))[None, :] - before[:, None]
    price = table[before] * (_EASIER if slot.breath else 1.0)
    price = price + _resolving(ground, before, index, away)
    stepping = np.abs(ground.steps[None, :] - ground.steps[before][:, None])
    price += np.where((np.abs(away) == _STEP + 1) & (stepping == 1), _gap(ground), 0.0)
    price += taste.contour * _following(ground, before, slot)
    if slot.close:
        price += np.minimum(_MOST_APART, _APART * np.maximum(0, np.abs(away) - _STEP))
    if slot.move is not None:
        price += np.where(away == slot.move, taste.recites * _RECITES * np.maximum(0, ways.run - _FEW)[:, None], 0.0)
    if ways.columns.shape[1] >= _STEP:
        price += _after_leap(ways, away) + _wobbling(ways, away)
    return price + _joining(ways, ground, table, slots, index)


def _gap(ground: Ground) -> float:
    """What three semitones cost that look like a step; nothing in a scale with gaps of its own."""
    octave = ground.steps[min(12, len(ground.steps) - 1)] - ground.steps[0]
    return _GAP if octave >= 7 else 0.0


def _resolving(ground: Ground, before: Ints, index: int, away: Ints) -> Floats:
    """What leaving a foreign tone costs: nothing by step, something by staying, much by leaping."""
    owed = ground.foreign[index - 1][before][:, None]
    far = np.abs(away)
    return np.asarray(owed * np.where(far == 0, _STAYED, np.where(far <= _STEP, 0.0, _UNRESOLVED)), dtype=np.float64)


def _following(ground: Ground, before: Ints, slot: Slot) -> Floats:
    """What departing from the template's move costs: its direction, and whether it is a step, a third or a leap."""
    if slot.step is None or slot.source >= 0:
        return np.zeros((len(before), len(ground.pitches)))
    moved = ground.steps[None, :] - ground.steps[before][:, None]
    turned = np.sign(moved) != np.sign(slot.step)
    short = np.maximum(0.0, _size(np.array(slot.step)) - _size(moved))
    wide = np.maximum(_size(moved), _size(np.array(slot.step))) >= _WIDE
    other = (_size(moved) != _size(np.array(slot.step))) * np.where(wide, 1.0, _SMALL)
    firm = _SIGNATURE if abs(slot.step) >= _WIDE else 1.0
    return np.asarray(firm * (_TURN * turned + _CLASS * other) + _SHORT * short, dtype=np.float64)


def _size(moved: Floats) -> Floats:
    """0 a note again, 1 a step, 2 a third, 3 more."""
    return np.minimum(3.0, np.ceil(np.abs(moved)))


def _after_leap(ways: _Ways, away: Ints) -> Floats:
    """What going on after a leap costs: little back by step, more onwards."""
    last = (ways.columns[:, -1] - ways.columns[:, -2])[:, None]
    leapt = np.abs(last) >= _LEAP
    onward = (np.sign(last) == np.sign(away)) & (away != 0)
    price = np.where(onward, _ONWARD, np.where(away == 0, _STAYS, np.where(np.abs(away) >= _LEAP, _BACK_FAR, 0.0)))
    return np.where(leapt, price, 0.0)


def _wobbling(ways: _Ways, away: Ints) -> Floats:
    """What turning back and forth costs."""
    columns = ways.columns
    count = columns.shape[1]
    back = (columns[:, -2] - columns[:, -1])[:, None]
    returns = (away == back) & (away != 0)
    price = np.where(returns, _RETURN, np.where((away == 0) & (back == 0), _THRICE, 0.0))
    if count > _STEP:
        zigzag = (columns[:, -1] == columns[:, -3]) & (columns[:, -1] != columns[:, -2])
        price = price + np.where(returns & zigzag[:, None], _ZIGZAG, 0.0)
        recent = columns[:, -_RECENT:]
        turned: Ints = (recent[:, 2:] == recent[:, :-2]) & (recent[:, 2:] != recent[:, 1:-1])
        price = price + np.where(returns, _AGAIN * turned.sum(axis=1)[:, None], 0.0)
    return price


def _joining(ways: _Ways, ground: Ground, table: Floats, slots: Sequence[Slot], index: int) -> Floats | float:
    """What it costs to stand far from where an idea that returns note for note begins, one note before it does."""
    after = slots[index + 1] if index + 1 < len(slots) else None
    if (
        after is None
        or after.how != "exact"
        or after.source < 0
        or slots[index].group == after.group
        or after.source >= index
    ):
        return 0.0
    return _JOIN * table[ways.columns[:, after.source]]


def _shifts(ways: _Ways, ground: Ground, slots: Sequence[Slot], index: int) -> Ints:
    """By how many steps each way moves the idea that begins to return: what fits the chords best."""
    group = slots[index].group
    members = [place for place in range(index, len(slots)) if slots[place].group == group]
    members = members[: next((n for n, place in enumerate(members) if place - index != n), len(members))]
    slot = slots[index]
    reach = range(-_REACH, _REACH + 1)
    known = [place for place in members if slots[place].source < index]
    if not known:
        return np.full(len(ways.cost), slot.shift)
    sources = ways.columns[:, [slots[place].source for place in known]]
    totals = []
    for shift in reach:
        columns = _moved(ground, sources, shift)
        fits = ground.prices[np.array(known)[None, :], columns].sum(axis=1) / len(known)
        totals.append(
            fits + (_OTHER_SHIFT * abs(shift - slot.shift) + _NOT_AGAIN * ((shift == 0) == (slot.how == "sequence")))
        )
    best = np.argmin(np.array(totals), axis=0) - _REACH
    return np.asarray(best, dtype=np.int64)


def _moved(ground: Ground, columns: Ints, shift: int) -> Ints:
    """Columns moved along the scale by so many steps; out of the range they stay at its border."""
    wanted = ground.steps[columns] + shift
    return np.clip(np.searchsorted(ground.steps, wanted, side="left"), 0, len(ground.steps) - 1)


def _returning(ways: _Ways, ground: Ground, slots: Sequence[Slot], index: int, taste: Taste) -> Floats:
    """What it costs to leave the idea that returns: its own pitch, moved as the whole of it is."""
    slot = slots[index]
    sources = ways.columns[:, slot.source]
    if slot.how == "inversion":
        first = next(place for place in range(len(slots)) if slots[place].group == slot.group)
        if first >= index:
            return np.zeros((len(ways.cost), len(ground.pitches)))
        axis = ground.steps[ways.columns[:, first]] + ground.steps[ways.columns[:, slots[first].source]]
        target = np.clip(np.searchsorted(ground.steps, axis - ground.steps[sources]), 0, len(ground.steps) - 1)
    else:
        target = np.empty_like(sources)
        for shift in np.unique(ways.shift):
            mine = ways.shift == shift
            target[mine] = _moved(ground, sources[mine], int(shift)) if shift else sources[mine]
    away = np.abs(np.arange(len(ground.pitches))[None, :] - target[:, None])
    firm = 1.0 if slot.how == "exact" else 0.7
    return np.where(away == 0, 0.0, taste.grip * firm * (_GRIP + _BY_STEP * np.minimum(away, _REACH)))
