"""Patterns: what a part does in a bar, written as one character a slot, and how it is fitted to any meter.

``x`` plays, ``X`` accents, ``o`` plays softly, ``.`` rests, ``-`` holds on; drums also have ``O``, a soft stroke, and
``o`` is a ghost note there. Pitched figures use letters and digits in their place (``R`` the root, ``5`` the fifth,
``1`` to ``6`` notes of the chord from below). Spaces and ``|`` are for the eye. A pattern of two bars is twice as long
as one of one; four and eight bars go too (a roll that quickens).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from libretto.score import QUARTER, Meter

__all__ = [
    "ACCENTS",
    "DRUM_KEYS",
    "FEET",
    "SHORT",
    "Sketch",
    "Stroke",
    "clipped",
    "fit",
    "four_limbs",
    "groups_of",
    "hits",
    "onsets",
    "strokes",
]

#: How many eighths are felt together, by how many a bar has.
_FELT = {2: (2,), 4: (4,), 5: (3, 2), 6: (6,), 7: (4, 3), 8: (4, 4), 10: (6, 4), 11: (4, 4, 3), 12: (6, 6), 14: (8, 6)}


class Stroke(NamedTuple):
    """One event of a pattern: where in the bar and how long, in ticks, and the sign that stands there."""

    start: int
    length: int
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
    """The same pattern in another meter: each group of the bar takes its slots from the group that stands for it."""
    text = pattern.replace(" ", "").replace("|", "")
    if source == target or not text:
        return text
    eighths = source.beats * 8 // source.unit
    bars = max(1, round(len(text) / (eighths * 2))) if len(text) > eighths * 2 else 1
    size = len(text) // bars
    per_eighth = size / eighths
    if per_eighth != int(per_eighth) or per_eighth < 1:
        return _stretched(text, bars, target)
    fine, made = int(per_eighth), []
    for bar in range(bars):
        mine = text[bar * size : (bar + 1) * size]
        for number, length in enumerate(groups_of(target)):
            start = number * 4 % eighths if eighths >= 8 else number * 2 % eighths
            made += [mine[(start * fine + slot) % size] for slot in range(length * fine)]
    joined = "".join(made)
    return joined.replace("-", ".", 1) if joined.startswith("-") else joined


def _stretched(text: str, bars: int, target: Meter) -> str:
    """For patterns on odd grids: as many slots as the target has sixteenths, cut or continued."""
    wanted = bars * target.beats * 16 // target.unit
    return (text * (wanted // len(text) + 1))[:wanted]


@lru_cache(maxsize=4096)
def strokes(pattern: str, meter: Meter, bar: int = 0) -> tuple[Stroke, ...]:
    """The events of one bar of a pattern that is already in that meter; ``bar`` counts from 0 and goes round."""
    text = pattern.replace(" ", "").replace("|", "")
    ticks = meter.ticks
    bars = _bars(len(text), meter)
    size = len(text) // bars
    mine = text[bar % bars * size : (bar % bars + 1) * size]
    return tuple(_events(mine, ticks))


def _bars(slots: int, meter: Meter) -> int:
    """How many bars a pattern of so many slots has: slots are eighths, eighth triplets, sixteenths or finer."""
    sixteenths = meter.beats * 16 // meter.unit
    for bars in (8, 4, 2):
        if slots % bars == 0 and slots // bars >= sixteenths:
            return bars
    return 1


def _events(text: str, ticks: int) -> Iterator[Stroke]:
    size = len(text)
    for slot, sign in enumerate(text):
        if sign in ".-":
            continue
        end = slot + 1
        while end < size and text[end] == "-":
            end += 1
        start = ticks * slot // size
        yield Stroke(start, ticks * end // size - start, sign)


def onsets(pattern: str) -> int:
    """How many events a pattern has, in all its bars."""
    return sum(1 for sign in pattern if sign not in ".- |")


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
    "bell": 53, "tambourine": 54, "splash": 55, "cowbell": 56, "crash2": 57, "ride2": 59, "bongo_high": 60,
    "bongo_low": 61, "conga_mute": 62, "conga_high": 63, "conga_low": 64, "timbale_high": 65, "timbale_low": 66,
    "agogo_high": 67, "agogo_low": 68, "cabasa": 69, "maracas": 70, "guiro": 73, "guiro_long": 74, "claves": 75,
    "block_high": 76, "block_low": 77, "triangle_mute": 80, "triangle": 81, "shaker": 82,
}  # fmt: skip
#: How much louder than the part a sign is.
ACCENTS: dict[str, int] = {"X": 12, "x": 0, "o": -34, "O": -16}
#: The drums that are played with a foot: both bass drums and the pedal of the hi-hat.
FEET = frozenset((35, DRUM_KEYS["kick"], DRUM_KEYS["pedal"]))
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


def four_limbs(notes: Iterable[Sketch]) -> list[Sketch]:
    """The same strokes in order, at most two hands and two feet at once; the loudest stay."""
    by_time: dict[int, dict[int, Sketch]] = {}
    for note in notes:
        there = by_time.setdefault(note.onset, {})
        if note.pitch not in there or there[note.pitch].accent < note.accent:
            there[note.pitch] = note
    kept = []
    for struck in by_time.values():
        feet = [note for note in struck.values() if note.pitch in FEET]
        hands = sorted((note for note in struck.values() if note.pitch not in FEET), key=lambda note: -note.accent)
        kept += feet[:2] + hands[:2]
    return sorted(kept)
