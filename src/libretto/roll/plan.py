"""Geometry: how a piece is cut into systems, and where time and pitch lie in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import TooLarge
from libretto.score import QUARTER, Score
from libretto.score.table import NOTE

__all__ = ["Ink", "RollPlan", "System", "drum_keys", "pitch_range", "plan_of"]

_LEFT, _RIGHT = 66.0, 12.0
_MOST_SYSTEMS = 80
_HEAD = 40.0  # sections, chords and bar numbers above a system
_FOOT = 12.0
_TALL, _TALL_OF_MANY, _SMALLEST_ROW, _LARGEST_ROW = 190.0, 120.0, 2.0, 8.0
_MANY = 6  # systems from which on each is lower
_LANE, _LANE_GAP = 8.0, 7.0
_WIDEST_QUARTER = 63.0
#: How many bars a system takes, by how many there are in all.
_BARS_IN_ALL = ((6, 6), (16, 4), (72, 8), (160, 16), (400, 24), (1200, 32))
_MOST_BARS = 64
_LEFT_OVER = 8  # an eighth of a system is too little for a system of its own
_SOME_BARS = 256  # how many a message proposes to draw
_MIDDLE_OCTAVE = (54, 66)  # shown where there are no notes
_TOP_PITCH = 127


class Ink(NamedTuple):
    """Notes that look alike: what the legend calls them, their class, and whether they are percussion."""

    name: str
    kind: str
    notes: NDArray[Any]
    drums: bool
    shaded: bool = True  # by velocity


class System(NamedTuple):
    """A stretch of bars on one line: indices of its bars, its ticks, and where its top left corner is."""

    first: int
    stop: int
    start: int
    end: int
    x: float
    y: float


@dataclass(frozen=True)
class RollPlan:
    """Where everything goes: the scales of time and pitch that all systems share, and the systems."""

    lines: Sequence[int]
    systems: tuple[System, ...]
    scale: float  # units a tick
    low: int
    high: int
    row: float
    keys: tuple[int, ...]  # drum keys, the highest lane first

    @property
    def pitch_height(self) -> float:
        """How high the field of pitches is; nothing where all is percussion."""
        return (self.high - self.low + 1) * self.row if self.high >= self.low else 0.0

    @property
    def lanes_top(self) -> float:
        """How far under the top of the pitches the drum lanes begin."""
        return self.pitch_height + (_LANE_GAP if self.pitch_height and self.keys else 0.0)

    @property
    def field_height(self) -> float:
        """How high a system is without what stands over it."""
        return self.lanes_top + _LANE * len(self.keys)

    @property
    def system_height(self) -> float:
        """How much room a system takes in all."""
        return _HEAD + self.field_height + _FOOT

    @property
    def lane(self) -> float:
        """How high a drum lane is."""
        return _LANE

    def x(self, system: System, tick: float) -> float:
        """Where a tick lies in a system."""
        return system.x + (tick - system.start) * self.scale

    def field_top(self, system: System) -> float:
        """Where the field of pitches begins."""
        return system.y + _HEAD

    def y(self, system: System, pitch: int) -> float:
        """The upper edge of a pitch's row."""
        return self.field_top(system) + (self.high - pitch) * self.row

    def lane_y(self, system: System, key: int) -> float:
        """The upper edge of a drum key's lane."""
        return self.field_top(system) + self.lanes_top + _LANE * self.keys.index(key)


def plan_of(
    score: Score,
    inks: Sequence[Ink],
    *,
    top: float,
    left: float = 0.0,
    width: float,
    scale: float | None = None,
    pitches: tuple[int, int] | None = None,
    keys: tuple[int, ...] | None = None,
    one_line: bool = False,
) -> RollPlan:
    """The systems of a piece, one under the other from ``top`` on, and the scales that suit them.

    ``scale``, ``pitches`` and ``keys`` are taken over from another panel where given.
    """
    lines = score.bar_lines
    spans = [(0, score.bars)] if one_line else _spans(score)
    if len(spans) > _MOST_SYSTEMS:
        raise TooLarge(
            f"a roll of {score.bars:,} bars would have {len(spans)} lines; "
            f"draw some of them, such as bars {score.numbers[0]}-{score.numbers[0] + _SOME_BARS - 1}"
        )
    longest = max(lines[stop] - lines[first] for first, stop in spans)
    room = width - _LEFT - _RIGHT
    scale = min(room / longest, _WIDEST_QUARTER / QUARTER) if scale is None else scale
    low, high = pitches or pitch_range(inks)
    tall = _TALL_OF_MANY if len(spans) > _MANY else _TALL
    row = max(_SMALLEST_ROW, min(_LARGEST_ROW, tall / max(1, high - low + 1)))
    drawn = RollPlan(lines, (), scale, low, high, row, drum_keys(inks) if keys is None else keys)
    systems = []
    for index, (first, stop) in enumerate(spans):
        y = top + index * drawn.system_height
        systems.append(System(first, stop, lines[first], lines[stop], left + _LEFT, y))
    return RollPlan(lines, tuple(systems), scale, low, high, row, drawn.keys)


def _spans(score: Score) -> list[tuple[int, int]]:
    """The bars of every system: a pickup goes with the first, a bar or two left over with the last."""
    pickup = 1 - score.first_bar
    bars = score.bars - pickup
    taken = next((taken for most, taken in _BARS_IN_ALL if bars <= most), _MOST_BARS)
    firsts = [0, *range(pickup + taken, score.bars, taken)]
    if len(firsts) > 1 and score.bars - firsts[-1] <= taken // _LEFT_OVER:
        firsts.pop()
    return list(zip(firsts, [*firsts[1:], score.bars], strict=True))


def pitch_range(inks: Sequence[Ink]) -> tuple[int, int]:
    """The lowest and highest pitch with a little air, at least an octave; (0, -1) where all is percussion."""
    pitched = np.concatenate([np.empty(0, NOTE), *(ink.notes for ink in inks if not ink.drums)])["pitch"]
    if not len(pitched):
        return (0, -1) if any(ink.drums and len(ink.notes) for ink in inks) else _MIDDLE_OCTAVE
    low, high = int(pitched.min()) - 1, int(pitched.max()) + 1
    wanting = max(0, 12 - (high - low))
    return max(0, low - wanting // 2), min(_TOP_PITCH, high + (wanting + 1) // 2)


def drum_keys(inks: Sequence[Ink]) -> tuple[int, ...]:
    """The drum keys that are struck, the highest first."""
    struck = {key for ink in inks if ink.drums for key in ink.notes["pitch"].tolist()}
    return tuple(sorted(struck, reverse=True))
