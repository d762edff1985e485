"""Ties joined into notes that sound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libretto.formats.musicxml.written import WrittenNote
from libretto.score import Note

__all__ = ["PartPlayer"]

_MOST_OPEN = 64  # ties of one pitch that may wait at once; more is nonsense


class _Tied(NamedTuple):
    """A note that is tied onward: the layer it was written in, and its place among the notes."""

    layer: str
    place: int


class PartPlayer:
    """Plays the bars of one part in order, and collects the notes that sound.

    ``strict`` never lets a tie cross layers, which some programs do and our own writer does not.
    """

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.notes: list[Note] = []
        self._open: dict[int, list[_Tied]] = {}  # by pitch

    def play(self, bar: Sequence[WrittenNote], at: int) -> None:
        """Add a bar's notes, joining those tied to notes that end where they start."""
        early = min(0, at + min((written.at for written in bar), default=0))
        for written in sorted(bar, key=lambda written: written.at):
            # Grace notes before the very beginning are moved into the piece, still one after another.
            start = at + written.at - (early if at + written.at < 0 else 0)
            index = self._waiting(written, start) if written.tied_from else None
            if index is None:
                index = len(self.notes)
                self.notes.append(Note(start, written.length, written.pitch, written.velocity, written.spelling))
            else:
                note = self.notes[index]
                self.notes[index] = note._replace(duration=note.duration + written.length)
            if written.tied_to:
                self._hold(written, index, start)

    def _waiting(self, written: WrittenNote, start: int) -> int | None:
        """The note that a tie comes from: the first that waits in the layer, else in another one."""
        held = self._open.get(written.pitch, [])
        ready = [entry for entry in held if _end(self.notes[entry.place]) == start]
        mine = [entry for entry in ready if entry.layer == written.layer]
        tied = next(iter(mine or ([] if self.strict else ready)), None)
        if tied is None:
            return None
        held.remove(tied)
        return tied.place

    def _hold(self, written: WrittenNote, index: int, start: int) -> None:
        held = [entry for entry in self._open.get(written.pitch, []) if _end(self.notes[entry.place]) >= start]
        self._open[written.pitch] = [*held, _Tied(written.layer, index)][-_MOST_OPEN:]


def _end(note: Note) -> int:
    return note.onset + note.duration
