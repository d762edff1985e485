"""In which order written bars are played: repeats, endings, da capo, dal segno, fine and coda.

A Score is what is played, so signs are followed once, here. Movements that share a file (the bar numbers
begin again) are followed one by one: *da capo* means the beginning of its own movement. After a jump back,
repeats are not taken again and the last ending is. Signs that make no sense are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from libretto.score.validate import MAX_BARS

__all__ = ["Signs", "played"]

_MOST_TIMES = 32


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


def played(bars: Sequence[Signs]) -> list[int]:
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
    runs = _endings(bars)
    segno = next((index for index, bar in enumerate(bars) if bar.segno), 0)
    codas = [index for index, bar in enumerate(bars) if bar.coda]
    leave = next((index for index, bar in enumerate(bars) if bar.to_coda), None)
    if leave is None and len(codas) > 1:
        leave = codas[0]  # the sign is often drawn alike at both places
    coda = next((index for index in reversed(codas) if leave is not None and index > leave), None)
    order: list[int] = []
    at, start, turn, jumped = 0, 0, 1, False
    while at < len(bars):
        bar, run = bars[at], runs[at]
        previous = runs[at - 1] if at else None
        if previous and run is None and start <= previous.first:
            start, turn = at, 1
        if run and not run.admits(bar.ending, turn, jumped):
            at += 1
            continue
        if bar.forward and start != at:
            start, turn = at, 1
        order.append(at)
        if len(order) > limit:
            return list(range(len(bars)))
        if bar.backward and not jumped:
            if turn < _turns(bar, run):
                turn, at = turn + 1, start
                continue
            if run is None:
                start, turn = at + 1, 1
        if jumped and bar.fine:
            break
        if jumped and at == leave and coda is not None:
            at = coda
            continue
        if (bar.da_capo or bar.dal_segno) and not jumped:
            jumped, at = True, 0 if bar.da_capo else segno
            start, turn = at, 1
            continue
        at += 1
    return order


def _turns(bar: Signs, run: _Endings | None) -> int:
    times = bar.backward if 2 <= bar.backward <= _MOST_TIMES else 2
    return max(times if times > 2 else 0, min(run.last, _MOST_TIMES)) if run else times
