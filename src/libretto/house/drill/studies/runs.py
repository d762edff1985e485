"""Runs along a scale: up and down, from the top, in thirds, in groups of four; and how they are laid out in bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from libretto.house.drill.meters import beats_of
from libretto.house.drill.studies.study import Played, StudyAsk

__all__ = ["WAYS", "Rungs", "Way", "laid_out", "up_and_down"]

_HOLDS = (1, 2, 3, 4)  # slots that the first and the highest note may take
_FIVE = 5  # notes under a hand
_GROUP = 4  # notes that begin from each step in turn
_OFF_BEAT, _HELD_OFF_BEAT, _LONGER, _BAR = 10, 5, 1, 4  # what a way to lay out a run costs


class Rungs(NamedTuple):
    """A scale laid out from a lowest tonic: its steps upwards and downwards."""

    base: int
    up: tuple[int, ...]
    down: tuple[int, ...]

    def pitch(self, rung: int, rising: bool = True) -> int:
        """The pitch of a rung on the way up or down."""
        steps = self.up if rising else self.down
        return self.base + 12 * (rung // len(steps)) + steps[rung % len(steps)]

    def rise(self, first: int, last: int) -> list[int]:
        """The pitches from one rung up to another, both included."""
        return [self.pitch(rung) for rung in range(first, last + 1)]

    def fall(self, first: int, last: int) -> list[int]:
        """The pitches from one rung down to another, both included."""
        return [self.pitch(rung, rising=False) for rung in range(first, last - 1, -1)]


def up_and_down(rungs: Rungs, octaves: int) -> tuple[list[int], int]:
    """From the lowest tonic up and back."""
    top = octaves * len(rungs.up)
    return rungs.rise(0, top) + rungs.fall(top - 1, 0), top


def _down_and_up(rungs: Rungs, octaves: int) -> tuple[list[int], int]:
    """From the upper tonic down and back: always within an octave."""
    top = len(rungs.up)
    return rungs.fall(top, 0) + rungs.rise(1, top), top


def _five_notes(rungs: Rungs, octaves: int) -> tuple[list[int], int]:
    """The first five rungs up and down, as they lie under a hand."""
    return rungs.rise(0, _FIVE - 1) + rungs.fall(_FIVE - 2, 0), _FIVE - 1


def _in_thirds(rungs: Rungs, octaves: int) -> tuple[list[int], int]:
    """Every rung and the one two above it, then back: always within an octave."""
    top = len(rungs.up)
    rising = [rungs.pitch(rung) for low in range(top - 1) for rung in (low, low + 2)]
    falling = [rungs.pitch(rung, rising=False) for high in range(top - 1, 1, -1) for rung in (high, high - 2)]
    return rising + falling + rungs.fall(2, 0), -1


def _in_groups(rungs: Rungs, octaves: int) -> tuple[list[int], int]:
    """Four notes from every rung, then back: always within an octave."""
    last = len(rungs.up) - _GROUP + 1
    rising = [pitch for low in range(last + 1) for pitch in rungs.rise(low, low + _GROUP - 1)]
    falling = [pitch for low in range(last - 1, -1, -1) for pitch in rungs.fall(low + _GROUP - 1, low)]
    return rising + falling + rungs.fall(2, 0), -1


Way = Callable[[Rungs, int], tuple[list[int], int]]
WAYS: dict[int, tuple[Way, ...]] = {
    1: (up_and_down, _five_notes),
    2: (_in_thirds, up_and_down, _in_groups, _down_and_up),
    3: (_in_groups, _in_thirds, up_and_down, _down_and_up),
}


def laid_out(run: tuple[list[int], int], ask: StudyAsk, slot: int) -> list[list[Played]]:
    """A run in bars of even notes; its first, its turning and its last note held so that it ends well with a bar.

    The run is its pitches and the place of the note on which it turns, -1 for none.
    """
    pitches, turn = run
    each_bar = ask.meter.ticks // slot
    beats = _beat_slots(ask, slot)

    def priced(holds: tuple[int, int]) -> tuple[int, int]:
        first, top = holds
        last = len(pitches) - 1 + (first - 1) + (top - 1)
        cost = 0 if last % each_bar in beats else _OFF_BEAT
        cost += _LONGER * (first + top - 2) + _BAR * -(-(last + 1) // each_bar)
        if top > 1 and (turn + first - 1) % each_bar not in beats:
            cost += _HELD_OFF_BEAT
        return cost, first

    first, top = min(product(*((_HOLDS, _HOLDS) if turn > 0 else ((1,), (1,)))), key=priced)
    lengths = [1] * len(pitches)
    lengths[0] = first
    if turn > 0:
        lengths[turn] = top
    lengths[-1] += -sum(lengths) % each_bar
    return list(_in_rows(pitches, lengths, ask.meter.ticks, slot))


def _in_rows(pitches: Sequence[int], lengths: Sequence[int], ticks: int, slot: int) -> Iterator[list[Played]]:
    """Notes one after the other, bar by bar; one that is held over a bar line is struck again there."""
    row: list[Played] = []
    at = 0
    for pitch, slots in zip(pitches, lengths, strict=True):
        left = slots * slot
        while left:
            part = min(left, ticks - at)
            row.append(Played(at, part, pitch))
            at, left = at + part, left - part
            if at == ticks:
                yield row
                row, at = [], 0


def _beat_slots(ask: StudyAsk, slot: int) -> set[int]:
    """The slots of a bar on which beats fall."""
    places, at = set(), 0
    for beat in beats_of(ask.meter):
        places.add(at // slot)
        at += beat
    return places
