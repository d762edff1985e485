"""What a move of a line costs: how far it goes, what it recovers and resolves, whether it wobbles, whom it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libretto.house.tune.laying import Slot
from libretto.house.tune.places import Ground
from libretto.score.table import Floats, Ints

__all__ = ["Taste", "Ways", "move_table", "moving"]

_MOVES = (0.3, 0.12, 0.0, 0.55, 0.6, 0.62, 2.6, 0.72, 1.3, 1.15, 2.2, 3.4, 1.1)  # what a move costs, by semitones
_FURTHER = 5.0
_HALF_AGAIN = 1.5  # leaps cost as they stand where a line leaps as usual, half as much again where it does not like to
_LEAP, _STEP = 5, 2  # semitones
_ONWARD, _BACK_FAR, _STAYS = 1.5, 0.8, 0.25  # after a leap: on in its direction, back by a leap, or no move
_ZIGZAG, _RETURN, _AGAIN = 6.0, 0.25, 0.9  # a-b-a-b, a-b-a, and one more of these among the last few notes
_THRICE = 1.2  # a note the third time
_RECENT = 6  # notes
_UNRESOLVED, _STAYED, _UPWARD = 1.6, 0.5, 0.5  # a foreign tone left by leap, said again, or by step upwards
_TURN, _CLASS = 0.7, 0.5  # another direction than the template's move, another kind of move
_SMALL = 0.5  # of that, where neither move is a leap
_SIGNATURE, _WIDE, _SHORT = 2.0, 3, 0.15  # leaps of a fourth and more are a theme's signature
_RECITES, _FEW = 0.6, 2  # as many moves may be the template's, each further one costs
_GAP = 1.2  # three semitones that look like a step
_JOIN = 0.6  # how much the move into a return counts beforehand
_APART, _MOST_APART = 0.2, 1.4  # what it costs to come to a close from further off than a step, by semitone
_STOOD = 0.6  # or to be there already
_EASIER = 0.5  # a move over a breath


@dataclass(frozen=True)
class Taste:
    """How freely a line leaps (0.5 as usual), how firmly it keeps its template's moves and the ideas that return.

    ``repeat`` is what a note said twice saves, ``told`` how much the model counts that was taught tunes.
    """

    leap: float = 0.5
    contour: float = 1.0
    grip: float = 1.0
    recites: float = 1.0
    repeat: float = 0.0
    told: float = 0.0


@dataclass
class Ways:
    """Ways side by side: columns of pitches so far, and what each has cost."""

    columns: Ints
    cost: Floats
    run: Ints  # how many moves in a row were the template's
    shift: Ints  # how far the idea that returns is moved


def move_table(size: int, taste: Taste) -> Floats:
    """What every move costs, by columns."""
    far = np.abs(np.arange(size)[None, :] - np.arange(size)[:, None])
    prices = np.array([*_MOVES, *([_FURTHER] * max(0, size - len(_MOVES)))])
    scale = np.where(far >= _LEAP, _HALF_AGAIN - taste.leap, 1.0)
    return np.asarray(prices[far] * scale - np.where(far == 0, taste.repeat, 0.0), dtype=np.float64)


def moving(ways: Ways, ground: Ground, table: Floats, slots: Sequence[Slot], index: int, taste: Taste) -> Floats:
    """What the move to every pitch costs each way."""
    slot = slots[index]
    before = ways.columns[:, -1]
    away = np.arange(len(ground.pitches))[None, :] - before[:, None]
    price = table[before] * (_EASIER if slot.breath else 1.0)
    price = price + _resolving(ground, before, index, away)
    stepping = np.abs(ground.steps[None, :] - ground.steps[before][:, None])
    price += np.where((np.abs(away) == _STEP + 1) & (stepping == 1), _gap(ground), 0.0)
    price += taste.contour * _following(ground, before, slot)
    if slot.close:
        price += np.minimum(_MOST_APART, _APART * np.maximum(0, np.abs(away) - _STEP)) + _STOOD * (away == 0)
    if slot.move is not None:
        price += np.where(away == slot.move, taste.recites * _RECITES * np.maximum(0, ways.run - _FEW)[:, None], 0.0)
    if ways.columns.shape[1] >= _STEP:
        price += _after_leap(ways, away) + _wobbling(ways, away)
    return price + _joining(ways, ground, table, slots, index)


def _gap(ground: Ground) -> float:
    """What three semitones cost that look like a step; nothing in a scale with gaps of its own."""
    octave = ground.steps[min(12, len(ground.steps) - 1)] - ground.steps[0]
    return _GAP if octave >= 7 else 0.0


def _resolving(ground: Ground, before: Ints, index: int, away: Ints) -> Floats:
    """What leaving a foreign tone costs: nothing by step, something by staying, much by leaping."""
    owed = ground.foreign[index - 1][before][:, None]
    far = np.abs(away)
    upward = np.where((away > 0) & (owed > 1.0), _UPWARD, 0.0)  # what rubs against the tone below it falls to it
    price = np.where(far == 0, _STAYED, np.where(far <= _STEP, upward, _UNRESOLVED))
    return np.asarray(owed * price, dtype=np.float64)


def _following(ground: Ground, before: Ints, slot: Slot) -> Floats:
    """What departing from the template's move costs: its direction, and whether it is a step, a third or a leap."""
    if slot.step is None or slot.source >= 0:
        return np.zeros((len(before), len(ground.pitches)))
    moved = ground.steps[None, :] - ground.steps[before][:, None]
    turned = np.sign(moved) != np.sign(slot.step)
    short = np.maximum(0.0, _size(np.array(slot.step)) - _size(moved))
    wide = np.maximum(_size(moved), _size(np.array(slot.step))) >= _WIDE
    other = (_size(moved) != _size(np.array(slot.step))) * np.where(wide, 1.0, _SMALL)
    firm = _SIGNATURE if abs(slot.step) >= _WIDE else 1.0
    return np.asarray(firm * (_TURN * turned + _CLASS * other) + _SHORT * short, dtype=np.float64)


