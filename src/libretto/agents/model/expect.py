"""What a run with a model is expected to ask for, before anything is asked: one entry a call."""

from __future__ import annotations

from dataclasses import dataclass

from libretto.agents.model.desk import REPLY_TOKENS
from libretto.agents.model.pages import system_message, task_text
from libretto.agents.model.plan import USUAL_BARS
from libretto.agents.model.shape import shape_of
from libretto.agents.model.writing import sections_of
from libretto.models.cost import tokens_of
from libretto.tasks import Task

__all__ = ["ExpectedCall", "expected_calls"]

_PLAN, _WRITTEN, _FINDINGS, _PATCHES = 700, 6_000, 6_500, 1_500  # tokens: a plan, bars shown, a draft shown, patches


@dataclass(frozen=True)
class ExpectedCall:
    """One call: what for, tokens that are sent, tokens that are expected back, and the most that may come back."""

    purpose: str
    tokens_in: int
    tokens_out: int
    limit: int = REPLY_TOKENS


def expected_calls(task: Task, rounds: int = 1) -> list[ExpectedCall]:
    """The calls of a run that needs no repairs and uses all its rounds, by the rule of ``tokens_of``."""
    tokens = tokens_of(system_message().text + task_text(task, (), ""))
    shape = shape_of(task)
    bars = (shape.last or USUAL_BARS) - shape.first + 1
    calls: list[ExpectedCall] = []

    def add(purpose: str, more: int, back: int) -> None:
        calls.append(ExpectedCall(purpose, tokens + more, back))

    if shape.base is None and shape.short:
        add("the piece", 0, bars * shape.tokens)
    else:
        if shape.base is None:
            add("plan", 300, _PLAN)
        for first, last in sections_of(shape.first, shape.first + bars - 1, shape.tokens):
            written = min(_WRITTEN, (first - shape.first) * shape.tokens)
            add(
                f"bars {first}-{last}",
                written + (_PLAN if shape.base is None else 0),
                (last - first + 1) * shape.tokens,
            )
    for number in range(2, rounds + 1):
        add(f"revision {number - 1}", min(_FINDINGS, bars * shape.tokens + 500), _PATCHES)
    return calls
