"""What can be said of a whole cloud: how independent its axes are, how often songs are extreme, where genres lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from libretto.corpus.cloud import Cloud
from libretto.corpus.holdout import count_extremes
from libretto.score.arrays import Floats

__all__ = ["correlations", "genre_percentiles", "independence", "usual_extremes"]


def _percentiles(cloud: Cloud) -> Floats:
    """Every song's percentiles; where an axis does not apply NaN, or 0 by the published rule."""
    table = np.round(100 * cloud.shares(cloud.values))
    return np.nan_to_num(table) if cloud.rule == "at or below" else table


def correlations(cloud: Cloud) -> Floats:
    """How the axes' rankings of the songs agree, axis by axis; 0 for one that ranks all alike.

    A song to which an axis does not apply stands in the middle of it, or at the bottom by the published rule.
    """
    table = np.nan_to_num(_percentiles(cloud), nan=50.0)
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
        "above_half": float(np.count_nonzero(strength > 0.5)),
        "largest": float(strength.max()),
    }


def usual_extremes(cloud: Cloud) -> dict[str, float]:
    """How many axes of a song lie in the tails: mean, median and 90th percentile over the songs."""
    counts = count_extremes(cloud.shares(cloud.values))
    return {
        "mean": float(np.mean(counts)),
        "median": float(np.median(counts)),
        "ninetieth": float(np.percentile(counts, 90)),
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
