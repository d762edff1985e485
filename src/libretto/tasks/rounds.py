"""Rounds and runs: every draft, what the gates said of it, what it cost, and which one is best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError, Problem
from libretto.gates import Verdict
from libretto.models.cost import Cost
from libretto.score import Score
from libretto.tasks.points import weigh, with_points
from libretto.tasks.task import Task

if TYPE_CHECKING:
    from libretto.contract import Receipt

__all__ = ["Draft", "Round", "Run", "best_of", "judge_draft"]


@dataclass(frozen=True)
class Draft:
    """What a composer hands in: a text in the grammar, what it says of how it came about, and what it cost."""

    text: str
    notes: Mapping[str, Any] = field(default_factory=dict)
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True)
class Round:
    """One draft and what became of it: a Score and a verdict, or the problems that keep it from being read.

    ``handed_in`` says what the draft was where a task takes several things: a whole song, or some bars of it.
    ``weight`` puts drafts of one task in order and is never shown.
    """

    number: int
    draft: Draft
    score: Score | None = field(default=None, repr=False)
    verdict: Verdict | None = field(default=None, repr=False)
    receipt: Receipt | None = field(default=None, repr=False)
    problems: tuple[Problem, ...] = ()
    handed_in: str = ""
    weight: float | None = field(default=None, repr=False)

    @property
    def passed(self) -> bool:
        """Whether the draft could be read and passes every gate."""
        return self.verdict is not None and self.verdict.passed

    @property
    def rank(self) -> tuple[float, ...]:
        """How good the round is among those of its task: readable, passing, clauses kept, gates passed, its weight."""
        if self.verdict is None:
            return (0.0, -float(len(self.problems)))
        broken = len(self.receipt.failed) if self.receipt else 0
        better = self.weight if self.weight is not None else self.verdict.margin
        return (1.0, float(self.passed), -float(broken), -float(len(self.verdict.failed)), better)

    @property
    def feedback(self) -> str:
        """What to tell the composer: what the gates found, or what cannot be read."""
        if self.verdict is not None:
            return self.verdict.feedback
        return "\n".join(["This cannot be read:", *map(str, self.problems[:20])])

    def to_dict(self) -> dict[str, Any]:
        """The round as plain data, without the music."""
        return {
            "round": self.number,
            "passed": self.passed,
            **({"handed_in": self.handed_in} if self.handed_in else {}),
            "notes": dict(self.draft.notes),
            "cost": self.draft.cost.to_dict(),
            "verdict": self.verdict.to_dict() if self.verdict else None,
            "genres": {name: round(share, 4) for name, share in list(self.verdict.genres.items())[:4]}
            if self.verdict
            else {},
            "receipt": self.receipt.to_dict() if self.receipt else None,
            "problems": [problem.to_dict() for problem in self.problems],
        }


def judge_draft(task: Task, score: Score, number: int = 1, draft: Draft | None = None, handed_in: str = "") -> Round:
    """The round of a draft that can be read: the one place where a piece is held against its task."""
    shape, verdict = task.shape(), task.judge(score)
    merit = weigh(score, task.contract, shape) if task.weighs else None
    told = with_points(verdict, merit, shape) if merit is not None else verdict
    return Round(
        number, draft or Draft(""), score, told, task.receipt(score),
        handed_in=handed_in, weight=merit.value if merit is not None else None,
    )  # fmt: skip


def best_of(rounds: Sequence[Round]) -> Round:
    """The best of several rounds; of equals the earlier."""
    return max(rounds, key=lambda one: (one.rank, -one.number))


@dataclass(frozen=True)
class Run:
    """A task and all its rounds; ``stopped`` says why it ended before its time, if it did."""

    task: Task
    composer: str
    seed: int
    rounds: tuple[Round, ...]
    folder: str = ""
    stopped: str = ""

    @property
    def best(self) -> Round:
        """The best round; of equals the earlier."""
        if not self.rounds:
            raise LibrettoError(f"nothing was written{': ' + self.stopped if self.stopped else ''}")
        return best_of(self.rounds)

    @property
    def score(self) -> Score | None:
        """The piece of the best round; None where no draft could be read."""
        return self.best.score

    @property
    def passed(self) -> bool:
        """Whether the best round passes every gate."""
        return self.best.passed

    @property
    def cost(self) -> Cost:
        """What all rounds cost together."""
        costs = [one.draft.cost for one in self.rounds]
        return Cost(
            sum(cost.seconds for cost in costs),
            sum(cost.tokens_in for cost in costs),
            sum(cost.tokens_out for cost in costs),
            sum(cost.money for cost in costs),
        )
