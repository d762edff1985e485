"""Which genres a piece resembles: a linear classifier over normal scores of the axes.

Conventions: features are *normal scores*: the percentile of a value in its cloud, clipped to 2-98, as a point of the
normal curve; an axis that does not apply scores 0, the middle. Every genre weighs the same, however many songs it has,
so that a share says how a piece sounds and not how common a genre is. Two ways to fit the same kind of classifier:
a linear discriminant (what clouds ship: it did better on artists that were held out) and multinomial logistic
regression (what is published). Both have one optimum: the same songs give the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from libretto.score.arrays import Floats

__all__ = ["Classifier", "fit_discriminant", "fit_logistic", "normal_scores"]

_CLIP = 0.02
_SCORES = np.array([NormalDist().inv_cdf(min(max(i / 1000, _CLIP), 1 - _CLIP)) for i in range(1001)])
_STEPS, _SMALL, _LOOSE = 50, 1e-9, 1e-3


def normal_scores(shares: Floats) -> Floats:
    """Shares from 0 to 1 as points of the normal curve, clipped; NaN becomes 0."""
    known = np.where(np.isnan(shares), 0.5, shares)
    return np.asarray(np.interp(known, np.linspace(0, 1, 1001), _SCORES))


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


def fit_logistic(scores: Floats, genres: Sequence[str], penalty: float = 40.0) -> Classifier:
    """The classifier that fits those songs best; ``penalty`` keeps weights small."""
    names = tuple(sorted(set(genres)))
    which = np.array([names.index(genre) for genre in genres], dtype=np.int64)
    weight = len(which) / (len(names) * np.bincount(which)[which])
    x = np.hstack([scores, np.ones((len(scores), 1))])
    ridge = np.append(np.full(scores.shape[1], penalty), _LOOSE)
    target = np.eye(len(names))[which]
    theta = np.zeros((len(names), x.shape[1]))
    for _ in range(_STEPS):
        shares = _softmax(x @ theta.T)
        slope = ((shares - target) * weight[:, None]).T @ x + theta * ridge
        step = _newton(x, shares, weight, ridge, slope)
        theta -= step
        if np.abs(step).max() < _SMALL:
            break
    return Classifier(names, theta[:, :-1], theta[:, -1] - theta[:, -1].mean())


def fit_discriminant(scores: Floats, genres: Sequence[str], shrinkage: float = 0.2) -> Classifier:
    """The classifier of genres that are clouds of one shape around different centres, in closed form.

    ``shrinkage`` is how far that shape is drawn towards a ball, which steadies it where songs are few.
    """
    names = tuple(sorted(set(genres)))
    which = np.array([names.index(genre) for genre in genres], dtype=np.int64)
    centres = np.stack([scores[which == index].mean(axis=0) for index in range(len(names))])
    away = (scores - centres[which]) / np.sqrt(np.bincount(which) * len(names))[which, None]
    shape = away.T @ away
    size = shape.shape[0]
    shape = (1 - shrinkage) * shape + np.eye(size) * max(shrinkage * np.trace(shape) / max(size, 1), _SMALL)
    weights = np.linalg.solve(shape, centres.T).T
    return Classifier(names, weights, -0.5 * (weights * centres).sum(axis=1))


def _softmax(raw: Floats) -> Floats:
    exp = np.exp(raw - raw.max(axis=1, keepdims=True))
    return np.asarray(exp / exp.sum(axis=1, keepdims=True))


def _newton(x: Floats, shares: Floats, weight: Floats, ridge: Floats, slope: Floats) -> Floats:
    """The step that a quadratic through the present point would take to its bottom."""
    count, size = slope.shape
    curve = np.empty((count, size, count, size))
    for i in range(count):
        for j in range(i, count):
            bend = weight * shares[:, i] * ((i == j) - shares[:, j])
            curve[i, :, j, :] = curve[j, :, i, :] = (x * bend[:, None]).T @ x
        curve[i, :, i, :] += np.diag(ridge)
    return np.asarray(np.linalg.solve(curve.reshape(count * size, -1), slope.ravel()).reshape(slope.shape))
