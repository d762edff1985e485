"""Order: the notes belong together, as in real music and not as if drawn at random."""

from __future__ import annotations

import numpy as np

from libretto.gates.case import Case
from libretto.gates.finding import Finding, Outcome
from libretto.gates.gate import gates
from libretto.gates.wording import about_axis

__all__ = ["order"]

_MOST = 3
_SCALE = 10.0


@gates.register("order")
def order(case: Case) -> Outcome | None:
    """What tells real music from random notes is as strong as in nearly all real music."""
    if not case.percentiles:
        return None
    margin = (float(case.order.of(case.scores)[0]) - case.gauge.order) / _SCALE
    if margin >= 0:
        return Outcome(margin, "the notes belong together")
    pull = np.where(np.isnan(case.shares), 0.0, case.order.weights * case.scores)
    worst = [index for index in np.argsort(pull, kind="stable").tolist() if pull[index] < 0][:_MOST]
    first = Finding(
        "order",
        "The notes do not seem to belong together, as if they had been drawn at random",
        "let every part follow the harmony of its bar, move mostly by step, and repeat what it has said",
        20.0,
    )
    rest = [
        about_axis(
            case,
            "order",
            case.cloud.axes[index],
            1 if case.order.weights[index] > 0 else -1,
            6.0 - float(pull[index]),
            "music that was composed",
        )
        for index in worst
    ]
    return Outcome(margin, "the notes seem drawn at random", (first, *rest))
