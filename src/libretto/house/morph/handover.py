"""Who hands over to whom on the way of a morph, and when: at the bars at which an ear hears an even way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libretto.house.core.dice import dice
from libretto.house.morph.bank import PHRASE, Bank, Layer
from libretto.house.morph.hearing import Ear, Floats, count, hear
from libretto.house.morph.playing import play_layer
from libretto.house.morph.trip import Leg, Trip
from libretto.score.pitch import pitch_class_of

__all__ = ["Change", "changes_of", "ear_between", "how_pure", "order_changes"]

_ROLES = ("kick and snare", "cymbals", "bass", "chords", "line")
_EAR = 8  # bars that are listened to at once
_LONG_STEP = 0.25  # of the way, from one passage to the next
_CROWDED = 0.002  # what two changes in one bar cost
_STARTS, _SWEEPS = 3, 4


@dataclass(frozen=True, eq=False)
class Change:
    """One part handed over: who leaves, who enters (None for nobody)."""

    leaves: Layer | None
    enters: Layer | None


def changes_of(banks: tuple[Bank, Bank]) -> list[Change]:
    """Who hands over to whom: layers of one role in pairs, those of one instrument first; the rest come or go alone."""
    made: list[Change] = []
    for role in _ROLES:
        old, new = ([layer for layer in bank.layers if layer.role == role] for bank in banks)
        for layer in list(old):
            same = next((each for each in new if each.program == layer.program), None)
            if same is not None:
                made.append(Change(layer, same))
                old.remove(layer)
                new.remove(same)
        for place in range(max(len(old), len(new))):
            made.append(Change(old[place] if place < len(old) else None, new[place] if place < len(new) else None))
    return made


def ear_between(banks: tuple[Bank, Bank]) -> Ear:
    """An ear that has listened to both songs."""
    source, target = (_passages(bank) for bank in banks)
    return Ear.of(source, target)


def _passages(bank: Bank) -> Floats:
    """The passages of a song that its typical phrases begin, and those in between."""
    bars, ticks, tonic = len(bank.chords), bank.meter.ticks, pitch_class_of(bank.key.tonic)
    lines = range(0, bars * ticks, ticks)
    sums = count([], lines, [ticks] * bars, [tonic] * bars)
    for layer in bank.layers:
        notes = [
            (number * ticks + tone.at, tone.length, tone.pitch, tone.velocity, layer.program)
            for number, tones in enumerate(layer.bars)
            for tone in tones
        ]
        sums = sums + count(notes, lines, [ticks] * bars, [tonic] * bars)
    size = min(_EAR, bars)
    starts = [each for each in sorted(bank.usable) if each + size <= bars] or [max(0, bars - size)]
    return hear(np.array([sums[at : at + size].sum(axis=0) for at in starts]), size, bank.tempo)


def _sums(trip: Trip, change: Change, side: int, legs: Sequence[Leg]) -> Floats | float:
    """What one side of a change plays in those bars."""
    layer = change.enters if side else change.leaves
    if layer is None:
        return 0.0
    notes = play_layer(trip, layer, side, legs, fading=False)
    return count(
        [(note.onset, note.duration, note.pitch, note.velocity, layer.program) for note in notes],
        [leg.start for leg in legs],
        [leg.ticks for leg in legs],
        [pitch_class_of(leg.key.tonic) for leg in legs],
    )


def how_pure(trip: Trip, changes: Sequence[Change], ear: Ear, side: int) -> float:
    """How far the first passage (side 0) or the last (side 1) seems to be along the way, its own song playing alone."""
    size = min(_EAR, len(trip.legs) - 1)
    legs = trip.legs[:size] if side == 0 else trip.legs[len(trip.legs) - 1 - size : -1]
    sums = sum(np.sum(np.atleast_2d(_sums(trip, each, side, legs)), axis=0) for each in changes)
    return float(ear.how_far(hear(np.asarray(sums), size, trip.banks[side].tempo)))


def order_changes(trip: Trip, changes: Sequence[Change], ear: Ear, seed: int) -> tuple[float, list[tuple[int, Change]]]:
    """Every change with its bar, so that the way sounds even; and how uneven it still is."""
    bars = len(trip.legs) - 1  # the last bar is a closing chord
    size = min(_EAR, bars)
    starts = sorted({*range(0, bars - size + 1, PHRASE), bars - size})
    choices = [*range(2 * ((trip.depart + 1) // 2), trip.arrive + 1, 2)] or [trip.arrive]
    speeds = np.array(
        [trip.tempo_at(float(np.mean([leg.share for leg in trip.legs[at : at + size]]))) for at in starts]
    )
    tables = np.array([_table(trip, each, choices, starts, size) for each in changes])
    wanted = np.array(starts) / max(1, bars - size)
    ends = [tables[:, place].sum(axis=0) for place in (-1, 0)]
    low = float(ear.how_far(hear(ends[0][:1], size, speeds[:1]))[0])
    high = float(ear.how_far(hear(ends[1][-1:], size, speeds[-1:]))[0])
    source = dice(seed, "changes")

    def uneven(sums: Floats) -> Floats:
        far = (ear.how_far(hear(sums, size, speeds)) - low) / max(high - low, 0.1)
        steps = far[..., 2:] - far[..., :-2]
        long = np.maximum(steps - _LONG_STEP, 0.0) ** 2 + np.maximum(-steps, 0.0) ** 2
        return np.asarray(((far - wanted) ** 2).mean(axis=-1) + 4 * long.mean(axis=-1) + long.max(axis=-1))

    best: tuple[float, list[int]] | None = None
    for _ in range(_STARTS):
        order = list(range(len(changes)))
        source.shuffle(order)
        places = [0] * len(order)
        for rank, number in enumerate(order):
            places[number] = round((rank + 0.5) / len(order) * (len(choices) - 1))
        cost = np.inf
        for _ in range(_SWEEPS):
            for number in order:
                others = [each for place, each in enumerate(places) if place != number]
                rest = sum((tables[each, place] for each, place in enumerate(places) if each != number), start=0.0)
                crowded = np.array([_CROWDED * others.count(place) for place in range(len(choices))])
                costs = uneven(rest + tables[number]) + crowded
                places[number] = int(np.argmin(costs))
                cost = float(costs[places[number]])
        if best is None or cost < best[0] - 1e-9:
            best = (cost, places)
    assert best is not None
    timed = sorted(((choices[place], number) for number, place in enumerate(best[1])))
    return best[0], [(bar, changes[number]) for bar, number in timed]


def _table(trip: Trip, change: Change, choices: Sequence[int], starts: Sequence[int], size: int) -> Floats:
    """What is heard of a change for every bar in which it may be made, passage by passage."""
    legs = trip.legs[:-1]
    before, after = (_sums(trip, change, side, legs) for side in (0, 1))
    shape = np.shape(before) or np.shape(after)
    old, new = (
        np.vstack([np.zeros(shape[1]), np.cumsum(np.broadcast_to(each, shape), axis=0)]) for each in (before, after)
    )
    made = []
    for bar in choices:
        row = []
        for at in starts:
            cut = min(max(bar, at), at + size)
            row.append(old[cut] - old[at] + new[at + size] - new[cut])
        made.append(row)
    return np.array(made)
