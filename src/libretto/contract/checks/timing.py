"""A clause that nobody needs to ask for: every bar fills its meter."""

from __future__ import annotations

from libretto.contract.checks.check import Check, clauses
from libretto.contract.contract import Contract
from libretto.score.model import Score
from libretto.score.timing import odd_bars

__all__ = ["timing"]

_MOST_SAID = 4  # bars whose lengths are said


@clauses.register("timing")
def timing(contract: Contract, score: Score) -> Check:
    """Broken where bars are longer or shorter than the meter; where none is, there is nothing to say."""
    odd = odd_bars(score)
    if not odd:
        return Check("timing", None, "every bar fills its meter")
    said = "; ".join(bar.text for bar in odd[:_MOST_SAID])
    more = f"; and {len(odd) - _MOST_SAID} more" if len(odd) > _MOST_SAID else ""
    return Check("timing", False, said + more, tuple(bar.bar for bar in odd))
