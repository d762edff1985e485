"""Planters of faults in a single note: out of key, wrong bass, clash, out of range."""

from __future__ import annotations

import numpy as np

from libretto.tasks.faults import Planted, Soil, planters
from libretto.tasks.spot_facts import Facts, Ints
from libretto.tasks.spot_notes import range_of

__all__: list[str] = []

_FOREIGN = 0.012  # a pitch class that sounds less than this share of the time is foreign to a piece


def _tries(soil: Soil, candidates: Ints, most: int = 60) -> list[int]:
    """Some candidates in an order of chance."""
    chosen = soil.chance.sample(range(len(candidates)), min(most, len(candidates)))
    return [int(candidates[index]) for index in chosen]


def _near(facts: Facts, bar: int) -> np.ndarray:
    """How long each pitch class sounds in a bar and the two on either side."""
    return np.asarray(facts.bar_mass[max(bar - 2, 0) : bar + 3].sum(axis=0))


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


@planters.register("out-of-key")
def _out_of_key(soil: Soil) -> Planted | None:
    """One note a semitone off, onto a pitch class that the piece hardly has and the passage not at all."""
    facts = soil.facts
    whole = facts.bar_mass.sum(axis=0)
    foreign = whole < _FOREIGN * whole.sum()
    candidates = soil.inner()
    candidates = candidates[facts.voice[candidates] != (-1 if facts.bass is None else facts.bass)]
    for index in _tries(soil, candidates):
        for step in soil.chance.sample((-1, 1), 2):
            pitch = int(facts.pitch[index]) + step
            chord = _sounding(facts, index, 0.4)
            exposed = not chord or {(pitch + 1) % 12, (pitch - 1) % 12} & chord
            absent = _near(facts, int(facts.bar[index]))[pitch % 12] == 0
            if foreign[pitch % 12] and absent and exposed and 0 < pitch < 127:
                old = soil.name(int(facts.pitch[index]))
                words = f"{soil.where(index)}: {old} became {soil.name(pitch)}, which is not in the key"
                return soil.repitched({index: pitch}, int(facts.bar[index]), words)
    return None


@planters.register("wrong-bass")
def _wrong_bass(soil: Soil) -> Planted | None:
    """One bass note that contradicts the chord: a semitone or a tritone from what the others sound, and none of it."""
    facts = soil.facts
    if facts.bass is None:
        return None
    candidates = soil.inner()
    candidates = candidates[facts.voice[candidates] == facts.bass]
    for index in _tries(soil, candidates):
        chord = _sounding(facts, index, 0.5)
        old = int(facts.pitch[index])
        if len(chord) < 3 or old % 12 not in chord:
            continue
        low, high = range_of(soil.score.voices[facts.bass].program)
        for step in soil.chance.sample((-1, 1, 6, -6), 4):
            pitch = old + step
            rubs = {(pitch + 1) % 12, (pitch - 1) % 12} & chord
            if pitch % 12 in _sounding(facts, index, 0.05) or not rubs or not low <= pitch <= high:
                continue
            if _near(facts, int(facts.bar[index]))[pitch % 12] > 0.05 * _near(facts, int(facts.bar[index])).sum():
                continue
            words = (
                f"{soil.where(index)}: the bass plays {soil.name(pitch)} instead of {soil.name(old)}, against the chord"
            )
            return soil.repitched({index: pitch}, int(facts.bar[index]), words)
    return None


@planters.register("clash")
def _clash(soil: Soil) -> Planted | None:
    """One note a semitone or minor ninth from another voice that holds on, left unresolved."""
    facts = soil.facts
    candidates = soil.inner()
    candidates = candidates[facts.voice[candidates] != (-1 if facts.bass is None else facts.bass)]
    _, after = facts.neighbours
    for index in _tries(soil, candidates):
        old = int(facts.pitch[index])
        for step in soil.chance.sample((-2, -1, 1, 2), 4):
            pitch = old + step
            resolves = 0 < abs(int(after[index]) - pitch) <= 2
            if resolves or pitch % 12 in _sounding(facts, index, 0.05) or _clashes(facts, index, old, 0.1):
                continue
            against = [one for one in _clashes(facts, index, pitch) if _seldom(facts, pitch, int(facts.pitch[one]))]
            if against and min(facts.beats[one] for one in against) >= 0.9:
                rival = soil.name(int(facts.pitch[against[0]]))
                words = f"{soil.where(index)}: {soil.name(old)} became {soil.name(pitch)}, which rubs against {rival}"
                return soil.repitched({index: pitch}, int(facts.bar[index]), words)
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
        old = int(facts.pitch[index])
        ways = [old + step for step in (-12, 12, -24, 24, -36, 36) if not low <= old + step <= high]
        ways = [pitch for pitch in ways if 3 <= pitch <= 124]
        if ways:
            words = (
                f"{soil.where(index)}: {soil.name(old)} became {soil.name(ways[0])}, which the instrument does not have"
            )
            return soil.repitched({index: ways[0]}, int(facts.bar[index]), words)
    return None
