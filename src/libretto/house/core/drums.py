"""Drums by name, and signs of a pattern made into strokes on any grid of ticks.

Signs: ``x`` a stroke, ``X`` an accent, ``o`` a ghost note, ``O`` a soft stroke.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from libretto.house.core.patterns import Sketch
from libretto.score import QUARTER

__all__ = ["ACCENTS", "DRUM_KEYS", "FEET", "SHORT", "four_limbs", "hits"]

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
