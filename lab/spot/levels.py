"""Where each ear begins to report: as many faults found as can be for a given share of songs with alarms.

Conventions: strengths are held out (learned without the song). How many songs pass a level is not counted but read off
a smooth tail: beyond the most striking twentieth of the untouched songs, strengths fall off exponentially. Counting
would favour levels that happen to lie just above a song, and other songs would pass them more often. The budget is
handed out in small parts, each to the ear with which it finds most, and exchanged as long as that finds more. No ear is
left without any. A fault counts once, whichever ear finds it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from libretto.score.table import Floats, Ints

__all__ = ["levels_within"]

_TAIL = 0.05  # the share of songs from which the tail is read
_PARTS = 80  # of a budget
_LEAST = 8  # parts that every ear gets
_ABOVE = 1e-6  # a level lies this much above the strength that it is read from
_STEPS = (1, 2, 4, 8, 16)  # parts that change hands at once


def levels_within(clean: Floats, faults: Floats, budget: float) -> Floats:
    """For each ear the strength from which it reports, so that about ``budget`` of other songs give an alarm.

    ``clean`` holds the most striking place of every untouched song (a row) for every ear (a column), ``faults`` the
    same for the place of every planted fault.

    >>> levels_within(np.arange(100.0)[:, None], np.array([[98.5], [200.0]]), 0.05).round(1)
    array([94.1])
    """
    ears = clean.shape[1]
    shares = np.asarray(budget / _PARTS * np.arange(1, _PARTS + 1), dtype=np.float64)
    ladder = np.stack([_tail(column, shares) for column in clean.T], axis=1)

    def level(many: Ints) -> Floats:
        return np.asarray(ladder[many - 1, np.arange(ears)])

    def caught(many: Ints) -> int:
        return int((faults >= level(many)).any(axis=1).sum())

    many = np.full(ears, min(_LEAST, _PARTS // ears), dtype=np.int64)
    floor, best = many.copy(), caught(many)
    while many.sum() < _PARTS:
        tried = [(caught(more), step, more) for step, more in _gifts(many)]
        best, _, many = max(tried, key=lambda one: ((one[0] - best) / one[1], one[1]))
    while True:
        exchanged = [(caught(other), other) for other in _exchanges(many, floor)]
        value, other = max(exchanged, key=lambda one: one[0], default=(best, many))
        if value <= best:
            return level(many)
        best, many = value, other


def _tail(values: Floats, shares: Floats) -> Floats:
    """The levels that such shares of songs pass, by an exponential tail; within the tail's foot, its foot."""
    foot = float(np.quantile(values, 1 - _TAIL))
    above = values[values > foot]
    if not len(above):
        return np.full(len(shares), foot + _ABOVE)
    beyond = np.log(np.maximum(len(above) / len(values) / shares, 1))
    return np.asarray(foot + float((above - foot).mean()) * beyond + _ABOVE)


def _gifts(many: Ints) -> Iterator[tuple[int, Ints]]:
    """Every way to give one ear some of what is left."""
    for ear in range(len(many)):
        for step in _STEPS:
            if many.sum() + step <= _PARTS:
                more = many.copy()
                more[ear] += step
                yield step, more


def _exchanges(many: Ints, floor: Ints) -> Iterator[Ints]:
    """Every way to take some from one ear and give it to another."""
    for gains in range(len(many)):
        for gives in range(len(many)):
            for step in _STEPS:
                if gains != gives and many[gives] - step >= floor[gives]:
                    other = many.copy()
                    other[gains] += step
                    other[gives] -= step
                    yield other
