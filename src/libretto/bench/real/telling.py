"""Which of two kinds of pieces is which: a plain classifier, cross-validated, and how far apart and how wide they are.

Conventions: a table has a row a piece and a column a feature, NaN where a feature does not apply. The area under the
curve is the chance that a piece of the second kind gets a higher score than one of the first, ties counted half: 0.5
where they cannot be told apart, 1 where they always can. Scores are of a ridge logistic regression on every feature and
its square (so that a narrow middle is heard, too), taken off the mean of its genre; a piece is scored by a regression
that has met neither it nor anything of its group (its artist). The same table and seed give the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from libretto.score.table import Bools, Floats, Ints

__all__ = ["area", "areas_by_feature", "folds_of", "held_out_scores", "spread_ratios"]

_FOLDS = 5
_RIDGE = 10.0  # as much as ten pieces say
_STEPS = 25  # of Newton's method, at most
_FAR = 3.0  # standard deviations, beyond which a value counts as this far
_NOTHING = 1e-9


def area(scores: Floats, second: Bools) -> float:
    """The area under the curve of scores for telling the second kind from the first; NaN where one is missing.

    >>> area(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    high, low = scores[second], scores[~second]
    if not len(high) or not len(low):
        return float("nan")
    gap = high[:, None] - low[None, :]
    return float(((gap > 0) + (gap == 0) / 2).mean())


def folds_of(groups: Sequence[str], second: Bools, seed: int = 0) -> Ints:
    """The fold of each piece: a group stays together, and each kind is dealt out evenly."""
    fold = np.zeros(len(groups), dtype=np.int64)
    for kind in (False, True):
        mine = sorted({group for group, is_second in zip(groups, second, strict=True) if is_second == kind})
        Random(f"{seed} {kind}").shuffle(mine)
        place = {group: number % _FOLDS for number, group in enumerate(mine)}
        for row in np.flatnonzero(second == kind).tolist():
            fold[row] = place[groups[row]]
    return fold


def held_out_scores(
    table: Floats, second: Bools, groups: Sequence[str], genres: Sequence[str], seed: int = 0
) -> Floats:
    """The score of every piece by a classifier that has not met its group; higher is more like the second kind.

    A group that has pieces of both kinds is kept whole: wherever one of them is tried, none of the others taught.
    """
    fold = folds_of(groups, second, seed)
    names = np.asarray(groups)
    kinds = np.asarray(genres)
    scores = np.zeros(len(table))
    for number in range(_FOLDS):
        tried = fold == number
        taught = ~np.isin(names, names[tried])
        if not tried.any() or len(np.unique(second[taught])) < 2:
            continue
        ready = _prepared(table, kinds, taught)
        scores[tried] = ready[tried] @ _regression(ready[taught], second[taught])
    return scores


def _prepared(table: Floats, genres: np.ndarray[tuple[int], np.dtype[np.str_]], taught: Bools) -> Floats:
    """Features off the mean of their genre in standard deviations, with their squares and a one."""
    middle = np.nanmedian(np.where(np.isfinite(table[taught]), table[taught], np.nan), axis=0)
    middle = np.nan_to_num(middle)
    filled = np.where(np.isfinite(table), table, middle)
    for genre in np.unique(genres):
        mine = genres == genre
        if (mine & taught).any():
            filled[mine] -= filled[mine & taught].mean(axis=0)
    size = filled[taught].std(axis=0)
    scaled = np.clip(filled / np.where(size > _NOTHING, size, np.inf), -_FAR, _FAR)
    square = scaled**2
    square -= square[taught].mean(axis=0)
    return np.concatenate((scaled, square, np.ones((len(table), 1))), axis=1)


def _regression(rows: Floats, second: Bools) -> Floats:
    """The weights of a ridge logistic regression in which both kinds count the same."""
    weights = np.zeros(rows.shape[1])
    share = float(second.mean())
    worth = np.where(second, 0.5 / share, 0.5 / (1 - share))
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[-1] = _NOTHING
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (worth * (second - chance)) - ridge * weights
        bend = (rows * (worth * chance * (1 - chance))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-6:
            break
    return weights


def areas_by_feature(table: Floats, second: Bools, genres: Sequence[str]) -> Floats:
    """The area under the curve of each feature alone, as a mean over genres by their pieces; above 0.5 the second kind
    has more of it."""
    kinds = np.asarray(genres)
    total, size = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for genre in np.unique(kinds):
        mine = kinds == genre
        for column in range(table.shape[1]):
            rows = mine & np.isfinite(table[:, column])
            if second[rows].any() and not second[rows].all():
                count = int(rows.sum())
                total[column] += count * area(table[rows, column], second[rows])
                size[column] += count
    return np.asarray(np.divide(total, size, out=np.full(len(total), 0.5), where=size > 0))


def spread_ratios(ours: Floats, real: Floats) -> Floats:
    """By feature the standard deviation of our pieces as a part of that of real ones; NaN where real ones have none."""
    with np.errstate(all="ignore"):
        mine, theirs = (_spread(table) for table in (ours, real))
        return np.where(theirs > _NOTHING, mine / theirs, np.nan)


def _spread(table: Floats) -> Floats:
    """The standard deviation of each column over what applies; NaN where that is for fewer than two pieces."""
    spread = np.full(table.shape[1], np.nan)
    for column in range(table.shape[1]):
        values = table[np.isfinite(table[:, column]), column]
        if len(values) > 1:
            spread[column] = values.std(ddof=1)
    return spread
