"""Table 1, the published experiment about genres: logistic regression on the published axes, folds drawn at random.

Kept as it was published, to stand beside our classifier; nothing that ships is fitted by it. The loss has one optimum,
which Newton's method finds: the same songs give the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from libretto.axes import published_axes
from libretto.bench.representation.rows import DIGITS, Cell, Check, Entry, of_axes
from libretto.corpus import Classifier, Cloud, normal_scores
from libretto.score.arrays import Floats

__all__ = ["fit_logistic", "logistic_accuracy", "logistic_entries"]

_SHUFFLES, _FOLDS = 5, 5  # as published
_PENALTY = 40.0  # on weights, which keeps them small
_LOOSE = 1e-3  # on offsets, which makes the optimum one
_STEPS, _SMALL = 50, 1e-9  # Newton's method takes a handful of steps, until they are this small


def logistic_entries(cloud: Cloud) -> Iterator[Entry]:
    """The published experiment: logistic regression on the published axes, five folds drawn at random."""
    songs = len(cloud.genres) - cloud.genres.count("")
    size = Cell(f"{songs}, {len(cloud.labels)}", {"songs": songs, "genres": len(cloud.labels)})
    yield Entry(Check.SIGNAL, "labelled songs, genres", "255, 8", size)
    cells = [Cell("too few genres")] * 2
    if len(cloud.labels) > 1:
        part = of_axes(cloud, [axis.name for axis in published_axes() if axis.name in cloud.axes])
        cells = [
            Cell(f"{mean:.3f} (sd {sd:.3f})", {"mean": round(mean, DIGITS), "sd": round(sd, DIGITS)})
            for mean, sd in logistic_accuracy(part)
        ]
    yield Entry(Check.SIGNAL, "logistic regression, published axes, top-1", "0.384", cells[0])
    yield Entry(Check.SIGNAL, "  with all genres equally likely", "not said", cells[1])


def logistic_accuracy(cloud: Cloud, shuffles: int = _SHUFFLES) -> list[tuple[float, float]]:
    """The part of songs held out at random whose genre is guessed: mean and deviation over several shuffles.

    First with genres as likely as they are common, which is what plain regression does, then all equally likely.
    """
    genres = np.array(cloud.genres)
    known = np.flatnonzero(genres != "").tolist()
    rates = []
    for shuffle in range(shuffles):
        order = list(known)
        Random(shuffle).shuffle(order)
        hits = np.zeros(2)
        for fold in range(_FOLDS):
            held = np.array(order[fold::_FOLDS], dtype=np.int64)
            seen = np.setdiff1d(order, held)
            if len(held) and len(set(genres[seen])) > 1:
                hits += _hits(cloud, genres, seen, held)
        rates.append(hits / max(1, len(order)))
    means, deviations = np.mean(rates, axis=0).tolist(), np.std(rates, axis=0).tolist()
    return list(zip(means, deviations, strict=True))


def _hits(cloud: Cloud, genres: NDArray[np.str_], seen: NDArray[np.int64], held: NDArray[np.int64]) -> Floats:
    """How many of the held songs are guessed by the others: with genres as common as they are, and equally so."""
    part = Cloud(cloud.name, cloud.version, cloud.axes, tuple(genres[seen]), cloud.values[seen].copy(), cloud.rule)
    model = fit_logistic(normal_scores(part.shares(part.values)), list(part.genres))
    logs = model.log_shares(normal_scores(part.shares(cloud.values[held])))
    common = np.log([np.mean(genres[seen] == genre) for genre in model.genres])
    truth = genres[held]
    guesses = [np.array(model.genres)[table.argmax(axis=1)] for table in (logs + common, logs)]
    return np.array([np.count_nonzero(guess == truth) for guess in guesses], dtype=np.float64)


def fit_logistic(scores: Floats, genres: Sequence[str], penalty: float = _PENALTY) -> Classifier:
    """The logistic classifier that fits those songs best; ``penalty`` keeps weights small."""
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
