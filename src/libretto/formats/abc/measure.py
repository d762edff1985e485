"""What a voice of an ABC tune holds, bar by bar as written, before repeats are played out.

Conventions: time inside a measure is counted in ``FINE`` parts of a tick, so that tuplets of 11, 13, 17 or 19
add up without drift; it becomes ticks when the bars are laid out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["FINE", "Measure", "Sound", "ticks_of"]

FINE = 2**10 * 9 * 25 * 49 * 11 * 13 * 17 * 19  #: parts of a tick


def ticks_of(fine: int) -> int:
    """The nearest tick."""
    return (fine + FINE // 2) // FINE


@dataclass(slots=True)
class Sound:
    """One note as written; ``step`` is its place on the staff, ``marked`` that it has its own accidental."""

    start: int
    length: int
    pitch: int
    spelling: int
    velocity: int
    step: int
    marked: bool
    layer: int = 0
    tied: bool = False


@dataclass(slots=True)
class Measure:
    """One bar of one voice as written, with the signs at its two ends."""

    key: Key
    meter: Meter
    tempo: int | None
    length: int = 0
    sounds: list[Sound] = field(default_factory=list)
    symbols: list[tuple[int, str]] = field(default_factory=list)
    keys: list[tuple[int, Key]] = field(default_factory=list)
    tempos: list[tuple[int, int]] = field(default_factory=list)
    new_meter: bool = False
    section: str = ""
    opens: bool = False  # a repeat begins here
    closes: int = 0  # how often a repeat that ends here is played again
    endings: frozenset[int] = frozenset()
    parted: bool = False  # closed by something other than a plain bar line
