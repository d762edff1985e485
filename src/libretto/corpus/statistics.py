"""What can be said of a cloud: of its songs by clouds that have not seen them, and of its axes and genres as a whole.

A cloud is held out fold by fold, with artists kept apart. Every figure that calibrates or praises a cloud comes from
there, so that nothing is judged by numbers it was made of.

How sure a figure is (intervals) is said here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import numpy as np

from libretto.corpus.classifier import Classifier, fit_discriminant, normal_scores
from libretto.corpus.cloud import HIGH, LOW, Cloud
from libretto.score.table import Floats, Ints

__all__ = [
    "Estimate",
    "Holdout",
    "correlations",
    "count_extremes",
    "folds",
    "genre_percentiles",
    "hold_out",
    "independence",
    "macro_f1",
    "redrawn_share",
    "resampled",
    "usual_extremes",
    "wilson",
]

_FOLDS = 5
_SAME_LOAD = 12  # digits; loads that differ by less are the same, whatever the machine
_MIDDLE = 50.0  # the percentile of a song to which an axis does not apply
_STRONG = 0.5  # two axes that agree more than this say much the same
_MANY = 90  # the percentile that stands for many extremes


@dataclass(frozen=True, eq=False)
class Holdout:
    """For every song, by a cloud without its fold: the logarithm of each genre's share, and how many axes are extreme.

    ``genres`` are the columns. Songs without a genre have no shares (NaN).
    """

    genres: tuple[str, ...]
    logs: Floats = field(repr=False)
    extremes: Ints = field(repr=False)
    fold: Ints = field(repr=False)
    classifiers: tuple[Classifier | None, ...] = field(default=(), repr=False)

    def judge(self, scores: Floats, source: Ints, cloud: Cloud) -> Floats:
        """The logarithm of each genre's share for rows of normal scores, by what has not seen their source.

        ``source`` names for each row the song that it is taken from.
        """
        logs = np.full((len(scores), len(self.genres)), np.nan)
        for index, classifier in enumerate(self.classifiers):
            mine = np.flatnonzero(self.fold[source] == index)
            if classifier is not None and len(mine):
                columns = np.array([cloud.labels.index(genre) for genre in classifier.genres], dtype=np.int64)
                logs[np.ix_(mine, columns)] = classifier.log_shares(scores[mine])
        return logs

    def guesses(self) -> list[str]:
        """The genre with the largest share, song by song; empty where there is none."""
        best = np.where(np.isnan(self.logs), -np.inf, self.logs).argmax(axis=1)
        known = np.asarray(~np.isnan(self.logs).all(axis=1)).tolist()
        return [self.genres[index] if some else "" for index, some in zip(best, known, strict=True)]


def hold_out(cloud: Cloud, count: int = _FOLDS) -> Holdout:
    """Judge every song by a cloud made of the other folds' songs."""
    groups = cloud.groups or tuple(range(len(cloud.genres)))
    fold = folds(groups, cloud.genres, count)
    logs = np.full((len(groups), len(cloud.labels)), np.nan)
    extremes = np.zeros(len(groups), dtype=np.int64)
    genres = np.array(cloud.genres)
    classifiers: list[Classifier | None] = [None] * count
    for index in range(count):
        seen, held = np.flatnonzero(fold != index), np.flatnonzero(fold == index)
        if not len(seen) or not len(held):
            continue
        part = Cloud(cloud.name, cloud.version, cloud.axes, tuple(genres[seen]), cloud.values[seen].copy(), cloud.rule)
        shares = part.shares(cloud.values[held])
        extremes[held] = count_extremes(shares)
        labelled = genres[seen] != ""
        if len(set(genres[seen][labelled])) > 1:
            scores = normal_scores(part.shares(part.values[labelled]))
            classifier = classifiers[index] = fit_discriminant(scores, list(genres[seen][labelled]))
            columns = np.array([cloud.labels.index(genre) for genre in classifier.genres], dtype=np.int64)
            mine = held[genres[held] != ""]
            logs[np.ix_(mine, columns)] = classifier.log_shares(normal_scores(part.shares(cloud.values[mine])))
    return Holdout(cloud.labels, logs, extremes, fold, tuple(classifiers))


def count_extremes(shares: Floats) -> Ints:
    """How many axes of each row stand in the tails."""
    whole = np.round(100 * shares)
    return np.asarray(np.count_nonzero((whole <= LOW) | (whole >= HIGH), axis=1))


def folds(groups: Sequence[int], genres: Sequence[str], count: int = _FOLDS) -> Ints:
    """A fold for every song: songs of one group share it, and genres are spread as evenly as can be.

    Large groups are placed first, each where its genres are rarest so far.
    """
    names = sorted(set(genres))
    table: dict[int, Ints] = {}
    for group, genre in zip(groups, genres, strict=True):
        table.setdefault(group, np.zeros(len(names), dtype=np.int64))[names.index(genre)] += 1
    filled = np.zeros((count, len(names)))
    total = np.maximum(sum(table.values()), 1)
    chosen = {}
    for group in sorted(table, key=lambda one: (-int(table[one].sum()), one)):
        mine = table[group]
        load = ((filled + mine) ** 2 / total**2).sum(axis=1) - (filled**2 / total**2).sum(axis=1)
        best = int(np.lexsort((filled.sum(axis=1), np.round(load, _SAME_LOAD)))[0])
        filled[best] += mine
        chosen[group] = best
    return np.array([chosen[group] for group in groups], dtype=np.int64)


