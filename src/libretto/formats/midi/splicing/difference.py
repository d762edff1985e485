"""What became of the notes of a voice: which stay, which go, which are played otherwise, which are new."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from numpy.typing import NDArray

from libretto.formats.midi.splicing.aligning import Clock

__all__ = ["Difference", "difference"]

_Row = tuple[int, int, int, int]
_START, _LENGTH, _PITCH, _VELOCITY = range(4)  # the columns of a row


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

    Where, note by note, all that differs is pitch (a transposition) or length, the notes are the same ones altered; a
    note that differs in velocity alone always is.
    """
    before, after = _rows(old, clock.later(old["onset"]).tolist()), _rows(new, new["onset"].tolist())
    if any(_agree(before, after, columns) for columns in ((_START, _LENGTH), (_START, _PITCH))):
        same = [one == other for one, other in zip(before, after, strict=True)]
        stay = tuple(row for row, kept in enumerate(same) if kept)
        return Difference(stay, (), tuple((row, row) for row, kept in enumerate(same) if not kept), ())
    pairs, gone, fresh = _matched(before, after, range(len(before)), range(len(after)), _VELOCITY + 1)
    altered, gone, fresh = _matched(before, after, gone, fresh, _VELOCITY)
    return Difference(tuple(one for one, _ in pairs), tuple(gone), tuple(altered), tuple(fresh))


def _rows(array: NDArray[Any], onsets: list[int]) -> list[_Row]:
    rest = (array[name].tolist() for name in ("duration", "pitch", "velocity"))
    return list(zip(onsets, *rest, strict=True))


def _agree(before: list[_Row], after: list[_Row], columns: tuple[int, ...]) -> bool:
    """Whether two voices have as many notes, and these agree in some columns one by one."""
    return len(before) == len(after) and all(
        one[column] == other[column] for one, other in zip(before, after, strict=True) for column in columns
    )


def _matched(
    before: list[_Row], after: list[_Row], old: Iterable[int], new: Iterable[int], width: int
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Rows that agree in their first columns, the first with the first; and those of either side that are left."""
    waiting: dict[tuple[int, ...], deque[int]] = defaultdict(deque)
    for row in new:
        waiting[after[row][:width]].append(row)
    pairs, left = [], []
    for row in old:
        if queue := waiting.get(before[row][:width]):
            pairs.append((row, queue.popleft()))
        else:
            left.append(row)
    return pairs, left, sorted(row for queue in waiting.values() for row in queue)
