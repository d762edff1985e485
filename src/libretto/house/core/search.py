"""The one search for lines: the cheapest way through places, each of which offers the same row of states.

A state may be a pitch, a rung of a ladder, or a bar of a song. The way is found exactly, by dynamic programming over
pairs of neighbouring states, so that a price may depend on two moves in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from libretto.score.table import Floats, Ints

__all__ = ["NEVER", "cheapest_way"]

#: The price of what must not be.
NEVER = 1e9


def cheapest_way(
    own: Sequence[Floats], step: Callable[[int], Floats], opening: Floats | None = None, turn: Floats | None = None
) -> list[int]:
    """The states of the cheapest way, one a place.

    ``own[p][s]`` is the price of a state at a place and ``step(p)[r, s]`` that of moving from one state to another
    before place ``p``. ``opening[q, s]`` is the price of beginning on ``s`` after ``q`` (by default what the first
    place asks), and ``turn[q, r, s]`` that of a move from ``q`` to ``r`` followed by one from ``r`` to ``s``.
    """
    best = own[0][None, :] if opening is None else opening
    back: list[Ints] = []
    size = len(own[0])
    for place in range(1, len(own)):
        if turn is None:
            chosen = np.broadcast_to(np.argmin(best, axis=0)[:, None], (size, size))
            reached = best.min(axis=0)[:, None]
        else:
            total = best[:, :, None] + turn
            chosen = np.argmin(total, axis=0)
            reached = np.take_along_axis(total, chosen[None], axis=0)[0]
        back.append(chosen)
        best = reached + step(place) + own[place][None, :]
    last = int(np.argmin(best.min(axis=0)))
    way = [last, int(np.argmin(best[:, last]))]
    for chosen in reversed(back):
        way.append(int(chosen[way[-1], way[-2]]))
    return way[: len(own)][::-1]
