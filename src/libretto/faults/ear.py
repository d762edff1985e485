"""The ear: how evidence becomes confidence.

Conventions: an ear hears twice. First every place by itself: trees over its evidence. Then the same evidence beside the
piece's habits: what the first hearing says of the piece's other bars. There are several such pairs of hearings, each
taught by other songs; the mean of what the second hearings say is a place's *strength*. A place is reported from the
strength ``least`` on; its confidence is the share of real, untouched songs in which nothing is as striking. All numbers
are measured (``lab.spot.training``), never written by hand; they are kept in ``ear.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np

from libretto.faults.trees import Grove, grove_from
from libretto.score.table import Floats, Ints

__all__ = ["SHARES", "FaultEar", "ear_of", "habits", "taught_groups"]

#: The shares of songs at which the levels of an ear are kept.
SHARES = np.concatenate((np.linspace(0, 0.9, 19), [0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0]))

_RANKS = (1, 2, 3, 5, 10)  # the piece's other bars, by rank, that a place is held against
_ABOVE = (1, 3)  # those of them that it is said to be above
_BESIDE = 3  # bars that are a place's own or right beside it, and so are no other bars
_SILENT = -12.0  # what is heard where a piece has no other bar
_LOUDEST = 25  # what is heard at most, either way


@dataclass(frozen=True, eq=False)
class FaultEar:
    """What was learned for one ear: pairs of trees for a place alone and for a place in its piece; levels of songs."""

    pairs: tuple[tuple[Grove, Grove], ...]
    levels: Floats
    least: float = float("inf")

    def strength(self, rows: Floats, bar: Ints) -> Floats:
        """How striking each place is for this piece: the mean of what the pairs say."""
        total = np.zeros(len(bar))
        for first, second in self.pairs if len(bar) else ():
            total += second(np.concatenate((habits(first(rows), bar), rows), axis=1))
        return total / len(self.pairs)

    def confidence(self, strength: Floats) -> Floats:
        """The share of real songs in which nothing is as striking."""
        return np.asarray(np.interp(strength, self.levels, SHARES))


def habits(heard: Floats, bar: Ints) -> Floats:
    """For each place its own value, those of the worst bars further off than the next, and how far it is above them."""
    bars, where = np.unique(bar, return_inverse=True)
    worst = np.full(len(bars), -np.inf)
    np.maximum.at(worst, where, heard)
    top = np.argsort(-worst, kind="stable")[: max(_RANKS) + _BESIDE]
    far = np.abs(bars[top][None, :] - bars[where][:, None]) > 1
    place = np.cumsum(far, axis=1) * far
    own, by_rank = np.clip(heard, -_LOUDEST, _LOUDEST), {}
    for rank in _RANKS:
        hit = place == rank
        value = np.where(hit.any(axis=1), worst[top][np.argmax(hit, axis=1)], _SILENT)
        by_rank[rank] = np.clip(value, _SILENT, _LOUDEST)
    return np.stack([own, *by_rank.values(), *(own - by_rank[rank] for rank in _ABOVE)], axis=1)


@lru_cache(maxsize=1)
def _kept() -> dict[str, Any]:
    text = (get_data("libretto.faults", "ear.json") or b"").decode()
    data: dict[str, Any] = json.loads(text)
    return data


@lru_cache(maxsize=16)
def ear_of(name: str) -> FaultEar:
    """What was learned for an ear."""
    entry = _kept()["ears"][name]
    pairs = tuple((grove_from(one["first"]), grove_from(one["second"])) for one in entry["pairs"])
    return FaultEar(pairs, np.array(entry["levels"]), float(entry["least"]))


def taught_groups() -> frozenset[str]:
    """The artists (as hashes of their names) whose songs taught the ear."""
    return frozenset(_kept()["taught"])
