"""Learn what the quick numbers are worth: curves that tell music from attacks, and drafts from the same made worse.

Each number gets ramps between quantiles of real music; logistic regression says how high each ramp is, held back
towards level ones. Kinds of attacks, and kinds of damage, count alike, however many there are of each. Levels are
quantiles of real music of groups that the curves had not met.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.merit.pieces import FOLDS, fold_of
from lab.reward.rows import Row
from libretto.merit.curves import Curves
from libretto.reward.standards import Level
from libretto.score.table import Bools, Floats

__all__ = [
    "Table",
    "column_level",
    "held_out",
    "learnt",
    "level_of",
    "plain",
    "table_of",
    "tails_of",
    "told_apart",
    "worth_of",
]

_QUANTILES = (0.005, 0.03, 0.12, 0.3, 0.5, 0.7, 0.88, 0.97, 0.995)
_FREEDOM = {"sense": 0.3, "ordering": 0.15}  # the inverse of how much ramps are held back
_FEWEST = 60  # real pieces that a number must apply to
_TINY = 1e-9
_DIGITS = 5
_STEPS = 400
_LOW, _HIGH = 0.02, 0.95  # of real music: what nearly all has, what few exceed
_MOST = 0.995  # of real music stays below what is too much of one number
_FAR = 0.002  # of real music lies beyond each tail
_BEYOND = 0.1  # and tails are put further out by this part of the range between them


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as arrays: what and whose each is, and its numbers in the order of ``names``."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    numbers: Floats
    real: Bools
    fold: Floats

    def of(self, which: Bools) -> Table:
        """Some of the rows."""
        rows = tuple(row for row, mine in zip(self.rows, which.tolist(), strict=True) if mine)
        return Table(self.names, rows, self.numbers[which], self.real[which], self.fold[which])


def table_of(rows: Sequence[Row]) -> Table:
    """Rows as arrays; NaN where a number does not apply."""
    names = tuple(sorted({name for row in rows for name in row.numbers}))
    numbers = np.array([[row.numbers.get(name, np.nan) for name in names] for row in rows], dtype=np.float64)
    real = np.array([row.what == "real" for row in rows], dtype=np.bool_)
    return Table(names, tuple(rows), numbers, real, np.array([fold_of(row.group) for row in rows], dtype=np.float64))


def _knots(values: Floats) -> Floats:
    known = values[~np.isnan(values)]
    if len(known) < _FEWEST:
        return np.empty(0)
    knots = np.unique(np.quantile(known, _QUANTILES))
    keep = np.append(True, np.diff(knots) > _TINY)
    knots = np.array([float(f"{value:.5g}") for value in knots[keep].tolist()])
    return knots if len(knots) > 1 else np.empty(0)


def _ramps(values: Floats, knots: Floats) -> Floats:
    return np.clip((values[:, None] - knots[None, :-1]) / np.maximum(np.diff(knots), _TINY), 0.0, 1.0)


def learnt(table: Table, head: str, use: Bools) -> Curves:
    """The curves of ``sense`` (real against attacks) or of ``ordering`` (a piece against the same made worse)."""
    blocks, kept, means = [], [], []
    for column, name in enumerate(table.names):
        knots = _knots(table.numbers[table.real & use, column])
        if len(knots):
            ramps = _ramps(table.numbers[:, column], knots)
            mean = np.nanmean(ramps[table.real & use], axis=0)
            blocks.append(np.nan_to_num(ramps - mean))
            kept.append((name, knots))
            means.append(mean)
    whole = np.concatenate(blocks, axis=1)
    if head == "sense":
        design, weight, sign = _against(table, whole, use)
    else:
        design, weight, sign = _pairs(table, whole, use)
    rise, at = _fitted(design, weight, sign, _FREEDOM[head]), 0
    knots_by, values_by = {}, {}
    for (name, knots), mean in zip(kept, means, strict=True):
        mine = rise[at : at + len(knots) - 1]
        at += len(knots) - 1
        if np.abs(mine).max() > 1e-3:
            knots_by[name] = knots
            values_by[name] = np.append(0.0, np.cumsum(mine)) - float(mean @ mine)
    return Curves(knots_by, values_by)


def _against(table: Table, whole: Floats, use: Bools) -> tuple[Floats, Floats, Floats]:
    """Real music on one side, attacks on the other, each kind of attack weighing alike."""
    attack = np.array([row.what.startswith("attack") for row in table.rows], dtype=np.bool_) & use
    real = table.real & use
    many = Counter(row.what for row, mine in zip(table.rows, attack, strict=True) if mine)
    weight = np.array([1.0 / many[row.what] / max(len(many), 1) if row.what in many else 0.0 for row in table.rows])
    weight = np.where(real, 1.0 / real.sum(), weight) * real.sum()
    mine = attack | real
    return whole[mine], weight[mine], np.where(real[mine], 1.0, -1.0)


def _pairs(table: Table, whole: Floats, use: Bools) -> tuple[Floats, Floats, Floats]:
    """A piece less the same made worse, each kind of damage weighing alike."""
    own = {row.base: number for number, row in enumerate(table.rows) if row.what == "real"}
    pairs = [
        (own[row.base], number, row.what)
        for number, row in enumerate(table.rows)
        if use[number] and row.what.startswith("worse") and row.base in own
    ]
    many = Counter(what for _, _, what in pairs)
    weight = np.array([len(pairs) / len(many) / many[what] for _, _, what in pairs])
    better, lower = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return whole[better] - whole[lower], weight, np.ones(len(pairs))


def _fitted(design: Floats, weight: Floats, sign: Floats, freedom: float) -> Floats:
    from scipy.optimize import minimize
    from scipy.special import expit

    signed = (design * sign[:, None]).astype(np.float32)

    def loss(rise: Floats) -> tuple[float, Floats]:
        margin = (signed @ rise.astype(np.float32)).astype(np.float64)
        value = float(weight @ np.logaddexp(0.0, -margin)) + float(rise @ rise) / (2 * freedom)
        slope = (-(weight * expit(-margin))).astype(np.float32) @ signed
        return value, slope.astype(np.float64) + rise / freedom

    start = np.zeros(design.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x)


def plain(curves: Curves) -> dict[str, list[list[float]]]:
    """Curves as plain data, as they are kept."""
    return {
        name: [[float(f"{v:.{_DIGITS}g}") for v in row.tolist()] for row in (curves.knots[name], curves.values[name])]
        for name in curves.knots
    }


def worth_of(curves: Curves, table: Table) -> Floats:
    """What every row is worth by curves."""
    total = np.zeros(len(table.rows))
    place = {name: column for column, name in enumerate(table.names)}
    for name, knots in curves.knots.items():
        column = table.numbers[:, place[name]]
        total += np.where(np.isnan(column), 0.0, np.interp(column, knots, curves.values[name]))
    return total


def held_out(table: Table, head: str, without: str = "") -> Floats:
    """What every row is worth by curves that had not met its group, nor, where one is named, any row of that kind."""
    worth = np.full(len(table.rows), np.nan)
    other = np.array([row.what != without for row in table.rows], dtype=np.bool_)
    for out in range(FOLDS):
        mine = table.fold == out
        if mine.any():
            worth[mine] = worth_of(learnt(table, head, ~mine & other), table)[mine]
    return worth


def level_of(values: Floats) -> Level:
    """Where real music lies."""
    known = values[~np.isnan(values)]
    low, middle, high = np.quantile(known, (_LOW, 0.5, _HIGH)).tolist()
    return Level(low, middle, high, float(known.std()) or 1.0)


def column_level(table: Table, name: str, most: float = _MOST) -> Level:
    """The same of one number, whose ``high`` is what nearly all real music stays below."""
    values = table.numbers[table.real, table.names.index(name)]
    level = level_of(values)
    return Level(level.low, level.middle, float(np.nanquantile(values, most)), level.spread)


def tails_of(table: Table) -> dict[str, tuple[float, float]]:
    """For every number the range that nearly no real piece leaves."""
    tails = {}
    for column, name in enumerate(table.names):
        values = table.numbers[table.real, column]
        values = values[~np.isnan(values)]
        if len(values) >= _FEWEST:
            low, high = np.quantile(values, (_FAR, 1 - _FAR)).tolist()
            room = _BEYOND * (high - low)
            tails[name] = (low - room, high + room)
    return tails


def told_apart(table: Table, worth: Floats, kind: str) -> dict[str, float]:
    """For every kind of row the share of pairs in which real music comes out above it.

    Attacks are held against all real music; pieces made worse against what they were made of.
    """
    real = np.sort(worth[table.real])
    own = {row.base: worth[number] for number, row in enumerate(table.rows) if row.what == "real"}
    shares = defaultdict(list)
    for number, row in enumerate(table.rows):
        if row.what.startswith("attack") and kind == "attack":
            shares[row.what].append(1.0 - np.searchsorted(real, worth[number], "right") / len(real))
        elif row.what.startswith("worse") and kind == "worse" and row.base in own:
            shares[row.what].append(float(own[row.base] > worth[number]))
    return {what: float(np.mean(values)) for what, values in sorted(shares.items())}
