"""Genre fit: a piece meant to be in a genre must not sound like something else altogether."""

from __future__ import annotations

import numpy as np

from libretto.corpus import normal_scores
from libretto.gates.case import Case
from libretto.gates.finding import Finding, Outcome
from libretto.gates.gate import gates
from libretto.gates.wording import about_axis

__all__ = ["fit"]

_MOST = 4
_SCALE = 5.0  # this much below the floor, in logarithms of shares, is a margin of -1


@gates.register("genre fit")
def fit(case: Case) -> Outcome | None:
    """The share of the wanted genre is not lower than for nearly all songs of that genre."""
    classifier, floor = case.cloud.classifier, case.gauge.floor
    if not case.genre or classifier is None or floor is None or not case.percentiles:
        return None
    logs = classifier.log_shares(case.scores)[0]
    own = classifier.genres.index(case.genre)
    margin = (float(logs[own]) - floor) / _SCALE
    rival = next((name for name in case.genres if name != case.genre), "")
    reads = next(iter(case.genres))
    note = f"reads as {_words(reads)}" if reads != case.genre else f"reads as {_words(case.genre)}, as it should"
    if margin >= 0:
        return Outcome(margin, note)
    return Outcome(margin, note, _findings(case, own, classifier.genres.index(rival)))


def _findings(case: Case, own: int, rival: int) -> tuple[Finding, ...]:
    """The axes that pull the piece from its genre to its rival most, against the genre's own songs."""
    classifier, cloud = case.cloud.classifier, case.cloud
    assert classifier is not None
    mine = np.array([genre == case.genre for genre in cloud.genres], dtype=np.bool_)
    usual = normal_scores(cloud.shares(cloud.values[mine])).mean(axis=0)
    away = np.where(np.isnan(case.shares), 0.0, case.scores - usual)
    pull = -(classifier.weights[own] - classifier.weights[rival]) * away
    among = f"most {_words(case.genre)}"
    worst = [index for index in np.argsort(-pull, kind="stable").tolist() if pull[index] > 0][:_MOST]
    first = Finding(
        "genre fit",
        f"It sounds like {_words(classifier.genres[rival])} rather than {_words(case.genre)}",
        f"bring in what is typical of {_words(case.genre)}: see the next points",
        10.0 + float(pull.max()),
    )
    rest = [
        about_axis(case, "genre fit", cloud.axes[i], -1 if away[i] > 0 else 1, 5.0 + float(pull[i]), among)
        for i in worst
    ]
    return (first, *rest)


def _words(genre: str) -> str:
    return genre.replace("_", " ")
