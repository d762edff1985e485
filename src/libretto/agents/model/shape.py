"""How long an answer will be before it is there: whether it comes in one go, and which calls a run will take."""

from __future__ import annotations

from dataclasses import dataclass

from libretto.agents.model.desk import REPLY_TOKENS, system_message, task_text
from libretto.agents.model.plan import USUAL_BARS
from libretto.agents.model.writing import PLANNED_TOKENS, bar_tokens, sections_of
from libretto.models.cost import tokens_of
from libretto.tasks import AnswerShape, Task

__all__ = ["ExpectedCall", "expected_calls", "is_short", "tokens_a_bar"]

_ONE_GO = 16  # bars of a piece for several voices that are written at once
_PLAN, _WRITTEN, _FINDINGS, _PATCHES = 700, 6_000, 6_500, 1_500  # tokens: a plan, bars shown, a draft shown, patches
_PLAN_WORDS, _REVISION_WORDS = 300, 500  # tokens of what is said around a plan that is asked for, and around a draft


def tokens_a_bar(shape: AnswerShape) -> int:
    """How many tokens a bar of an answer is expected to have."""
    return bar_tokens(shape.pitched, shape.drums)


def is_short(shape: AnswerShape) -> bool:
    """Whether an answer is short enough to be written in one go."""
    return shape.at_once or (0 < shape.last <= _ONE_GO and shape.last * tokens_a_bar(shape) <= PLANNED_TOKENS)


@dataclass(frozen=True)
class ExpectedCall:
    """One call: what for, tokens that are sent, tokens that are expected back, and the most that may come back."""

    purpose: str
    tokens_in: int
    tokens_out: int
    limit: int = REPLY_TOKENS


def expected_calls(task: Task, rounds: int = 1) -> list[ExpectedCall]:
    """The calls of a run that needs no repairs and uses all its rounds, by the rule of ``tokens_of``."""
    sent = tokens_of(system_message().text + task_text(task, (), ""))
    shape = task.shape()
    bar, own = tokens_a_bar(shape), shape.base is None
    bars = (shape.last or USUAL_BARS) - shape.first + 1
    calls: list[ExpectedCall] = []

    def add(purpose: str, more: int, back: int) -> None:
        calls.append(ExpectedCall(purpose, sent + more, back))

    if own and is_short(shape):
        add("the piece", 0, bars * bar)
    else:
        if own:
            add("plan", _PLAN_WORDS, _PLAN)
        for first, last in sections_of(shape.first, shape.first + bars - 1, bar):
            written = min(_WRITTEN, (first - shape.first) * bar)
            add(f"bars {first}-{last}", written + (_PLAN if own else 0), (last - first + 1) * bar)
    for number in range(1, rounds):
        add(f"revision {number}", min(_FINDINGS, bars * bar + _REVISION_WORDS), _PATCHES)
    return calls
