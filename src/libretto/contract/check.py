"""What a clause says of a piece, and the registry of clauses.

A clause is a function (Contract, Score) -> Check. To add one is to decorate it with ``clauses.register``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from libretto.contract.contract import Contract
from libretto.registry import Registry
from libretto.score.model import Score

__all__ = ["Check", "Clause", "bars_text", "clauses"]

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
