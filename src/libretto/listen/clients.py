"""Models of ``libretto.agents`` as listeners: messages with audio in, a reply out, at temperature 0."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from libretto.errors import LibrettoError
from libretto.listen.prompting import Message

__all__ = ["ClientListener", "listener"]


class ClientListener:
    """A client of ours that is asked as a listener."""

    def __init__(self, client: Any, room: Any, limit: int) -> None:
        self.client = client
        self.room = room
        self.limit = limit

    def ask(self, messages: Sequence[Message]) -> Any:
        """What the client replies."""
        turns = tuple(self.room.Message(each["role"], each["text"], tuple(each["audio"])) for each in messages)
        return self.client.ask(self.room.Request(turns, limit=self.limit, purpose="listen", temperature=0.0))


def listener(name: str, limit: int, seed: int = 0) -> ClientListener:
    """The model called ``kind:name``; replies have at most ``limit`` tokens."""
    try:
        room: Any = import_module("libretto.agents.client")
        known = room.clients
    except (ImportError, AttributeError):
        raise LibrettoError(f"models cannot be asked here: {name!r} needs the clients of libretto.agents") from None
    with suppress(ImportError):
        import_module("libretto.agents.vendor")  # registers the vendors
    kind, _, rest = name.partition(":")
    if kind not in known:
        raise LibrettoError(f"there is no model {name!r}; there are {', '.join(f'{each}:NAME' for each in known)}")
    return ClientListener(known[kind](rest, seed, ""), room, limit)
