"""Signs that wait for their note: decorations, slurs, and what is said of the order of play, as a voice is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.formats.abc.decorations import FLAGS, NOTE_SIGNS, SHORTHAND, SPANS
from libretto.formats.abc.measure import AbcNote, Measure
from libretto.score.marks import WIDE_MARKS

__all__ = ["Marking"]

_MOST_WAITING = 64  # signs of one note
_MOST_OPEN = 32  # slurs open at once
_BEFORE_BAR = ("segno", "coda")  # where they stand at a bar line they belong to the bar that it opens


class Marking:
    """Holds the signs that were read and have no note yet, and the slurs that are open."""

    def __init__(self, shorthand: Mapping[str, str] = SHORTHAND) -> None:
        self.shorthand = shorthand
        self.waiting: list[tuple[str, str]] = []
        self._flags: list[str] = []
        self._open: list[tuple[int, AbcNote | None]] = []
        self._dot = False

    def decorate(self, name: str, measure: Measure, at: int) -> None:
        """Take a decoration by its long name."""
        if name in FLAGS:
            if len(self._flags) < len(FLAGS):
                self._flags.append(FLAGS[name])
        elif name in NOTE_SIGNS:
            if len(self.waiting) < _MOST_WAITING:
                self.waiting.append(NOTE_SIGNS[name])
        elif name[:-1] in SPANS and name[-1] in "()":
            kind, value = SPANS[name[:-1]]
            measure.moments.append((at, kind + name[-1], value))

    def letter(self, letter: str, measure: Measure, at: int) -> None:
        """Take a decoration by its letter."""
        name = self.shorthand.get(letter)
        if name:
            self.decorate(name, measure, at)
        self._dot = letter == "."

    def slur(self, sign: str, note: AbcNote | None) -> None:
        """Open a slur with the next note, or close one at this note."""
        if sign[-1] == "(":
            self._open_slur()
        elif note is not None:
            self._close_slur(note)

    def _open_slur(self) -> None:
        """A slur waits for its first note, under the lowest number that no open one has; one too many is left out."""
        if len(self._open) >= _MOST_OPEN or len(self.waiting) >= _MOST_WAITING:
            return
        taken = {number for number, _ in self._open}
        number = next(number for number in range(1, _MOST_OPEN + 1) if number not in taken)
        self._open.append((number, None))
        self.waiting.append(("slur-start", str(number) if number > 1 else ""))

    def _close_slur(self, note: AbcNote) -> None:
        """End at a note the slur that was begun last; one that begins on this note only where no other can end."""
        begun = [index for index, (_, first) in enumerate(self._open) if first is not None]
        if not begun:
            return
        earlier = [index for index in begun if self._open[index][1] is not note]
        number, _ = self._open.pop((earlier or begun)[-1])
        note.add("slur-stop", str(number) if number > 1 else "")

    def give(self, note: AbcNote, signs: Sequence[tuple[str, str]]) -> None:
        """Put signs on a note."""
        for kind, value in signs:
            note.add(kind, value)
        self._open = [(number, first or note) for number, first in self._open]

    def take_slurs(self) -> list[tuple[str, str]]:
        """The slurs that wait for a note, which now belong to a grace note before it."""
        slurs = [sign for sign in self.waiting if sign[0] == "slur-start"]
        self.waiting = [sign for sign in self.waiting if sign[0] != "slur-start"]
        return slurs

    def settle(self, notes: Sequence[AbcNote], measure: Measure) -> None:
        """Notes, or a rest, have come: signs of chords go on all of them, those of the play to the measure."""
        if self._flags:
            measure.flags = measure.flags.union(self._flags)
            self._flags = []
        if not notes:
            self.waiting = self.take_slurs()
        elif len(notes) > 1 and notes[0].marks:
            for kind, value in notes[0].marks:
                if kind in WIDE_MARKS:
                    for note in notes[1:]:
                        note.add(kind, value)

    def bar(self, closed: Measure | None, opened: Measure) -> str:
        """A bar line has come; what waits belongs to the bars beside it. Returns how the line is dotted, if it is."""
        for flag in self._flags:
            measure = opened if flag in _BEFORE_BAR or closed is None else closed
            measure.flags = measure.flags | {flag}
        self._flags = []
        dotted = self._dot and bool(self.waiting) and self.waiting[-1] == NOTE_SIGNS["staccato"]
        if self.waiting:
            self.waiting = self.take_slurs()
        return "dotted" if dotted else ""
