"""Who hands over to whom on the way of a morph, and when: at the bars at which an ear hears an even way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libretto.house.core.dice import Dice, dice
from libretto.house.morph.bank import PHRASE, Bank, SongLayer
from libretto.house.morph.playing import play_layer
from libretto.house.morph.trip import Leg, Trip
from libretto.score.table import Floats

__all__ = ["Change", "Ear", "Floats", "changes_of", "count", "ear_between", "hear", "how_pure", "order_changes"]

_ROLES = ("kick and snare", "cymbals", "bass", "chords", "line")
_EAR = 8  # bars that are listened to at once
_LONG_STEP = 0.25  # of the way, from one passage to the next
_CROWDED = 0.002  # what two changes in one bar cost
_STARTS, _SWEEPS = 3, 4
_LEAST_WAY = 0.1  # ends nearer to each other than this would make every step a long one
_SAME = 1e-9  # costs that differ by less are the same


@dataclass(frozen=True, eq=False)
class Change:
    """One part handed over: who leaves, who enters (None for nobody)."""

    leaves: SongLayer | None
    enters: SongLayer | None


def changes_of(banks: tuple[Bank, Bank]) -> list[Change]:
    """Who hands over to whom: layers of one role in pairs, those of one instrument first; the rest come or go alone."""
    made: list[Change] = []
    for role in _ROLES:
        old, new = ([layer for layer in bank.layers if layer.role == role] for bank in banks)
        for layer in list(old):
            same = next((other for other in new if other.program == layer.program), None)
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
    bars, ticks, tonic = len(bank.chords), bank.meter.ticks, bank.key.tonic_class
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
    starts = [start for start in sorted(bank.usable) if start + size <= bars] or [max(0, bars - size)]
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
        [leg.key.tonic_class for leg in legs],
    )


def how_pure(trip: Trip, changes: Sequence[Change], ear: Ear, side: int) -> float:
    """How far the first passage (side 0) or the last (side 1) seems to be along the way, its own song playing alone."""
    size = min(_EAR, len(trip.legs) - 1)
    legs = trip.legs[:size] if side == 0 else trip.legs[len(trip.legs) - 1 - size : -1]
    sums = sum(np.sum(np.atleast_2d(_sums(trip, change, side, legs)), axis=0) for change in changes)
    return float(ear.how_far(hear(np.asarray(sums), size, trip.banks[side].tempo)))


@dataclass(frozen=True, eq=False)
class _Road:
    """How even a way sounds: ``low`` and ``high`` are how far its ends seem to be, ``wanted`` is an even way."""

    ear: Ear
    size: int
    speeds: Floats
    wanted: Floats
    low: float
    high: float

    def uneven(self, sums: Floats) -> Floats:
        """How far ways, as sums passage by passage, are from even: what is off, and long steps or steps back."""
        far = self.ear.how_far(hear(sums, self.size, self.speeds))
        far = (far - self.low) / max(self.high - self.low, _LEAST_WAY)
        steps = far[..., 2:] - far[..., :-2]
        long = np.maximum(steps - _LONG_STEP, 0.0) ** 2 + np.maximum(-steps, 0.0) ** 2
        return np.asarray(((far - self.wanted) ** 2).mean(axis=-1) + 4 * long.mean(axis=-1) + long.max(axis=-1))


def order_changes(trip: Trip, changes: Sequence[Change], ear: Ear, seed: int) -> tuple[float, list[tuple[int, Change]]]:
    """Every change with its bar, so that the way sounds even; and how uneven it still is."""
    bars = len(trip.legs) - 1  # the last bar is a closing chord
    size = min(_EAR, bars)
    starts = sorted({*range(0, bars - size + 1, PHRASE), bars - size})
    choices = [*range(2 * ((trip.depart + 1) // 2), trip.arrive + 1, 2)] or [trip.arrive]
    tables = np.array([_table(trip, change, choices, starts, size) for change in changes])
    road = _road(trip, tables, ear, starts, size)
    source = dice(seed, "changes")
    cost, places = _descended(tables, road, source)
    for _ in range(1, _STARTS):
        other, elsewhere = _descended(tables, road, source)
        if other < cost - _SAME:
            cost, places = other, elsewhere
    timed = sorted(((choices[place], number) for number, place in enumerate(places)))
    return cost, [(bar, changes[number]) for bar, number in timed]


def _road(trip: Trip, tables: Floats, ear: Ear, starts: Sequence[int], size: int) -> _Road:
    """The way as it is with all changes made at the last moment, and at the first: its two ends."""
    speeds = np.array(
        [trip.tempo_at(float(np.mean([leg.share for leg in trip.legs[at : at + size]]))) for at in starts]
    )
    latest, earliest = (tables[:, place].sum(axis=0) for place in (-1, 0))
    low = float(ear.how_far(hear(latest[:1], size, speeds[:1]))[0])
    high = float(ear.how_far(hear(earliest[-1:], size, speeds[-1:]))[0])
    return _Road(ear, size, speeds, np.array(starts) / max(1, len(trip.legs) - 1 - size), low, high)


def _descended(tables: Floats, road: _Road, source: Dice) -> tuple[float, list[int]]:
    """From changes spread out in an order of chance, each moved in turn to where it is best: the cost, the places."""
    order = list(range(len(tables)))
    source.shuffle(order)
    spots = tables.shape[1]
    places = [0] * len(order)
    for rank, number in enumerate(order):
        places[number] = round((rank + 0.5) / len(order) * (spots - 1))
    cost = np.inf
    for _ in range(_SWEEPS):
        for number in order:
            others = [place for other, place in enumerate(places) if other != number]
            rest = sum((tables[other, place] for other, place in enumerate(places) if other != number), start=0.0)
            crowded = np.array([_CROWDED * others.count(place) for place in range(spots)])
            costs = road.uneven(rest + tables[number]) + crowded
            places[number] = int(np.argmin(costs))
            cost = float(costs[places[number]])
    return cost, places


def _table(trip: Trip, change: Change, choices: Sequence[int], starts: Sequence[int], size: int) -> Floats:
    """What is heard of a change for every bar in which it may be made, passage by passage."""
    legs = trip.legs[:-1]
    before, after = (_sums(trip, change, side, legs) for side in (0, 1))
    shape = np.shape(before) or np.shape(after)
    old, new = (
        np.vstack([np.zeros(shape[1]), np.cumsum(np.broadcast_to(sums, shape), axis=0)]) for sums in (before, after)
    )
    made = []
    for bar in choices:
        row = []
        for at in starts:
            cut = min(max(bar, at), at + size)
            row.append(old[cut] - old[at] + new[at + size] - new[cut])
        made.append(row)
    return np.array(made)


_SLOTS, _FAMILIES = 16, 17
_PARTS = np.cumsum((_SLOTS, 2 * _SLOTS, 12, _FAMILIES)).tolist()
_WEIGHTS = (2.0, 0.5, 1.0, 2.0)  # of groove, strokes, tones and who plays, set by ear on pairs for practice
_SUMS = 9  # notes, pitched ones, heights and their squares, lengths and their squares, loudness, strokes, players
_LOW_DRUMS = (35, 36, 38, 40)
_LOUDNESS, _STROKES, _PLAYERS = 6, 7, 8  # columns of them
_NOTE = ("onset", "length", "pitch", "velocity", "program")
_FAMILY, _NO_PROGRAM = 8, -1  # programs of a family; drums have none
_TWICE_AS_LOUD = 24  # steps of velocity that are heard as much as an octave
_MIDDLE = 5.0  # octaves: the height of who plays no pitches
_EVEN = 0.05  # how much even what never changes in a song may change


def count(
    notes: Sequence[tuple[int, int, int, int, int | None]],
    starts: Sequence[int],
    ticks: Sequence[int],
    tonics: Sequence[int],
) -> Floats:
    """What a player does in every bar, as sums that may be added up over players and bars.

    Notes are onset, length, pitch, velocity and program (None for drums); bars have a start, a length and a tonic.
    """
    rows = [(*note, _NO_PROGRAM if program is None else program) for *note, program in notes]
    onset, lasting, pitch, loud, program = np.array(rows, dtype=np.int64).reshape(-1, len(_NOTE)).T
    lines, lengths = np.asarray(starts, dtype=np.int64), np.asarray(ticks, dtype=np.int64)
    bar = np.clip(np.searchsorted(lines, onset, side="right") - 1, 0, len(lines) - 1)
    slot = np.clip((onset - lines[bar]) * _SLOTS // lengths[bar], 0, _SLOTS - 1)
    made: Floats = np.zeros((len(lines), _PARTS[-1] + _SUMS))
    drums = program == _NO_PROGRAM
    low = np.isin(pitch, _LOW_DRUMS)
    long = np.minimum(np.maximum(lasting, 1) / lengths[bar], 1.0)
    np.add.at(made, (bar, np.where(drums, _PARTS[0] + slot + _SLOTS * low, slot)), 1.0)
    at, pitched, size, where = bar[~drums], pitch[~drums], long[~drums], _PARTS[-1]
    home = np.asarray(tonics, dtype=np.int64)[at]
    np.add.at(made, (at, _PARTS[1] + (pitched - home) % 12), size)
    np.add.at(made, (bar, _PARTS[2] + np.where(drums, _FAMILIES - 1, program // _FAMILY)), 1.0)
    high, length = pitched / 12, np.log2(size)
    np.add.at(made, (bar, where), 1.0)
    np.add.at(made, (bar, where + _LOUDNESS), loud / _TWICE_AS_LOUD)
    for place, values in enumerate((np.ones(len(at)), high, high**2, length, length**2), start=1):
        np.add.at(made, (at, where + place), values)
    struck = np.unique(np.column_stack([at, onset[~drums]]), axis=0)[:, 0]
    np.add.at(made, (struck, where + _STROKES), 1.0)
    made[np.unique(bar), where + _PLAYERS] = 1.0
    return made


def hear(sums: Floats, bars: int, tempo: Floats | float) -> Floats:
    """Passages from their sums over so many bars and their speeds, a row each."""
    parts = np.split(np.asarray(sums), _PARTS, axis=-1)
    shares = [
        weight * np.sqrt(part / np.maximum(part.sum(axis=-1, keepdims=True), _SAME))
        for weight, part in zip(_WEIGHTS, parts[:-1], strict=True)
    ]
    every, pitched, high, high2, length, length2, loud, struck, players = np.moveaxis(parts[-1], -1, 0)
    some = np.maximum(pitched, 1.0)
    height, lasting = high / some, length / some
    sizes = (
        np.broadcast_to(np.log2(tempo), every.shape),
        np.log2(1 + every / bars),
        np.where(pitched > 0, height, _MIDDLE),
        np.sqrt(np.maximum(high2 / some - height**2, 0.0)),
        np.where(pitched > 0, lasting / 2, -1.0),
        np.sqrt(np.maximum(length2 / some - lasting**2, 0.0)) / 2,
        loud / np.maximum(every, 1.0),
        np.log2(np.maximum(some / np.maximum(struck, 1.0), 1.0)),
        players / bars / 4,
        (every - pitched) / np.maximum(every, 1.0),
    )
    return np.concatenate([*shares, np.stack(sizes, axis=-1)], axis=-1)


@dataclass(frozen=True, eq=False)
class Ear:
    """An ear that knows both songs: what tells them apart counts by how little it changes within either."""

    weights: Floats
    low: float
    high: float

    @classmethod
    def of(cls, source: Floats, target: Floats) -> Ear:
        """An ear for the way between passages of one song and passages of another, a row each."""
        size = len(source) + len(target)
        within = (source.var(axis=0) * len(source) + target.var(axis=0) * len(target)) / size
        weights = (target.mean(axis=0) - source.mean(axis=0)) / (within + within.mean() + _EVEN)
        low, high = (float(np.median(song @ weights)) for song in (source, target))
        return cls(weights, low, high if high - low > _SAME else low + 1.0)

    def how_far(self, passages: Floats) -> Floats:
        """How far passages have come from one song to the other: 0 is as the one, 1 as the other."""
        return np.asarray((passages @ self.weights - self.low) / (self.high - self.low))
