"""Calibrate the gates cell by cell, on excerpts of real songs for as many players and bars.

Everything is learnt twice: from all excerpts, which is what a cloud keeps, and fold by fold without some artists, which
is what its thresholds are set on (``libretto.corpus.limits``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from libretto.axes import ordered_axes
from libretto.corpus.cells import CELLS, POINTS, Cells, GenreSense, Kin, pools
from libretto.corpus.classifier import fit_discriminant, normal_scores
from libretto.corpus.cloud import Cloud, ranks, rounded
from libretto.corpus.limits import Held, Sample, limits_of, passing_of
from libretto.corpus.rows import SongRow
from libretto.corpus.statistics import count_extremes
from libretto.score.table import Bools, Floats, Ints

__all__ = ["calibrate_cells"]

_LEAST = 60  # excerpts of a cell that stands alone
_SHRINKAGE, _GENRE_SHRINKAGE = 0.1, 0.5  # of order and of genres: traits are many and correlate
_NARROWEST = 1e-3  # spread of a trait
_DIGITS = 5


@dataclass(frozen=True, eq=False)
class _Numbers:
    """What is learnt from some excerpts: where the axes of each kin lie, what order is, and genres."""

    percentiles: tuple[Floats, ...]
    weights: Floats
    genres: GenreSense | None

    def scores(self, values: Floats, kin: Ints) -> Floats:
        """Shares of rows among their kin."""
        shares = np.full(values.shape, np.nan)
        for number, table in enumerate(self.percentiles):
            mine = np.flatnonzero(kin == number)
            if len(mine):
                shares[mine] = Kin(table, 0, 0.0).shares(values[mine])
        return shares


def calibrate_cells(cloud: Cloud, rows: Sequence[SongRow], fold: Ints) -> Cells | None:
    """The kin of every cell; None where songs have no excerpts. ``fold`` keeps songs of one artist together."""
    sample, where = _sample(cloud, rows, fold)
    if sample is None:
        return None
    everything = np.ones(len(sample.kin), dtype=np.bool_)
    learnt = _learn(sample, cloud, everything)
    held = _hold_out(sample, cloud)
    kin = []
    for number, table in enumerate(learnt.percentiles):
        limits = limits_of(sample, held, cloud.labels, number, everything)
        passing = passing_of(sample, held, cloud.labels, number)
        kin.append(Kin(table, limits.budget, limits.order, limits.floors, passing))
    return Cells(tuple(kin), where, learnt.weights, learnt.genres)


def _sample(cloud: Cloud, rows: Sequence[SongRow], fold: Ints) -> tuple[Sample | None, dict[str, int]]:
    """The excerpts with their kin, and which kin every cell has."""
    there = [(index, row.excerpts) for index, row in enumerate(rows) if row.excerpts is not None]
    keys = np.array([key for _, excerpts in there for key in excerpts.cells])
    if len(keys) < _LEAST:
        return None, {}
    counts = dict(zip(*(part.tolist() for part in np.unique(keys, return_counts=True)), strict=True))
    chosen = pools(counts, _LEAST)
    distinct = list(dict.fromkeys(chosen.values()))
    where = {cell.key: distinct.index(chosen[cell]) for cell in CELLS}
    lengths = {cell.key: cell.length for cell in CELLS}
    names = [axis.name for axis in ordered_axes()]
    columns = [names.index(name) for name in cloud.axes]
    source = np.array([index for index, excerpts in there for _ in excerpts.cells], dtype=np.int64)
    of_length = np.unique([lengths[key] for key in keys], return_inverse=True)[1]
    return Sample(
        np.array([where[key] for key in keys], dtype=np.int64),
        np.asarray(of_length, dtype=np.int64),
        np.array(cloud.genres)[source],
        fold[source],
        np.vstack([excerpts.values for _, excerpts in there])[:, columns].astype(np.float64),
        np.vstack([excerpts.shaken for _, excerpts in there])[:, columns].astype(np.float64),
        np.vstack([excerpts.traits for _, excerpts in there]).astype(np.float64),
        tuple(np.flatnonzero(np.isin(keys, pool)) for pool in distinct),
    ), where


def _learn(sample: Sample, cloud: Cloud, seen: Bools) -> _Numbers:
    """Everything that is learnt from the excerpts that may be seen."""
    tables = tuple(_percentiles(sample, pool[seen[pool]]) for pool in sample.pool)
    blank = _Numbers(tables, np.zeros(len(cloud.axes)), None)
    real = normal_scores(blank.scores(sample.values[seen], sample.kin[seen]))
    noise = normal_scores(blank.scores(sample.noise[seen], sample.kin[seen]))
    both = fit_discriminant(np.vstack([real, noise]), ["real"] * len(real) + ["shaken"] * len(noise), _SHRINKAGE)
    learnt = replace(blank, weights=_kept(both.weights[0] - both.weights[1]))
    known = sample.genres[seen] != ""
    if len(set(sample.genres[seen][known])) < 2:
        return learnt
    traits = sample.traits[seen][known]
    spreads = traits.std(axis=0)
    spreads = np.where(spreads > _NARROWEST, spreads, 1.0)
    genres = sample.genres[seen][known]
    centres = np.stack([real[known][genres == genre].mean(axis=0) for genre in sorted(set(genres))])
    sense = GenreSense(both, _kept(centres), _kept(traits.mean(axis=0)), _kept(spreads))
    classifier = fit_discriminant(sense.features(real[known], traits), list(genres), _GENRE_SHRINKAGE)
    kept = replace(classifier, weights=_kept(classifier.weights), offsets=_kept(classifier.offsets))
    return replace(learnt, genres=replace(sense, classifier=kept))


def _percentiles(sample: Sample, mine: Ints) -> Floats:
    """The value of each axis at even places among some excerpts, genres weighing the same; NaN where none has it."""
    table = np.full((sample.values.shape[1], POINTS), np.nan)
    _, genre, sizes = np.unique(sample.genres[mine], return_inverse=True, return_counts=True)
    weights = 1.0 / sizes[genre]
    for axis in range(len(table)):
        known = np.flatnonzero(~np.isnan(sample.values[mine, axis]))
        if not len(known):
            continue
        known = known[np.argsort(sample.values[mine[known], axis], kind="stable")]
        ordered = sample.values[mine[known], axis]
        place = ranks((ordered, np.concatenate(([0.0], np.cumsum(weights[known])))), ordered)
        table[axis] = _kept(np.interp(np.linspace(0, 1, POINTS), place, ordered), _DIGITS + 1)
    return table


def _kept(values: Floats, digits: int = _DIGITS) -> Floats:
    flat = [rounded(value, digits) for value in values.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(values.shape)


def _hold_out(sample: Sample, cloud: Cloud) -> Held:
    count = len(sample.kin)
    extremes, noise_extremes = (np.zeros(count, dtype=np.int64) for _ in range(2))
    order, noise_order = (np.zeros(count) for _ in range(2))
    logs = np.full((count, len(cloud.labels)), np.nan)
    for fold in np.unique(sample.fold).tolist():
        mine = np.flatnonzero(sample.fold == fold)
        if len(mine) == count:
            continue
        learnt = _learn(sample, cloud, sample.fold != fold)
        shares = learnt.scores(sample.values[mine], sample.kin[mine])
        noise = learnt.scores(sample.noise[mine], sample.kin[mine])
        extremes[mine], noise_extremes[mine] = count_extremes(shares), count_extremes(noise)
        order[mine], noise_order[mine] = (normal_scores(one) @ learnt.weights for one in (shares, noise))
        if learnt.genres is not None:
            known = learnt.genres.classifier.genres
            columns = np.array([cloud.labels.index(genre) for genre in known], dtype=np.int64)
            logs[np.ix_(mine, columns)] = learnt.genres.log_shares(normal_scores(shares), sample.traits[mine])
    return Held(extremes, order, logs, noise_extremes, noise_order)
