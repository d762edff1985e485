"""Clients: whoever answers a request in words, by name: a vendor's model, a person with a chat window, a script.

A client knows nothing of music or of runs: it gets messages and gives a reply. A ``Ledger`` stands between a composer
and its client: it records, resumes, replays and keeps the budget.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from libretto.registry import Registry

__all__ = ["Client", "ClientMaker", "Message", "Reply", "Request", "clients"]

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True)
class Message:
    """One message of a conversation; ``audio`` are sound files as bytes, for clients that hear."""

    role: Role
    text: str
    audio: tuple[bytes, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The message as plain data; sound by its digest."""
        data: dict[str, Any] = {"role": self.role, "text": self.text}
        heard = [hashlib.sha256(each).hexdigest() for each in self.audio]
        return data | ({"audio": heard} if heard else {})


@dataclass(frozen=True)
class Request:
    """What is asked: the messages, the most tokens of a reply, what it is for, and the same asked as plain data.

    ``purpose`` is for people and logs ("plan", "bars 1-8", "repair"). ``asked`` says in data what the messages say in
    words, for clients that are programs; a model never sees it. Neither changes what a request is.
    """

    messages: tuple[Message, ...]
    limit: int = 4_096
    purpose: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    temperature: float | None = None

    def digest(self) -> str:
        """A digest of what a model is told; how long its reply may be is not part of it."""
        seen = [[each.to_dict() for each in self.messages], self.temperature]
        return hashlib.sha256(json.dumps(seen, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What came back: the text, why it ended (stop, length, refused, cut), its cost; money is None where unknown."""

    text: str
    model: str = ""
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    money: float | None = None
    seconds: float = 0.0


class Client(Protocol):
    """Whoever answers. A failure is a ``ModelError`` with its kind; retries that make sense are the client's own."""

    name: str

    def ask(
        self,
        request: Request,
        *,
        timeout_seconds: float | None = None,
        heard: Callable[[str], None] = lambda text: None,
    ) -> Reply:
        """Answer a request; ``heard`` is told each piece of text as it arrives."""


#: From the part of a name after the colon, the seed and a base URL to a client.
ClientMaker = Callable[[str, int, str], Client]
#: Every kind of client by the part of its name before the colon.
clients: Registry[ClientMaker] = Registry("client")
