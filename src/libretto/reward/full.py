"""The same margins by the gates, the ear for parts and the number that orders drafts: slow, and the yardstick."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.gates import judge
from libretto.merit import merit_of
from libretto.reward.standards import the_standards
from libretto.score import Score

__all__ = ["full_margins"]

_ASIDE = ("contract", "citation")  # counted by clauses, and by what was shown


def full_margins(score: Score, genre: str = "", contract: Contract | None = None) -> dict[str, float]:
    """The margin of every gate that applies, and of the ordering, in spreads of real music."""
    verdict = judge(score, genre or None, contract=contract)
    level = the_standards().levels["merit"]
    worth = min(merit_of(score).value, level.high)
    margins = {name: outcome.margin for name, outcome in verdict.outcomes.items() if name not in _ASIDE}
    return margins | {"ordering": (worth - level.middle) / level.spread}
