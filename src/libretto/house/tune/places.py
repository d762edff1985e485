"""What each pitch costs in each slot of a room before any line is drawn: chord, scale, height, peak and close.

Conventions: a price is what a pitch costs; the cheapest line is the best. Rows are slots, columns pitches from the
room's low to its high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from libretto.house.core.dice import dice
from libretto.house.tune.laying import Slot
from libretto.house.tune.room import Room
from libretto.house.tune.themes import metrical_weight
from libretto.score.chords import Chord
from libretto.score.keys import Key
from libretto.score.table import Bools, Floats, Ints

__all__ = ["NEVER", "Ground", "ground_of", "local_scale"]

NEVER = 1e6  #: a price that nothing is worth
_OUTSIDE = 4.5  # a tone outside the scale
_FOREIGN, _CLASH, _LEAST_FOREIGN = (
    2.6,
    1.5,
    0.12,
)  # a tone outside the chord by stress; a semitone over one of its tones
_TENSION = 0.6  # of that price, for a tone that colours the chord
_SYNCOPATED = 0.85  # how much of a beat's strength a note has that begins before it and sounds through it
_LONGEST = 1.4  # how much more a long note is heard
_BARE = 1.25  # how much more a tune keeps to the chords where nobody else plays them
_ROOT, _ROOT_BARE = 0.25, 0.6  # the chord's root on a downbeat
_HEIGHT, _FREE = 0.014, 3.0  # by the square of semitones from where the line should lie, beyond a few
_PEAK, _NEAR_PEAK = 8.0, 1.5  # what the high point earns; bars around it, in which the line rises
_LATE = 0.8  # of a tune is over when its high point, said several times, comes too late
_LOW, _LOW_ELSEWHERE = 0.3, 0.12  # bars further off for each semitone that a place is not the template's highest
_RETURNED = 2.5  # bars further off that the high point may come rather than in a stretch that returns
_LEAN = 1.3  # what a note that may lean saves, a step above a tone of the chord
_CLOSES = {"last": 40.0, "full": 5.0, "half": 3.5}  # what a close on another tone costs
_OFF_BEST = 0.6  # by place among the tones that close
_CHANCE = 0.7
_NARROWEST, _WIDEST = 13, 19  # semitones a tune moves in
_STRETCH = (0.85, 1.5)  # how much of the template's range is kept at least and at most
_CONTRAST = 3.0  # semitones that a contrast lies higher
_TILT = 2.4  # semitones by which a stretch of new notes may lie elsewhere than in its template
_SEVENTH_BELOW, _FLAT = 1, 5
_FIFTHS = {0: 0, 1: -5, 2: 2, 3: -3, 4: 4, 5: -1, 6: -6, 7: 1, 8: -4, 9: 3, 10: -2, 11: 5}
_STEP = 2


@dataclass(frozen=True)
class Ground:
    """What is known of every slot before a line is drawn."""

    low: int
    prices: Floats
    foreign: Floats  # how badly each pitch must go on by step
    steps: Floats  # each pitch as a number of scale steps
    pitches: Ints
    inside: Bools  # which pitches are in the scale at each slot
    peak: int  # the slot of the high point
    top: int  # its pitch
    middle: float  # the pitch round which the line lies


@lru_cache(maxsize=4096)
def local_scale(key: Key, chord: Chord | None, own: frozenset[int] | None) -> frozenset[int]:
    """The pitch classes that fit a chord in a key: its foreign tones stand in for the tones they alter.

    >>> from libretto.score.chords import parse_chord
    >>> sorted(local_scale(Key.parse("A minor"), parse_chord("E7"), None))
    [0, 2, 4, 5, 8, 9, 11]
    """
    scale = set(own or key.classes)
    if chord is None:
        return frozenset(scale)
    for tone in chord.classes - scale:
        spelled = chord.root + _FIFTHS[(tone - chord.root_class) % 12]
        if own is None:
            lowered = spelled < key.signature - _SEVENTH_BELOW
            raised = spelled > key.signature + _FLAT
            altered = (tone + 1) % 12 if lowered else (tone - 1) % 12 if raised else tone
            if altered not in chord.classes:
                scale.discard(altered)
        scale.add(tone)
    return frozenset(scale)


def ground_of(slots: Sequence[Slot], room: Room, seed: object, *, crowned: bool = True) -> Ground:
    """The ground that a line is drawn on; one that is crowned has one high point that comes once."""
    pitches = np.arange(room.low, room.high + 1)
    prices = np.zeros((len(slots), len(pitches)))
    foreign = np.zeros_like(prices)
    inside = np.zeros(prices.shape, dtype=bool)
    heights, top = _heights(slots, room, seed)
    peak = _peak_slot(slots, room, seed)
    if crowned:
        heights = _rising(heights, slots, room, peak, top)
    classes = pitches % 12
    for index, slot in enumerate(slots):
        chord = room.chord(_heard_at(slot, room))
        scale = local_scale(room.key, chord, room.scale)
        inside[index] = _among(classes, scale)
        prices[index] = np.where(inside[index], 0.0, _OUTSIDE)
        if chord:
            foreign[index] = _foreignness(classes, chord, inside[index])
            prices[index] += _harmony(slot, chord, classes, foreign[index], room)
        off = np.maximum(0.0, np.abs(pitches - heights[index]) - _FREE)
        prices[index] += _HEIGHT * off * off + _closing(slot, chord, classes, room)
    crown = _crown(slots, prices, peak, top, pitches, inside) if crowned else room.high
    source = dice(0, seed, "chance")
    noise = np.array([source.gammavariate(1.0, 1.0) for _ in range(prices.size)]).reshape(prices.shape)
    middle = float(np.median(heights))
    prices = prices + _CHANCE * noise
    return Ground(room.low, prices, foreign, _steps(pitches, room), pitches, inside, peak, crown, middle)


def _covered(slot: Slot, room: Room) -> float:
    """How strong the strongest beat is that a note sounds through."""
    beat = room.meter.beat
    first = -(-slot.start // beat) * beat
    return max((metrical_weight(at, room.meter) for at in range(first, slot.start + slot.length, beat)), default=0.0)


def _heard_at(slot: Slot, room: Room) -> int:
    """Where the chord is heard that a note goes with: the next bar's where it comes early and is held into it."""
    line = (slot.start // room.meter.ticks + 1) * room.meter.ticks
    early = line - slot.start <= room.meter.beat and slot.start + slot.length - line >= line - slot.start
    return line if early and line < room.ticks else slot.start


def _among(classes: Ints, tones: frozenset[int]) -> Bools:
    """Which of the pitch classes are among some."""
    table = np.zeros(12, dtype=bool)
    table[list(tones)] = True
    return table[classes]


def _foreignness(classes: Ints, chord: Chord, inside: Bools) -> Floats:
    """0 for tones of the chord, more for others, most for a semitone above one of its tones."""
    held = _among(classes, chord.classes)
    rubs = _among((classes - 1) % 12, chord.classes) | ~inside
    return np.where(held, 0.0, np.where(rubs, _CLASH, _TENSION))


def _harmony(slot: Slot, chord: Chord, classes: Ints, foreign: Floats, room: Room) -> Floats:
    """What the chord says to each pitch, by how much the note is heard."""
    weight = metrical_weight(slot.start, room.meter)
    stress = max(weight, _SYNCOPATED * _covered(slot, room)) * min(_LONGEST, (slot.length / room.meter.beat) ** 0.5)
    price: Floats = foreign * (_LEAST_FOREIGN + _FOREIGN * stress * (_BARE if room.bare else 1.0))
    if slot.lean:
        resolves = _among((classes - 1) % 12, chord.classes) | _among((classes - _STEP) % 12, chord.classes)
        price = np.where((foreign > 0) & resolves, -_LEAN, price)
    if weight == 1.0 and not slot.close:
        price = price + np.where(classes == chord.root_class, _ROOT_BARE if room.bare else _ROOT, 0.0)
    return price


def _closing(slot: Slot, chord: Chord | None, classes: Ints, room: Room) -> Floats:
    """What a close wants: the tonic at the end of all, a tone of the chord at the end of a phrase."""
    if not slot.close:
        return np.zeros(len(classes))
    tonic = room.key.tonic_class
    if slot.close == "last":
        best = [tonic]
    elif chord is None:
        best = [tonic] if slot.close == "full" else [room.key.classes[1], room.key.classes[4]]
    else:
        tones = [chord.root_class, *([chord.third] if chord.third is not None else []), (chord.root_class + 7) % 12]
        tones = [tone for tone in tones if tone in chord.classes]
        best = tones if slot.close == "full" else [*tones[1:], *tones[:1]]
    price = np.full(len(classes), _CLOSES[slot.close])
    for place, tone in reversed(list(enumerate(best))):
        price[classes == tone] = _OFF_BEST * place
    return price


def _heights(slots: Sequence[Slot], room: Room, seed: object) -> tuple[Floats, float]:
    """Where the line should lie at each slot, and how high its highest note."""
    given = np.array([float(slot.pitch) for slot in slots])
    least, most = float(given.min()), float(given.max())
    span = max(1.0, most - least)
    width = min(room.high - room.low, max(_NARROWEST, min(_WIDEST, span)))
    bottom = room.low + room.height * (room.high - room.low - width)
    stretch = min(_STRETCH[1], max(_STRETCH[0], width / span))
    heights = bottom + width / 2 + (given - (least + most) / 2) * min(stretch, width / span)
    heights += np.array([_CONTRAST if slot.contrast else 0.0 for slot in slots])
    tilts: dict[int, float] = {}
    for index, slot in enumerate(slots):
        part = slot.bar // 2
        tilts.setdefault(part, dice(0, seed, "tilt", part).gauss(0, _TILT))
        heights[index] += tilts[part]
    return np.clip(heights, room.low, room.high), bottom + width


def _rising(heights: Floats, slots: Sequence[Slot], room: Room, peak: int, top: float) -> Floats:
    """The heights with a rise to the high point and a fall after it."""
    starts = np.array([slot.start for slot in slots])
    away = np.abs(starts - slots[peak].start) / (_NEAR_PEAK * room.meter.ticks)
    lift = max(0.0, top - float(heights[peak]))
    return np.asarray(np.clip(heights + lift * np.maximum(0.0, 1.0 - away), room.low, room.high), dtype=np.float64)


def _peak_slot(slots: Sequence[Slot], room: Room, seed: object) -> int:
    """The slot of the high point: near its place, well heard, and not in a stretch that returns."""
    returned = {slot.source for slot in slots if slot.source >= 0}
    most = max(slot.pitch for slot in slots)
    highest = [slot.start for slot in slots if slot.pitch == most]
    highest = [start for start in highest if start < _LATE * room.ticks] or highest
    at = room.peak * room.ticks if room.peak is not None else dice(0, seed, "peak").choice(highest)

    def cost(index: int) -> float:
        slot = slots[index]
        away = abs(slot.start - at) / room.meter.ticks
        heard = metrical_weight(slot.start, room.meter) + min(1.0, slot.length / room.meter.beat)
        low = (most - slot.pitch) * (_LOW if room.peak is None else _LOW_ELSEWHERE)
        again = _RETURNED * ((index in returned) + (slot.source >= 0))
        return away - heard + again + low + (_NEAR_PEAK if slot.close or slot.lean else 0.0)

    return min(range(len(slots)), key=cost)


def _crown(slots: Sequence[Slot], prices: Floats, peak: int, top: float, pitches: Ints, inside: Bools) -> int:
    """The pitch of the high point chosen, earned there, and kept from every other slot; the prices are changed."""
    near = [column for column in range(len(pitches)) if abs(pitches[column] - top) <= _STEP and inside[peak, column]]
    column = min(near, key=lambda held: (prices[peak, held], -held)) if near else int(np.argmin(np.abs(pitches - top)))
    own = prices[peak, column]
    prices[:, column:] += NEVER
    prices[peak, column] = own - _PEAK
    for index, slot in enumerate(slots):
        if slot.source >= 0 and prices[slot.source, column] < NEVER:
            prices[index, column] -= NEVER
    return int(pitches[column])


def _steps(pitches: Ints, room: Room) -> Floats:
    """Every pitch as a number of steps of the room's scale; what lies between two steps is a half."""
    ordered = sorted(room.scale or room.key.classes)
    octaves, tones = np.divmod(pitches, 12)
    below = np.searchsorted(ordered, tones, side="right")
    held = np.isin(tones, ordered)
    return np.asarray(octaves * len(ordered) + below - 1 + np.where(held, 0.0, 0.5), dtype=np.float64)
