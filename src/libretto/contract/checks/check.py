"""What a clause says of a piece, the registry of clauses, and the receipt: a piece against all of its contract.

A clause is a function (Contract, Score) -> Check. To add one is to decorate it with ``clauses.register``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from libretto.contract.contract import Contract
from libretto.registry import Registry
from libretto.score.model import Score

__all__ = ["Check", "Clause", "Receipt", "bars_text", "clauses", "receipt"]

Clause = Callable[[Contract, Score], "Check"]


@dataclass(frozen=True, slots=True)
class Check:
    """One clause's verdict: passed, failed, or None where it was not asked; the evidence; the bars it speaks of."""

    clause: str
    passed: bool | None
    evidence: str
    bars: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The check as plain data."""
        return {"clause": self.clause, "passed": self.passed, "evidence": self.evidence, "bars": list(self.bars)}


#: Every clause by name.
clauses: Registry[Clause] = Registry("clause", "libretto.clauses")


def bars_text(bars: Iterable[int], most: int = 6) -> str:
    """Bar numbers for a person: ``bars 3, 4, 9 and 5 more``.

    >>> bars_text([7]), bars_text([1, 2, 3, 4], most=2)
    ('bar 7', 'bars 1, 2 and 2 more')
    """
    listed = sorted(set(bars))
    if len(listed) == 1:
        return f"bar {listed[0]}"
    shown = ", ".join(map(str, listed[:most]))
    return f"bars {shown}" + (f" and {len(listed) - most} more" if len(listed) > most else "")


# In which order a receipt is read; clauses that are not ours come after.
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
