"""Planters of faults in a single note: out of key, wrong bass, clash, out of range.

A plain fault is what a listener notices at once; a subtle one keeps the kind's definition and drops the conditions that
make it stand out (``docs/spot.md`` has both in words).
"""

from __future__ import annotations

import numpy as np

from libretto.faults.columns import CLASSES, PITCHES
from libretto.faults.notes import range_of
from libretto.faults.plant.fault import HIGHEST, LOWEST, Planted, Soil, planters
from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

__all__: list[str] = []

_FOREIGN = 0.012  # a pitch class that sounds less than this share of the time is foreign to a piece
_KEPT, _KEPT_SUBTLE = 0.95, 0.9  # a passage keeps to a scale where so much of it is inside
_SOME, _MANY = 80, 200  # notes that are tried, and where few will do
_LOW = 40  # below, two notes a semitone apart are mud, not a clash (E2)
_AROUND, _FAR_AROUND = 2, 4  # bars on either side
_STEP = 2  # semitones; a note that is left by no more resolves
_TRITONE = 6
_MOST_TIME = 0.6  # of a note's length: a clash that lasts
_TOUCH = 0.1  # of a note's length: a clash that is one at all
_SELDOM = 0.003  # of the time that any two pitch classes sound together
_HEARD = 0.05  # of a note's length: what sounds with it at all
_CHORD, _BASS_CHORD = 0.4, 0.5  # of a note's length: what sounds with it as its chord
_TRIAD = 3  # notes of a chord that a bass can contradict
_ABSENT = 0.02  # of what sounds in the bars around: less is hardly there
_HELD = 0.9  # quarters for which the other note of a clash is held
_HALF_BAR, _BEAT = 8, 4  # sixteenths
_ENOUGH = 12  # notes by which the compass of a voice is known
_BEYOND = 7  # semitones outside the instrument that nobody overhears
_OCTAVES = (-12, 12, -24, 24, -36, 36)


def _tries(soil: Soil, candidates: Ints, most: int = _SOME) -> list[int]:
    """Some candidates in an order of chance."""
    chosen = soil.chance.sample(range(len(candidates)), min(most, len(candidates)))
    return [int(candidates[index]) for index in chosen]


def _near(facts: Facts, bar: int, reach: int = _AROUND) -> Floats:
    """How long each pitch class sounds in a bar and those on either side."""
    return np.asarray(facts.bar_mass[max(bar - reach, 0) : bar + reach + 1].sum(axis=0))


def _clashes(facts: Facts, index: int, pitch: int, least: float = _MOST_TIME) -> list[int]:
    """The notes of other voices that a pitch would rub against by a semitone or minor ninth most of the time."""
    note, other, together = facts.both_ways
    mine = note == index
    rubs = np.isin(np.abs(facts.pitch[other] - pitch), (1, CLASSES + 1)) & (facts.voice[other] != facts.voice[index])
    return [int(one) for one in other[mine & rubs & (together >= least * facts.duration[note])]]


def _seldom(facts: Facts, one: int, other: int) -> bool:
    """Whether two pitch classes hardly ever sound together in the piece."""
    first, second, together = facts.pairs
    low, high = sorted((one % CLASSES, other % CLASSES))
    a, b = facts.pitch_class[first], facts.pitch_class[second]
    mine = ((a == low) & (b == high)) | ((a == high) & (b == low))
    return bool(together[mine].sum() <= _SELDOM * together.sum())


def _sounding(facts: Facts, index: int, share: float) -> set[int]:
    """The pitch classes that others sound together with a note, for at least a share of its length."""
    return set(np.flatnonzero(facts.companions[index] >= share).tolist())


def _beside(pitch: int) -> set[int]:
    """The pitch classes a semitone above and below."""
    return {(pitch + 1) % CLASSES, (pitch - 1) % CLASSES}


def _not_the_bass(soil: Soil) -> Ints:
    facts = soil.facts
    candidates = soil.inner()
    return np.asarray(candidates[facts.voice[candidates] != (-1 if facts.bass is None else facts.bass)])


@planters.register("out-of-key")
def _out_of_key(soil: Soil) -> Planted | None:
    """One note a semitone off, outside the scale that the passage keeps to, and played by nobody around."""
    facts = soil.facts
    _, kept = soil.passages
    for index in _tries(soil, _not_the_bass(soil)):
        bar = int(facts.bar[index])
        if kept[bar] < (_KEPT if soil.plain else _KEPT_SUBTLE):
            continue
        for step in soil.chance.sample((-1, 1), 2):
            pitch = int(facts.pitch[index]) + step
            if _is_out_of_key(soil, index, pitch):
                old = soil.name(int(facts.pitch[index]))
                words = f"{soil.where(index)}: {old} became {soil.name(pitch)}, which is not in the key"
                return soil.repitched({index: pitch}, bar, words)
    return None


def _is_out_of_key(soil: Soil, index: int, pitch: int) -> bool:
    """Whether a pitch in place of a note would be outside its passage's scale, and be heard to be."""
    facts, one = soil.facts, pitch % CLASSES
    bar, chord = int(facts.bar[index]), _sounding(facts, index, _CHORD)
    if soil.passages[0][bar, one] or one in chord or not 0 < pitch < PITCHES - 1 or _near(facts, bar, 1)[one] > 0:
        return False
    if not soil.plain:
        return True
    whole = facts.bar_mass.sum(axis=0)
    exposed = not chord or bool(_beside(pitch) & chord)
    return bool(whole[one] < _FOREIGN * whole.sum()) and exposed and bool(_near(facts, bar, _FAR_AROUND)[one] == 0)


