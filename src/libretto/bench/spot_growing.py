"""Grow trees that tell faults from sound places: boosting of a logistic loss over histograms, in numpy.

Each tree mends what the ones before it got wrong. Rows and columns are drawn anew for every tree, with a seed, so the
same table gives the same trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretto.score.facts import Floats
from libretto.tasks.spot.ear import Grove

__all__ = ["Growing", "grow"]

_BINS = 48


@dataclass(frozen=True)
class Growing:
    """How trees are grown: how many, how deep, how fast; what is drawn for each; how much a leaf must hold."""

    trees: int = 100
    depth: int = 4
    rate: float = 0.1
    rows: float = 0.7
    columns: float = 0.4
    ridge: float = 3.0
    least: float = 4.0
    seed: int = 1


def grow(rows: Floats, truth: NDArray[np.bool_], weight: Floats, how: Growing) -> Grove:
    """Trees that are high for the rows that are true; ``weight`` says how much each row counts."""
    chance = np.random.default_rng(how.seed)
    inner, leaves = 2**how.depth - 1, 2**how.depth
    edges = [np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])) for column in rows.T]
    binned = np.stack([np.searchsorted(edge, column) for edge, column in zip(edges, rows.T, strict=True)], axis=1)
    prior = float((weight * truth).sum() / weight.sum())
    start = float(np.log(prior / (1 - prior)))
    heard = np.full(len(rows), start)
    column = np.zeros((how.trees, inner), dtype=np.int64)
    limit = np.full((how.trees, inner), np.inf)
    leaf = np.zeros((how.trees, leaves))
    for tree in range(how.trees):
        share = 1 / (1 + np.exp(-heard))
        slope, bend = weight * (truth - share), weight * np.maximum(share * (1 - share), 1e-9)
        drawn = np.flatnonzero(chance.random(len(rows)) < how.rows)
        asked = np.sort(chance.permutation(rows.shape[1])[: max(int(how.columns * rows.shape[1]), 1)])
        some = binned[np.ix_(drawn, asked)]
        node = np.zeros(len(rows), dtype=np.int64)
        for depth in range(how.depth):
            first, many = 2**depth - 1, 2**depth
            at = node - first
            where, cut = _best(some, at[drawn], many, slope[drawn], bend[drawn], how)
            for one in range(many):
                if where[one] < 0:
                    continue
                chosen = int(asked[where[one]])
                if cut[one] < len(edges[chosen]):
                    column[tree, first + one] = chosen
                    limit[tree, first + one] = float(f"{edges[chosen][cut[one]]:.5g}")
            mine = column[tree, node]
            node = 2 * node + 1 + (rows[np.arange(len(rows)), mine] > limit[tree, node])
        ends = node - inner
        up = np.bincount(ends[drawn], slope[drawn], minlength=leaves)
        down = np.bincount(ends[drawn], bend[drawn], minlength=leaves)
        leaf[tree] = [float(f"{x:.3g}") for x in how.rate * up / (down + how.ridge)]
        heard += leaf[tree, ends]
    return Grove(column, limit, leaf, float(f"{start:.5g}"))


def _best(
    binned: NDArray[np.int64], at: NDArray[np.int64], many: int, slope: Floats, bend: Floats, how: Growing
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each node the column (by place among those asked; -1: none) and the bin after which to cut."""
    columns = binned.shape[1]
    code = ((at[:, None] * columns + np.arange(columns)[None, :]) * _BINS + binned).ravel()
    size, shape = many * columns * _BINS, (many, columns, _BINS)
    up = np.bincount(code, np.repeat(slope, columns), minlength=size).reshape(shape).cumsum(axis=2)
    down = np.bincount(code, np.repeat(bend, columns), minlength=size).reshape(shape).cumsum(axis=2)
    all_up, all_down = up[:, :, -1:], down[:, :, -1:]
    gain = up**2 / (down + how.ridge) + (all_up - up) ** 2 / (all_down - down + how.ridge)
    gain -= all_up**2 / (all_down + how.ridge)
    gain[(down < how.least) | (all_down - down < how.least)] = -1
    flat = gain.reshape(many, -1)
    best = np.argmax(flat, axis=1)
    good = flat[np.arange(many), best] > 1e-6
    return np.where(good, best // _BINS, -1), best % _BINS
