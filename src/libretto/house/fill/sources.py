"""Where in the song to look for a model: for every bar of a gap the bar whose manner it takes up.

Of all ways through the song the one is taken that goes over best from what precedes the gap into what follows it, keeps
its place in the phrase, and jumps seldom; what findings ask for, and a little chance, weigh in.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.search import cheapest_way
from libretto.house.fill.reading import Reading
from libretto.score.table import Floats

__all__ = ["models"]

_PHRASE, _PERIOD, _AROUND = 4, 8, 32  # bars: what keeps its place in both is no break; further off is far
_JUMP, _FOUR, _EIGHT, _FAR = 0.85, 0.3, 0.15, 0.2  # a jump, another place in phrase or period, a bar from far off
_LENGTH, _REST, _SEAM, _STEER, _AGAIN = 8.0, 2.5, 1.2, 0.35, 0.45
_CHANGE, _JOINED = 0.35, 2.0  # what changes at a seam, and how much more where it must join
_UNKNOWN = 0.5  # how unlike a bar is taken to be that nobody knows


def models(
    reading: Reading,
    rest: Floats | None,
    controls: Controls,
    seed: int,
    name: str,
    *,
    chance: float = 0.35,
    avoided: Collection[int] = (),
) -> list[int]:
    """For every bar of the gap the bar to model it on (indices); ``rest`` is how unlike bars are in what still sounds.

    ``avoided`` are bars that would rather not be used again.
    """
    first, last = reading.hidden
    usable = np.flatnonzero(reading.known & (reading.counts.sum(axis=0) > 0))
    lengths = np.diff(reading.lines)
    price = np.zeros((last - first + 1, len(usable)))
    rng = dice(seed, "models", name)
    blocks: dict[tuple[int, int], float] = {}
    again = np.isin(usable, list(avoided)) * _AGAIN
    steered = sum(
        (getattr(controls, knob) * values[usable] for knob, values in reading.measures.items()), np.zeros(len(usable))
    )
    for index, bar in enumerate(range(first, last + 1)):
        row = price[index]
        row += _FOUR * ((usable - bar) % _PHRASE != 0) + _EIGHT * ((usable - bar) % _PERIOD != 0)
        row += _FAR * np.minimum(np.abs(usable - bar) / _AROUND, 1.0)
        row += _LENGTH * (lengths[usable] != lengths[bar]) + again - _STEER * steered
        if rest is not None:
            row += _REST * rest[bar, usable]
        for column, source in enumerate(usable.tolist()):
            block = (index // _PHRASE, (source - bar) // 2)
            if block not in blocks:
                blocks[block] = rng.random()
            row[column] += chance * blocks[block]
    return _path(reading, price, usable, 1.0 + _JOINED * controls.joining)


def _path(reading: Reading, price: Floats, usable: NDArray[np.int64], joined: float) -> list[int]:
    """The cheapest way: a jump costs what it sounds like, and so do both seams, the more the better they must join."""
    first, last = reading.hidden
    apart, bars = reading.apart, reading.score.bars
    following = np.minimum(usable + 1, bars - 1)
    price = price.copy()
    if first > 0:
        price[0] += joined * _CHANGE * reading.change(first - 1)[usable]
    if last + 1 < bars:
        price[-1] += joined * _CHANGE * reading.change(last + 1)[usable]
    step = _JUMP + apart[np.ix_(following, usable)]
    hidden_next = ~reading.known[following] | (usable + 1 >= bars)
    step[hidden_next] = _JUMP + _UNKNOWN
    step[usable[None, :] == (usable + 1)[:, None]] = 0.0
    if first > 0:
        before = np.maximum(usable - 1, 0)
        price[0] += joined * _SEAM * np.where((usable > 0) & reading.known[before], apart[first - 1, before], _UNKNOWN)
    if last + 1 < bars:
        price[-1] += joined * _SEAM * np.where(hidden_next, _UNKNOWN, apart[last + 1, following])
    return [int(usable[state]) for state in cheapest_way(list(price), lambda _: step)]
