"""A task: what is to be made and how it is judged; composers and loops know nothing more of it.

Other kinds of task are subclasses that hold what they are given and judge in their own way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from libretto.contract import Contract, Receipt, receipt
from libretto.gates import Verdict, judge
from libretto.knowledge import Shown
from libretto.score import Score

__all__ = ["Task"]


@dataclass(frozen=True, eq=False)
class Task:
    """Something to make: its kind, the brief in words, the contract, the genre to be judged by, and what was shown."""

    kind: str
    brief: str
    contract: Contract
    genre: str = ""
    cloud: str = "default"
    length: tuple[int, int] | None = None
    shown: Shown = field(default_factory=Shown, repr=False)
    original: bool = True

    def judge(self, score: Score) -> Verdict:
        """What the gates say of an answer to this task."""
        return judge(
            score,
            self.genre or None,
            cloud=self.cloud,
            length=self.length,
            original=self.original,
            cited=self.shown.cited,
            contract=self.contract,
        )

    def asked(self) -> dict[str, Any]:
        """What was asked, as plain data: two tasks are the same where this is."""
        return {
            "task": self.kind,
            "brief": self.brief,
            "genre": self.genre,
            "cloud": self.cloud,
            "contract": self.contract.to_dict(),
        }

    def receipt(self, score: Score) -> Receipt:
        """What was asked, clause by clause, against an answer."""
        return receipt(self.contract, score)
