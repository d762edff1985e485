"""Table 1, the part about axes: how they were chosen, how independent they are, how well they tell genres apart.

Conventions: rankings of songs are compared, not values; an axis that does not apply to a song ranks it last, as
published. Songs are judged by a cloud that has not seen them: with folds drawn at random, as published, or with all
songs of an artist in one fold, which is harder and what new music meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.axes import published_axes
from libretto.bench.representation.rows import DIGITS, Cell, Check, Entry, Mark, held_to_marks, of_axes
from libretto.corpus import Classifier, Cloud, independence, normal_scores
from libretto.corpus.statistics import correlations, hold_out, resampled
from libretto.score.table import Floats

__all__ = [
    "accuracy",
    "axis_entries",
    "balanced_accuracy",
    "confusions",
    "f1",
    "fit_logistic",
    "genre_entries",
    "logistic_accuracy",
    "logistic_entries",
    "most_shared",
]

_SPREAD, _REDUNDANT, _GENRES = 0.5, 0.75, 0.42  # the marks: most songs of one value, most alike axes, least macro-F1


def most_shared(cloud: Cloud) -> dict[str, float]:
    """For every axis the largest part of the songs that have the same value, or for which it does not apply."""
    shares = {}
    for index, name in enumerate(cloud.axes):
        column = cloud.values[:, index]
        known = column[~np.isnan(column)]
        counts = [len(column) - len(known), *np.unique(known, return_counts=True)[1].tolist()]
        shares[name] = max(counts) / max(1, len(column))
    return shares


def axis_entries(cloud: Cloud) -> Iterator[Entry]:
    """How the axes were chosen, and how independent they are."""
    published = [axis.name for axis in published_axes() if axis.name in cloud.axes]
    own = [name for name in cloud.axes if name not in published]
    counted = f"{len(published)}" + (f" + {len(own)} of ours" if own else "")
    yield Entry(
        Check.CONSTRUCTION, "axes", "29, of 35 candidates", Cell(counted, {"published": len(published), "own": own})
    )
    spread = _spread(cloud, published, held=False)
    yield Entry(Check.CONSTRUCTION, "songs that share a value, published axes", "not said", spread)
    spread = _spread(cloud, own, held=held_to_marks(cloud))
    yield Entry(Check.CONSTRUCTION, "songs that share a value, our axes", "not said", spread)
    yield Entry(Check.CONSTRUCTION, "largest |r| of our axes with any", "-", _redundancy(cloud, own))
    yield from _independence("published axes", of_axes(cloud, published), ("0.16", "12 of 406", "0.77"))
    yield from _independence("all axes", cloud, ("-", "-", "-"))


def _independence(what: str, cloud: Cloud, published: tuple[str, str, str]) -> Iterator[Entry]:
    cells = [Cell("-")] * len(published)
    if len(cloud.axes) > 1:
        figures = independence(cloud)
        many = f"{figures['above_half']:.0f} of {figures['pairs']:.0f}"
        cells = [Cell(f"{figures['mean']:.3f}", figures["mean"]), Cell(many, figures["above_half"])]
        cells += [Cell(f"{figures['largest']:.2f}", figures["largest"])]
    for name, said, cell in zip(("mean |r|", "pairs above 0.5", "largest |r|"), published, cells, strict=True):
        yield Entry(Check.INDEPENDENCE, f"{name}, {what}", said, cell)


def _spread(cloud: Cloud, names: Sequence[str], *, held: bool) -> Cell:
    """The axis of those with the least spread; ``held`` to its mark or not."""
    if not names:
        return Cell("-")
    shares = most_shared(cloud)
    worst = max(names, key=shares.__getitem__)
    mark = Mark("spread of our axes", cloud.full_name, shares[worst], _SPREAD, at_least=False) if held else None
    return Cell(f"at most {shares[worst]:.0%}", {"axis": worst, "share": round(shares[worst], DIGITS)}, mark)


def _redundancy(cloud: Cloud, own: Sequence[str]) -> Cell:
    """The pair of axes, one of them ours, that agree most."""
    if not own or len(cloud.axes) < 2:
        return Cell("-")
    table = np.abs(correlations(cloud))
    np.fill_diagonal(table, 0.0)
    rows = [cloud.axes.index(name) for name in own]
    first, second = np.unravel_index(int(table[rows].argmax()), (len(rows), len(cloud.axes)))
    pair, largest = (own[int(first)], cloud.axes[int(second)]), float(table[rows].max())
    mark = Mark("redundancy of our axes", cloud.full_name, largest, _REDUNDANT, at_least=False)
    return Cell(
        f"{largest:.2f}", {"axes": list(pair), "r": round(largest, DIGITS)}, mark if held_to_marks(cloud) else None
    )


def confusions(cloud: Cloud, by_artist: bool = True) -> Floats:
    """For every artist (or song) a table of genres that were and genres that were guessed, by what had not seen it."""
    judged = cloud if by_artist else replace(cloud, groups=())
    guesses = hold_out(judged).guesses()
    groups = judged.groups or tuple(range(len(cloud.genres)))
    names = {group: index for index, group in enumerate(sorted(set(groups)))}
    tables = np.zeros((len(names), len(cloud.labels), len(cloud.labels)))
    for group, genre, guess in zip(groups, cloud.genres, guesses, strict=True):
        if genre and guess:
            tables[names[group], cloud.labels.index(genre), cloud.labels.index(guess)] += 1
    return tables


def accuracy(table: Floats) -> float:
    """The part of songs whose genre was guessed."""
    return float(np.trace(table) / max(1.0, table.sum()))


def balanced_accuracy(table: Floats) -> float:
    """The part of a genre's songs whose genre was guessed, averaged over the genres that were met."""
    songs = table.sum(axis=1)
    return float(np.mean(np.diag(table)[songs > 0] / songs[songs > 0])) if songs.any() else 0.0