@planters.register("wrong-bass")
def _wrong_bass(soil: Soil) -> Planted | None:
    """One bass note on a strong beat that contradicts the chord: none of it, a semitone from a note of it."""
    facts, plain = soil.facts, soil.plain
    if facts.bass is None:
        return None
    candidates = soil.inner()
    strong = facts.slot[candidates] % (_HALF_BAR if plain else _BEAT) == 0
    candidates = candidates[(facts.voice[candidates] == facts.bass) & strong]
    ways = (-1, 1, _TRITONE, -_TRITONE) if plain else (-2, -1, 1, 2, _TRITONE, -_TRITONE)
    for index in _tries(soil, candidates, _MANY):
        old, bar = int(facts.pitch[index]), int(facts.bar[index])
        chord = _sounding(facts, index, _BASS_CHORD)
        if not _has_clear_chord(soil, bar, old, chord):
            continue
        for step in soil.chance.sample(ways, 4):
            if _contradicts(soil, index, old + step, chord):
                new = soil.name(old + step)
                words = f"{soil.where(index)}: the bass plays {new} instead of {soil.name(old)}, against the chord"
                return soil.repitched({index: old + step}, bar, words)
    return None


def _has_clear_chord(soil: Soil, bar: int, bass: int, chord: set[int]) -> bool:
    """Whether a bass note stands under a full chord of its own; plainly, one without semitones, in a clear key."""
    if len(chord) < _TRIAD or bass % CLASSES not in chord:
        return False
    rubs = any((one + 1) % CLASSES in chord for one in chord)
    return not soil.plain or (bool(soil.passages[1][bar] >= _KEPT) and not rubs)


def _contradicts(soil: Soil, index: int, pitch: int, chord: set[int]) -> bool:
    """Whether a pitch in place of a bass note would rub against its chord, and be heard to."""
    facts, one, bar = soil.facts, pitch % CLASSES, int(soil.facts.bar[index])
    low, high = range_of(soil.score.voices[int(facts.voice[index])].program)
    if one in _sounding(facts, index, _HEARD) or not _beside(pitch) & chord or not low <= pitch <= high:
        return False
    near = _near(facts, bar)
    return not soil.plain or not (soil.passages[0][bar, one] or near[one] > _ABSENT * near.sum())


@planters.register("clash")
def _clash(soil: Soil) -> Planted | None:
    """One note a semitone or minor ninth from another voice that holds on, left unresolved."""
    facts = soil.facts
    _, kept = soil.passages
    for index in _tries(soil, _not_the_bass(soil), _MANY):
        old, bar = int(facts.pitch[index]), int(facts.bar[index])
        if soil.plain and not (kept[bar] >= _KEPT and soil.calm[bar]):
            continue
        for step in soil.chance.sample((-2, -1, 1, 2), 4):
            rivals = _rivals(soil, index, old + step)
            if rivals:
                new, rival = soil.name(old + step), soil.name(int(facts.pitch[rivals[0]]))
                words = f"{soil.where(index)}: {soil.name(old)} became {new}, which rubs against {rival}"
                return soil.repitched({index: old + step}, bar, words)
    return None


def _rivals(soil: Soil, index: int, pitch: int) -> list[int]:
    """The notes that a pitch in place of another would rub against, unresolved, where that would be new there."""
    facts = soil.facts
    resolves = 0 < abs(int(facts.neighbours[1][index]) - pitch) <= _STEP
    if (resolves and soil.plain) or pitch % CLASSES in _sounding(facts, index, _HEARD) or pitch < _LOW:
        return []
    if _clashes(facts, index, int(facts.pitch[index]), _TOUCH):
        return []
    rivals = [one for one in _clashes(facts, index, pitch) if facts.pitch[one] >= _LOW]
    if not soil.plain:
        return rivals
    rivals = [one for one in rivals if facts.beats[one] >= _HELD and soil.loud[one]]
    return [one for one in rivals if _seldom(facts, pitch, int(facts.pitch[one]))]


@planters.register("range")
def _range(soil: Soil) -> Planted | None:
    """One note moved by octaves until the instrument does not have it."""
    facts, beyond = soil.facts, _BEYOND if soil.plain else 1
    for index in _tries(soil, soil.inner()):
        voice = soil.score.voices[int(facts.voice[index])]
        mine = facts.pitch[facts.voice == facts.voice[index]]
        low, high = range_of(voice.program)
        if mine.min() < low or mine.max() > high or len(mine) < _ENOUGH:
            continue
        old = int(facts.pitch[index])
        ways = [old + step for step in _OCTAVES if LOWEST <= old + step <= HIGHEST]
        ways = [pitch for pitch in ways if pitch <= low - beyond or pitch >= high + beyond]
        if ways:
            new = soil.name(ways[0])
            words = f"{soil.where(index)}: {soil.name(old)} became {new}, which the instrument does not have"
            return soil.repitched({index: ways[0]}, int(facts.bar[index]), words)
    return None
