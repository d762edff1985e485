"""Planters of faults in a single note: out of key, wrong bass, clash, out of range.

A plain fault is what a listener notices at once; a subtle one keeps the kind's definition and drops the conditions that
make it stand out (``docs/spot.md`` has both in words).
"""

from __future__ import annotations

import numpy as np

from libretto.score.facts import Facts, Ints
from libretto.tasks.spot.notes import range_of
from libretto.tasks.spot.plant.fault import Planted, Soil, planters

__all__: list[str] = []

_FOREIGN = 0.012  # a pitch class that sounds less than this share of the time is foreign to a piece
_KEPT = 0.95  # a passage keeps to a scale where so much of it is inside
_MANY = 200  # notes that are tried where few will do
_LOW = 40  # below, two notes a semitone apart are mud, not a clash (E2)


def _tries(soil: Soil, candidates: Ints, most: int = 80) -> list[int]:
    """Some candidates in an order of chance."""
    chosen = soil.chance.sample(range(len(candidates)), min(most, len(candidates)))
    return [int(candidates[index]) for index in chosen]


def _near(facts: Facts, bar: int, reach: int = 2) -> np.ndarray:
    """How long each pitch class sounds in a bar and those on either side."""
    return np.asarray(facts.bar_mass[max(bar - reach, 0) : bar + reach + 1].sum(axis=0))


def _clashes(facts: Facts, index: int, pitch: int, least: float = 0.6) -> list[int]:
    """The notes of other voices that a pitch would rub against by a semitone or minor ninth most of the time."""
    note, other, together = facts.both_ways
    mine = note == index
    rubs = np.isin(np.abs(facts.pitch[other] - pitch), (1, 13)) & (facts.voice[other] != facts.voice[index])
    return [int(one) for one in other[mine & rubs & (together >= least * facts.duration[note])]]


def _seldom(facts: Facts, one: int, other: int) -> bool:
    """Whether two pitch classes hardly ever sound together in the piece."""
    first, second, together = facts.pairs
    low, high = sorted((one % 12, other % 12))
    a, b = facts.pitch_class[first], facts.pitch_class[second]
    mine = ((a == low) & (b == high)) | ((a == high) & (b == low))
    return bool(together[mine].sum() <= 0.003 * together.sum())


def _sounding(facts: Facts, index: int, share: float = 0.25) -> set[int]:
    """The pitch classes that others sound together with a note."""
    return set(np.flatnonzero(facts.companions[index] >= share).tolist())


def _not_the_bass(soil: Soil) -> Ints:
    facts = soil.facts
    candidates = soil.inner()
    return np.asarray(candidates[facts.voice[candidates] != (-1 if facts.bass is None else facts.bass)])


@planters.register("out-of-key")
def _out_of_key(soil: Soil) -> Planted | None:
    """One note a semitone off, outside the scale that the passage keeps to, and played by nobody around."""
    facts, plain = soil.facts, soil.plain
    whole = facts.bar_mass.sum(axis=0)
    foreign = whole < _FOREIGN * whole.sum()
    scale, kept = soil.passages
    for index in _tries(soil, _not_the_bass(soil)):
        bar = int(facts.bar[index])
        if kept[bar] < (_KEPT if plain else 0.9):
            continue
        for step in soil.chance.sample((-1, 1), 2):
            pitch = int(facts.pitch[index]) + step
            chord = _sounding(facts, index, 0.4)
            exposed = not chord or {(pitch + 1) % 12, (pitch - 1) % 12} & chord
            if scale[bar, pitch % 12] or pitch % 12 in chord or not 0 < pitch < 127:
                continue
            if plain and not (foreign[pitch % 12] and exposed and _near(facts, bar, 4)[pitch % 12] == 0):
                continue
            if _near(facts, bar, 1)[pitch % 12] > 0:
                continue
            old = soil.name(int(facts.pitch[index]))
            words = f"{soil.where(index)}: {old} became {soil.name(pitch)}, which is not in the key"
            return soil.repitched({index: pitch}, bar, words)
    return None


