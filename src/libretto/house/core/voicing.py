"""Voicings: chords as notes that lead into each other, out of the mud, within reach of who plays them.

There is one search: ``best_voicing`` takes ways to place a chord and a price. ``placements`` lists all ways on a
ladder, ``voice`` those in close or open position, and ``price_of`` adds up what a way costs by weights that each
writer brings with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from libretto.house.core.tones import Heard, Sounding

__all__ = [
    "Pitches",
    "Weights",
    "best_voicing",
    "close_voicing",
    "placements",
    "price_of",
    "upper_floor",
    "voice",
]

Pitches = tuple[int, ...]

_MUD = 52  # E3: below it thirds and seconds are not heard apart, and are kept open
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
_FIFTHS = (6, 7, 8)
_REACH = 9  # semitones around its middle in which a hand plays chords
_HAND = 16  # semitones that a hand spans
_WIDE = 24  # and that a chord has on strings
_DEEPER = 5  # semitones below its register to which a chord goes that no hand can hold within it


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


_BAND = Weights(centre=0.15, mud=6.0, rub=2.5, top=1.5)
_NEAR = Weights(centre=0.6, in_order=True)


def price_of(way: Pitches, weights: Weights, middle: float, before: Sequence[int] | None, chance: float = 0.0) -> float:
    """What a way to place a chord costs after the chord ``before``, with some chance added."""
    cost = chance + weights.centre * abs(sum(way) / len(way) - middle)
    cost += weights.even * sum(abs(high - low - _THIRD) for low, high in pairwise(way))
    for low, high in pairwise(way):
        if low < _MUD and high - low < _NARROW:
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
    return max(bass + _CLEAR, _MUD if bass < _MUD - deep else 0)


def _essential(tones: Sequence[int], size: int) -> tuple[int, ...]:
    """The tones of a chord that matter most, so many of them: third, seventh, root, extensions, fifth."""
    have = set(tones)
    order: tuple[int, ...] = _BY_WEIGHT if have & set(_SEVENTHS) else _BY_WEIGHT_PLAIN
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
    chord: Sounding,
    low: int,
    high: int,
    size: int,
    kind: str = "close",
    before: Pitches | None = None,
    turn: int = 0,
    fits: Callable[[Pitches], bool] | None = None,
) -> Pitches:
    """The notes of a chord within a register, in ``close`` or ``open`` position: the way that moves least of those that
    a hand can hold (``fits``), in any position where it can hold none of these. Another ``turn`` begins with the next
    best inversion."""
    classes = tuple(sorted((chord.root + tone) % 12 for tone in _essential(chord.tones, size)))
    ways = _positions(classes, low, high, kind) or _positions(classes, low, high, "close")  # where there is no room
    if fits is not None:
        ways = (
            tuple(filter(fits, ways))
            or _spread(classes, low, high, fits)
            or _spread(classes, low - _DEEPER, high, fits)
            or ways
        )

    def price(way: Pitches) -> float:
        return price_of(way, _BAND, (low + high) / 2, before)

    best = best_voicing(sorted(ways), price)
    if best is not None and turn and not before:
        near = [way for way in sorted(ways, key=price) if price(way) < price(best) + _BAND.mud]
        best = near[turn % len(near)]
    if best is None:
        bottom = low + (chord.root - low) % 12
        return (bottom if bottom <= high else bottom - 12,)
    return best


def _spread(classes: tuple[int, ...], low: int, high: int, fits: Callable[[Pitches], bool]) -> tuple[Pitches, ...]:
    """Every way to place a chord within a register that a hand can hold, in open position where there is one."""
    opened = tuple(filter(fits, _positions(classes, low, high, "open")))
    pitches = [pitch for pitch in range(low, high + 1) if pitch % 12 in classes]
    return opened or tuple(filter(fits, placements(classes, pitches, _WIDE)))


@lru_cache(maxsize=4096)
def _positions(classes: tuple[int, ...], low: int, high: int, kind: str) -> tuple[Pitches, ...]:
    """Every close or open position within a register."""
    ways = []
    for bottom in range(low, high + 1):
        if bottom % 12 not in classes:
            continue
        close = _stacked(classes, bottom)
        if kind == "open" and len(close) >= 3:
            opened = tuple(sorted((*close[:-2], close[-2] - 12, close[-1])))
            if opened[0] >= low and opened[-1] <= high:
                ways.append(opened)
        elif close[-1] <= high:
            ways.append(close)
    return tuple(dict.fromkeys(ways))


def _stacked(classes: tuple[int, ...], bottom: int) -> Pitches:
    """Pitch classes one above the other as closely as they go, from a pitch that is one of them."""
    stack = [bottom]
    at = classes.index(bottom % 12)
    for step in range(1, len(classes)):
        wanted = classes[(at + step) % len(classes)]
        stack.append(stack[-1] + ((wanted - stack[-1]) % 12 or 12))
    return tuple(stack)
