"""What can be said of a whole cloud: how independent its axes are, how often songs are extreme, where genres lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.cloud import Cloud

__all__ = ["genre_percentiles", "independence", "usual_extremes"]

Floats = NDArray[np.float64]


def _percentiles(cloud: Cloud) -> Floats:
    """Every song's percentiles; 0 where an axis does not apply, as published."""
    rows = [[None if np.isnan(v) else float(v) for v in row] for row in cloud.values]
    return np.array(
        [[cloud.percentile(axis, v) or 0 for axis, v in zip(cloud.axes, row, strict=True)] for row in rows],
        dtype=np.float64,
    )


def independence(cloud: Cloud) -> dict[str, float]:
    """How strongly the axes' rankings of the songs agree, over all pairs of axes: mean, pairs above 0.5, largest."""
    table = _percentiles(cloud)
    varied = np.flatnonzero(table.std(axis=0) > 0)
    strength = np.abs(np.corrcoef(table[:, varied].T))[np.triu_indices(len(varied), 1)]
    return {
        "pairs": float(len(strength)),
        "mean": float(strength.mean()),
        "above_half": float(np.count_nonzero(strength > 0.5)),
        "largest": float(strength.max()),
    }


def usual_extremes(cloud: Cloud) -> dict[str, float]:
    """How many axes of a song lie in the tails: mean, median and 90th percentile over the songs."""
    counts = []
    for row in cloud.values:
        profile = {axis: None if np.isnan(v) else float(v) for axis, v in zip(cloud.axes, row, strict=True)}
        counts.append(len(cloud.place(profile).extremes))
    return {
        "mean": float(np.mean(counts)),
        "median": float(np.median(counts)),
        "ninetieth": float(np.percentile(counts, 90)),
    }


def genre_percentiles(cloud: Cloud) -> dict[str, dict[str, Any]]:
    """For each genre the mean percentile of every axis."""
    table, genres = _percentiles(cloud), np.array(cloud.genres)
    return {
        genre: dict(zip(cloud.axes, table[genres == genre].mean(axis=0).round(1).tolist(), strict=True))
        for genre in sorted(set(cloud.genres) - {""})
    }
