"""Curves of confidence: fitted to what the ear said of trials whose answers are known, and checked on others.

First one logistic curve is fitted to the answers of all lines together; then one for each kind of line, at a price for
being another than the common one, so that a line of which few answers were wrong goes by what is known of the others.
What can only speak for an answer (agreement, likeness, clearness) never counts against it. Two pretended trials, one
right and one wrong, keep a curve from certainty.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lab.listening.gathering import Gathered
from libretto.listen.confidence import FEATURES, Curve, curve_name, features
from libretto.listen.kinds import kinds
from libretto.listen.reliability import Reliability, reliability
from libretto.listen.trial import Outcome
from libretto.score.table import Floats

__all__ = ["curve_of", "fit", "outcomes_of", "table_of", "write"]

_PRICE, _APART = 0.5, 1.0  # on the square of each weight of the common curve, and of what sets another one apart
_BASE_APART = 0.25  # the same for where it stands
_ROUNDS = 200
_FREE = FEATURES.index("chosen")  # the one weight that may be below nothing
_PRETENDED = 0.5  # how much the two pretended trials count
_DIGITS = 4


def fit(gathered: Sequence[Gathered]) -> dict[str, tuple[Curve, int, int]]:
    """A curve for each kind of line, with how many answers it was taught on and how many of them were right."""
    rows: dict[str, list[tuple[tuple[float, ...], bool]]] = {}
    for item in gathered:
        kind = kinds[item.task]
        values = features(kind, item.readings)
        if values is not None:
            given = kind.solve(*(reading.values for reading in item.readings)).answer
            rows.setdefault(curve_name(kind), []).append((values, given == item.answer))
    common = curve_of(*_columns([row for own in rows.values() for row in own]))
    return {
        name: (curve_of(*_columns(own), common), len(own), sum(right for _, right in own))
        for name, own in sorted(rows.items())
    }


def _columns(rows: Sequence[tuple[tuple[float, ...], bool]]) -> tuple[Floats, Floats]:
    return np.array([values for values, _ in rows]), np.array([float(right) for _, right in rows])


def curve_of(values: Floats, right: Floats, common: Curve | None = None) -> Curve:
    """The curve that fits best, by Newton's steps; weights below nothing are set to it and it is fitted again."""
    centre = np.zeros(values.shape[1] + 1) if common is None else np.array([common.base, *common.weights])
    price = [1e-6, *[_PRICE] * values.shape[1]] if common is None else [_BASE_APART, *[_APART] * values.shape[1]]
    used = list(range(values.shape[1]))
    while True:
        places = [0, *(place + 1 for place in used)]
        at = _fitted(values[:, used], right, centre[places], np.diag([price[place] for place in places]))
        against = [place for place, weight in zip(used, at[1:], strict=True) if weight < 0 and place != _FREE]
        if not against:
            whole = np.zeros(values.shape[1])
            whole[used] = at[1:]
            return Curve(round(float(at[0]), _DIGITS), tuple(round(float(weight), _DIGITS) for weight in whole))
        used = [place for place in used if place not in against]


def _fitted(values: Floats, right: Floats, centre: Floats, price: Floats) -> Floats:
    """Base and weights that explain what was right, near the centre by their price."""
    table = np.column_stack([np.ones(len(values)), values])
    middle = np.concatenate([[1.0], values.mean(axis=0)])
    table, right = np.vstack([table, middle, middle]), np.concatenate([right, [0.0, 1.0]])
    trust = np.concatenate([np.ones(len(values)), [_PRETENDED, _PRETENDED]])
    at = centre.copy()
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(table @ at, -30, 30)))
        slope = table.T @ (trust * (chance - right)) + price @ (at - centre)
        bend = (table * (trust * chance * (1 - chance))[:, None]).T @ table + price
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(at)), slope)
        at = at - step / max(1.0, float(np.abs(step).max()))  # a longer step could overshoot
    return np.asarray(at)


def outcomes_of(gathered: Sequence[Gathered], curves: dict[str, Curve]) -> list[Outcome]:
    """What was heard as outcomes with confidence."""
    outcomes = []
    for number, item in enumerate(gathered):
        kind = kinds[item.task]
        values = features(kind, item.readings)
        given = kind.solve(*(reading.values for reading in item.readings)).answer
        sure = None if values is None else round(curves[curve_name(kind)].at(values), 3)
        status = "undecidable" if given is None else "answered"
        outcomes.append(Outcome(str(number), item.task, str(number), item.answer, status, given=given, confidence=sure))
    return outcomes


def table_of(outcomes: Sequence[Outcome]) -> str:
    """Accuracy by task, and the table of reliability of all answers."""
    lines = []
    for task in sorted({outcome.task for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.task == task]
        sure: Reliability | None = reliability(own)
        said = f", said {sure.stated:.3f}, right of those {sure.right}/{sure.answers}" if sure else ""
        lines.append(f"{task}: {sum(outcome.right for outcome in own)} of {len(own)} right{said}")
    whole = reliability(outcomes)
    if whole:
        lines += [f"{b.name}: said {b.stated:.3f}, right {b.right} of {b.answers}" for b in whole.bins]
        lines.append(f"error of calibration {whole.error:.3f}, Brier {whole.brier:.3f}")
    return "\n".join(lines)


def write(curves: dict[str, tuple[Curve, int, int]], path: Path, *, keep: bool = False) -> None:
    """Put the curves where the package ships them; ``keep``: beside those that are there and were not taught anew."""
    before = json.loads(path.read_text(encoding="utf-8"))["curves"] if keep else {}
    data = {
        "features": list(FEATURES),
        "curves": before
        | {
            name: {"base": curve.base, "weights": list(curve.weights), "answers": answers, "right": right}
            for name, (curve, answers, right) in curves.items()
        },
    }
    path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")
