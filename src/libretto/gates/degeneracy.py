"""Degeneracy: a piece may be unusual in a few ways, not in many at once."""

from __future__ import annotations

from libretto.corpus import HIGH, LOW
from libretto.gates.case import Case
from libretto.gates.finding import Outcome
from libretto.gates.gate import gates
from libretto.gates.wording import about_axis

__all__ = ["degeneracy"]

_MOST = 6


@gates.register("degeneracy")
def degeneracy(case: Case) -> Outcome | None:
    """No more axes in the tails of real music than nearly all real pieces of the genre have."""
    if not case.percentiles:
        return None
    extremes = {name: p for name, p in case.percentiles.items() if p <= LOW or p >= HIGH}
    budget = case.gauge.budget
    margin = (budget - len(extremes)) / max(1, budget)
    note = f"{len(extremes)} of {len(case.percentiles)} axes are extreme; {budget} may be"
    if margin >= 0:
        return Outcome(margin, note)
    among = "nearly all real passages of this length" if case.region else "nearly all real music"
    worst = sorted(extremes, key=lambda name: (-case.distance(name), name))[:_MOST]
    findings = tuple(
        about_axis(case, "degeneracy", name, 1 if extremes[name] <= LOW else -1, case.distance(name), among)
        for name in worst
    )
    return Outcome(margin, note, findings)
