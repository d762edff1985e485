"""The desk of a model composer: one draft in the making; it asks, counts what is sent, and notes what was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from libretto.agents.asked import Asked
from libretto.agents.model.pages import system_message, task_text
from libretto.models.client import Message, Reply
from libretto.models.cost import tokens_of
from libretto.models.ledger import Ledger
from libretto.tasks import Draft, Round, Task

__all__ = ["MOST_REPAIRS", "REPLY_TOKENS", "Desk", "is_cut"]

#: What of a reply could not be read is asked for again so often.
MOST_REPAIRS = 2
#: The most tokens of a reply: what is asked for at once is chosen to stay well below.
REPLY_TOKENS = 8_000
_MOST_ECHO = 6_000  # characters of a bad answer that are shown to its author
_MOST_NOTES = 60


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

    def ask(
        self, purpose: str, text: str, asked: Asked, *, history: Sequence[Message] = (), limit: int = REPLY_TOKENS
    ) -> Reply:
        """Ask for something; ``history`` is what was asked and answered just before."""
        messages = [self.system(), *history, Message("user", text)]
        sent = sum(tokens_of(each.text) for each in messages)
        self.heard("sent", f"{purpose}: {sent:,} tokens sent")
        whole = Asked(task=self.task, brief=self.task.brief, notation=self.notation, rounds=self.rounds)
        whole.update(asked)
        return self.ledger.ask(messages, limit=limit, purpose=purpose, asked=whole)

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


def is_cut(reply: Reply) -> bool:
    """Whether a reply ended before it was finished."""
    return reply.finish in ("length", "cut")
