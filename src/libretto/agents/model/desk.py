"""The desk of a model composer: one draft in the making; it asks, counts what is sent, and notes what was done.

What a model reads are Markdown files in ``agents/prompts``, around the task's own page from ``tasks``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from libretto.agents.session import Asked
from libretto.errors import Problem
from libretto.grammar import primer
from libretto.models.client import Message, Reply
from libretto.models.cost import tokens_of
from libretto.models.ledger import Ledger
from libretto.tasks import Draft, Round, Task, make_prompt
from libretto.tasks.prompt import fill

__all__ = [
    "MOST_REPAIRS",
    "REPLY_TOKENS",
    "Attempt",
    "Desk",
    "page",
    "page_names",
    "problem_line",
    "repair_text",
    "system_message",
    "task_text",
]

#: What of a reply could not be read is asked for again so often.
MOST_REPAIRS = 2
#: The most tokens of a reply: what is asked for at once is chosen to stay well below.
REPLY_TOKENS = 8_000
_MOST_ECHO = 6_000  # characters of a bad answer that are shown to its author
_MOST_NOTES = 60  # of a name
_MOST_NOTED = 3  # problems that are noted of a repair
_MOST_PROBLEMS = 12  # that are listed in one repair
_PURPOSE = re.compile(r"\A<!--.*?-->", re.DOTALL)
_BLANK = re.compile(r"\n{3,}")
_PAGE = ".md"
_LONGEST_FOUND, _DOTS = 60, "..."  # characters of what was found that a problem shows


@dataclass
class Attempt:
    """One answer to something that may be asked for again: the reply, and which try it was, from 0.

    Whoever reads it puts into ``problems`` what is wrong with it.
    """

    reply: Reply
    number: int
    problems: list[str] = field(default_factory=list)


class Desk:
    """Everything one draft needs: the ledger, the task, the rounds so far, and notes."""

    def __init__(
        self,
        ledger: Ledger,
        task: Task,
        rounds: Sequence[Round] = (),
        *,
        notation: str = "grammar",
        heard: Callable[[str, str], None] = lambda purpose, text: None,
    ) -> None:
        self.ledger, self.task, self.rounds, self.notation, self.heard = ledger, task, tuple(rounds), notation, heard
        self.notes: dict[str, Any] = {}

    def note(self, name: str, *values: Any) -> None:
        """Remember what was done, under a name."""
        if not values:
            return
        kept = self.notes.setdefault(name, [])
        kept += list(values)[: max(0, _MOST_NOTES - len(kept))]

    def note_repair(self, what: str, problems: Sequence[str]) -> None:
        """Remember that something is asked for again, and the first things that were wrong with it."""
        self.note("repairs", f"{what}: {'; '.join(problems[:_MOST_NOTED])}")

    def ask(
        self,
        purpose: str,
        text: str,
        asked: Asked,
        *,
        history: Sequence[Message] = (),
        limit: int = REPLY_TOKENS,
        system: Message | None = None,
    ) -> Reply:
        """Ask for something; ``history`` is what was asked and answered just before, ``system`` who is asked."""
        messages = [system or self.system(), *history, Message("user", text)]
        sent = sum(tokens_of(message.text) for message in messages)
        self.heard("sent", f"{purpose}: {sent:,} tokens sent")
        whole = Asked(task=self.task, brief=self.task.brief, notation=self.notation, rounds=self.rounds)
        whole.update(asked)
        return self.ledger.ask(messages, limit=limit, purpose=purpose, asked=whole)

    def attempts(
        self, purpose: str, text: str, asked: Asked, what: str, *, limit: int = REPLY_TOKENS, numbered: bool = True
    ) -> Iterator[Attempt]:
        """Ask for something, and after that for its repair, at most ``MOST_REPAIRS`` times; ``what`` names it.

        Before the next try ``problems`` of the last one must say what was wrong with it. ``numbered`` says in the
        purpose which repair it is.
        """
        history: tuple[Message, ...] = ()
        told, kind = text, asked["kind"]
        for number in range(MOST_REPAIRS + 1):
            asked["kind"] = "repair" if number else kind
            if number:
                asked["again"] = kind
            which = f", repair {number}" if number and numbered else ""
            attempt = Attempt(self.ask(f"{purpose}{which}", told, asked, history=history, limit=limit), number)
            yield attempt
            history = self.again(text, attempt.reply)
            told = repair_text(attempt.problems, what)

    def system(self) -> Message:
        """What every request begins with."""
        return system_message()

    def page(self, rounds: Sequence[Round], answer: str) -> str:
        """The task as whoever composes reads it, with what was said of some rounds, ending in what to answer with."""
        return task_text(self.task, rounds, answer)

    def again(self, text: str, reply: Reply) -> tuple[Message, ...]:
        """What a repair is told of: the request and its answer, as far as it can be shown."""
        shown = reply.text if len(reply.text) <= _MOST_ECHO else reply.text[:_MOST_ECHO] + "\n[cut]"
        return (Message("user", text), Message("assistant", shown.strip() or "(nothing)"))

    def draft(self, text: str) -> Draft:
        """The draft as it is handed in, with what it cost and how it came about."""
        return Draft(text, dict(self.notes), self.ledger.round_cost)


def page_names() -> tuple[str, ...]:
    """Every page there is."""
    names = (file.name for file in files("libretto.agents").joinpath("prompts").iterdir())
    return tuple(sorted(name.removesuffix(_PAGE) for name in names if name.endswith(_PAGE)))


@cache
def _template(name: str) -> str:
    text = files("libretto.agents").joinpath("prompts", f"{name}{_PAGE}").read_text(encoding="utf-8")
    return _PURPOSE.sub("", text).strip()


def page(name: str, **fields: str) -> str:
    """A page with its fields filled in, without blank stretches."""
    return _BLANK.sub("\n\n", fill(_template(name), fields)).strip()


def system_message() -> Message:
    """What every request begins with: the role, how to answer, and the grammar."""
    return Message("system", page("system", grammar=primer().strip()))


def task_text(task: Task, rounds: Sequence[Round], answer: str) -> str:
    """The task's page for a model that knows the grammar, ending in what it should answer with."""
    return _BLANK.sub("\n\n", make_prompt(task, rounds, grammar="In the grammar that you know.", answer=answer))


def repair_text(problems: Iterable[str], what: str) -> str:
    """What is said of an answer that could not be read."""
    listed = "\n".join(f"- {problem}" for problem in list(problems)[:_MOST_PROBLEMS])
    return page("repair", problems=listed or "- there is nothing in it", what=what)


def problem_line(problem: Problem) -> str:
    """A problem as a model is told of it: by bar and voice, for the lines are not its own."""
    where = ", ".join(part for part in (f"bar {problem.bar}" if problem.bar is not None else "", problem.voice) if part)
    shown = problem.found
    if len(shown) > _LONGEST_FOUND:
        shown = shown[: _LONGEST_FOUND - len(_DOTS)] + _DOTS
    hint = f"; {problem.hint}" if problem.hint else ""
    return f"{where or 'the header'}: found {shown!r}, expected {problem.expected}{hint}"
