"""Starts for reading: each beat of each voice on the simplest lattice that tells what was played.

A beat whose starts lie exactly on 32nds or on a usual tuplet is as somebody wrote it, and stays. Any other beat was
played: of the lattices below, it takes the one with the least of error and difficulty together. A start counts as off
by its distance in quarters; two starts that were apart must not become one without a price.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.notation.rhythm import is_compound
from libretto.score import QUARTER, Meter, Score

__all__ = ["Beats", "on_lattice"]

_Q = QUARTER
#: Lattices for a beat that divides in two, and in three, with their difficulty.
_IN_TWO = ((_Q // 2, 0.0), (_Q // 4, 0.3), (_Q // 3, 0.6), (_Q // 8, 1.8), (_Q // 6, 1.9), (_Q // 16, 4.0))
_IN_THREE = ((_Q // 2, 0.0), (_Q // 4, 0.3), (3 * _Q // 4, 0.9), (_Q // 8, 1.8), (_Q // 6, 1.9), (_Q // 16, 4.0))
_EXACT = (_Q // 4, _Q // 3, _Q // 8, _Q // 6, _Q // 12, _Q // 5, _Q // 7, 3 * _Q // 8)
_OFF, _OFF_COST = 0.06, 0.3  # what a start off by 0.06 quarters costs; the price grows with the square
_LOST = 1.5  # two starts that become one
_APART = _Q // 18  # starts nearer than this were meant together


class Beats:
    """The beats of a piece, and for one voice the lattice of each: what lengths are rounded to."""

    def __init__(self, score: Score) -> None:
        self.lines = np.asarray(score.bar_lines, dtype=np.int64)
        changes = [tick for tick, _ in score.meters]
        which = np.searchsorted(changes, self.lines[:-1], side="right") - 1
        self.compound = np.array([is_compound(score.meters[index][1]) for index in which], dtype=np.bool_)
        self.beat = np.array([_beat(score.meters[index][1]) for index in which], dtype=np.int64)
        self.steps: dict[tuple[int, int], int] = {}

    def locate(self, tick: int) -> tuple[int, int, int]:
        """The bar, the beat in it, and the tick where that beat begins."""
        bar = min(max(int(np.searchsorted(self.lines, tick, side="right")) - 1, 0), len(self.beat) - 1)
        start, length = int(self.lines[bar]), int(self.beat[bar])
        beat = (tick - start) // length
        return bar, beat, start + beat * length

    def step(self, tick: int) -> int:
        """The lattice of the beat in which a tick lies: sixteenths where nothing starts in it."""
        bar, beat, _ = self.locate(tick)
        return self.steps.get((bar, beat), _Q // 4)

    def end_of_beat(self, tick: int) -> int:
        """Where the beat of a tick ends: at the next beat or bar line."""
        bar, _, start = self.locate(tick)
        return min(start + int(self.beat[bar]), int(self.lines[bar + 1]))


def _beat(meter: Meter) -> int:
    return 3 * meter.ticks // meter.beats if is_compound(meter) else _Q


def on_lattice(notes: NDArray[Any], beats: Beats) -> NDArray[np.int64]:
    """The starts of one voice as they are to be read, in the order of its notes; fills ``beats.steps``."""
    beats.steps = {}
    onsets = notes["onset"].astype(np.int64)
    shown = onsets.copy()
    bar = np.clip(np.searchsorted(beats.lines, onsets, side="right") - 1, 0, len(beats.beat) - 1)
    beat = (onsets - beats.lines[bar]) // beats.beat[bar]
    begins = np.flatnonzero((np.diff(bar, prepend=-1) != 0) | (np.diff(beat, prepend=-1) != 0)).tolist()
    for first, stop in zip(begins, [*begins[1:], len(notes)], strict=True):
        where = int(bar[first])
        origin = int(beats.lines[where] + beat[first] * beats.beat[where])
        positions = (onsets[first:stop] - origin).tolist()
        step = next((step for step in _EXACT if not any(at % step for at in positions)), None)
        if step is None:
            lattices = _IN_THREE if beats.compound[where] else _IN_TWO
            step = min(lattices, key=lambda lattice: _cost(positions, *lattice))[0]
            latest = int(beats.lines[-1]) - min(step, _Q // 4)
            shown[first:stop] = [max(origin, min(origin + round(at / step) * step, latest)) for at in positions]
        beats.steps[where, int(beat[first])] = step
    return shown


def _cost(positions: Sequence[int], step: int, difficulty: float) -> float:
    """How far-fetched a lattice is for the starts of a beat."""
    cost = difficulty
    before, slot_before = -_Q, -1
    for at in positions:
        if at - before <= _APART // 2:
            continue
        slot = round(at / step)
        cost += _OFF_COST * ((at - slot * step) / _Q / _OFF) ** 2
        if slot == slot_before and at - before > _APART:
            cost += _LOST
        before, slot_before = at, slot
    return cost
