"""Notes heard against notes played, by the rules of mir_eval: the largest matching within the tolerances.

Onsets within 50 ms and pitches within 50 cents match; with offsets, ends within 50 ms or a fifth of the note's length
match as well. Drums match within 50 ms and by kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Counted", "matched"]

ONSET, OFFSET, OFFSET_PART = 0.05, 0.05, 0.2
_DIGITS = 4  # mir_eval rounds distances so, that 0.05 is within 0.05


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
