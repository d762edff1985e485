"""Length: a whole piece is neither a fragment nor endless."""

from __future__ import annotations

from libretto.gates.case import Case
from libretto.gates.finding import Finding, Outcome
from libretto.gates.gate import gates

__all__ = ["length"]


@gates.register("length")
def length(case: Case) -> Outcome | None:
    """As many bars as was asked for; else no fewer and no more than nearly all songs of the genre."""
    if case.region is not None and case.length is None:
        return None
    low, high = case.length or case.gauge.bars
    bars = case.score.bars
    note = f"{bars} bars"
    if low <= bars <= high:
        return Outcome(min(bars - low, high - bars) / max(1, high), note)
    if bars < low:
        heard, advice, margin = "It is too short", "add phrases or sections until it is complete", (bars - low) / low
    else:
        heard, advice, margin = "It is too long", "take out repeats or sections that add nothing", (high - bars) / high
    return Outcome(margin, note, (Finding("length", heard, advice, 15.0),))
