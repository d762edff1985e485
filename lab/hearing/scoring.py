"""Notes heard against notes played, by the rules of mir_eval: the largest matching within the tolerances.

Onsets within 50 ms and pitches within 50 cents match; with offsets, ends within 50 ms or a fifth of the note's length
match as well. Drums match within 50 ms and by kind. A tempo is right within 4 % of what is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Counted", "matched", "meter_right", "tempo_related", "tempo_right"]

ONSET, OFFSET, OFFSET_PART = 0.05, 0.05, 0.2
_DIGITS = 4  # mir_eval rounds distances so, that 0.05 is within 0.05
_TEMPO = 0.04  # a tempo within this part of the true one is right
_RELATED = (0.5, 1, 2, 1.5, 3, 2 / 3, 1 / 3)  # times which a tempo is still the same pulse
_SIMPLE = {"2/2": "4/4", "4/2": "4/4", "2/4": "4/4", "4/8": "4/4", "3/2": "3/4", "3/8": "3/4", "12/8": "6/8"}


def tempo_right(heard: float, true: float) -> bool:
    """Whether a tempo is within 4 % of the true one."""
    return abs(heard - true) <= _TEMPO * true


def tempo_related(heard: float, true: float) -> bool:
    """Whether a tempo is right, or a simple multiple or part of it is."""
    return any(tempo_right(heard * by, true) for by in _RELATED)


def meter_right(heard: str, true: str) -> bool:
    """Whether two meters are one to an ear: 2/4 and 2/2 are 4/4, 12/8 is 6/8."""
    return _SIMPLE.get(heard, heard) == _SIMPLE.get(true, true)


class Counted(NamedTuple):
    """How many notes matched, were played and were heard."""

    hits: int
    played: int
    heard: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.hits / max(1, self.played + self.heard)

    def __add__(self, other: object) -> Counted:
        """The counts of two clips together."""
        if not isinstance(other, Counted):
            return NotImplemented
        return Counted(self.hits + other.hits, self.played + other.played, self.heard + other.heard)


Row = tuple[float, float, int]  # start, stop, pitch


def matched(played: Sequence[Row], heard: Sequence[Row], *, offsets: bool = False) -> Counted:
    """The largest number of pairs of which no note is used twice.

    >>> matched([(0.0, 1.0, 60), (1.0, 2.0, 62)], [(0.02, 0.5, 60), (1.0, 2.0, 63)])
    Counted(hits=1, played=2, heard=2)
    """
    near: list[list[int]] = []
    for start, stop, pitch in played:
        slack = max(OFFSET, OFFSET_PART * (stop - start))
        near.append(
            [
                index
                for index, (begins, ends, sounds) in enumerate(heard)
                if sounds == pitch
                and round(abs(begins - start), _DIGITS) <= ONSET
                and (not offsets or round(abs(ends - stop), _DIGITS) <= slack)
            ]
        )
    taken: dict[int, int] = {}
    hits = sum(_placed(row, near, taken, set()) for row in range(len(near)))
    return Counted(hits, len(played), len(heard))


def _placed(row: int, near: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    """Whether a played note finds a heard one, others moving aside where they can."""
    for column in near[row]:
        if column not in seen:
            seen.add(column)
            if column not in taken or _placed(taken[column], near, taken, seen):
                taken[column] = row
                return True
    return False
