"""A task: what is to be made and how it is judged; composers and loops know nothing more of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from libretto.contract import Contract
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