def _size(moved: Floats) -> Floats:
    """0 a note again, 1 a step, 2 a third, 3 more."""
    return np.minimum(3.0, np.ceil(np.abs(moved)))


def _after_leap(ways: Ways, away: Ints) -> Floats:
    """What going on after a leap costs: little back by step, more onwards."""
    last = (ways.columns[:, -1] - ways.columns[:, -2])[:, None]
    leapt = np.abs(last) >= _LEAP
    onward = (np.sign(last) == np.sign(away)) & (away != 0)
    price = np.where(onward, _ONWARD, np.where(away == 0, _STAYS, np.where(np.abs(away) >= _LEAP, _BACK_FAR, 0.0)))
    return np.where(leapt, price, 0.0)


def _wobbling(ways: Ways, away: Ints) -> Floats:
    """What turning back and forth costs."""
    columns = ways.columns
    count = columns.shape[1]
    back = (columns[:, -2] - columns[:, -1])[:, None]
    returns = (away == back) & (away != 0)
    price = np.where(returns, _RETURN, np.where((away == 0) & (back == 0), _THRICE, 0.0))
    if count > _STEP:
        zigzag = (columns[:, -1] == columns[:, -3]) & (columns[:, -1] != columns[:, -2])
        price = price + np.where(returns & zigzag[:, None], _ZIGZAG, 0.0)
        recent = columns[:, -_RECENT:]
        turned: Ints = (recent[:, 2:] == recent[:, :-2]) & (recent[:, 2:] != recent[:, 1:-1])
        price = price + np.where(returns, _AGAIN * turned.sum(axis=1)[:, None], 0.0)
    return price


def _joining(ways: Ways, ground: Ground, table: Floats, slots: Sequence[Slot], index: int) -> Floats | float:
    """What it costs to stand far from where an idea that returns note for note begins, one note before it does."""
    after = slots[index + 1] if index + 1 < len(slots) else None
    if (
        after is None
        or after.how != "exact"
        or after.source < 0
        or slots[index].group == after.group
        or after.source >= index
    ):
        return 0.0
    return _JOIN * table[ways.columns[:, after.source]]
