"""Table 1, the part about axes: how they were chosen, how independent they are, how well they tell genres apart.

Conventions: rankings of songs are compared, not values; an axis that does not apply to a song ranks it last, as
published. Songs are judged by a cloud that has not seen them: with folds drawn at random, as published, or with all
songs of an artist in one fold, which is harder and what new music meets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from libretto.axes import published_axes
from libretto.bench.representation_rows import Cell, Entry, Mark, held_to_marks, of_axes
from libretto.corpus import Cloud, independence
from libretto.corpus.classifier import fit_logistic, normal_scores
from libretto.corpus.holdout import hold_out
from libretto.corpus.intervals import resampled
from libretto.corpus.statistics import correlations
from libretto.score.arrays import Floats

__all__ = [
    "accuracy",
    "axis_entries",
    "balanced_accuracy",
    "confusions",
    "f1",
    "genre_entries",
    "logistic_accuracy",
    "logistic_entries",
    "most_shared",
]

_SHUFFLES, _FOLDS = 5, 5
_SPREAD, _REDUNDANT, _GENRES = 0.5, 0.75, 0.42  # the marks
_CONSTRUCTION, _INDEPENDENCE, _SIGNAL = "Axis construction", "Axis independence", "Genre signal"


def most_shared(cloud: Cloud) -> dict[str, float]:
    """For every axis the largest part of the songs that have the same value, or for which it does not apply."""
    found = {}
    for index, name in enumerate(cloud.axes):
        column = cloud.values[:, index]
        known = column[~np.isnan(column)]
        counts = [len(column) - len(known), *np.unique(known, return_counts=True)[1].tolist()]
        found[name] = max(counts) / max(1, len(column))
    return found


def axis_entries(cloud: Cloud) -> Iterator[Entry]:
    """How the axes were chosen, and how independent they are."""
    published = [axis.name for axis in published_axes() if axis.name in cloud.axes]
    own = [name for name in cloud.axes if name not in published]
    counted = f"{len(published)}" + (f" + {len(own)} of ours" if own else "")
    yield Entry(_CONSTRUCTION, "axes", "29, of 35 candidates", Cell(counted, {"published": len(published), "own": own}))
    for what, names in (("published axes", published), ("our axes", own)):
        yield Entry(_CONSTRUCTION, f"songs that share a value, {what}", "not said", _spread(cloud, names, what))
    yield Entry(_CONSTRUCTION, "largest |r| of our axes with any", "-", _redundancy(cloud, own))
    yield from _independence("published axes", of_axes(cloud, published), ("0.16", "12 of 406", "0.77"))
    yield from _independence("all axes", cloud, ("-", "-", "-"))


def _independence(what: str, cloud: Cloud, published: tuple[str, str, str]) -> Iterator[Entry]:
    found = independence(cloud) if len(cloud.axes) > 1 else None
    cells = [Cell("-")] * 3
    if found is not None:
        many = f"{found['above_half']:.0f} of {found['pairs']:.0f}"
        cells = [Cell(f"{found['mean']:.3f}", found["mean"]), Cell(many, found["above_half"])]
        cells += [Cell(f"{found['largest']:.2f}", found["largest"])]
    for name, said, cell in zip(("mean |r|", "pairs above 0.5", "largest |r|"), published, cells, strict=True):
        yield Entry(_INDEPENDENCE, f"{name}, {what}", said, cell)


def _spread(cloud: Cloud, names: Sequence[str], what: str) -> Cell:
    """The axis of those with the least spread."""
    if not names:
        return Cell("-")
    shares = most_shared(cloud)
    worst = max(names, key=shares.__getitem__)
    ours = what == "our axes" and held_to_marks(cloud)
    mark = Mark("spread of our axes", cloud.full_name, shares[worst], _SPREAD, at_least=False) if ours else None
    return Cell(f"at most {shares[worst]:.0%}", {"axis": worst, "share": round(shares[worst], 5)}, mark)


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
    return Cell(f"{largest:.2f}", {"axes": list(pair), "r": round(largest, 5)}, mark if held_to_marks(cloud) else None)


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


def genre_entries(cloud: Cloud) -> Iterator[Entry]:
    """How well the cloud's own classifier names the genre of songs, and of artists, that it has not met."""
    figures = (
        ("macro-F1", f1, "0.437", "0.31"),
        ("balanced accuracy", balanced_accuracy, "0.436", "not said"),
        ("accuracy", accuracy, "not said", "not said"),
    )
    enough = len(cloud.labels) > 1
    apart = enough and len(set(cloud.groups)) < len(cloud.groups)  # else nobody said who played what
    songs = confusions(cloud, by_artist=False) if enough else None
    artists = confusions(cloud) if apart else None
    for name, figure, published, _ in figures:
        cell = Cell("too few genres")
        if songs is not None:
            found = resampled(songs, figure)
            cell = Cell(str(found), found.to_dict())
        yield Entry(_SIGNAL, f"songs held out, {name}", published, cell)
    for name, figure, _, published in figures:
        cell = Cell("artists unknown")
        if artists is not None:
            found = resampled(artists, figure)
            held = name == "macro-F1" and held_to_marks(cloud)
            mark = Mark("macro-F1, artists held out", cloud.full_name, found.value, _GENRES) if held else None
            cell = Cell(str(found), found.to_dict(), mark)
        yield Entry(_SIGNAL, f"artists held out, {name}", published, cell)


def logistic_entries(cloud: Cloud) -> Iterator[Entry]:
    """The published experiment: logistic regression on the published axes, five folds drawn at random."""
    songs = len(cloud.genres) - cloud.genres.count("")
    size = Cell(f"{songs}, {len(cloud.labels)}", {"songs": songs, "genres": len(cloud.labels)})
    yield Entry(_SIGNAL, "labelled songs, genres", "255, 8", size)
    cells = [Cell("too few genres")] * 2
    if len(cloud.labels) > 1:
        part = of_axes(cloud, [axis.name for axis in published_axes() if axis.name in cloud.axes])
        cells = [
            Cell(f"{mean:.3f} (sd {sd:.3f})", {"mean": round(mean, 5), "sd": round(sd, 5)})
            for mean, sd in logistic_accuracy(part)
        ]
    yield Entry(_SIGNAL, "logistic regression, published axes, top-1", "0.384", cells[0])
    yield Entry(_SIGNAL, "  with all genres equally likely", "not said", cells[1])


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
