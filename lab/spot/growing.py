"""Grow trees that tell faults from sound places: scikit-learn's boosting over histograms, kept as plain arrays.

Each tree mends what the ones before it got wrong, and may ask a share of the columns at every node. The same table
gives the same trees. What comes out is a ``Grove``, which the package reads without scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np

from libretto.faults.trees import Grove
from libretto.score.table import Bools, Floats

__all__ = ["Growing", "grove_of", "grow"]

_BINS = 48  # of a column; more only lengthen the work
_LIMIT_DIGITS, _LEAF_DIGITS = 5, 3  # as many as a grove keeps


@dataclass(frozen=True)
class Growing:
    """How trees are grown: how many, how deep, how fast; which share of columns a node asks; what a leaf must hold."""

    trees: int = 100
    depth: int = 4
    rate: float = 0.1
    columns: float = 0.4
    ridge: float = 3.0
    least: int = 16
    seed: int = 1


def grow(rows: Floats, truth: Bools, weight: Floats, how: Growing) -> Grove:
    """Trees that are high for the rows that are true; ``weight`` says how much each row counts."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=how.trees,
        max_depth=how.depth,
        max_leaf_nodes=None,
        learning_rate=how.rate,
        max_features=how.columns,
        l2_regularization=how.ridge,
        min_samples_leaf=how.least,
        max_bins=_BINS,
        early_stopping=False,
        random_state=how.seed,
    )
    model.fit(rows, truth, sample_weight=weight)
    return grove_of(model, how.depth)


def grove_of(model: Any, depth: int) -> Grove:
    """A fitted HistGradientBoostingClassifier of two classes as trees of one depth; early leaves send all left."""
    trees = [several[0].nodes for several in model._predictors]
    inner, leaves = 2**depth - 1, 2**depth
    column = np.zeros((len(trees), inner), dtype=np.int64)
    limit = np.full((len(trees), inner), np.inf)
    leaf = np.zeros((len(trees), leaves))

    def lay(tree: int, nodes: Any, node: int, place: int) -> None:
        if place >= inner:
            leaf[tree, place - inner] = _rounded(nodes[node]["value"], _LEAF_DIGITS)
        elif nodes[node]["is_leaf"]:
            lay(tree, nodes, node, 2 * place + 1)
        else:
            column[tree, place] = nodes[node]["feature_idx"]
            limit[tree, place] = _rounded_up(float(nodes[node]["num_threshold"]), _LIMIT_DIGITS)
            lay(tree, nodes, nodes[node]["left"], 2 * place + 1)
            lay(tree, nodes, nodes[node]["right"], 2 * place + 2)

    for tree, nodes in enumerate(trees):
        lay(tree, nodes, 0, 0)
    start = float(np.ravel(model._baseline_prediction)[0])
    return Grove(column, limit, leaf, _rounded(start, _LIMIT_DIGITS))


def _rounded_up(value: float, digits: int) -> float:
    """A limit to so many digits, never below it: what was at the limit stays on its side."""
    near = _rounded(value, digits)
    return near if near >= value else _rounded(near + 10 ** (floor(log10(abs(value))) + 1 - digits), digits)


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
