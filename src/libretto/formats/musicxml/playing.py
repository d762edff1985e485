"""Ties joined into notes that sound, and the signs that stand on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.formats.musicxml.places import placed_value
from libretto.formats.musicxml.written import Moment, Sign, WrittenNote
from libretto.score.marks import Mark
from libretto.score.table import NOTE

__all__ = ["PartPlayer", "marks_of_moments"]

_MOST_OPEN = 64  # ties of one pitch that may wait at once; more is nonsense
_MIDDLE_C = 60
_ONSET, _LENGTH, _PITCH = range(3)  # of a row


class _Tied(NamedTuple):
    """A note that is tied onward: the layer it was written in, and its place among the notes."""

    layer: str
    place: int


class PartPlayer:
    """Takes the bars of one part in order, and collects its notes with what stands on them.

    ``strict`` never lets a tie cross layers, which some programs do and our own writer does not, and takes ties inside
    bars for the writer's own. ``staves`` is 0 where nobody asks on which staff a note stands.
    """

    def __init__(self, strict: bool, staves: int = 0) -> None:
        self.strict, self.staves = strict, staves
        self.rows: list[list[int]] = []
        self._open: dict[int, list[_Tied]] = {}  # by pitch
        self._signs: list[tuple[Sign, int, int]] = []  # each with the row of its note and the ticks into it
        self._last: dict[int, int] = {}  # by row: where the last tied part of a note begins
        self._staff: dict[int, int] = {}  # by row: on which staff its last part stands
        self._rings: set[int] = set()

    def play(self, bar: Sequence[WrittenNote], at: int) -> None:
        """Add a bar's notes, joining those tied to notes that end where they start."""
        early = min(0, at + min((written.at for written in bar), default=0))
        for written in sorted(bar, key=lambda written: written.at):
            # Grace notes before the very beginning are moved into the piece, still one after another.
            start = at + written.at - (early if at + written.at < 0 else 0)
            row = self._waiting(written, start) if written.tied_from and not written.grace else None
            offset = 0
            if row is None:
                row = len(self.rows)
                self.rows.append([start, written.length, written.pitch, written.velocity, written.spelling])
                if written.tied_from:
                    self._signs.append((["tied-in", ""], row, 0))
            else:
                offset = self.rows[row][_LENGTH]
                self.rows[row][_LENGTH] += written.length
                self._last[row] = offset
                if written.at > 0 and not (self.strict or written.cut):
                    self._signs.append((["split", str(offset)], row, 0))
            if self.staves > 1:
                self._stand(written, row, offset)
            for sign in written.signs:
                self._signs.append((sign, row, offset))
            if written.tied_to:
                self._hold(written, row, start)

    def _stand(self, written: WrittenNote, row: int, offset: int) -> None:
        """Note the staff of a note where it is not the usual one."""
        usual = self._staff.get(row) if offset else 1 if written.pitch >= _MIDDLE_C else 2
        if written.staff != usual:
            self._signs.append((["staff", str(written.staff)], row, offset))
        if written.tied_to:
            self._staff[row] = written.staff

    def _waiting(self, written: WrittenNote, start: int) -> int | None:
        """The note that a tie comes from: the first that waits in the layer, else in another one."""
        held = self._open.get(written.pitch, [])
        ready = [entry for entry in held if self._end(entry.place) == start]
        mine = [entry for entry in ready if entry.layer == written.layer]
        tied = next(iter(mine or ([] if self.strict else ready)), None)
        if tied is None:
            return None
        held.remove(tied)
        self._rings.discard(tied.place)
        return tied.place

    def _hold(self, written: WrittenNote, row: int, start: int) -> None:
        self._rings.add(row)
        if not written.grace:
            held = [entry for entry in self._open.get(written.pitch, []) if self._end(entry.place) >= start]
            self._open[written.pitch] = [*held, _Tied(written.layer, row)][-_MOST_OPEN:]

    def _end(self, row: int) -> int:
        return self.rows[row][_ONSET] + self.rows[row][_LENGTH]

    def array(self, end: int) -> NDArray[Any]:
        """The notes as a voice keeps them; none starts after the last bar (too many grace notes might)."""
        for row in self.rows:
            if row[_ONSET] >= end:
                row[_ONSET] = end - 1
        return np.array(list(map(tuple, self.rows)), dtype=NOTE)

    def place(self) -> None:
        """Tell every sign where its note begins, and its pitch, once all notes are there."""
        self._signs.extend((["let-ring", ""], row, self._last.get(row, 0)) for row in sorted(self._rings))
        for sign, row, _ in self._signs:
            sign += self.rows[row][_ONSET], self.rows[row][_PITCH]

    def marks(self) -> Iterator[Mark]:
        """The signs as marks of the voice."""
        for sign, row, offset in self._signs:
            onset, length, pitch = self.rows[row][:3]
            kind, value = sign[0], sign[1]
            if offset or row in self._last or "@" in value:
                value = placed_value(kind, value, offset, self._last.get(row, 0))
            yield Mark(onset, kind, value, length, pitch)


def marks_of_moments(moments: Sequence[Moment], starts: Sequence[int], end: int) -> Iterator[Mark]:
    """What stands over a part, as marks; ``starts`` says where bars begin."""
    for moment in moments:
        if not moment.kind:
            continue
        tick = max(0, min(starts[moment.bar] + round(moment.at), end - 1))
        length = 0
        if moment.stop is not None:
            bar, at = moment.stop
            length = max(1, starts[bar] + round(at) - tick)
        value = moment.value
        for what, bar, at in moment.changes:
            value = f"{value} {what}@{max(0, starts[bar] + round(at) - tick)}".strip()
        yield Mark(tick, moment.kind, value, length, staff=moment.staff)
