"""A script as a client: given replies in a model's place, one a call; for tests, and for asking without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.models.client import Reply, Request
from libretto.models.cost import tokens_of

__all__ = ["ReplyScript", "replies_from", "scripted_reply"]


class ReplyScript:
    """Gives given replies, each a text and why it ended, one a call; the last one repeats."""

    def __init__(self, replies: Sequence[tuple[str, str]], name: str = "scripted") -> None:
        if not replies:
            raise LibrettoError("a script needs at least one reply")
        self.replies, self.name = list(replies), name

    def ask(
        self,
        request: Request,
        *,
        timeout_seconds: float | None = None,
        heard: Callable[[str], None] = lambda text: None,
    ) -> Reply:
        """The reply whose turn it is, by the number of the call."""
        text, finish = self.replies[min(request.call, len(self.replies)) - 1]
        heard(text)
        return scripted_reply(request, text, finish, self.name)


def scripted_reply(request: Request, text: str, finish: str, name: str) -> Reply:
    """A text as the reply of a program: its tokens by the rule, no money and no time."""
    sent = sum(tokens_of(message.text) for message in request.messages)
    return Reply(text, name, finish, sent, tokens_of(text), 0.0, 0.0)


def replies_from(path: str) -> list[tuple[str, str]]:
    """The replies that a file holds, each with why it ended.

    A text file has a line ``---`` between replies; a JSON file is a list of texts, or of objects with ``text`` and
    ``finish``.
    """
    text = read_bytes(path).decode("utf-8", "replace")
    if text.lstrip().startswith("["):
        try:
            data = json.loads(text)
        except ValueError:
            data = None
        if isinstance(data, list) and all(isinstance(reply, str | dict) for reply in data):
            return [_reply(reply) for reply in data]
    parts = re.split(r"^---[ \t]*$\n?", text, flags=re.MULTILINE)
    return [(part, "stop") for part in parts]


def _reply(data: str | dict[str, object]) -> tuple[str, str]:
    if isinstance(data, str):
        return data, "stop"
    return str(data.get("text", "")), str(data.get("finish", "stop"))
