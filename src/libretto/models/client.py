"""Clients: whoever answers a request in words, by name: a vendor's model, a person with a chat window, a script.

A client knows nothing of music or of runs: it gets messages and gives a reply. A ``Ledger`` stands between whoever
asks and the client: it records, resumes, replays and keeps the budget.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from libretto.errors import LibrettoError
from libretto.models.cost import Cost
from libretto.registry import Registry

__all__ = ["USUAL_LIMIT", "Client", "ClientMaker", "Message", "Reply", "Request", "client_named", "clients"]

Role = Literal["system", "user", "assistant"]
#: The most tokens of a reply where nobody says.
USUAL_LIMIT = 4_096


@dataclass(frozen=True)
class Message:
    """One message of a conversation; ``audio`` are sound files as bytes, for clients that hear."""

    role: Role
    text: str
    audio: tuple[bytes, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The message as plain data; sound by its digest."""
        data: dict[str, Any] = {"role": self.role, "text": self.text}
        digests = [hashlib.sha256(sound).hexdigest() for sound in self.audio]
        return data | ({"audio": digests} if digests else {})


@dataclass(frozen=True)
class Request:
    """What is asked: the messages, the most tokens of a reply, what it is for, and the same asked as plain data.

    ``purpose`` is for people and logs ("plan", "bars 1-8", "repair"). ``asked`` says in data what the messages say in
    words, for clients that are programs; a model never sees it. Neither changes what a request is. ``temperature``,
    ``top_p`` and ``top_k`` say how words are drawn; what is None is the client's own choice, and a vendor that knows no
    such setting is sent none.
    """

    messages: tuple[Message, ...]
    limit: int = USUAL_LIMIT
    purpose: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None

    @property
    def call(self) -> int:
        """The number of the call in its run, from 1, as the ledger counts."""
        return int(self.asked.get("call", 1))

    def digest(self) -> str:
        """A digest of what a model is told; how long its reply may be is not part of it."""
        seen: list[Any] = [[message.to_dict() for message in self.messages], self.temperature]
        if self.top_p is not None or self.top_k is not None:
            seen += [self.top_p, self.top_k]
        return hashlib.sha256(json.dumps(seen, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What came back: the text, why it ended (stop, length, refused, cut), its cost; money is None where unknown.

    Half a sign (a lone surrogate, as servers send that cut a text anywhere) is joined with its other half, or replaced:
    whatever came can be written down.
    """

    text: str
    model: str = ""
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    money: float | None = None
    seconds: float = 0.0

    def __post_init__(self) -> None:
        for name in ("text", "model"):
            whole = getattr(self, name).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            object.__setattr__(self, name, whole)

    @property
    def cost(self) -> Cost:
        """What the reply cost; money that is not known counts as none."""
        return Cost(self.seconds, self.tokens_in, self.tokens_out, self.money or 0.0)

    @property
    def priced(self) -> bool:
        """Whether its price is known."""
        return self.money is not None

    @property
    def is_cut(self) -> bool:
        """Whether it ended before it was finished: no room, or a connection that broke."""
        return self.finish in ("length", "cut")

    @property
    def is_refusal(self) -> bool:
        """Whether the model would not answer."""
        return self.finish == "refused"


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
clients: Registry[ClientMaker] = Registry("client", "libretto.clients", ["libretto.models"])


def client_named(name: str, seed: int = 0, base_url: str = "") -> Client:
    """The client called ``kind:model``, such as ``anthropic:NAME`` or ``relay:FOLDER``."""
    kind, _, model = name.partition(":")
    if kind not in clients:
        raise LibrettoError(f"there is no model {name!r}; there are {', '.join(f'{known}:NAME' for known in clients)}")
    return clients[kind](model, seed, base_url)
