"""How well an ear did: accuracy with intervals by item, recall by class, and how often there was no answer.

Conventions: a trial without a readable answer, undecided, refused or failed is wrong, and is also counted by itself. A
trial for which an ear has nothing to go by (an oracle without a transcription) is left out and counted as skipped.
Intervals are 95% and come from a thousand draws of *items* (what is played), seeded, so that trials of one item count
together. Where all items agree no draw differs, and Wilson's interval for that many items is given instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from libretto.listen.ears import FAILURES
from libretto.listen.hearing import Outcome
from libretto.listen.kinds import kinds
from libretto.listen.lines import FAULT_KINDS
from libretto.listen.paper import PAPER_SOLVERS

__all__ = ["Interval", "TaskScore", "by_item", "score", "score_task"]

_DRAWS = 1_000
_Z = 1.959964  # 95% of a normal curve lie within this many standard deviations


@dataclass(frozen=True)
class Interval:
    """A share between the ends of its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} [{100 * self.low:.0f}-{100 * self.high:.0f}]"

    def to_list(self) -> list[float]:
        """The ends, rounded."""
        return [round(self.low, 4), round(self.high, 4)]


@dataclass(frozen=True)
class TaskScore:
    """The figures of one task; ``tolerant`` and ``paper`` are None where there is no such solver."""

    task: str
    trials: int
    items: int
    right: int
    accuracy: Interval | None
    tolerant_right: int | None
    tolerant: Interval | None
    paper_right: int | None
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

    def rate(self, count: int) -> float:
        """A count as a part of the trials; 0 where there are none."""
        return round(count / self.trials, 4) if self.trials else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "trials": self.trials,
            "items": self.items,
            "right": self.right,
            "accuracy": None if self.accuracy is None else round(self.accuracy.value, 4),
            "interval": None if self.accuracy is None else self.accuracy.to_list(),
            "tolerant_right": self.tolerant_right,
            "tolerant_accuracy": None if self.tolerant is None else round(self.tolerant.value, 4),
            "tolerant_interval": None if self.tolerant is None else self.tolerant.to_list(),
            "paper_right": self.paper_right,
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
            "money": round(self.money, 6),
            "unpriced_calls": self.unpriced,
        }


def score(outcomes: Sequence[Outcome]) -> dict[str, TaskScore]:
    """The figures of every task that was heard, by name."""
    tasks = sorted({each.task for each in outcomes})
    return {task: score_task(task, [each for each in outcomes if each.task == task]) for task in tasks}


def score_task(task: str, outcomes: Sequence[Outcome]) -> TaskScore:
    """The figures of one task."""
    kind = kinds[task]
    heard = [each for each in outcomes if each.status != "skipped"]
    lines = any(each.by_lines for each in heard if each.status != "failed")
    tolerant = kind.tolerant is not None and lines
    first = {name: sum(each.first_fault == name for each in heard) for name in FAULT_KINDS}

    def tolerantly(each: Outcome) -> bool:
        return each.tolerant == each.answer

    return TaskScore(
        task=task,
        trials=len(heard),
        items=len({each.item for each in heard}),
        right=sum(each.right for each in heard),
        accuracy=by_item(heard, lambda each: each.right),
        tolerant_right=sum(map(tolerantly, heard)) if tolerant else None,
        tolerant=by_item(heard, tolerantly) if tolerant else None,
        paper_right=sum(each.paper == each.answer for each in heard) if lines and task in PAPER_SOLVERS else None,
        recall={
            name: (
                sum(each.right for each in heard if each.answer == name),
                sum(each.answer == name for each in heard),
            )
            for name in kind.choices
        },
        undecidable=sum(each.status == "undecidable" for each in heard),
        parse_errors=sum(each.status == "unparsed" for each in heard),
        first_faults=first,
        repaired=sum(bool(each.first_fault) and each.status in ("answered", "undecidable") for each in heard),
        form=sum(each.form for each in heard),
        content=sum(each.content for each in heard),
        refusals=sum(each.refused for each in heard),
        failures={name: sum(each.failure == name for each in heard) for name in FAILURES},
        skipped=len(outcomes) - len(heard),
        calls=sum(each.calls for each in heard),
        tokens_in=sum(each.cost.tokens_in for each in heard),
        tokens_out=sum(each.cost.tokens_out for each in heard),
        money=sum(each.cost.money for each in heard),
        unpriced=sum(each.unpriced for each in heard),
    )


def by_item(outcomes: Sequence[Outcome], good: Callable[[Outcome], bool]) -> Interval | None:
    """The share of trials that are good, with an interval over items; None where there are no trials."""
    groups: dict[str, list[bool]] = {}
    for each in outcomes:
        groups.setdefault(each.item, []).append(good(each))
    if not groups:
        return None
    tallies = [(sum(marks), len(marks)) for _, marks in sorted(groups.items())]
    value = sum(right for right, _ in tallies) / sum(of for _, of in tallies)
    shares = {right / of for right, of in tallies}
    if len(shares) == 1:
        low, high = _wilson(value, len(tallies))
        return Interval(value, low, high)
    dice, drawn = Random(0), []
    for _ in range(_DRAWS):
        sample = dice.choices(tallies, k=len(tallies))
        drawn.append(sum(right for right, _ in sample) / sum(of for _, of in sample))
    drawn.sort()
    return Interval(value, drawn[round(0.025 * (_DRAWS - 1))], drawn[round(0.975 * (_DRAWS - 1))])


def _wilson(share: float, count: int) -> tuple[float, float]:
    weight = _Z * _Z / count
    centre = (share + weight / 2) / (1 + weight)
    reach = _Z * sqrt(share * (1 - share) / count + weight / (4 * count)) / (1 + weight)
    return max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach))
