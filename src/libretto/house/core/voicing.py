"""Voicings: chords as notes that lead into each other, out of the mud, within reach of who plays them.

There is one search: ``best_voicing`` takes ways to place a chord and a price. ``placements`` lists all ways on a
ladder, ``voice`` those that a chair of a style asks for, and ``price_of`` adds up what a way costs by weights that each
writer brings with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from libretto.house.core.tones import Heard, Sounding

__all__ = [
    "MUD",
    "Pitches",
    "Weights",
    "best_voicing",
    "close_voicing",
    "essential",
    "placements",
    "price_of",
    "upper_floor",
    "voice",
]

#: E3: below it thirds and seconds are not heard apart, and are kept open.
MUD = 52
Pitches = tuple[int, ...]

_NARROW = 5  # semitones; what is closer than a fourth blurs in the mud
_THIRD = 4  # semitones; the gap that sounds most even
_CLEAR = 3  # semitones between a bass and what lies above it
_TOP = 69  # A4, around which the top of a first chord lies well
_BY_WEIGHT = (
    3,
    4,
    10,
    11,
    0,
    5,
    2,
    9,
    6,
    8,
    1,
    7,
)  # above the root, first what says most of a seventh chord
_BY_WEIGHT_PLAIN = (0, 3, 4, 5, 7, 6, 8, 9, 2, 10, 11, 1)  # and of a triad
_SEVENTHS = (10, 11)
_FIFTHS, _FIFTH, _FLAT_FIFTH = (6, 7, 8), 7, 6
_REACH = 9  # semitones around its middle in which a hand plays chords
_HAND = 16  # semitones that a hand spans
_STRINGS = 40, 76  # the lowest string of a guitar, and how high its chords go
_OVER_ROOM = 10  # semitones that a rooted chord may go beyond its register


@dataclass(frozen=True)
class Weights:
    """What a way to place a chord costs: by where it lies, what rubs in it, and how it moves on."""

    centre: float = 0.0  # a semitone of its mean away from the middle
    even: float = 0.0  # a semitone by which a gap differs from a third
    mud: float = 0.0  # a narrow gap in the mud
    rub: float = 0.0  # a semitone between neighbours
    in_order: bool = False  # voices move each to its own place, not to any
    top: float = 0.0  # a semitone by which the top moves
    same_top: float = 0.0  # a top that stays
    first_top: float = 0.0  # a semitone that the top of a first chord is away from where it lies well


_CHAIR = Weights(centre=0.15, mud=6.0, rub=2.5, top=1.5)
_NEAR = Weights(centre=0.6, in_order=True)


def price_of(way: Pitches, weights: Weights, middle: float, before: Sequence[int] | None, chance: float = 0.0) -> float:
    """What a way to place a chord costs after the chord ``before``, with some chance added."""
    cost = chance + weights.centre * abs(sum(way) / len(way) - middle)
    cost += weights.even * sum(abs(high - low - _THIRD) for low, high in pairwise(way))
    for low, high in pairwise(way):
        if low < MUD and high - low < _NARROW:
            cost += weights.mud
        if high - low < 2:
            cost += weights.rub
    if not before:
        return cost + weights.first_top * abs(way[-1] - _TOP)
    if weights.in_order:
        return cost + sum(abs(one - other) for one, other in zip(way, sorted(before), strict=False))
    cost += sum(min(abs(pitch - old) for old in before) for pitch in way)
    return cost + weights.top * abs(way[-1] - before[-1]) + weights.same_top * (way[-1] == before[-1])


def best_voicing(ways: Iterable[Pitches], price: Callable[[Pitches], float]) -> Pitches | None:
    """The cheapest of several ways, the first of those that cost the same; None where there is no way."""
    return min(ways, key=price, default=None)


def placements(classes: Iterable[int], pitches: Sequence[int], span: int) -> Iterator[Pitches]:
    """Every way to place each of those pitch classes once on those pitches, no wider than ``span``, from below."""
    wanted = set(classes)
    for way in combinations(pitches, len(wanted)):
        if way[-1] - way[0] <= span and {pitch % 12 for pitch in way} == wanted:
            yield way


def upper_floor(bass: int, deep: int) -> int:
    """Where the notes above a bass may begin: clear of it, and out of the mud where it lies ``deep`` below that."""
    return max(bass + _CLEAR, MUD if bass < MUD - deep else 0)


def essential(tones: Sequence[int], size: int, rootless: bool = False) -> tuple[int, ...]:
    """The tones of a chord that matter most, so many of them: third, seventh, root, extensions, fifth."""
    have = set(tones)
    order: tuple[int, ...] = _BY_WEIGHT if have & set(_SEVENTHS) else _BY_WEIGHT_PLAIN
    if rootless and len(have) > 3:
        order = (*(tone for tone in order if tone), 0)
    return tuple(sorted([tone for tone in order if tone in have][: max(1, size)]))


def close_voicing(chord: Heard, before: Sequence[int], middle: int, size: int) -> list[int]:
    """A chord in close position around a pitch, each voice near to where it was."""

    def held(steps: tuple[int, ...]) -> list[int]:
        return [tone for tone in sorted(chord.classes) if (tone - chord.root) % 12 in steps][:1]

    third, fifth, seventh = held((3, 4, 2, 5)), held(_FIFTHS), held((9, *_SEVENTHS))
    tones = [*third, *fifth, chord.root, *seventh] if size > 3 or not seventh else [*third, *seventh, chord.root]
    tones = list(dict.fromkeys(tones))[: max(2, size)]
    near = range(middle - _REACH, middle + _REACH + 1)
    ways = placements(tones, [pitch for pitch in near if pitch % 12 in tones], _HAND)
    ordered = sorted(ways, key=lambda way: [pitch for tone in tones for pitch in way if pitch % 12 == tone])
    best = best_voicing(ordered, lambda way: price_of(way, _NEAR, middle, before))
    return list(best) if best else [next(pitch for pitch in near if pitch % 12 == tones[0])]


def voice(
    chord: Sounding, low: int, high: int, size: int, kind: str = "close", before: Pitches | None = None
) -> Pitches:
    """The notes of a chord within a register: of all ways to place them, the one that moves least and sounds clear."""
    if kind in _SHAPES:
        return _SHAPES[kind](chord, low, high, size)
    if kind == "rooted":
        return _rooted(chord, low, high, size, before)
    rootless = kind in ("rootless", "shell")
    tones = essential(chord.tones, 2 if kind == "shell" and size <= 3 else size, rootless)
    classes = tuple(sorted((chord.root + tone) % 12 for tone in tones))
    ways = _positions(classes, low, high, kind) or _positions(classes, low, high, "close")  # where there is no room
    best = _led(ways, low, high, before)
    if best is None:
        bottom = low + (chord.root - low) % 12
        return (bottom if bottom <= high else bottom - 12,)
    return best


def _led(ways: Iterable[Pitches], low: int, high: int, before: Pitches | None) -> Pitches | None:
    """The way that a chair of a style takes; of equals the lowest."""
    return best_voicing(sorted(ways), lambda way: price_of(way, _CHAIR, (low + high) / 2, before))


@lru_cache(maxsize=4096)
def _positions(classes: tuple[int, ...], low: int, high: int, kind: str) -> tuple[Pitches, ...]:
    """Every close position within a register, and its opened forms."""
    ways = []
    for bottom in range(low, high + 1):
        if bottom % 12 not in classes:
            continue
        close = _stacked(classes, bottom)
        if close[-1] <= high and (kind not in ("open", "spread") or len(close) < 3):
            ways.append(close)
        if len(close) >= 3:
            opened = tuple(sorted((*close[:-2], close[-2] - 12, close[-1])))
            if kind in ("open", "spread", "rootless") and opened[0] >= low and opened[-1] <= high:
                ways.append(opened)
            raised = tuple(sorted((close[0], close[1] + 12, *close[2:])))
            if kind == "spread" and raised[-1] <= high:
                ways.append(raised)
    return tuple(dict.fromkeys(ways))


def _stacked(classes: tuple[int, ...], bottom: int) -> Pitches:
    """Pitch classes one above the other as closely as they go, from a pitch that is one of them."""
    stack = [bottom]
    at = classes.index(bottom % 12)
    for step in range(1, len(classes)):
        wanted = classes[(at + step) % len(classes)]
        stack.append(stack[-1] + ((wanted - stack[-1]) % 12 or 12))
    return tuple(stack)


def _rooted(chord: Sounding, low: int, high: int, size: int, before: Pitches | None) -> Pitches:
    """For who has no bass below: the chord's bass at the bottom, the rest above it, wide where it lies low."""
    bottom = low + (chord.bass - low) % 12
    above = {(chord.root + tone) % 12 for tone in essential(chord.tones, max(3, size))} - {chord.bass}
    ways: list[Pitches] = []
    for root in (bottom, bottom + 12) if bottom < MUD - 4 else (bottom,):
        close = tuple(sorted(root + (tone - root) % 12 for tone in above))
        for way in (close, tuple(sorted((*close[1:], *(pitch + 12 for pitch in close[:1]))))):
            whole = tuple(pitch for pitch in (root, *way) if pitch <= max(high, bottom + _OVER_ROOM))[: max(2, size)]
            if len(whole) > min(2, len(above)):
                ways.append(whole)
    return _led(ways, low, high, before) or (bottom,)


