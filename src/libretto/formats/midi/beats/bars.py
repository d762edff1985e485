"""Bar lines over a path of beats: which place in its bar each beat has, for bars of two, three and four beats.

How much a beat looks like the first, second ... of its bar is judged by its evidence and that of its neighbours. The
best sequence of places is found by dynamic programming: places follow one another, and a bar that is too short or too
long costs much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.formats.midi.beats.net import Net
from libretto.score.table import Floats, Ints

__all__ = ["BARS", "Barring", "barring"]

BARS = (2, 3, 4)  #: beats in a bar
_ODD = -7.0  # what an odd bar costs, in nats


class Barring(NamedTuple):
    """Beats to a bar, each beat's place in its bar, and how much better than chance that is, in nats a beat."""

    size: int
    places: Ints
    gain: float


def barring(views: Floats, net: Net) -> Barring:
    """The best bars of one size; the net says how much each beat looks like each place in its bar."""
    logits = net(views)
    size = logits.shape[1]
    logits -= logits.max(axis=1, keepdims=True)
    scores = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)) + np.log(size)
    places = _best_places(scores.tolist(), size)
    return Barring(size, np.array(places[0], dtype=np.int64), places[1] / len(scores))


def _best_places(scores: list[list[float]], size: int) -> tuple[list[int], float]:
    """The best sequence of places and what it is worth."""
    best, before = list(scores[0]), []
    for row in scores[1:]:
        jump = max(range(size), key=best.__getitem__)
        odd = best[jump] + _ODD
        straight = [best[-1], *best[:-1]]
        before.append([place - 1 if straight[place] >= odd else jump for place in range(size)])
        best = [max(usual, odd) + own for usual, own in zip(straight, row, strict=True)]
    place = max(range(size), key=best.__getitem__)
    worth, places = best[place], [place]
    for row_before in reversed(before):
        place = row_before[place] % size
        places.append(place)
    return places[::-1], worth
