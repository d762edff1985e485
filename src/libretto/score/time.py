"""Time: one integer clock, meters, tempi and grids.

Conventions: a quarter note is 40320 ticks (8!), exact for every usual MIDI division and for 2- to
10-tuplets. Tempo is kept as whole microseconds a quarter, as MIDI does, and shown as quarter notes a
minute. A grid divides the whole note into equal slots.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from libretto.errors import ScoreError

__all__ = [
    "FASTEST_MICROS",
    "QUARTER",
    "SLOWEST_MICROS",
    "WHOLE",
    "Grid",
    "Meter",
    "bpm_of_micros",
    "bpm_text",
    "in_force",
    "micros_of_bpm",
]

QUARTER = 40320  #: ticks in a quarter note
WHOLE = 4 * QUARTER  #: ticks in a whole note
SLOWEST_MICROS, FASTEST_MICROS = 2**24 - 1, 1_000  #: what MIDI can hold
_MICROS_A_MINUTE = 60_000_000

T = TypeVar("T")


class Meter(NamedTuple):
    """A meter such as 6/8: how many beats, of which note value."""

    beats: int
    unit: int

    @property
    def ticks(self) -> int:
        """The length of a bar."""
        return self.beats * WHOLE // self.unit

    @property
    def is_compound(self) -> bool:
        """Whether its beats fall into threes: 6/8, 9/8, 12/8 and the same in sixteenths; 3/8 is three beats.

        >>> [str(meter) for meter in (Meter(6, 8), Meter(3, 8), Meter(6, 4), Meter(9, 16)) if meter.is_compound]
        ['6/8', '9/16']
        """
        return self.beats > 3 and self.beats % 3 == 0 and self.unit >= 8

    @property
    def pulse(self) -> int:
        """Ticks of the written unit: an eighth in 6/8."""
        return WHOLE // self.unit

    @property
    def beat(self) -> int:
        """Ticks of the beat that one taps: three units where the meter is compound, else one.

        >>> Meter(6, 8).beat == 3 * QUARTER // 2, Meter(3, 8).beat == QUARTER // 2
        (True, True)
        """
        return self.pulse * (3 if self.is_compound else 1)

    @property
    def is_possible(self) -> bool:
        """Whether there is such a meter: from 1/64 to 255/1, the unit a power of two."""
        return 1 <= self.beats <= 255 and self.unit in (1, 2, 4, 8, 16, 32, 64)

    def __str__(self) -> str:
        return f"{self.beats}/{self.unit}"

    @classmethod
    def parse(cls, text: str) -> Meter:
        """Read ``3/4``; the unit is a power of two up to 64 and the beats at most 255."""
        beats, slash, unit = text.strip().partition("/")
        if not (slash and beats.isascii() and unit.isascii() and beats.isdigit() and unit.isdigit()):
            raise ScoreError(f"{text.strip()!r} is not a meter such as 4/4")
        meter = cls(int(beats[:6]), int(unit[:6]))
        if not meter.is_possible:
            raise ScoreError(f"{text.strip()!r} is not a meter from 1/64 to 255/1")
        return meter


@dataclass(frozen=True, slots=True)
class Grid:
    """The slots of a bar: ``division`` of them in a whole note; ``triplet`` as written (``12t``)."""

    division: int
    triplet: bool = False

    def __post_init__(self) -> None:
        if self.division < 1 or WHOLE % self.division:
            raise ScoreError(f"a grid of {self.division} does not divide the whole note into whole ticks")

    @property
    def slot(self) -> int:
        """Ticks in a slot."""
        return WHOLE // self.division

    def __str__(self) -> str:
        return f"{self.division}t" if self.triplet else str(self.division)

    @classmethod
    @lru_cache(maxsize=512)
    def of(cls, division: int) -> Grid:
        """The grid of that division as our own encoder writes it: ``t`` on 3, 6, 12, 24, 48 and 96."""
        return cls(division, triplet=division in (3, 6, 12, 24, 48, 96))


def bpm_of_micros(micros: int) -> float:
    """Microseconds a quarter as quarter notes a minute."""
    return _MICROS_A_MINUTE / micros


def micros_of_bpm(bpm: float) -> int:
    """Quarter notes a minute as whole microseconds a quarter, within what MIDI can hold."""
    if not bpm > 0:
        raise ScoreError(f"a tempo of {bpm:g} is not possible")
    return max(FASTEST_MICROS, min(SLOWEST_MICROS, round(_MICROS_A_MINUTE / bpm)))


@lru_cache(maxsize=4096)
def bpm_text(micros: int) -> str:
    """The shortest decimal of quarter notes a minute that reads back to the same tempo.

    >>> bpm_text(500_000), bpm_text(588_235)
    ('120', '102')
    """
    for digits in range(12):
        text = f"{bpm_of_micros(micros):.{digits}f}"
        if float(text) > 0 and micros_of_bpm(float(text)) == micros:
            return text
    raise ScoreError(f"a tempo of {micros} microseconds a quarter is not possible")


def in_force(changes: Sequence[tuple[int, T]], tick: int) -> T:
    """What holds at a tick, of (tick, value) pairs in order of time; the first holds before itself, too.

    >>> in_force([(0, "G"), (100, "D")], 99), in_force([(0, "G"), (100, "D")], 100)
    ('G', 'D')
    """
    return changes[max(bisect_right(changes, tick, key=_tick) - 1, 0)][1]


def _tick(change: tuple[int, Any]) -> int:
    return change[0]
