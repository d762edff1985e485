"""Models of ``libretto.agents`` as listeners: messages with audio in, a reply out, at temperature 0."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.errors import LibrettoError
from libretto.listen.prompting import Message
from libretto.models.client import Client, Reply, Request, clients
from libretto.models.client import Message as Said

__all__ = ["ClientListener", "listener"]


class ClientListener:
    """A client of ours that is asked as a listener."""

    def __init__(self, client: Client, limit: int) -> None:
        self.client, self.limit = client, limit

    def ask(self, messages: Sequence[Message]) -> Reply:
        """What the client replies."""
        turns = tuple(Said(each["role"], each["text"], tuple(each["audio"])) for each in messages)
        return self.client.ask(Request(turns, limit=self.limit, purpose="listen", temperature=0.0))


def listener(name: str, limit: int, seed: int = 0) -> ClientListener:
    """The model called ``kind:name``; replies have at most ``limit`` tokens."""
    kind, _, rest = name.partition(":")
    if kind not in clients:
        raise LibrettoError(f"there is no model {name!r}; there are {', '.join(f'{each}:NAME' for each in clients)}")
    return ClientListener(clients[kind](rest, seed, ""), limit)