def f1(table: Floats) -> float:
    """The F1 score of each genre that was met, averaged over them."""
    songs, guesses = table.sum(axis=1), table.sum(axis=0)
    met = songs > 0
    return float(np.mean(2 * np.diag(table)[met] / (songs + guesses)[met])) if met.any() else 0.0


class _Figure(NamedTuple):
    """A figure of guessed genres: its name, how it is measured, what is said of it elsewhere, and its mark, if any.

    The paper prints top-1 accuracy alone. The other figures were reported with a public set of 39 axes, on other songs.
    """

    name: str
    measure: Callable[[Floats], float]
    songs: str
    artists: str
    mark: float | None = None


_FIGURES = (
    _Figure("macro-F1", f1, "not printed; 0.437 with 39 other axes", "not printed", _GENRES),
    _Figure("balanced accuracy", balanced_accuracy, "not printed; 0.436 with 39 other axes", "not printed"),
    _Figure("accuracy", accuracy, "not said", "not said"),
)


def genre_entries(cloud: Cloud) -> Iterator[Entry]:
    """How well the cloud's own classifier names the genre of songs, and of artists, that it has not met."""
    enough = len(cloud.labels) > 1
    apart = enough and len(set(cloud.groups)) < len(cloud.groups)  # else nobody said who played what
    songs = confusions(cloud, by_artist=False) if enough else None
    artists = confusions(cloud) if apart else None
    for figure in _FIGURES:
        cell = Cell("too few genres")
        if songs is not None:
            estimate = resampled(songs, figure.measure)
            cell = Cell(str(estimate), estimate.to_dict())
        yield Entry(Check.SIGNAL, f"songs held out, {figure.name}", figure.songs, cell)
    for figure in _FIGURES:
        cell = Cell("artists unknown")
        if artists is not None:
            estimate = resampled(artists, figure.measure)
            mark = None
            if figure.mark is not None and held_to_marks(cloud):
                mark = Mark(f"{figure.name}, artists held out", cloud.full_name, estimate.value, figure.mark)
            cell = Cell(str(estimate), estimate.to_dict(), mark)
        yield Entry(Check.SIGNAL, f"artists held out, {figure.name}", figure.artists, cell)


_SHUFFLES, _FOLDS = 5, 5  # the paper says five folds; over how many shuffles it does not say
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
