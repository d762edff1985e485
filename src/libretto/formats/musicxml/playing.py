"""Written bars as played: repeats, endings, da capo, dal segno, fine and coda, and ties joined into notes that sound.

A Score is what is played, so signs are followed once, here. Movements that share a file (the bar numbers
begin again) are followed one by one: *da capo* means the beginning of its own movement. After a jump back,
repeats are not taken again and the last ending is. Signs that make no sense are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from libretto.formats.musicxml.written import Signs, WrittenNote
from libretto.score import Note
from libretto.score.validate import MAX_BARS

__all__ = ["PartPlayer", "play_order"]

_MOST_TIMES = 32  # that a passage is repeated; more is a misprint
_MOST_OPEN = 64  # ties of one pitch that may wait at once; more is nonsense


@dataclass
class _Endings:
    """A run of bars under brackets: first, second ... endings of one passage."""

    first: int
    numbers: set[int] = field(default_factory=set)
    spans: set[frozenset[int]] = field(default_factory=set)
    fine: frozenset[int] = frozenset()
    repeats: bool = False

    @property
    def last(self) -> int:
        """The pass on which the passage is left for good."""
        return max(self.numbers) + (len(self.spans) == 1)

    def admits(self, ending: frozenset[int], turn: int, jumped: bool) -> bool:
        """Whether a bar under that bracket is played on this turn."""
        if jumped:
            return ending == self.fine if self.fine else self.last in ending
        # A turn that nobody wrote an ending for takes the next one written.
        return min((number for number in self.numbers if number >= turn), default=0) in ending


def play_order(bars: Sequence[Signs]) -> list[int]:
    """The indices of the written bars, in the order in which they sound."""
    order: list[int] = []
    starts = [0, *(index for index, bar in enumerate(bars) if bar.movement and index), len(bars)]
    for first, stop in pairwise(starts):
        order.extend(first + index for index in _movement(bars[first:stop], MAX_BARS))
    return order if len(order) <= MAX_BARS else list(range(len(bars)))


def _endings(bars: Sequence[Signs]) -> list[_Endings | None]:
    """For each bar the run of endings it belongs to; runs without a repeat are only ink."""
    runs: list[_Endings | None] = []
    for index, bar in enumerate(bars):
        run = None
        if bar.ending:
            before = runs[-1] if runs else None
            run = before or _Endings(index)
            run.numbers |= bar.ending
            run.spans.add(bar.ending)
            run.repeats |= bar.backward > 0
            run.fine = bar.ending if bar.fine else run.fine
        runs.append(run)
    return [run if run and run.repeats else None for run in runs]


def _movement(bars: Sequence[Signs], limit: int) -> list[int]:
    """One movement in order of play; as written where the signs would make it endless."""
    walk = _Walk(bars, _endings(bars), _jumps(bars))
    order: list[int] = []
    while walk.at < len(bars):
        if not walk.enters():
            walk.at += 1
            continue
        order.append(walk.at)
        if len(order) > limit:
            return list(range(len(bars)))
        walk.at = walk.following()
    return order


class _Jumps(NamedTuple):
    """Where *dal segno* goes back to, where the way to the coda is left, and where the coda begins, if it does."""

    segno: int
    leave: int | None
    coda: int | None


def _jumps(bars: Sequence[Signs]) -> _Jumps:
    segno = next((index for index, bar in enumerate(bars) if bar.segno), 0)
    codas = [index for index, bar in enumerate(bars) if bar.coda]
    leave = next((index for index, bar in enumerate(bars) if bar.to_coda), None)
    if leave is None and len(codas) > 1:
        leave = codas[0]  # the sign is often drawn alike at both places
    coda = next((index for index in reversed(codas) if leave is not None and index > leave), None)
    return _Jumps(segno, leave, coda)


@dataclass
class _Walk:
    """Playing from a page: the bar one is at, where its repeat began, the turn, and whether one has jumped back."""

    bars: Sequence[Signs]
    runs: list[_Endings | None]
    jumps: _Jumps
    at: int = 0
    start: int = 0
    turn: int = 1
    jumped: bool = False

    def enters(self) -> bool:
        """Whether the bar is played on this turn; a passage may begin with it."""
        bar, run = self.bars[self.at], self.runs[self.at]
        previous = self.runs[self.at - 1] if self.at else None
        if previous and run is None and self.start <= previous.first:
            self._begin(self.at)
        if run and not run.admits(bar.ending, self.turn, self.jumped):
            return False
        if bar.forward and self.start != self.at:
            self._begin(self.at)
        return True

    def following(self) -> int:
        """The bar that is played after this one; past the last where the piece is over."""
        bar = self.bars[self.at]
        if not self.jumped:
            back = self._back(bar)
            return self.at + 1 if back is None else back
        if bar.fine:
            return len(self.bars)
        if self.at == self.jumps.leave and self.jumps.coda is not None:
            return self.jumps.coda
        return self.at + 1

    def _back(self, bar: Signs) -> int | None:
        """Where a repeat or a jump goes back to from a bar; None where it goes on."""
        if bar.backward:
            run = self.runs[self.at]
            if self.turn < _turns(bar, run):
                self.turn += 1
                return self.start
            if run is None:
                self._begin(self.at + 1)
        if not (bar.da_capo or bar.dal_segno):
            return None
        self.jumped = True
        self._begin(0 if bar.da_capo else self.jumps.segno)
        return self.start

    def _begin(self, start: int) -> None:
        self.start, self.turn = start, 1


def _turns(bar: Signs, run: _Endings | None) -> int:
    times = bar.backward if 2 <= bar.backward <= _MOST_TIMES else 2
    return max(times if times > 2 else 0, min(run.last, _MOST_TIMES)) if run else times


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
