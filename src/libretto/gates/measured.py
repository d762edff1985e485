"""Gates on what is measured: genre fit, order, degeneracy and length, each held against quantiles of real music.

The numbers written down here only shape how a miss is told: how far below the threshold counts as a margin of -1, and
how many axes are named. What passes is decided by the cloud's gauges alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretto.axes import FAMILIES, axes
from libretto.corpus import HIGH, LOW
from libretto.corpus.classifier import Classifier
from libretto.corpus.forces import LENGTHS
from libretto.gates.case import Case, gates
from libretto.gates.contract import about_axis
from libretto.gates.finding import Finding, Outcome, Weight
from libretto.gates.within import goes_against
from libretto.score.table import Floats

__all__ = ["degeneracy", "fit", "length", "order"]

_FIT_SCALE = 5.0  # this much below the floor, in logarithms of shares, is a margin of -1
_ORDER_SCALE = 10.0  # the same for order, in normal scores added up
_OF_FORCES = ("texture", "groove", "arranging", "dynamics", "timbre")  # families that those who play decide
_MOST_OF_FIT, _MOST_OF_ORDER, _MOST_EXTREMES = 4, 3, 6  # axes that a gate names


@gates.register("genre fit")
def fit(case: Case) -> Outcome | None:
    """The share of the wanted genre is not lower than for nearly all music of that genre for such forces and length."""
    classifier, floor = case.classifier, case.floor
    if classifier is None or floor is None or not case.percentiles:
        return None
    margin = (case.fit - floor) / _FIT_SCALE
    reads = next(iter(case.genres))
    note = f"reads as {_words(reads)}" if reads != case.genre else f"reads as {_words(case.genre)}, as it should"
    return Outcome(margin, note, () if margin >= 0 else _off_genre(case, classifier))


def _off_genre(case: Case, classifier: Classifier) -> tuple[Finding, ...]:
    """The axes that pull the piece from its genre to its rival most, against the genre's own music."""
    cloud = case.cloud
    rival = next((name for name in case.genres if name != case.genre), "")
    own, other = classifier.genres.index(case.genre), classifier.genres.index(rival)
    away = np.where(np.isnan(case.shares), 0.0, case.weighed - case.usual(case.genre))
    weights = classifier.weights[:, : len(cloud.axes)]
    pull = -(weights[own] - weights[other]) * away
    ways = np.where(away > 0, -1, 1)
    worst = [index for index in _allowed(case, ways, -pull) if pull[index] > 0][:_MOST_OF_FIT]
    more = "see the next points" if worst else "its rhythm, its lines and how it goes on, with all that was asked for"
    first = Finding(
        "genre fit",
        f"It sounds like {_words(rival)} rather than {_words(case.genre)}",
        f"lean towards what is typical of {_words(case.genre)}: {more}",
        Weight.OTHER_GENRE + float(pull.max()),
    )
    rest = [
        about_axis(
            case,
            "genre fit",
            cloud.axes[index],
            int(ways[index]),
            Weight.TOWARDS_GENRE + float(pull[index]),
            f"most {_words(case.genre)}",
        )
        for index in worst
    ]
    return (first, *rest)


def _excused(case: Case, families: tuple[str, ...] = FAMILIES) -> NDArray[np.bool_]:
    """For every axis of the cloud whether it lies as it does because that was asked for, in some families."""
    excused = {name for name in case.excused if axes[name].family in families}
    return np.array([name in excused for name in case.cloud.axes], dtype=np.bool_)


def _allowed(case: Case, ways: NDArray[np.int64], order: Floats) -> list[int]:
    """The axes by index, in that order, that may go the way that is wanted of each."""
    names = case.cloud.axes
    ranked = np.argsort(order, kind="stable").tolist()
    return [index for index in ranked if not goes_against(case.limits, names[index], int(ways[index]))]


def _words(genre: str) -> str:
    return genre.replace("_", " ")


@gates.register("order")
def order(case: Case) -> Outcome | None:
    """What tells real music from random notes is as strong as in nearly all real music."""
    if not case.percentiles:
        return None
    pull = np.where(np.isnan(case.shares), 0.0, case.order.weights * case.scores)
    asked_for = float(np.minimum(pull, 0.0)[_excused(case, _OF_FORCES)].sum())
    margin = (float(case.order.of(case.scores)[0]) - asked_for - case.least_order) / _ORDER_SCALE
    if margin >= 0:
        return Outcome(margin, "the notes belong together")
    ways = np.where(case.order.weights > 0, 1, -1)
    worst = [index for index in _allowed(case, ways, pull) if pull[index] < 0][:_MOST_OF_ORDER]
    first = Finding(
        "order",
        "The notes do not seem to belong together, as if they had been drawn at random",
        "let every part follow the harmony of its bar, move mostly by step, and repeat what it has said",
        Weight.RANDOM,
    )
    rest = [
        about_axis(
            case,
            "order",
            case.cloud.axes[index],
            int(ways[index]),
            Weight.TOWARDS_ORDER - float(pull[index]),
            "music that was composed",
        )
        for index in worst
    ]
    return Outcome(margin, "the notes seem drawn at random", (first, *rest))


@gates.register("degeneracy")
def degeneracy(case: Case) -> Outcome | None:
    """No more axes in the tails of real music for such forces and length than nearly all of it has."""
    if not case.percentiles:
        return None
    counted = {name: p for name, p in case.percentiles.items() if name not in case.excused}
    extremes = {name: p for name, p in counted.items() if p <= LOW or p >= HIGH}
    budget = case.budget
    margin = (budget - len(extremes)) / max(1, budget)
    note = f"{len(extremes)} of {len(case.percentiles)} axes are extreme; {budget} may be"
    if margin >= 0:
        return Outcome(margin, note)
    among = _among(case)
    worst = sorted(extremes, key=lambda name: (-case.distance(name), name))[:_MOST_EXTREMES]
    findings = tuple(
        about_axis(case, "degeneracy", name, 1 if extremes[name] <= LOW else -1, case.distance(name), among)
        for name in worst
    )
    return Outcome(margin, note, findings)


def _among(case: Case) -> str:
    """What the piece is held against, in words."""
    if case.kin is not None:
        return "nearly all real music for as many players and bars"
    return "nearly all real passages of this length" if case.region else "nearly all real music"


@gates.register("length")
def length(case: Case) -> Outcome | None:
    """As many bars as was asked for; else, of a whole song, no more and no fewer than nearly all songs of the genre."""
    if case.length is None and (case.region is not None or (case.kin is not None and case.cell.length != LENGTHS[-1])):
        return None
    low, high = case.length or case.gauge.bars
    counts = (case.score.bars - (1 - case.score.first_bar), case.score.bars)  # a pickup may be counted or not
    bars = next((count for count in counts if low <= count <= high), counts[0])
    note = f"{bars} bars"
    if low <= bars <= high:
        return Outcome(min(bars - low, high - bars) / max(1, high), note)
    if bars < low:
        heard, advice, margin = "It is too short", "add phrases or sections until it is complete", (bars - low) / low
    else:
        heard, advice, margin = "It is too long", "take out repeats or sections that add nothing", (high - bars) / high
    return Outcome(margin, note, (Finding("length", heard, advice, Weight.WRONG_LENGTH),))
