"""Hands: which notes of a keyboard go on the upper staff and which on the lower."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.notation.clefs import BASS, TREBLE, ledger_cost, staff_steps
from libretto.score import QUARTER

__all__ = ["right_hand"]

_REACH = 12  # semitones that a hand spans with ease
_STRETCH = 3.0  # what each semitone beyond costs, in ledger lines
_MOVE = 0.18  # what a semitone's move of a hand costs
_LEDGER = 0.7  # a ledger line
_IDLE = 0.5  # a hand that rests while the other takes three notes or more
_HELD = 1.5  # a hand that still holds something from before: it would need a second layer
_UNEVEN = 2.5  # notes of one hand that start together and end apart need a second layer too
_SHORT = QUARTER // 4  # what is held no longer than this is let go


class _Hand:
    """Where a hand is: the middle of what it last took, and what it still holds."""

    def __init__(self, home: float) -> None:
        self.at, self.until = home, 0
        self.low = self.high = home

    def take(self, pitches: NDArray[np.float64], until: int) -> None:
        self.at, self.until = float(pitches.mean()), until
        self.low, self.high = float(pitches[0]), float(pitches[-1])

    def cost(self, pitches: NDArray[np.float64], ends: NDArray[np.int64], onset: int, others: int) -> float:
        """How hard it is to take those notes now."""
        if not len(pitches):
            return _IDLE if others > 2 else 0.0
        low, high = float(pitches[0]), float(pitches[-1])
        cost = _UNEVEN if ends.max() - ends.min() > _SHORT else 0.0
        if self.until - onset > _SHORT:
            low, high, cost = min(low, self.low), max(high, self.high), cost + _HELD
        return cost + _MOVE * abs(float(pitches.mean()) - self.at) + _STRETCH * max(0.0, high - low - _REACH)


def right_hand(notes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes the right hand takes: of what starts together, the cut that is easiest to reach and to read.

    A hand moves from where it last was and lets go of nothing it holds, so that a line that crosses middle C stays in
    one hand.
    """
    upper = np.zeros(len(notes), dtype=np.bool_)
    steps = staff_steps(notes)
    high, low = ledger_cost(steps, TREBLE), ledger_cost(steps, BASS)
    pitch = notes["pitch"].astype(np.float64)
    ends = notes["onset"] + notes["duration"]
    starts = np.flatnonzero(np.diff(notes["onset"], prepend=-1)).tolist()
    left, right = _Hand(50.0), _Hand(72.0)
    for first, stop in zip(starts, [*starts[1:], len(notes)], strict=True):
        group, onset = pitch[first:stop], int(notes["onset"][first])
        costs = [
            _LEDGER * float(low[first : first + cut].sum() + high[first + cut : stop].sum())
            + left.cost(group[:cut], ends[first : first + cut], onset, len(group))
            + right.cost(group[cut:], ends[first + cut : stop], onset, len(group))
            for cut in range(len(group) + 1)
        ]
        middle = first + int(np.argmin(costs))
        upper[middle:stop] = True
        for hand, part in ((left, slice(first, middle)), (right, slice(middle, stop))):
            if part.stop > part.start:
                hand.take(pitch[part], int(ends[part].max()))
    return upper
