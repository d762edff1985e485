"""Make a cloud of measured songs, with gates that real music passes.

Conventions: every threshold is a quantile of what songs score by a cloud that has not seen their artist. The budget of
extreme axes is the published rule, C1 = min(6, max(3, quantile)) of 29 axes, for as many axes as the cloud has, with a
quantile of 0.93 and a cap of 8 where the published are 0.85 and 6: several gates stand one behind the other, and
three of four real songs shall pass them all. The ceiling of originality is published too: 1.2 times the 90th percentile
between unrelated songs, held within 0.30 and 0.45.

These are the gauges of whole songs and of windows of whole songs; pieces are held against their like for the same
forces and of the same length wherever songs gave excerpts (``libretto.corpus.kinship``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.classifier import fit_discriminant, normal_scores
from libretto.corpus.cloud import Cloud, of_profiles, ranks, rounded
from libretto.corpus.gauging import Gauge, Gauges, Order, Regions
from libretto.corpus.kinship import calibrate_cells
from libretto.corpus.rows import GRID, WINDOW_BARS, SongRow, Window
from libretto.corpus.statistics import Holdout, count_extremes, hold_out
from libretto.score.table import Bools, Floats

__all__ = ["Copies", "assemble", "ceiling_of"]

# The parts below were chosen so that three of four real songs pass all gates together (see above).
_MANY = 0.93  # this part of real music keeps within the budget of extremes
_FEW, _MOST, _OF = 3, 8, 29  # the least and the largest budget, of so many axes as were published
_NEARLY_ALL = (1, 99)  # percentiles of length between which nearly all songs lie
_FIT, _ORDER = 0.12, 0.01  # these parts of real songs fail genre fit and order
_REGION_FIT, _REGION_ORDER = 0.07, 0.04  # and these of real windows
_SHORTER, _LONGER = 0.75, 1.25  # than nearly all songs
_LEAST_SONGS = 8  # a genre with fewer has no gauge of its own
_SHRINKAGE = 0.1  # of what tells real music from shaken: songs are many, so little steadies it
_USUAL, _ABOVE, _LEAST_CEILING = 0.9, 1.2, 0.30  # the published ceiling of originality
_CEILING, _REGION_CEILING = 0.45, 0.95  # short passages share much by chance, so that only near copies can be told
_DIGITS = 5  # of what is kept, so that machines agree
_POINTS = 101  # percentiles from 0 to 100


@dataclass(frozen=True)
class Copies:
    """Originality scores between unrelated real music: of each song (None where it was not asked), and of windows."""

    songs: Sequence[float | None] = ()
    windows: Mapping[int, Sequence[float]] = field(default_factory=dict)


def assemble(
    name: str,
    rows: Sequence[SongRow],
    *,
    about: str = "",
    rule: str = "mid",
    axes: Sequence[str] = (),
    copies: Copies | None = None,
    version: int = 1,
) -> Cloud:
    """A calibrated cloud of measured songs."""
    numbers: dict[str, int] = {}
    groups = [numbers.setdefault(row.group or f"\0{index}", len(numbers)) for index, row in enumerate(rows)]
    cloud = of_profiles(
        name,
        [row.profile for row in rows],
        [row.genre for row in rows],
        axes=axes,
        groups=groups,
        version=version,
        rule=rule,
        about=about,
        grid=GRID,
    )
    genres = np.array(cloud.genres)
    held = hold_out(cloud)
    classifier = None
    if len(cloud.labels) > 1:
        known = genres != ""
        classifier = fit_discriminant(normal_scores(cloud.shares(cloud.values[known])), list(genres[known]))
    gauges = _gauges(cloud, rows, held, copies or Copies())
    if rule == "mid":  # the published rule knows whole songs only
        gauges = replace(gauges, cells=calibrate_cells(cloud, rows, held.fold))
    return replace(cloud, classifier=classifier, gauges=gauges)


@dataclass(frozen=True, eq=False)
class _Sample:
    """Real songs, or windows of one length, as the gates see them; and the same with their notes drawn at random."""

    genres: NDArray[np.str_]
    bars: NDArray[np.int64]
    extremes: NDArray[np.int64]
    logs: Floats
    scores: Floats
    risk: Floats
    shaken_extremes: NDArray[np.int64]
    shaken_scores: Floats

    def of(self, genre: str) -> Bools:
        """Which belong to a genre; all to "", which is any."""
        return np.asarray(self.genres == genre) if genre else np.ones(len(self.genres), dtype=np.bool_)


def _gauges(cloud: Cloud, rows: Sequence[SongRow], held: Holdout, copies: Copies) -> Gauges:
    scores = list(copies.songs) or [None] * len(rows)
    noise = cloud.shares(np.vstack([cloud.row(row.shaken) for row in rows]))
    sample = _Sample(
        np.array(cloud.genres),
        np.array([row.bars for row in rows], dtype=np.int64),
        held.extremes,
        held.logs,
        normal_scores(cloud.shares(cloud.values)),
        np.array([np.nan if score is None else score for score in scores], dtype=np.float64),
        count_extremes(noise),
        normal_scores(noise),
    )
    gauges, order = _calibrated(cloud, sample, held, _FIT, _ORDER)
    regions = tuple(_regions(cloud, rows, length, held, copies) for length in WINDOW_BARS)
    return Gauges(gauges, order, tuple(region for region in regions if region is not None))


def _calibrated(
    cloud: Cloud, sample: _Sample, held: Holdout, fit: float, chance: float
) -> tuple[dict[str, Gauge], Order]:
    """Gauges for every genre with enough songs and for any (""), and the order of real music."""
    order = _order(sample.scores, sample.shaken_scores)
    counts = {genre: int(np.count_nonzero(sample.genres == genre)) for genre in held.genres}
    names = ["", *(genre for genre in held.genres if counts[genre] >= _LEAST_SONGS)]
    gauges = {genre: _gauge(cloud, genre, sample, held, order, fit, chance) for genre in names}
    quiet = sample.shaken_extremes <= gauges[""].budget
    fooled = float(np.mean(quiet & (order.of(sample.shaken_scores) >= gauges[""].order)))
    return gauges, replace(order, fooled=rounded(fooled, _DIGITS))


def _gauge(cloud: Cloud, genre: str, sample: _Sample, held: Holdout, order: Order, fit: float, chance: float) -> Gauge:
    mine, scale = sample.of(genre), len(cloud.axes) / _OF
    budget = int(min(_MOST * scale, max(_FEW * scale, np.ceil(np.quantile(sample.extremes[mine], _MANY)))))
    low, high = np.percentile(sample.bars[mine], _NEARLY_ALL)
    whole = len(sample.risk) == len(sample.genres)
    risk = sample.risk[mine] if whole else sample.risk
    real = order.of(sample.scores[mine])
    least = rounded(float(np.quantile(real, chance)), _DIGITS)
    gauge = Gauge(
        budget,
        None,
        least,
        ceiling_of(risk, _CEILING if whole else _REGION_CEILING),
        (int(_SHORTER * low), int(np.ceil(_LONGER * high))),
        count=int(mine.sum()),
    )
    passed = (sample.extremes[mine] <= budget) & (real >= least)
    if whole:
        passed &= ~(risk >= gauge.ceiling)
    passed &= (sample.bars[mine] >= gauge.bars[0]) & (sample.bars[mine] <= gauge.bars[1])
    if genre and not np.isnan(sample.logs[mine, held.genres.index(genre)]).all():
        column = sample.logs[:, held.genres.index(genre)]
        floor = rounded(float(np.nanquantile(column[mine], fit)), _DIGITS)
        passed &= column[mine] >= floor
        others = ~mine & (sample.genres != "")
        accepted = rounded(float(np.mean(column[mine] >= floor)), _DIGITS)
        mistaken = rounded(float(np.mean(column[others] >= floor)), _DIGITS) if others.any() else None
        gauge = replace(gauge, floor=floor, accepted=accepted, mistaken=mistaken)
    return replace(gauge, together=rounded(float(np.mean(passed)), _DIGITS))


def ceiling_of(risk: Floats, most: float = _CEILING) -> float:
    """The originality score at which copying begins, from the scores between unrelated pieces."""
    known = risk[~np.isnan(risk)]
    usual = float(np.quantile(known, _USUAL)) if len(known) else 0.0
    return rounded(min(most, max(_LEAST_CEILING, _ABOVE * usual)), _DIGITS)


def _order(real: Floats, shaken: Floats) -> Order:
    """What tells real music from shaken."""
    labels = ["real"] * len(real) + ["shaken"] * len(shaken)
    both = fit_discriminant(np.vstack([real, shaken]), labels, _SHRINKAGE)
    weights = np.array([rounded(w, _DIGITS) for w in both.weights[0] - both.weights[1]], dtype=np.float64)
    return Order(weights)


def _regions(cloud: Cloud, rows: Sequence[SongRow], length: int, held: Holdout, copies: Copies) -> Regions | None:
    """The gauges for windows of one length; None where there are too few."""
    windows: list[tuple[int, Window]] = [
        (index, window) for index, row in enumerate(rows) for window in row.windows if window.bars == length
    ]
    if len(windows) < _LEAST_SONGS:
        return None
    source = np.array([index for index, _ in windows], dtype=np.int64)
    genres = np.array(cloud.genres)[source]
    values = np.vstack([cloud.row(window.profile) for _, window in windows])
    percentiles = _percentiles(values, 1.0 / np.unique(genres, return_counts=True)[1][_which(genres)])
    blank = Regions(length, percentiles, {}, Order(np.zeros(len(cloud.axes))))
    real = blank.shares(values)
    noise = blank.shares(np.vstack([cloud.row(window.shaken) for _, window in windows]))
    sample = _Sample(
        genres,
        np.full(len(windows), length, dtype=np.int64),
        count_extremes(real),
        held.judge(normal_scores(real), source, cloud),
        normal_scores(real),
        np.array(copies.windows.get(length, ()), dtype=np.float64),
        count_extremes(noise),
        normal_scores(noise),
    )
    gauges, order = _calibrated(cloud, sample, held, _REGION_FIT, _REGION_ORDER)
    return Regions(length, percentiles, gauges, order)


def _which(genres: NDArray[np.str_]) -> NDArray[np.int64]:
    return np.asarray(np.unique(genres, return_inverse=True)[1])


def _percentiles(values: Floats, weights: Floats) -> Floats:
    """The value of each column at every percentile from 0 to 100, where rows weigh as given; NaN in empty columns."""
    points = np.full((values.shape[1], _POINTS), np.nan)
    for column in range(values.shape[1]):
        known = np.flatnonzero(~np.isnan(values[:, column]))
        if not len(known):
            continue
        order = known[np.argsort(values[known, column], kind="stable")]
        ordered, weight = values[order, column], np.concatenate(([0.0], np.cumsum(weights[order])))
        place = ranks((ordered, weight), ordered)
        values_there = np.interp(np.linspace(0, 1, _POINTS), place, ordered)
        points[column] = [rounded(value, _DIGITS + 1) for value in values_there]
    return points
