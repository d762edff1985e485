"""Clefs: the ones that keep a stream of notes nearest to its staff, bar by bar, changing only where it pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BASS",
    "CHANGE",
    "PERCUSSION",
    "TREBLE",
    "Clef",
    "clefs_by_bar",
    "clefs_of_instrument",
    "ledger_cost",
    "staff_steps",
]

_BOTTOM_LINES = {("G", 2): 30, ("F", 4): 18, ("C", 3): 24, ("C", 4): 22}  # in steps from C0; E4 is 30
_TOP = 8  # steps from the bottom line to the top line
CHANGE = 24.0  #: a change of clef costs a reader as much as so many ledger lines
_OCTAVE_SIGN = 1.5  # what a note costs under an octave clef that is not the usual one
_SECOND_CHOICE = 0.5  # and for each place down the list of an instrument's clefs
_LOWEST_OF_A_GUITAR = 38
_STEP_OF_FIFTH = np.array([3, 0, 4, 1, 5, 2, 6])  # F C G D A E B
_LETTERS = len(_STEP_OF_FIFTH)  # steps of an octave, and fifths from a letter to its sharp
_LIKELIER = 0.5  # what each place down the list of an instrument's clefs costs at the beginning


class Clef(NamedTuple):
    """A clef: its sign (G, F, C or percussion), the line it names, and the octaves by which it sounds higher."""

    sign: str
    line: int
    octaves: int = 0


TREBLE, BASS, PERCUSSION = Clef("G", 2), Clef("F", 4), Clef("percussion", 2)
_ALTO, _TENOR = Clef("C", 3), Clef("C", 4)
_UP, _DOWN, _DEEP = Clef("G", 2, 1), Clef("G", 2, -1), Clef("F", 4, -1)
_USUAL = (TREBLE, BASS, _UP, _DEEP)
_OWN = {
    **dict.fromkeys((*range(24, 32), 104, 105, 106), (_DOWN,)),  # guitars, and what is plucked like them
    **dict.fromkeys((*range(32, 40), 43), (_DEEP, TREBLE)),  # basses
    41: (_ALTO, TREBLE),
    42: (BASS, _TENOR, TREBLE),
    57: (BASS, _TENOR),
    58: (BASS, TREBLE),
    70: (BASS, _TENOR),
    **dict.fromkeys((9, 10, 72), (_UP, TREBLE)),  # bells and piccolo
    **dict.fromkeys((40, 56, 59, 64, 65, 66, 68, 69, 71, 73, 74, 75, 78, 110), (TREBLE,)),  # whatever they play
    67: (TREBLE, BASS),
    **dict.fromkeys((52, 53, 54, 85), (TREBLE, _DOWN, BASS)),  # singers
}


def clefs_of_instrument(program: int, lowest: int, written: bool = False) -> tuple[Clef, ...]:
    """The clefs its players know, the likeliest first; at written pitch the octave is in the transposition.

    What sounds like a guitar and goes below any guitar may also have a bass clef.
    """
    known = _OWN.get(program, _USUAL)
    if known == (_DOWN,) and lowest < _LOWEST_OF_A_GUITAR:
        known = (_DOWN, _DEEP)
    return tuple(dict.fromkeys(clef._replace(octaves=0) for clef in known)) if written else known


def staff_steps(notes: NDArray[Any]) -> NDArray[np.int64]:
    """Where notes stand as spelled, in steps of the scale from C0: E4 is 30."""
    fifth = notes["spelling"].astype(np.int64) + 1
    natural = notes["pitch"].astype(np.int64) - fifth // _LETTERS
    return np.asarray((natural // 12 - 1) * _LETTERS + _STEP_OF_FIFTH[fifth % _LETTERS], dtype=np.int64)


def ledger_cost(steps: NDArray[np.int64], clef: Clef) -> NDArray[np.float64]:
    """How hard each note is to read: 1 for one ledger line, 3 for two, 6 for three."""
    bottom = _BOTTOM_LINES[clef.sign, clef.line] + _LETTERS * clef.octaves
    lines = np.maximum(0, np.maximum((bottom - steps) // 2, (steps - bottom - _TOP) // 2))
    return np.asarray(lines * (lines + 1) / 2, dtype=np.float64)


def clefs_by_bar(notes: NDArray[Any], bar_lines: Sequence[int], known: Sequence[Clef]) -> list[Clef]:
    """The clef of every bar: of all ways through the piece the one with the least to count and to change."""
    bars = len(bar_lines) - 1
    if not len(notes) or len(known) == 1:
        return [known[0]] * bars
    steps = staff_steps(notes)
    bar = np.searchsorted(np.asarray(bar_lines), notes["onset"], side="right") - 1
    cost = np.array([np.bincount(bar, ledger_cost(steps, clef), minlength=bars)[:bars] for clef in known]).T
    count = np.bincount(bar, minlength=bars)[:bars]
    cost += np.outer(count, [_strangeness(clef, known) for clef in known])
    cost[0] += np.arange(len(known)) * _LIKELIER
    return [known[index] for index in _cheapest(cost)]


def _strangeness(clef: Clef, known: Sequence[Clef]) -> float:
    """What a note costs under a clef for being rarely seen there."""
    if clef.octaves not in {0, *(usual.octaves for usual in known[:2])}:
        return _OCTAVE_SIGN
    return _SECOND_CHOICE * known.index(clef) if known[:2] != _USUAL[:2] else 0.0


def _cheapest(cost: NDArray[np.float64]) -> list[int]:
    """The path through the bars with the least cost, each change of state costing ``CHANGE``."""
    total = cost[0].copy()
    came: list[NDArray[np.int64]] = []
    stay = np.arange(cost.shape[1])
    for row in cost[1:]:
        best = int(np.argmin(total))
        moved = total[best] + CHANGE <= total  # as late as can be: not in the rests before
        came.append(np.where(moved, best, stay))
        total = np.where(moved, total[best] + CHANGE, total) + row
    path = [int(np.argmin(total))]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return path[::-1]
