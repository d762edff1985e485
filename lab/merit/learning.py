"""Learn curves from pairs: how much every number must be worth for the better piece to come out above the worse.

Each number gets ramps between quantiles of real music; a logistic regression on what two pieces of a pair differ by
says how high every ramp is, held back towards level ones. Kinds of pairs count alike, however many there are of each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.merit.directions import direction_of
from lab.merit.pieces import FOLDS, Pairs, fold_of
from libretto.merit.curves import Curves
from libretto.score.table import Bools, Floats, Ints

__all__ = ["folds_of", "held_out", "learnt", "worth_of"]

_QUANTILES = (0.03, 0.12, 0.3, 0.5, 0.7, 0.88, 0.97)
Bound = tuple[float | None, float | None]

_FREEDOM = 0.03  # the inverse of how much ramps are held back; by trying a few on held-out pairs
_FEWEST = 40  # pieces that a number must apply to
_TINY = 1e-9
#: Subjects that are held back more: loudness is the easiest to tell, and would drown what is played.
_HELD_BACK = {"dynamics": 8.0}
_STEPS = 300  # of the search, at most
#: What a ramp may be, by direction: upwards only, downwards only, either.
_BOUNDS: dict[int, Bound] = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}


def folds_of(pairs: Pairs) -> Ints:
    """The fold of each pair: all songs of an artist are in one."""
    return np.array([fold_of(row.group) for row in pairs.rows], dtype=np.int64)


def _knots(values: Floats) -> Floats:
    """Quantiles that differ from one another; none where a number hardly ever applies or never changes."""
    known = values[~np.isnan(values)]
    if len(known) < _FEWEST:
        return np.empty(0)
    knots = np.quantile(known, _QUANTILES)
    keep = np.append(True, np.diff(knots) > _TINY)
    knots = knots[keep]
    if len(knots) < 2:
        low, high = float(known.min()), float(known.max())
        knots = np.array([low, high]) if high > low + _TINY else np.empty(0)
    return np.array([float(f"{x:.5g}") for x in knots.tolist()])


def _ramps(values: Floats, knots: Floats) -> Floats:
    width = np.maximum(np.diff(knots), _TINY)
    return np.clip((values[:, None] - knots[None, :-1]) / width, 0.0, 1.0)


def learnt(pairs: Pairs, use: Bools, freedom: float = _FREEDOM) -> Curves:
    """Curves from the pairs that may be used."""
    better, lower = pairs.better[use], pairs.worse[use]
    blocks, means, kept = [], [], []
    for column, name in enumerate(pairs.names):
        knots = _knots(better[:, column])
        if not len(knots):
            continue
        up, down = _ramps(better[:, column], knots), _ramps(lower[:, column], knots)
        mean = np.nanmean(up, axis=0)
        blocks.append((np.nan_to_num(up - mean) - np.nan_to_num(down - mean)).astype(np.float32))
        means.append(mean)
        kept.append((name, knots))
    table = np.concatenate(blocks, axis=1)
    kinds = [row.kind for row, mine in zip(pairs.rows, use, strict=True) if mine]
    many = {kind: kinds.count(kind) for kind in set(kinds)}
    weight = np.array([len(kinds) / len(many) / many[kind] for kind in kinds])
    bounds = [_BOUNDS[direction_of(name)] for name, knots in kept for _ in knots[1:]]
    ridge = np.array([_HELD_BACK.get(name.split(".")[0], 1.0) / freedom for name, knots in kept for _ in knots[1:]])
    rise, at = _fitted(table, weight, bounds, ridge), 0
    all_knots, values = {}, {}
    for (name, knots), mean in zip(kept, means, strict=True):
        mine = rise[at : at + len(knots) - 1]
        at += len(knots) - 1
        all_knots[name] = knots
        values[name] = np.append(0.0, np.cumsum(mine)) - float(mean @ mine)
    return Curves(all_knots, values)


def _fitted(table: Floats, weight: Floats, bounds: Sequence[Bound], ridge: Floats) -> Floats:
    """Heights of ramps by logistic regression on differences: each within its bounds, all held back towards 0."""
    from scipy.optimize import minimize
    from scipy.special import expit

    def loss(rise: Floats) -> tuple[float, Floats]:
        margin = (table @ rise.astype(table.dtype)).astype(np.float64)
        value = float(weight @ np.logaddexp(0.0, -margin)) + float(ridge @ rise**2) / 2
        slope = (-(weight * expit(-margin))).astype(table.dtype) @ table
        return value, slope.astype(np.float64) + ridge * rise

    start = np.zeros(table.shape[1])
    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": _STEPS})
    return np.asarray(result.x, dtype=np.float64)


def worth_of(curves: Curves, names: Sequence[str], table: Floats) -> Floats:
    """What each row of numbers is worth."""
    total = np.zeros(len(table))
    place = {name: column for column, name in enumerate(names)}
    for name, knots in curves.knots.items():
        column = table[:, place[name]]
        total += np.where(np.isnan(column), 0.0, np.interp(column, knots, curves.values[name]))
    return total


def held_out(pairs: Pairs, freedom: float = _FREEDOM) -> tuple[Floats, Floats]:
    """What the better and the worse piece of every pair are worth, by curves that were learnt without their artist."""
    fold = folds_of(pairs)
    better, lower = np.full(len(pairs.rows), np.nan), np.full(len(pairs.rows), np.nan)
    for out in range(FOLDS):
        mine = fold == out
        curves = learnt(pairs, ~mine, freedom)
        better[mine] = worth_of(curves, pairs.names, pairs.better[mine])
        lower[mine] = worth_of(curves, pairs.names, pairs.worse[mine])
    return better, lower
