"""What became of the notes of a voice: which stay, which go, which are played otherwise, which are new."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any, NamedTuple

from numpy.typing import NDArray

from libretto.formats.midi.splicing.aligning import Clock

__all__ = ["Difference", "difference"]

_Row = tuple[int, int, int, int]  # start, length, pitch, velocity


class Difference(NamedTuple):
    """Rows of the old array that stay or go, pairs of rows (old, new) that are one note, and rows of the new array."""

    stay: tuple[int, ...]
    gone: tuple[int, ...]
    altered: tuple[tuple[int, int], ...]
    new: tuple[int, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether the voice plays what it played."""
        return not (self.gone or self.altered or self.new)


def difference(old: NDArray[Any], new: NDArray[Any], clock: Clock) -> Difference:
    """Compare what a voice played, at its new time, with what it plays; spelling is nothing that MIDI holds.

    Where all that differs is pitch (a transposition) or length, the notes are the same ones altered; a note that
    differs in velocity alone always is.
    """
    before, after = _rows(old, clock.later(old["onset"]).tolist()), _rows(new, new["onset"].tolist())
    pairs, gone, fresh = _matched(before, after, range(len(before)), range(len(after)), lambda row: row)
    stay = tuple(one for one, _ in pairs)
    for same in (_without_pitch, _without_length):
        altered, left, more = _matched(before, after, gone, fresh, same)
        if not left and not more:
            return Difference(stay, (), tuple(altered), ())
    altered, gone, fresh = _matched(before, after, gone, fresh, _without_velocity)
    return Difference(stay, tuple(gone), tuple(altered), tuple(fresh))


def _rows(array: NDArray[Any], onsets: list[int]) -> list[_Row]:
    rest = (array[name].tolist() for name in ("duration", "pitch", "velocity"))
    return list(zip(onsets, *rest, strict=True))


def _without_pitch(row: _Row) -> tuple[int, ...]:
    return row[0], row[1]


def _without_length(row: _Row) -> tuple[int, ...]:
    return row[0], row[2]


def _without_velocity(row: _Row) -> tuple[int, ...]:
    return row[0], row[1], row[2]


def _matched(
    before: list[_Row], after: list[_Row], old: Any, new: Any, sign: Any
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Rows that agree in a sign, the first with the first; and those of either side that are left."""
    waiting: dict[Any, deque[int]] = defaultdict(deque)
    for row in sorted(new, key=lambda index: after[index]):
        waiting[sign(after[row])].append(row)
    pairs, left = [], []
    for row in sorted(old, key=lambda index: before[index]):
        if queue := waiting[sign(before[row])]:
            pairs.append((row, queue.popleft()))
        else:
            left.append(row)
    return pairs, left, sorted(row for queue in waiting.values() for row in queue)
