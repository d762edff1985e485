"""What nearly all real excerpts of a kind keep: thresholds, and how much passes them on artists held out.

Conventions: every threshold is a quantile of what excerpts score by numbers that have not seen their artist. Three
gates share what may be refused of real music, which is little, since other gates stand beside them:

- degeneracy is one statistic, how many axes lie in the tails of the cell, and the budget is what all but one or two in
  a hundred keep within;
- order refuses the least that still refuses random notes;
- genre fit refuses the least that still refuses most wrong labels, and spends it where it tells most: a genre that
  everything resembles refuses nearly nothing, one that is clear-cut more.

How much passes is counted with thresholds set on the other folds' artists, so that nothing is judged by what it set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.cells import Pass
from libretto.corpus.cloud import rounded
from libretto.score.table import Bools, Floats, Ints

__all__ = ["Held", "Limits", "Sample", "limits_of", "passing_of"]

_FEWEST = 8  # with fewer than these, a genre has no floor
_DEGENERATE = 0.015  # this part of real excerpts exceeds the budget
_CHANCE = (0.005, 0.01, 0.02, 0.03)  # these parts fall below order: the first that refuses random notes
_FOOLED = 0.08  # of random notes may pass order
_FITS = tuple(part / 100 for part in range(2, 17))  # these parts fall below their genre: the first that tells labels
_MISTAKEN = 0.38  # of wrong labels may pass genre fit
_REFUSED = 0.10  # of a cell's own excerpts may be refused by genre fit, whatever passes then
_PARTS = np.arange(1, 21) / 100  # what a single genre may refuse of its own
_HALVINGS = 30  # of the price by which refusals are shared out among genres
_DEAREST = 100.0  # a price at which nothing is refused
_DIGITS = 5


@dataclass(frozen=True, eq=False)
class Sample:
    """All excerpts of a corpus: which kin each has, its genre and fold, and rows of what was measured."""

    kin: Ints
    length: Ints
    genres: NDArray[np.str_]
    fold: Ints
    values: Floats = field(repr=False)
    noise: Floats = field(repr=False)
    traits: Floats = field(repr=False)
    pool: tuple[Ints, ...] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Held:
    """What excerpts score by numbers that have not seen their artist: extremes, order and genres; and their noise."""

    extremes: Ints
    order: Floats
    logs: Floats
    noise_extremes: Ints
    noise_order: Floats


@dataclass(frozen=True)
class Limits:
    """The most extreme axes, the least order, and the logarithm of the least share of each genre."""

    budget: int
    order: float
    floors: dict[str, float]


def limits_of(sample: Sample, held: Held, labels: Sequence[str], number: int, seen: Bools) -> Limits:
    """What the excerpts of a kin keep, as far as they may be seen."""
    mine = sample.pool[number][seen[sample.pool[number]]]
    budget = int(np.ceil(np.quantile(held.extremes[mine], 1 - _DEGENERATE)))
    least = 0.0
    for part in _CHANCE:
        least = rounded(float(np.quantile(held.order[mine], part)), _DIGITS)
        if np.mean((held.noise_order[mine] >= least) & (held.noise_extremes[mine] <= budget)) <= _FOOLED:
            break
    return Limits(budget, least, _floors(sample, held, labels, mine, seen))


def _floors(sample: Sample, held: Held, labels: Sequence[str], mine: Ints, seen: Bools) -> dict[str, float]:
    """The least share of each genre: refusing as little of its own as tells most wrong labels, and never much.

    Where the floors of the genres lie towards each other is learnt on all excerpts of these lengths, which are many;
    how high all of them are is decided in each cell.
    """
    wide = np.flatnonzero(seen & np.isin(sample.length, np.unique(sample.length[mine])))
    curves = _curves(sample, held, labels, wide)
    if not curves:
        return {}
    columns = np.array([labels.index(genre) for genre in curves], dtype=np.int64)
    own = sample.genres[mine][:, None] == np.array(list(curves))
    logs = held.logs[np.ix_(mine, columns)]
    others = ~own & (sample.genres[mine] != "")[:, None]
    heights, wrong = (np.array([curve[place] for curve in curves.values()]) for place in range(2))
    floors = np.full(len(curves), -np.inf)
    for part in _FITS:
        higher = heights[np.arange(len(curves)), _shared_out(wrong, part)]
        below = logs < higher
        if own.any() and below[own].mean() > _REFUSED:
            break
        floors = higher
        if not others.any() or 1 - below[others].mean() <= _MISTAKEN:
            break
    return {
        genre: rounded(floor, _DIGITS) for genre, floor in zip(curves, floors.tolist(), strict=True) if floor > -np.inf
    }


def _curves(sample: Sample, held: Held, labels: Sequence[str], rows: Ints) -> dict[str, tuple[Floats, Floats]]:
    """For each genre with enough excerpts its floors, by what they refuse of its own, and which part of others pass."""
    curves = {}
    for column, genre in enumerate(labels):
        logs = held.logs[rows, column]
        known = ~np.isnan(logs) & (sample.genres[rows] != "")
        own = known & (sample.genres[rows] == genre)
        others = np.sort(logs[known & ~own])
        if np.count_nonzero(own) >= _FEWEST and len(others):
            floors = np.quantile(logs[own], _PARTS)
            curves[genre] = floors, 1 - np.searchsorted(others, floors, "left") / len(others)
    return curves


def _shared_out(wrong: Floats, part: float) -> Ints:
    """For each genre which part of its own to refuse, so that on the whole it is ``part`` and most wrong labels fall.

    There is one price for a refusal, and every genre buys what is worth it; the price is found by halving.
    """
    cheap, dear = 0.0, _DEAREST
    for _ in range(_HALVINGS):
        price = (cheap + dear) / 2
        chosen = np.argmin(wrong + price * _PARTS, axis=1)
        if _PARTS[chosen].mean() > part:
            cheap = price
        else:
            dear = price
    return np.asarray(np.argmin(wrong + dear * _PARTS, axis=1))


def passing_of(sample: Sample, held: Held, labels: Sequence[str], number: int) -> Pass:
    """What passes in a kin with thresholds that were set on the other folds."""
    rows = np.flatnonzero(sample.kin == number)
    quiet, ordered, noisy = (np.zeros(len(rows), dtype=np.bool_) for _ in range(3))
    fits = np.ones((len(rows), len(labels)), dtype=np.bool_)
    for fold in np.unique(sample.fold[rows]).tolist():
        limits = limits_of(sample, held, labels, number, sample.fold != fold)
        here = sample.fold[rows] == fold
        mine = rows[here]
        quiet[here], ordered[here] = held.extremes[mine] <= limits.budget, held.order[mine] >= limits.order
        noisy[here] = (held.noise_extremes[mine] <= limits.budget) & (held.noise_order[mine] >= limits.order)
        floors = np.array([limits.floors.get(genre, -np.inf) for genre in labels])
        fits[here] = ~(held.logs[mine] < floors)
    own = sample.genres[rows][:, None] == np.array(labels, dtype=np.str_)
    known = own.any(axis=1)
    right = ~known | (fits & own).any(axis=1)
    both = quiet & ordered
    other = (fits & both[:, None])[~own & known[:, None]]
    return Pass(
        len(rows),
        _share(quiet),
        _share(ordered),
        _share(right[known]) if len(other) else None,
        _share(both & right),
        _share(noisy),
        _share(other) if len(other) else None,
    )


def _share(passed: Bools) -> float:
    return rounded(float(passed.mean()), _DIGITS) if len(passed) else 0.0