@planters.register("wrong-bass")
def _wrong_bass(soil: Soil) -> Planted | None:
    """One bass note on a strong beat that contradicts the chord: none of it, a semitone from a note of it."""
    facts, plain = soil.facts, soil.plain
    if facts.bass is None:
        return None
    candidates = soil.inner()
    strong = facts.slot[candidates] % (8 if plain else 4) == 0
    candidates = candidates[(facts.voice[candidates] == facts.bass) & strong]
    scale, kept = soil.passages
    low, high = range_of(soil.score.voices[facts.bass].program)
    for index in _tries(soil, candidates, _MANY):
        bar = int(facts.bar[index])
        chord = _sounding(facts, index, 0.5)
        old = int(facts.pitch[index])
        if len(chord) < 3 or old % 12 not in chord:
            continue
        if plain and (kept[bar] < _KEPT or any((one + 1) % 12 in chord for one in chord)):
            continue
        for step in soil.chance.sample((-1, 1, 6, -6) if plain else (-2, -1, 1, 2, 6, -6), 4):
            pitch = old + step
            rubs = {(pitch + 1) % 12, (pitch - 1) % 12} & chord
            if pitch % 12 in _sounding(facts, index, 0.05) or not rubs or not low <= pitch <= high:
                continue
            if plain and (scale[bar, pitch % 12] or _near(facts, bar)[pitch % 12] > 0.02 * _near(facts, bar).sum()):
                continue
            words = (
                f"{soil.where(index)}: the bass plays {soil.name(pitch)} instead of {soil.name(old)}, against the chord"
            )
            return soil.repitched({index: pitch}, bar, words)
    return None


@planters.register("clash")
def _clash(soil: Soil) -> Planted | None:
    """One note a semitone or minor ninth from another voice that holds on, left unresolved."""
    facts, plain = soil.facts, soil.plain
    _, after = facts.neighbours
    _, kept = soil.passages
    for index in _tries(soil, _not_the_bass(soil), _MANY):
        old, bar = int(facts.pitch[index]), int(facts.bar[index])
        if plain and not (kept[bar] >= _KEPT and soil.calm[bar]):
            continue
        for step in soil.chance.sample((-2, -1, 1, 2), 4):
            pitch = old + step
            resolves = 0 < abs(int(after[index]) - pitch) <= 2
            if (resolves and plain) or pitch % 12 in _sounding(facts, index, 0.05) or pitch < _LOW:
                continue
            if _clashes(facts, index, old, 0.1):
                continue
            against = [one for one in _clashes(facts, index, pitch) if facts.pitch[one] >= _LOW]
            if plain:
                against = [one for one in against if _seldom(facts, pitch, int(facts.pitch[one]))]
                against = [one for one in against if facts.beats[one] >= 0.9 and soil.loud[one]]
            if against:
                rival = soil.name(int(facts.pitch[against[0]]))
                words = f"{soil.where(index)}: {soil.name(old)} became {soil.name(pitch)}, which rubs against {rival}"
                return soil.repitched({index: pitch}, bar, words)
    return None


@planters.register("range")
def _range(soil: Soil) -> Planted | None:
    """One note moved by octaves until the instrument does not have it."""
    facts = soil.facts
    for index in _tries(soil, soil.inner()):
        voice = soil.score.voices[int(facts.voice[index])]
        mine = facts.pitch[facts.voice == facts.voice[index]]
        low, high = range_of(voice.program)
        if mine.min() < low or mine.max() > high or len(mine) < 12:
            continue
        old, beyond = int(facts.pitch[index]), 7 if soil.plain else 1
        ways = [old + step for step in (-12, 12, -24, 24, -36, 36)]
        ways = [pitch for pitch in ways if (pitch <= low - beyond or pitch >= high + beyond) and 3 <= pitch <= 124]
        if ways:
            words = (
                f"{soil.where(index)}: {soil.name(old)} became {soil.name(ways[0])}, which the instrument does not have"
            )
            return soil.repitched({index: ways[0]}, int(facts.bar[index]), words)
    return None
