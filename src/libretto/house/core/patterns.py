"""Patterns: what a drum does in a bar, written as one character a slot, and how it is fitted to any meter.

``x`` is a stroke, ``X`` an accent, ``o`` a ghost note, ``O`` a soft stroke, ``.`` nothing; slots are even.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from libretto.score import QUARTER, Meter

__all__ = [
    "ACCENTS",
    "DRUM_KEYS",
    "SHORT",
    "Sketch",
    "Stroke",
    "clipped",
    "fit",
    "four_limbs",
    "groups_of",
    "hits",
    "on_own_drums",
    "strokes",
]

#: How many eighths are felt together, by how many a bar has.
_FELT = {2: (2,), 4: (4,), 5: (3, 2), 6: (6,), 7: (4, 3), 8: (4, 4), 10: (6, 4), 11: (4, 4, 3), 12: (6, 6), 14: (8, 6)}


class Stroke(NamedTuple):
    """One event of a pattern: where in the bar, in ticks, and the sign that stands there."""

    start: int
    sign: str


def groups_of(meter: Meter) -> tuple[int, ...]:
    """How a bar is felt, in eighths: 3+3 in 6/8, 4+3 in 7/8, 6+4 in 5/4."""
    eighths = meter.beats * 8 // meter.unit
    if meter.is_compound:
        return (3,) * (eighths // 3)
    if eighths in _FELT:
        return _FELT[eighths]
    whole, rest = divmod(max(eighths, 1), 4)
    return (4,) * whole + ((rest,) if rest else ())


@lru_cache(maxsize=4096)
def fit(pattern: str, source: Meter, target: Meter) -> str:
    """The same bar in another meter: each group of the bar takes its slots from the group that stands for it."""
    eighths = source.beats * 8 // source.unit
    if source == target or not pattern:
        return pattern
    if len(pattern) % eighths:
        return _by_beats(pattern, eighths // 2, target)
    fine, made = len(pattern) // eighths, []
    for number, length in enumerate(groups_of(target)):
        start = number * 4 % eighths if eighths >= 8 else number * 2 % eighths
        made += [pattern[(start * fine + slot) % len(pattern)] for slot in range(length * fine)]
    return "".join(made)


def _by_beats(pattern: str, beats: int, target: Meter) -> str:
    """For bars of triplets: the same beats, round again where there are more; odd slots are taken for sixteenths."""
    groups = groups_of(target)
    whole = target.is_compound or not any(length % 2 for length in groups)
    size = len(pattern) // max(1, beats)
    if whole and size * beats == len(pattern):
        wanted = len(groups) if target.is_compound else sum(groups) // 2
        return "".join(pattern[beat % beats * size :][:size] for beat in range(wanted))
    wanted = target.beats * 16 // target.unit
    return (pattern * (wanted // len(pattern) + 1))[:wanted]


@lru_cache(maxsize=4096)
def strokes(pattern: str, meter: Meter) -> tuple[Stroke, ...]:
    """The strokes of a pattern of one bar."""
    size = len(pattern)
    return tuple(Stroke(meter.ticks * slot // size, sign) for slot, sign in enumerate(pattern) if sign not in ".-")


class Sketch(NamedTuple):
    """One note as written down by a player: ticks, pitch, and how much louder or softer than the part it is meant."""

    onset: int
    duration: int
    pitch: int
    accent: int = 0


def clipped(notes: list[Sketch]) -> list[Sketch]:
    """The same notes, each ending where the same pitch is struck again."""
    ordered = sorted(notes)
    following: dict[int, int] = {}
    kept = []
    for note in reversed(ordered):
        until = following.get(note.pitch)
        if until == note.onset:
            continue
        length = note.duration if until is None else min(note.duration, until - note.onset)
        following[note.pitch] = note.onset
        kept.append(note._replace(duration=max(1, length)))
    return kept[::-1]


#: The drums by the names that styles use.
DRUM_KEYS: dict[str, int] = {
    "kick": 36, "stick": 37, "snare": 38, "clap": 39, "snare2": 40, "floor": 41, "hat": 42, "low_tom": 43, "pedal": 44,
    "mid_tom": 45, "open": 46, "tom": 47, "high_tom": 48, "crash": 49, "top_tom": 50, "ride": 51, "china": 52,
    "bell": 53, "tambourine": 54, "splash": 55, "cowbell": 56, "crash2": 57, "slap": 58, "ride2": 59, "bongo_high": 60,
    "bongo_low": 61, "conga_mute": 62, "conga_high": 63, "conga_low": 64, "timbale_high": 65, "timbale_low": 66,
    "agogo_high": 67, "agogo_low": 68, "cabasa": 69, "maracas": 70, "whistle": 71, "guiro": 73, "guiro_long": 74,
    "claves": 75, "block_high": 76, "block_low": 77, "cuica_mute": 78, "cuica": 79, "triangle_mute": 80, "triangle": 81,
    "shaker": 82,
}  # fmt: skip
#: How much louder than the part a sign is.
ACCENTS: dict[str, int] = {"X": 12, "x": 0, "o": -34, "O": -16}
_FEET = frozenset((35, DRUM_KEYS["kick"], DRUM_KEYS["pedal"]))  # both bass drums and the pedal of the hi-hat
_CLAPPED = frozenset((DRUM_KEYS["clap"], DRUM_KEYS["tambourine"]))
_LIMBS = 4
#: How long a stroke lasts.
SHORT = QUARTER // 4


def hits(
    drum: str,
    strokes: Iterable[tuple[int, str]],
    accents: Mapping[str, int] = ACCENTS,
    length: int = SHORT,
    louder: int = 0,
) -> list[Sketch]:
    """The strokes of one drum at those ticks, as loud as their signs say; signs without an accent are plain."""
    return [Sketch(tick, length, DRUM_KEYS[drum], accents.get(sign, 0) + louder) for tick, sign in strokes]


def four_limbs(notes: Iterable[Sketch], most: int = 2) -> list[Sketch]:
    """The same strokes in order, with two feet and at most two (or so many) hands at once; the loudest stay, and those
    who clap and shake a tambourine have hands of their own."""
    by_time: dict[int, dict[int, Sketch]] = {}
    for note in notes:
        there = by_time.setdefault(note.onset, {})
        if note.pitch not in there or there[note.pitch].accent < note.accent:
            there[note.pitch] = note
    kept = []
    for struck in by_time.values():
        feet = [note for note in struck.values() if note.pitch in _FEET]
        others = [note for note in struck.values() if note.pitch in _CLAPPED]
        hands = [note for note in struck.values() if note.pitch not in _FEET | _CLAPPED]
        mine = feet[:2] + sorted(hands, key=lambda note: -note.accent)[:most]
        kept += mine + others[: max(0, _LIMBS + most - 2 - len(mine))]
    return sorted(kept)


#: What stands for a drum that a player has not: a hat for a ride, a stick for a clap.
_KIN = {51: (42,), 53: (42,), 59: (42,), 44: (42,), 46: (42,), 57: (49,), 55: (49,), 52: (49,), 37: (38,), 40: (38,),
        39: (38,), 35: (36,), 82: (70, 69, 54, 42), 70: (82, 69, 54, 42), 69: (82, 70, 54, 42), 54: (82, 70, 42),
        75: (76, 37, 38), 76: (75, 37, 38), 56: (53, 51, 42),
        60: (63, 62), 61: (64,), 62: (60,), 63: (60,), 64: (61,)}  # fmt: skip
# Ticks in which so many strokes of one's own are enough for who has few drums, without those of others.
_WINDOW, _SEVERAL, _FEW = 4 * QUARTER, 3, (3, 8)
_RARE = frozenset((58, 71, 72, 78, 79))  # rattling slap, whistles and cuicas: nothing else stands for them
_RINGING = frozenset((49, 52, 55, 57))  # cymbals and gongs, which nobody beats time on


def _own_and_kin(keys: tuple[int, ...]) -> dict[int, int]:
    """The drum on which a player strikes what is written for its own drums and for their kin."""
    kin = {key: [other for other in others if other in keys] for key, others in _KIN.items()}
    return {**{key: others[0] for key, others in kin.items() if others}, **{key: key for key in keys}}


def on_own_drums(notes: list[Sketch], keys: tuple[int, ...], apart: bool = False) -> list[Sketch]:
    """Strokes on the drums that a player has: its own and their kin (its own only, where every drum has a part
    ``apart``) if there are several and it has few drums, else all of them, low ones low, high ones high; each place
    struck once. Gongs and cymbals are let ring."""
    own, written = sorted(keys), _own_and_kin(keys)
    if _RINGING.issuperset(keys):
        return _rung(notes, written, own[0])
    plenty = frozenset(keys if apart else written)
    notes = [note for note in notes if note.pitch in written or note.pitch not in _RARE]
    struck = sorted({note.pitch for note in notes})
    spread = {key: own[min(len(own) - 1, place * len(own) // len(struck))] for place, key in enumerate(struck)}
    mine = Counter(note.onset // _WINDOW for note in notes if len(own) <= _FEW[apart] and note.pitch in plenty)
    kept = [note for note in notes if note.pitch in plenty or mine[note.onset // _WINDOW] < _SEVERAL]
    return _struck_once(kept, {**spread, **written})


def _struck_once(notes: list[Sketch], drums: Mapping[int, int]) -> list[Sketch]:
    """Strokes on other drums, of those that fall together on one the loudest."""
    best: dict[tuple[int, int], Sketch] = {}
    for note in notes:
        drum = drums[note.pitch]
        if (note.onset, drum) not in best or best[note.onset, drum].accent < note.accent:
            best[note.onset, drum] = note._replace(pitch=drum)
    return sorted(best.values())


def _rung(notes: list[Sketch], written: dict[int, int], drum: int) -> list[Sketch]:
    """What is written for cymbals, and the first stroke of every other bar of four beats in which nothing is."""
    best = {note.onset: note._replace(pitch=written[note.pitch]) for note in sorted(notes) if note.pitch in written}
    first: dict[int, Sketch] = {}
    for note in sorted(notes):
        first.setdefault(note.onset // _WINDOW, note)
    there = {onset // _WINDOW for onset in best}
    for bar, note in first.items():
        if bar not in there and bar % 2 == 0:
            best[note.onset] = note._replace(pitch=drum)
    return sorted(best.values())
