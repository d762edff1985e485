"""What a voice has said so far, bar by bar, and the shortest way to say it again: what the compact text is made of.

A bar that is equal to an earlier one of its voice is ``=9``, equal up to transposition ``=9+5``, with notes added
``=9 C3@15>2``. Where only the notes are equal, or only the controllers, it is ``notes=9`` or ``controls=9``, and the
rest is written beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from libretto.grammar.controls import short_control_tokens
from libretto.score.pitch import fifths_of_semitones, pitch_name, spelling_range
from libretto.score.time import Grid

__all__ = ["Cell", "Said", "VoiceMemory"]

Cell = tuple[tuple[int, int, int, int, int], ...]  # position, duration, pitch, velocity, spelling; sorted
Controls = tuple[tuple[int, int, int], ...]  # ticks from the start of the bar, kind, value
_LOOK_BACK = 12  # distinct cells that are tried as the ground of an addition


class Said(NamedTuple):
    """What a voice says in a bar."""

    cell: Cell = ()
    controls: Controls = ()
    signs: tuple[Grid, str] | None = None  # the bar's grid, and its notes and marks as text, where there are marks

    @property
    def notes(self) -> Said:
        """The same without controllers."""
        return self._replace(controls=())


class VoiceMemory:
    """The bars of one voice so far; ``usual`` is the velocity that is not written."""

    def __init__(self, usual: int, first_bar: int) -> None:
        self.usual, self.first_bar = usual, first_bar
        self.whole: dict[Said, int] = {}  # the latest bar that says just that
        self._notes: dict[Said, int] = {}  # the latest bar with those notes and marks, whatever its controllers
        self._controls: dict[Controls, int] = {}  # the latest bar with those controllers, whatever its notes
        self._cells: dict[Cell, None] = {}  # notes without marks, in order of appearance
        self._shapes: dict[tuple[object, ...], tuple[int, Cell]] = {}  # the first bar of each shape, and its notes
        self._bare_shapes: dict[tuple[object, ...], tuple[int, Cell]] = {}  # the first that has no controllers

    def remember(self, bar: int, said: Said) -> None:
        """Note down what is said in a bar."""
        self.whole[said] = self._notes[said.notes] = bar
        if said.controls:
            self._controls[said.controls] = bar
        if said.cell and not said.signs:
            self._cells.setdefault(said.cell)
            shape = _shape(said.cell)
            self._shapes.setdefault(shape, (bar, said.cell))
            if not said.controls:
                self._bare_shapes.setdefault(shape, (bar, said.cell))

    def shortest(self, said: Said, plain: str, grid: Grid) -> str:
        """The shortest text that says it; ``plain`` are its notes and marks as they are written in full."""
        again = list(self._again(said.notes, grid))
        if not said.controls:
            ways = [plain, *(way.text("=" if way.bare else "notes=") for way in again)]
            return min(ways, key=len)
        written = " ".join(short_control_tokens(said.controls, grid))
        ways = [f"={self.whole[said] + self.first_bar}"] if said in self.whole else []
        ways += [f"{written} {plain}".rstrip(), *(way.text("=" if way.bare else "notes=", written) for way in again)]
        if said.controls in self._controls:
            repeated = f"controls={self._controls[said.controls] + self.first_bar}"
            ways += [f"{repeated} {plain}".rstrip(), *(way.text("notes=", repeated) for way in again)]
        return min(ways, key=len)

    def _again(self, notes: Said, grid: Grid) -> Iterator[_Way]:
        """How notes and marks can be said by an earlier bar."""
        if notes in self._notes:
            bare = notes in self.whole
            yield _Way(str((self.whole if bare else self._notes)[notes] + self.first_bar), bare)
            return
        cell = notes.cell
        if not cell or notes.signs:
            return
        shape = _shape(cell)
        for known, bare in ((self._bare_shapes, True), (self._shapes, False)):
            if shape in known:
                bar, there = known[shape]
                shift = cell[0][2] - there[0][2]
                if _shifted(there, shift) == cell:
                    yield _Way(f"{bar + self.first_bar}{shift:+d}", bare)
                    break
        yield from self._additions(cell, grid)

    def _additions(self, cell: Cell, grid: Grid) -> Iterator[_Way]:
        """Earlier notes to which others are added, where they lie inside these."""
        mine = Counter(cell)
        for earlier in list(self._cells)[-_LOOK_BACK:]:
            if len(earlier) * 2 < len(cell) or Counter(earlier) - mine:
                continue
            tokens = [self._token(note, grid.slot) for note in sorted((mine - Counter(earlier)).elements())]
            bare = Said(earlier) in self.whole
            bar = (self.whole if bare else self._notes)[Said(earlier)]
            yield _Way(str(bar + self.first_bar), bare, " ".join(tokens))

    def _token(self, note: tuple[int, int, int, int, int], slot: int) -> str:
        position, duration, pitch, velocity, spelling = note
        mark = f"^{velocity}" if velocity != self.usual else ""
        return f"{pitch_name(pitch, spelling)}@{position // slot + 1}>{duration // slot}{mark}"


class _Way(NamedTuple):
    """An earlier bar whose notes are meant, perhaps moved; whether it has no controllers, and what is added to it."""

    bar: str
    bare: bool
    more: str = ""

    def text(self, name: str, controls: str = "") -> str:
        """The words of a line."""
        return " ".join(filter(None, (name + self.bar, controls, self.more)))


def _shape(cell: Cell) -> tuple[object, ...]:
    """What stays the same under transposition."""
    base = cell[0][2]
    return tuple((position, duration, pitch - base, velocity) for position, duration, pitch, velocity, _ in cell)


def _shifted(cell: Cell, shift: int) -> Cell:
    fifths = fifths_of_semitones(shift)
    return tuple((p, d, pitch + shift, v, spelling_range(s + fifths)) for p, d, pitch, v, s in cell)
