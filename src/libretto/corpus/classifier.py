"""Which genres a piece resembles: a linear classifier over normal scores of the axes.

Conventions: features are *normal scores*: the percentile of a value in its cloud, clipped to 2-98, as a point of the
normal curve; an axis that does not apply scores 0, the middle. Every genre weighs the same, however many songs it has,
so that a share says how a piece sounds and not how common a genre is. It is fitted as a linear discriminant, which did
better on artists that were held out than the published logistic regression, and has one optimum: the same songs give
the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from libretto.score.table import Floats, Ints

__all__ = ["Classifier", "discriminant_of", "fit_discriminant", "normal_scores"]

_CLIP = 0.02  # a song further out than this counts as one at this place
_POINTS = np.linspace(0, 1, 1001)  # of the normal curve; between them scores are interpolated
_SCORES = np.array([NormalDist().inv_cdf(min(max(i / 1000, _CLIP), 1 - _CLIP)) for i in range(1001)])
_SHRINKAGE = 0.2  # how far the shape of genres is drawn towards a ball
_ROUNDEST = 1e-9  # a shape without any width is widened to this


def normal_scores(shares: Floats) -> Floats:
    """Shares from 0 to 1 as points of the normal curve, clipped; NaN becomes 0."""
    known = np.where(np.isnan(shares), 0.5, shares)
    return np.asarray(np.interp(known, _POINTS, _SCORES))


@dataclass(frozen=True, eq=False)
class Classifier:
    """Weights by genre and axis, and an offset for each genre."""

    genres: tuple[str, ...]
    weights: Floats = field(repr=False)
    offsets: Floats = field(repr=False)

    def log_shares(self, scores: Floats) -> Floats:
        """The logarithm of the share of each genre, for rows of normal scores."""
        raw = np.atleast_2d(scores) @ self.weights.T + self.offsets
        raw = raw - raw.max(axis=1, keepdims=True)
        return np.asarray(raw - np.log(np.exp(raw).sum(axis=1, keepdims=True)))


def fit_discriminant(scores: Floats, genres: Sequence[str], shrinkage: float = _SHRINKAGE) -> Classifier:
    """The classifier of genres that are clouds of one shape around different centres, in closed form.

    ``shrinkage`` is how far that shape is drawn towards a ball, which steadies it where songs are few.
    """
    names = tuple(sorted(set(genres)))
    which = np.array([names.index(genre) for genre in genres], dtype=np.int64)
    centres = np.stack([scores[which == index].mean(axis=0) for index in range(len(names))])
    away = (scores - centres[which]) / np.sqrt(np.bincount(which) * len(names))[which, None]
    return _around(names, centres, away.T @ away, shrinkage)


def discriminant_of(
    names: Sequence[str], counts: Ints, sums: Floats, squares: Floats, shrinkage: float = _SHRINKAGE
) -> Classifier:
    """The same classifier from sums: how many rows each genre has, their sum, and the sum of their outer products."""
    centres = sums / counts[:, None]
    outer = centres[:, :, None] * centres[:, None, :]
    shape = (squares / counts[:, None, None] - outer).mean(axis=0)
    return _around(tuple(names), centres, shape, shrinkage)


def _around(names: tuple[str, ...], centres: Floats, shape: Floats, shrinkage: float) -> Classifier:
    """The classifier of genres with these centres and one shape."""
    size = shape.shape[0]
    shape = (1 - shrinkage) * shape + np.eye(size) * max(shrinkage * np.trace(shape) / max(size, 1), _ROUNDEST)
    weights = np.asarray(np.linalg.solve(shape, centres.T).T, dtype=np.float64)
    return Classifier(names, weights, -0.5 * (weights * centres).sum(axis=1))