def _octave(chord: Sounding, low: int, high: int, size: int) -> Pitches:
    """The root, and the same an octave higher."""
    bottom = low + (chord.root - low) % 12
    return (bottom, bottom + 12) if size > 1 and bottom + 12 <= high else (bottom,)


def _power(chord: Sounding, low: int, high: int, size: int) -> Pitches:
    """Bass, fifth and octave, as low as the register has them."""
    bottom = low + (chord.bass - low) % 12
    while bottom + 12 > high and bottom - 12 >= low:
        bottom -= 12
    fifth = _FLAT_FIFTH if _FLAT_FIFTH in chord.tones and _FIFTH not in chord.tones else _FIFTH
    notes = (bottom, bottom + fifth, bottom + 12)[: max(2, min(3, size))]
    return tuple(pitch for pitch in notes if pitch <= high)


def _guitar(chord: Sounding, low: int, high: int, size: int) -> Pitches:
    """A strummed shape: the bass low on the strings, then chord tones upwards with room between them."""
    string, highest = _STRINGS
    bottom = max(low, string) + (chord.bass - max(low, string)) % 12
    notes = [bottom]
    tones = {(chord.root + tone) % 12 for tone in essential(chord.tones, 4)}
    at = bottom + (_NARROW if bottom < MUD else _CLEAR)
    top = min(high, highest)
    strings = 6
    while len(notes) < max(3, min(strings, size)) and at <= top:
        if at % 12 in tones and at - notes[-1] >= _CLEAR:
            notes.append(at)
        at += 1
    return _with_third(chord, notes, top, size)


def _with_third(chord: Sounding, notes: list[int], top: int, size: int) -> Pitches:
    """A shape that has the chord's third in it, out of the mud where it can be."""
    third = next((tone for tone in (3, 4, 5, 2) if tone in chord.tones), None)
    if third is None or any((pitch - chord.root) % 12 == third for pitch in notes):
        return tuple(notes)
    places = [pitch for pitch in range(notes[0] + _CLEAR, top + 1) if (pitch - chord.root) % 12 == third]
    if not places:
        return tuple(notes)
    return tuple(sorted({*notes[: max(1, size - 1)], min(places, key=lambda pitch: (pitch < MUD, pitch))}))


_SHAPES: dict[str, Callable[[Sounding, int, int, int], Pitches]] = {
    "power": _power,
    "guitar": _guitar,
    "octave": _octave,
}
