"""Hands: which notes of a keyboard part the right hand takes and which the left.

Of what starts together, the lower notes go to the left hand and the upper ones to the right; where to cut is decided
for the whole piece, a few of the best ways so far being followed at once. A way costs what makes a part hard to play
and to read: stretches, jumps of a hand, hands that cross, notes held while others move, ledger lines.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.notation.clefs import BASS, TREBLE, ledger_cost, staff_steps
from libretto.score import QUARTER

__all__ = ["right_hand"]

# What decides between the hands, in ledger lines:
_REACH = 12.0  # semitones that a hand spans with ease
_STRETCH = 3.0  # what each semitone beyond costs
_MOVE = 0.3  # what a semitone's move of a hand costs
_LEDGER = 1.0  # a ledger line
_STRANGE_CLEF = 1.0  # a note that is easier to read under the other hand's clef
_IDLE = 1.0  # a hand that rests while the other takes three notes or more
_MANY = 2  # notes that one hand takes without a thought
_HELD = 1.5  # a hand that still holds something from before: it would need a second layer
_UNEVEN = 2.5  # notes of one hand that start together and end apart need a second layer too
_CROSSED = 5.0  # a note on the wrong side of what the other hand holds
_SHORT = QUARTER // 4  # what is held no longer than this is let go
_FORGOTTEN = 4 * QUARTER  # after so long a rest half of where a hand was is forgotten
_LEFT_HOME, _RIGHT_HOME = 50.0, 72.0  # D3 and C5: where hands lie before they play
_WAYS = 6  # that are followed at once


class _Hand(NamedTuple):
    """Where a hand was last, and what it still holds."""

    at: float
    until: int = 0
    low: float = 0.0
    high: float = 0.0


class _Way(NamedTuple):
    """A way through the piece so far: its cost, its hands, and its cuts as a chain from the last to the first."""

    cost: float
    left: _Hand
    right: _Hand
    cuts: Any


class _Chord(NamedTuple):
    """What starts together, from the lowest note: when, pitches, ends, and ledger lines under either clef."""

    onset: int
    pitches: list[float]
    ends: list[int]
    high: list[float]
    low: list[float]


def right_hand(notes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes the right hand takes: of what starts together, the cut that is easiest to reach and to read.

    A hand moves from where it last was and lets go of nothing it holds, so that a line that crosses middle C stays in
    one hand.
    """
    upper = np.zeros(len(notes), dtype=np.bool_)
    if not len(notes):
        return upper
    starts = np.flatnonzero(np.diff(notes["onset"], prepend=-1)).tolist()
    stops = [*starts[1:], len(notes)]
    ways = [_Way(0.0, _Hand(_LEFT_HOME), _Hand(_RIGHT_HOME), None)]
    for chord in _chords(notes, starts, stops):
        ways = _onward(ways, chord)
    cuts = []
    chain = ways[0].cuts
    while chain is not None:
        chain, cut = chain
        cuts.append(cut)
    for start, stop, cut in zip(starts, stops, reversed(cuts), strict=True):
        upper[start + cut : stop] = True
    return upper


def _chords(notes: NDArray[Any], starts: list[int], stops: list[int]) -> list[_Chord]:
    """The notes of a part by the moments at which they start."""
    steps = staff_steps(notes)
    treble, bass = ledger_cost(steps, TREBLE), ledger_cost(steps, BASS)
    high = np.minimum(treble, bass + _STRANGE_CLEF).tolist()
    low = np.minimum(bass, treble + _STRANGE_CLEF).tolist()
    pitch, onset = notes["pitch"].astype(np.float64).tolist(), notes["onset"].tolist()
    ends = (notes["onset"] + notes["duration"]).tolist()
    return [
        _Chord(onset[first], pitch[first:stop], ends[first:stop], high[first:stop], low[first:stop])
        for first, stop in zip(starts, stops, strict=True)
    ]


def _onward(ways: list[_Way], chord: _Chord) -> list[_Way]:
    """The best ways after one more chord."""
    size = len(chord.pitches)
    further: list[_Way] = []
    for way in ways:
        for cut in range(size + 1):
            ledger = _LEDGER * (sum(chord.low[:cut]) + sum(chord.high[cut:]))
            below, left = _taken(way.left, chord, 0, cut)
            above, right = _taken(way.right, chord, cut, size)
            crossed = _crossing(way, chord, cut)
            further.append(_Way(way.cost + ledger + below + above + crossed, left, right, (way.cuts, cut)))
    further.sort(key=lambda way: way.cost)
    kept: list[_Way] = []
    for way in further:  # two that leave the hands alike would be the same from here on
        if all(way.left != other.left or way.right != other.right for other in kept):
            kept.append(way)
        if len(kept) == _WAYS:
            break
    return kept


def _taken(hand: _Hand, chord: _Chord, first: int, stop: int) -> tuple[float, _Hand]:
    """How hard it is for a hand to take those notes now, and the hand afterwards."""
    size = stop - first
    if not size:
        return (_IDLE if len(chord.pitches) > _MANY else 0.0), hand
    pitches, ends = chord.pitches[first:stop], chord.ends[first:stop]
    low, high, until = pitches[0], pitches[-1], max(ends)
    cost = _UNEVEN if until - min(ends) > _SHORT else 0.0
    if hand.until - chord.onset > _SHORT:
        low, high, cost = min(low, hand.low), max(high, hand.high), cost + _HELD
    middle = sum(pitches) / size
    since = max(0, chord.onset - hand.until)
    cost += _MOVE * abs(middle - hand.at) * _FORGOTTEN / (_FORGOTTEN + since)
    cost += _STRETCH * max(0.0, high - low - _REACH)
    if hand.until > until:
        return cost, _Hand(middle, hand.until, low, high)
    return cost, _Hand(middle, until, pitches[0], pitches[-1])


def _crossing(way: _Way, chord: _Chord, cut: int) -> float:
    """What it costs that a hand goes beyond what the other one holds."""
    cost = 0.0
    if cut and way.right.until - chord.onset > _SHORT and chord.pitches[cut - 1] > way.right.low:
        cost += _CROSSED
    if cut < len(chord.pitches) and way.left.until - chord.onset > _SHORT and chord.pitches[cut] < way.left.high:
        cost += _CROSSED
    return cost