def macro_f1(truth: Sequence[str], guess: Sequence[str]) -> float:
    """The F1 score of each genre, averaged over the genres."""
    scores = []
    for genre in sorted(set(truth)):
        both = sum(t == g == genre for t, g in zip(truth, guess, strict=True))
        either = sum(t == genre for t in truth) + sum(g == genre for g in guess)
        scores.append(2 * both / either)
    return float(np.mean(scores)) if scores else 0.0


def _percentiles(cloud: Cloud) -> Floats:
    """Every song's percentiles; where an axis does not apply NaN, or 0 by the published rule."""
    table = np.round(100 * cloud.shares(cloud.values))
    return np.nan_to_num(table) if cloud.rule == "at or below" else table


def correlations(cloud: Cloud) -> Floats:
    """How the axes' rankings of the songs agree, axis by axis; 0 for one that ranks all alike.

    A song to which an axis does not apply stands in the middle of it, or at the bottom by the published rule.
    """
    table = np.nan_to_num(_percentiles(cloud), nan=_MIDDLE)
    away = table - table.mean(axis=0)
    size = np.sqrt((away**2).sum(axis=0))
    known = np.where(size > 0, size, 1)
    return np.asarray(away.T @ away / known[:, None] / known)


def independence(cloud: Cloud) -> dict[str, float]:
    """How strongly the axes' rankings of the songs agree, over all pairs of axes: mean, pairs above 0.5, largest."""
    table = correlations(cloud)
    varied = np.flatnonzero(np.diagonal(table) > 0)
    strength = np.abs(table[np.ix_(varied, varied)])[np.triu_indices(len(varied), 1)]
    return {
        "pairs": float(len(strength)),
        "mean": float(strength.mean()),
        "above_half": float(np.count_nonzero(strength > _STRONG)),
        "largest": float(strength.max()),
    }


def usual_extremes(cloud: Cloud) -> dict[str, float]:
    """How many axes of a song lie in the tails: mean, median and 90th percentile over the songs."""
    counts = count_extremes(cloud.shares(cloud.values))
    return {
        "mean": float(np.mean(counts)),
        "median": float(np.median(counts)),
        "ninetieth": float(np.percentile(counts, _MANY)),
    }


def genre_percentiles(cloud: Cloud) -> dict[str, dict[str, Any]]:
    """For each genre the mean percentile of every axis, over the songs to which it applies; NaN where to none."""
    table, genres = _percentiles(cloud), np.array(cloud.genres)
    return {
        genre: dict(zip(cloud.axes, _means(table[genres == genre]).tolist(), strict=True))
        for genre in sorted(set(cloud.genres) - {""})
    }


def _means(table: Floats) -> Floats:
    known = ~np.isnan(table)
    total, count = np.nansum(table, axis=0), known.sum(axis=0)
    return np.asarray(np.round(np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0), 1))


_Z = 1.959964  # 95% of a normal curve lie within this many standard deviations
_ROUNDS, _SEED = 1000, 1  # how often groups are drawn anew, and by which dice
_LOW, _HIGH = 0.025, 0.975  # the shares between which 95% of the draws lie
_DIGITS = 5  # of a figure kept as data


class Estimate(NamedTuple):
    """A figure between the ends of its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.2f}-{self.high:.2f}]"

    @property
    def percent(self) -> str:
        """The figure and its interval as whole percents."""
        return f"{self.value:.0%} [{100 * self.low:.0f}-{100 * self.high:.0f}]"

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {name: round(number, _DIGITS) for name, number in self._asdict().items()}


def wilson(share: float, count: int) -> Estimate:
    """A share of so many, between the ends of Wilson's interval; anything is possible where nothing was counted.

    >>> wilson(0.5, 20).percent
    '50% [30-70]'
    """
    if count < 1:
        return Estimate(share, 0.0, 1.0)
    weight = _Z * _Z / count
    centre = (share + weight / 2) / (1 + weight)
    reach = _Z * sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    return Estimate(share, max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach)))


def resampled(tables: Floats, figure: Callable[[Floats], float]) -> Estimate:
    """A figure of the sum of tables, one a group, between the ends of what it is when groups are drawn anew."""
    count = len(tables)
    value = figure(tables.sum(axis=0))
    if count < 2:
        return Estimate(value, value, value)
    sums = (_draws(count) @ tables.reshape(count, -1)).reshape(_ROUNDS, *tables.shape[1:])
    low, high = np.percentile([figure(table) for table in sums], (100 * _LOW, 100 * _HIGH))
    return Estimate(value, float(low), float(high))


def redrawn_share(tallies: Sequence[tuple[int, int]], draws: int, seed: int = 0) -> Estimate:
    """The share of all tallies (so many of so many) together, between the ends of what it is when they are drawn anew.

    >>> redrawn_share([(1, 2), (2, 2), (0, 2)], 100).value
    0.5
    """
    dice = Random(seed)
    shares = sorted(_share(dice.choices(tallies, k=len(tallies))) for _ in range(draws))
    return Estimate(_share(tallies), shares[round(_LOW * (draws - 1))], shares[round(_HIGH * (draws - 1))])


def _share(tallies: Sequence[tuple[int, int]]) -> float:
    return sum(right for right, _ in tallies) / sum(of for _, of in tallies)


@lru_cache(maxsize=4)
def _draws(count: int) -> Floats:
    """How often each of so many groups is drawn, round by round."""
    dice = Random(_SEED)
    rounds = [np.bincount(dice.choices(range(count), k=count), minlength=count) for _ in range(_ROUNDS)]
    return np.array(rounds, dtype=np.float64)
