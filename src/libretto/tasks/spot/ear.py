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
from importlib.resources import files
from typing import Any

import numpy as np

from libretto.score.facts import Floats, Ints
from libretto.tasks.spot.trees import Grove, grove_from

__all__ = ["SHARES", "Ear", "ear_of", "habits", "taught_groups"]

#: The shares of songs at which the levels of an ear are kept.
SHARES = np.concatenate((np.linspace(0, 0.9, 19), [0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 1.0]))

_RANKS = (1, 2, 3, 5, 10)  # the piece's other bars, by rank, that a place is held against
_SILENT = -12.0  # what is heard where a piece has no other bar


@dataclass(frozen=True, eq=False)
class Ear:
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
    top = np.argsort(-worst, kind="stable")[: max(_RANKS) + 3]
    far = np.abs(bars[top][None, :] - bars[where][:, None]) > 1
    place = np.cumsum(far, axis=1) * far
    columns = [np.clip(heard, -25, 25)]
    for rank in _RANKS:
        hit = place == rank
        value = np.where(hit.any(axis=1), worst[top][np.argmax(hit, axis=1)], _SILENT)
        columns.append(np.clip(value, _SILENT, 25))
    return np.stack([*columns, columns[0] - columns[1], columns[0] - columns[3]], axis=1)


@lru_cache(maxsize=1)
def _kept() -> dict[str, Any]:
    text = files("libretto.tasks.spot").joinpath("ear.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@lru_cache(maxsize=16)
def ear_of(name: str) -> Ear:
    """What was learned for an ear."""
    entry = _kept()["ears"][name]
    pairs = tuple((grove_from(one["first"]), grove_from(one["second"])) for one in entry["pairs"])
    return Ear(pairs, np.array(entry["levels"]), float(entry["least"]))


def taught_groups() -> frozenset[str]:
    """The artists (as hashes of their names) whose songs taught the ear."""
    return frozenset(_kept()["taught"])
