"""How pop songs lean away from older tunes: a few hundred weights by move, degree, chord tone and place.

They are statistics of many songs together: no weight stands for fewer than hundreds of notes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretto.house.tune.memory import ABSENT, CLASSES, LOWEST
from libretto.house.tune.net import Net, gather_moves
from libretto.house.tune.views import LAST_VIEW, View

__all__ = ["is_pop", "lean"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

#: The kind of tune that leans so.
_POP = "pop"
_LEVELS = np.array([-4, -2, 0, 1, 3, 5])  # from where on a move is a leap or a third down, a step, none, and so up
_STILL = 3
_NO_MOVE = (ABSENT - 1) // 2
_DEGREES = (np.arange(CLASSES) - LOWEST) % 12


def is_pop(kind: str) -> bool:
    """Whether a kind of tune leans as pop songs do.

    >>> is_pop("Pop ballad"), is_pop("reel")
    (True, False)
    """
    return _POP in kind.lower().replace("_", " ").split()


def lean(net: Net, scores: Floats, seen: View, step: int, minor: bool, told: Ints, pointers: Ints) -> Floats:
    """The scores of the net for a step, leaning as pop songs do."""
    read, place, root = net.weights, int(seen.strengths[step]), int(seen.roots[step])
    last = np.where(told[:, 0] < CLASSES, told[:, 0], -1)
    moved = np.searchsorted(_LEVELS, told[:, 1] - _NO_MOVE, side="right")
    moved = np.where(told[:, 1] == ABSENT, _STILL, moved)
    added = gather_moves(read["pop.moves"][place] + read["pop.turns"][moved], last)
    by_degree = read["pop.degrees"][int(minor), place]
    if seen.views[step, LAST_VIEW]:
        by_degree = by_degree + read["pop.closing"][int(minor)]
    added = added + by_degree[_DEGREES]
    if root >= 0:
        third = int(seen.tones[step, (root + 3) % 12])
        added = added + read["pop.above"][place, third][(_DEGREES - root) % 12]
    rows, columns = np.nonzero(pointers >= 0)
    np.add.at(added, (rows, pointers[rows, columns]), read["pop.points"][columns])
    leaning: Floats = read["pop.trust"] * scores + added
    return leaning
