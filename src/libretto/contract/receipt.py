"""The receipt: a piece against its contract, clause by clause, with evidence."""

from __future__ import annotations

from dataclasses import dataclass

from libretto.contract import part_clauses, plan_clauses, tonal_clauses  # noqa: F401  (they register their clauses)
from libretto.contract.check import Check, bars_text, clauses
from libretto.contract.contract import Contract
from libretto.score.model import Score

__all__ = ["Receipt", "receipt"]

_ORDER = (
    "key",
    "meter",
    "tempo",
    "bars",
    "form",
    "chords",
    "parts",
    "drums",
    "ranges",
    "polyphony",
    "dynamics",
    "ending",
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Every clause's check, in reading order."""

    title: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no clause failed."""
        return all(check.passed is not False for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The clauses that were not kept."""
        return tuple(check for check in self.checks if check.passed is False)

    @property
    def lines(self) -> tuple[str, ...]:
        """The receipt for a person, one clause a line."""
        words = {True: "kept", False: "BROKEN", None: "not asked"}
        rows = []
        for check in self.checks:
            where = (
                f" [{bars_text(check.bars)}]"
                if check.bars and check.passed is False and "bar" not in check.evidence
                else ""
            )
            rows.append(f"{check.clause:<10} {words[check.passed]:<10} {check.evidence}{where}")
        asked = [check for check in self.checks if check.passed is not None]
        rows.append(f"{sum(1 for check in asked if check.passed)} of {len(asked)} clauses kept")
        return tuple(rows)

    def to_dict(self) -> dict[str, object]:
        """The receipt as plain data."""
        return {"title": self.title, "passed": self.passed, "checks": [check.to_dict() for check in self.checks]}


def receipt(contract: Contract, score: Score) -> Receipt:
    """Every clause of a contract checked against a piece."""
    names = sorted(clauses, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return Receipt(contract.title or score.title, tuple(clauses[name](contract, score) for name in names))
