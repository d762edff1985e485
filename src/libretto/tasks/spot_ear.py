"""The ear: how evidence becomes confidence.

Conventions: for each kind, evidence is scaled, extended by its products two by two, and weighed (a logistic model);
then the place is set against the piece's own habits: what the same ear says of the piece's other bars. The confidence
is the share of real, untouched songs in which nothing so striking is found. Weights and levels are measured
(``libretto.bench.spot_training``), never written by hand; they are kept in ``spot_ear.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from libretto.tasks.spot_evidence import Candidates
from libretto.tasks.spot_facts import Floats, Ints

__all__ = ["NUMBERS", "Ear", "crossed", "ear_of", "habits"]

#: The arrays that an ear is kept as.
NUMBERS = ("mean", "scale", "weights", "habit", "levels")

_SHOWN = 8.0  # evidence beyond so many spreads says nothing more
_RANKS = (1, 2, 5)  # the piece's other bars, by rank, that a place is held against


@dataclass(frozen=True)
class Ear:
    """What was learned for one kind: scales, weights, weights of habits, levels of real songs (quantiles).

    ``least`` is the confidence from which a place is reported.
    """

    mean: Floats
    scale: Floats
    weights: Floats
    habit: Floats
    levels: Floats
    least: float = 1.0

    def hear(self, rows: Floats) -> Floats:
        """How much each candidate sounds like a fault, before the piece's habits are considered."""
        return np.asarray(crossed(rows, self.mean, self.scale) @ self.weights)

    def strength(self, found: Candidates) -> Floats:
        """How striking each candidate is for this piece."""
        if not len(found.bar):
            return np.empty(0)
        return np.asarray(habits(self.hear(found.rows), found.bar) @ self.habit)

    def confidence(self, strength: Floats) -> Floats:
        """The share of real songs in which nothing of the kind is as striking."""
        return np.asarray(np.interp(strength, self.levels, np.linspace(0, 1, len(self.levels))))


def crossed(rows: Floats, mean: Floats, scale: Floats) -> Floats:
    """Evidence in spreads from its mean, a one, and all products of two."""
    scaled = np.clip((rows - mean) / scale, -_SHOWN, _SHOWN)
    first, second = np.triu_indices(scaled.shape[1])
    return np.concatenate((np.ones((len(scaled), 1)), scaled, scaled[:, first] * scaled[:, second]), axis=1)


def habits(heard: Floats, bar: Ints) -> Floats:
    """For each candidate a one, its own value, and the values of the piece's worst other bars."""
    bars, where = np.unique(bar, return_inverse=True)
    worst = np.full(len(bars), -np.inf)
    np.maximum.at(worst, where, heard)
    ordered = np.sort(worst)[::-1]
    columns = [np.ones(len(heard)), heard]
    for rank in _RANKS:
        above = worst[where] >= ordered[min(rank - 1, len(ordered) - 1)]
        index = np.minimum(np.where(above, rank, rank - 1), len(ordered) - 1)
        value = ordered[index] if len(ordered) > 1 else np.zeros(len(heard))
        columns.append(np.clip(value, -12, 12))
    columns[1] = np.clip(columns[1], -25, 25)
    return np.stack(columns, axis=1)


@lru_cache(maxsize=1)
def _ears() -> dict[str, Ear]:
    text = files("libretto.tasks").joinpath("spot_ear.json").read_text(encoding="utf-8")
    return {
        kind: Ear(**{name: np.array(entry[name]) for name in NUMBERS}, least=float(entry["least"]))
        for kind, entry in json.loads(text)["kinds"].items()
    }


def ear_of(kind: str) -> Ear:
    """What was learned for a kind."""
    return _ears()[kind]
