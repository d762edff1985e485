"""How well an ear did: accuracy with intervals by item, recall by class, and how often there was no answer.

Conventions: a trial without a readable answer, undecided, refused or failed is wrong, and is also counted by itself. A
trial for which an ear has nothing to go by (an oracle without a transcription) is left out and counted as skipped.
Intervals are 95% and come from a thousand draws of *items* (what is played), seeded, so that trials of one item count
together. Where all items agree no draw differs, and Wilson's interval for that many items is given instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from libretto.corpus.statistics import Estimate, redrawn_share, wilson
from libretto.listen.ears import FAILURES
from libretto.listen.kinds import kinds
from libretto.listen.paper import PAPER_SOLVERS
from libretto.listen.reliability import Reliability, reliability
from libretto.listen.replies import FAULT_KINDS
from libretto.listen.trial import Outcome
from libretto.models.cost import Cost

__all__ = ["TaskScore", "by_item", "score", "score_task"]

_DRAWS = 1_000
_DIGITS, _MONEY_DIGITS = 4, 6  # of shares and of dollars kept as data


@dataclass(frozen=True)
class TaskScore:
    """The figures of one task; ``tolerant`` and ``paper`` are None where there is no such solver.

    ``solver_right`` is how often the solver was right where models answered after it; None where none did.
    """

    task: str
    trials: int
    items: int
    right: int
    accuracy: Estimate | None
    tolerant_right: int | None
    tolerant: Estimate | None
    paper_right: int | None
    solver_right: int | None
    recall: dict[str, tuple[int, int]]
    undecidable: int
    parse_errors: int
    first_faults: dict[str, int]
    repaired: int
    form: int
    content: int
    refusals: int
    failures: dict[str, int]
    skipped: int
    calls: int
    tokens_in: int
    tokens_out: int
    money: float
    unpriced: int
    confidence: Reliability | None

    def rate(self, count: int) -> float:
        """A count as a part of the trials; 0 where there are none."""
        return round(count / self.trials, _DIGITS) if self.trials else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "trials": self.trials,
            "items": self.items,
            "right": self.right,
            **_estimate_data(self.accuracy, "accuracy", "interval"),
            "tolerant_right": self.tolerant_right,
            **_estimate_data(self.tolerant, "tolerant_accuracy", "tolerant_interval"),
            "paper_right": self.paper_right,
            "solver_right": self.solver_right,
            "recall": {name: {"right": right, "of": of} for name, (right, of) in self.recall.items()},
            "undecidable": self.undecidable,
            "undecidable_rate": self.rate(self.undecidable),
            "parse_errors": self.parse_errors,
            "parse_error_rate": self.rate(self.parse_errors),
            "first_faults": self.first_faults,
            "repaired": self.repaired,
            "repair_rate": self.rate(self.repaired),
            "form_repairs": self.form,
            "content_changes": self.content,
            "refusals": self.refusals,
            "failures": self.failures,
            "skipped": self.skipped,
            "calls": self.calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "money": round(self.money, _MONEY_DIGITS),
            "unpriced_calls": self.unpriced,
            "confidence": self.confidence.to_dict() if self.confidence else None,
        }


def _estimate_data(estimate: Estimate | None, value: str, interval: str) -> dict[str, Any]:
    """A share and the ends of its interval under their two names; None where nothing was counted."""
    if estimate is None:
        return {value: None, interval: None}
    ends = [round(end, _DIGITS) for end in (estimate.low, estimate.high)]
    return {value: round(estimate.value, _DIGITS), interval: ends}


def score(outcomes: Sequence[Outcome]) -> dict[str, TaskScore]:
    """The figures of every task that was heard, by name."""
    tasks = sorted({outcome.task for outcome in outcomes})
    return {task: score_task(task, [outcome for outcome in outcomes if outcome.task == task]) for task in tasks}


def score_task(task: str, outcomes: Sequence[Outcome]) -> TaskScore:
    """The figures of one task."""
    heard = [outcome for outcome in outcomes if outcome.status != "skipped"]
    lines = any(outcome.by_lines for outcome in heard if outcome.status != "failed")
    tolerant = lines and kinds[task].tolerant is not None
    status = Counter(map(attrgetter("status"), heard))
    cost = sum(map(attrgetter("cost"), heard), Cost())
    return TaskScore(
        task=task,
        trials=len(heard),
        items=len({outcome.item for outcome in heard}),
        right=_count(heard, _is_right),
        accuracy=by_item(heard, _is_right),
        tolerant_right=_count(heard, _is_tolerantly_right) if tolerant else None,
        tolerant=by_item(heard, _is_tolerantly_right) if tolerant else None,
        paper_right=_count(heard, _is_right_on_paper) if lines and task in PAPER_SOLVERS else None,
        solver_right=_count(heard, _is_solved) if any(outcome.turned for outcome in heard) else None,
        recall=_recall(heard, kinds[task].choices),
        undecidable=status["undecidable"],
        parse_errors=status["unparsed"],
        first_faults=_counts(map(attrgetter("first_fault"), heard), FAULT_KINDS),
        repaired=_count(heard, _is_repaired),
        form=_count(heard, attrgetter("form")),
        content=_count(heard, attrgetter("content")),
        refusals=_count(heard, attrgetter("refused")),
        failures=_counts(map(attrgetter("failure"), heard), FAILURES),
        skipped=len(outcomes) - len(heard),
        calls=_count(heard, attrgetter("calls")),
        tokens_in=cost.tokens_in,
        tokens_out=cost.tokens_out,
        money=cost.money,
        unpriced=_count(heard, attrgetter("unpriced")),
        confidence=reliability(heard),
    )


def _is_right(outcome: Outcome) -> bool:
    return outcome.right


def _is_tolerantly_right(outcome: Outcome) -> bool:
    return outcome.tolerant == outcome.answer


def _is_right_on_paper(outcome: Outcome) -> bool:
    return outcome.paper == outcome.answer


def _is_solved(outcome: Outcome) -> bool:
    return outcome.turned and outcome.solved == outcome.answer


def _is_repaired(outcome: Outcome) -> bool:
    """Whether the first reply could not be read and a later one could."""
    return bool(outcome.first_fault) and outcome.status in ("answered", "undecidable")


def _count(outcomes: Iterable[Outcome], counted: Callable[[Outcome], int]) -> int:
    return sum(map(counted, outcomes))


def _counts(words: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    """How often each name is among the words."""
    counted = Counter(words)
    return {name: counted[name] for name in names}


def _recall(outcomes: Sequence[Outcome], choices: Sequence[str]) -> dict[str, tuple[int, int]]:
    """For every choice, how many of the trials whose answer it is were right, and how many there are."""
    asked = Counter(outcome.answer for outcome in outcomes)
    right = Counter(outcome.answer for outcome in outcomes if outcome.right)
    return {name: (right[name], asked[name]) for name in choices}


def by_item(outcomes: Sequence[Outcome], good: Callable[[Outcome], bool]) -> Estimate | None:
    """The share of trials that are good, with an interval over items; None where there are no trials."""
    groups: dict[str, list[bool]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.item, []).append(good(outcome))
    if not groups:
        return None
    tallies = [(sum(marks), len(marks)) for _, marks in sorted(groups.items())]
    if len({right / of for right, of in tallies}) > 1:
        return redrawn_share(tallies, _DRAWS)
    return wilson(sum(right for right, _ in tallies) / sum(of for _, of in tallies), len(tallies))
