"""A line through the slots of a room: of many ways kept side by side, the one that sings best.

A way is priced note by note: what its pitch costs there (``places``), how it got there, whether a leap is recovered and
a foreign tone resolved, whether it wobbles, how far it leaves the moves of its template or the idea it returns to, and
how much it recites the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from libretto.house.tune.hearing import Listener
from libretto.house.tune.laying import Slot
from libretto.house.tune.leaning import is_pop
from libretto.house.tune.moves import Taste, Ways, move_table, moving
from libretto.house.tune.places import NEVER, Ground, ground_of
from libretto.house.tune.room import Grown, Room
from libretto.house.tune.themes import TuneNote
from libretto.score.table import Floats, Ints

__all__ = ["Held", "sing", "sung", "taste_of"]

_WAYS, _HEARD_WAYS = 16, 8  # ways kept side by side, and where somebody listens to each
_TOLD = 0.3  # how much the model counts that was taught tunes, beside the plan
_SONGS_REPEAT = 0.7  # what a note said twice saves in songs
_GRIP, _BY_STEP = 2.6, 0.25  # what leaving the idea costs that returns, and by semitone
_REACH = 7  # steps up or down at most to which an idea moves
_OTHER_SHIFT, _NOT_AGAIN = 0.35, 0.6  # what it costs to move an idea further than its template does, or at all
_SAID = 0.9  # what a note costs that was said at the same place of the template before


def taste_of(room: Room) -> Taste:
    """What a tune likes there: songs say notes twice more often than older tunes do."""
    return Taste(leap=room.leap, repeat=_SONGS_REPEAT if is_pop(room.kind) else 0.0, told=_TOLD)


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
    listener = Listener(slots, room, ground.middle) if taste.told and len(slots) > 1 else None
    pitches = sing(slots, ground, taste, held, listener)
    notes = tuple(
        TuneNote(slot.start, slot.length, pitch, slot.accent) for slot, pitch in zip(slots, pitches, strict=True)
    )
    ideas = tuple(replace(slot, chord=room.chord(slot.start)) for slot in slots)
    return Grown(notes, ideas, room.key, room.bars)


class Held(NamedTuple):
    """A pitch that a tune already had somewhere, and how firmly it keeps it."""

    pitch: int
    grip: float = 1.0


def sing(
    slots: Sequence[Slot],
    ground: Ground,
    taste: Taste,
    held: Sequence[Held | None] = (),
    listener: Listener | None = None,
) -> list[int]:
    """The pitches of the best way; ``held`` are pitches that a tune had there and keeps where it can.

    A listener, who knows many tunes, says how likely each way would go on so.
    """
    if not slots:
        return []
    table = move_table(len(ground.pitches), taste)
    ways = Ways(np.zeros((1, 0), dtype=np.int64), np.zeros(1), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    for index, slot in enumerate(slots):
        price = np.repeat(ground.prices[index][None, :], len(ways.cost), axis=0)
        if listener:
            price += taste.told * listener.prices(index)
        if index:
            price += moving(ways, ground, table, slots, index, taste)
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
        ways = _kept(ways, price, slot, listener)
    best = ways.columns[int(np.argmin(ways.cost))]
    return [int(ground.pitches[column]) for column in best]


def _kept(ways: Ways, price: Floats, slot: Slot, listener: Listener | None) -> Ways:
    """The best ways of all that go on from these."""
    total = ways.cost[:, None] + price
    flat = np.argsort(total, axis=None, kind="stable")[: _HEARD_WAYS if listener else _WAYS]
    rows, columns = np.unravel_index(flat, total.shape)
    cost = total[rows, columns]
    good = cost < cost[0] + NEVER / 2
    rows, columns, cost = rows[good], columns[good], cost[good]
    if listener:
        own = listener.own(ways.columns.shape[1], ways.columns[rows], columns)
        rows, columns, cost = rows[own], columns[own], cost[own]
    run = np.zeros(len(rows), dtype=np.int64)
    if ways.columns.shape[1] and slot.move is not None:
        same = columns - ways.columns[rows, -1] == slot.move
        run = np.where(same, ways.run[rows] + 1, 0)
    grown = np.concatenate([ways.columns[rows], columns[:, None]], axis=1)
    if listener:
        listener.go_on(ways.columns.shape[1], rows, columns)
    return Ways(grown, cost, run, ways.shift[rows])


def _shifts(ways: Ways, ground: Ground, slots: Sequence[Slot], index: int) -> Ints:
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


def _returning(ways: Ways, ground: Ground, slots: Sequence[Slot], index: int, taste: Taste) -> Floats:
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
