"""Ties: written notes joined into the notes that sound."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.formats.musicxml.bars import Sung
from libretto.score import Note

__all__ = ["Singer"]

_MOST_OPEN = 64  # ties of one pitch that may wait at once; more is nonsense


class Singer:
    """Sings the bars of one part in order of play, and collects the notes.

    ``strict`` never lets a tie cross layers, which some programs do and our own writer does not.
    """

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.notes: list[Note] = []
        self._open: dict[int, list[tuple[str, int]]] = {}  # pitch -> layer and index of notes tied onward

    def sing(self, bar: Sequence[Sung], at: int) -> None:
        """Add a bar's notes, joining those tied to notes that end where they start."""
        early = min(0, at + min((sung.at for sung in bar), default=0))
        for sung in sorted(bar, key=lambda sung: sung.at):
            # Grace notes before the very beginning are moved into the piece, still one after another.
            start = at + sung.at - (early if at + sung.at < 0 else 0)
            index = self._waiting(sung, start) if sung.tied_from else None
            if index is None:
                index = len(self.notes)
                self.notes.append(Note(start, sung.length, sung.pitch, sung.velocity, sung.spelling))
            else:
                note = self.notes[index]
                self.notes[index] = note._replace(duration=note.duration + sung.length)
            if sung.tied_to:
                self._hold(sung, index, start)

    def _waiting(self, sung: Sung, start: int) -> int | None:
        """The note that a tie comes from: the first that waits in the layer, else in another one."""
        held = self._open.get(sung.pitch, [])
        ready = [entry for entry in held if _end(self.notes[entry[1]]) == start]
        mine = [entry for entry in ready if entry[0] == sung.layer]
        found = next(iter(mine or ([] if self.strict else ready)), None)
        if found is None:
            return None
        held.remove(found)
        return found[1]

    def _hold(self, sung: Sung, index: int, start: int) -> None:
        held = [entry for entry in self._open.get(sung.pitch, []) if _end(self.notes[entry[1]]) >= start]
        self._open[sung.pitch] = [*held, (sung.layer, index)][-_MOST_OPEN:]


def _end(note: Note) -> int:
    return note.onset + note.duration
