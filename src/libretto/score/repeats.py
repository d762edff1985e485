"""The order of play: repeats, endings, da capo, dal segno, fine and coda.

Movements that share a piece are followed one by one: *da capo* means the beginning of its own movement. After a jump
back, repeats are not taken again and the last ending is. Signs that make no sense are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from libretto.score.marks import Mark
from libretto.score.validate import MAX_BARS

__all__ = ["Signs", "marks_of_signs", "play_order", "signs_of_marks"]

_MOST_TIMES = 32  # that a passage is repeated; more is a misprint
_MOST_ENDINGS = 64
_FLAGS = {  # kinds of marks, and what they are of a bar's signs
    "segno": "segno",
    "coda": "coda",
    "to-coda": "to_coda",
    "fine": "fine",
    "da-capo": "da_capo",
    "dal-segno": "dal_segno",
    "movement": "movement",
    "repeat-start": "forward",
}


@dataclass
class Signs:
    """What one written bar says about the order of play."""

    forward: bool = False
    backward: int = 0  # how often the passage is played; 0 where there is no repeat sign
    ending: frozenset[int] = frozenset()
    segno: bool = False
    coda: bool = False
    to_coda: bool = False
    fine: bool = False
    da_capo: bool = False
    dal_segno: bool = False
    movement: bool = False  # the first bar of a movement


def signs_of_marks(marks: Sequence[Mark], lines: Sequence[int]) -> list[Signs]:
    """The signs of every bar, of a piece with those marks and bar lines."""
    signs = [Signs() for _ in lines[1:]]
    bars = {line: bar for bar, line in enumerate(lines[:-1])}
    for mark in marks:
        bar = bars.get(mark.tick)
        if bar is None:
            continue
        if mark.kind in _FLAGS:
            setattr(signs[bar], _FLAGS[mark.kind], True)
        elif mark.kind == "repeat-end":
            signs[bar].backward = int(mark.value) if re.fullmatch(r"[1-9]\d{0,2}", mark.value) else 2
        elif mark.kind == "ending":
            numbers = frozenset(map(int, re.findall(r"\d{1,2}", mark.value)[:_MOST_ENDINGS]))
            for under in range(bar, len(signs)):
                if under > bar and lines[under] >= mark.tick + mark.length:
                    break
                signs[under].ending = numbers
    return signs


def marks_of_signs(signs: Sequence[Signs], lines: Sequence[int]) -> list[Mark]:
    """The marks that say what the signs of the bars say."""
    marks = []
    for bar, sign in enumerate(signs):
        tick = lines[bar]
        marks += [Mark(tick, kind) for kind, name in _FLAGS.items() if getattr(sign, name)]
        if sign.backward:
            marks.append(Mark(tick, "repeat-end", "" if sign.backward == 2 else str(sign.backward)))
        if sign.ending and not (bar and signs[bar - 1].ending == sign.ending and not signs[bar - 1].backward):
            stop = bar + 1
            while stop < len(signs) and signs[stop].ending == sign.ending and not signs[stop - 1].backward:
                stop += 1
            value = ",".join(map(str, sorted(sign.ending)))
            marks.append(Mark(tick, "ending", value, lines[stop] - tick))
    return marks


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
