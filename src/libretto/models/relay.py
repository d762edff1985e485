"""The relay: a client for people with a chat window and programs without an interface. Prompts and replies are files.

::

    FOLDER/prompt-3.md   what is asked, written whole or not at all
    FOLDER/reply-3.md    what is answered, by whoever puts it there

A reply is taken once it stays the same for a moment, so that one that is still being written is not read in half. Who
stops the wait, by Ctrl-C or because time runs out, ends the run in good order: it goes on with the same prompt later.

Scripts that answer from a file (``ReplyScript``) are here, too.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from libretto.errors import LibrettoError, ModelError
from libretto.formats import read_bytes, write_bytes
from libretto.models.client import Client, Reply, Request, clients
from libretto.models.cost import tokens_of

__all__ = ["Relay", "ReplyScript", "prompt_text", "replies_from", "scripted_reply"]

_EVERY = 0.5  # seconds between two looks
_LONGEST = 24 * 3600.0  # seconds; who does not answer within a day has forgotten
_LARGEST = 4_000_000  # bytes of a reply


def prompt_text(request: Request) -> str:
    """A request as one page for a person to copy; the roles are headings where there are several turns."""
    several = sum(1 for message in request.messages if message.role != "system") > 1
    titles = {"system": "# Instructions", "user": "# Message", "assistant": "# Your answer before"}
    parts = [f"{titles[message.role]}\n\n{message.text}" if several else message.text for message in request.messages]
    return "\n\n".join(part.strip() for part in parts) + "\n"


class _Look(NamedTuple):
    """A file as it was seen: two looks that are the same, and it is no longer being written."""

    size: int
    changed: int


class Relay:
    """Asks by files in a folder and waits for the answers."""

    def __init__(
        self,
        folder: str | Path,
        *,
        longest: float = _LONGEST,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] = lambda line: print(f"libretto: {line}", file=sys.stderr, flush=True),
    ) -> None:
        self.folder, self.longest, self.sleep, self.clock, self.say = Path(folder), longest, sleep, clock, say
        self.name = f"relay:{folder}"

    def ask(
        self,
        request: Request,
        *,
        timeout_seconds: float | None = None,
        heard: Callable[[str], None] = lambda text: None,
    ) -> Reply:
        """Write the prompt, wait for its reply, and read it."""
        number = request.call
        prompt, answer = self.folder / f"prompt-{number}.md", self.folder / f"reply-{number}.md"
        self._put(prompt, answer, prompt_text(request))
        longest = self.longest if timeout_seconds is None else min(self.longest, timeout_seconds)
        started = self.clock()
        if not answer.is_file():
            self.say(f"{request.purpose or 'a request'}: answer {prompt} in {answer} (Ctrl-C stops; it goes on later)")
        text = self._wait(answer, started + longest)
        heard(text)
        sent = sum(tokens_of(message.text) for message in request.messages)
        return Reply(text, "relay", "stop", sent, tokens_of(text), None, round(self.clock() - started, 1))

    def _put(self, prompt: Path, answer: Path, text: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if prompt.is_file() and read_bytes(prompt).decode("utf-8", "replace") != text and answer.exists():
            raise LibrettoError(f"{prompt} asks something else and has an answer; use another folder for this run")
        write_bytes(text.encode(), prompt, force=True)

    def _wait(self, answer: Path, until: float) -> str:
        """What is in a file once it has been the same for two looks."""
        before: _Look | None = None
        try:
            while True:
                now = self._seen(answer)
                if now is not None and now == before and now.size > 0:
                    if now.size > _LARGEST:
                        raise LibrettoError(f"{answer} is larger than {_LARGEST:,} bytes; that is no reply")
                    return read_bytes(answer).decode("utf-8", "replace")
                before = now
                if self.clock() >= until:
                    raise ModelError("interrupted", f"no reply came in {answer}; the run goes on when it is there")
                self.sleep(_EVERY)
        except KeyboardInterrupt:
            raise ModelError("interrupted", f"stopped; put the reply into {answer} and run it again") from None

    @staticmethod
    def _seen(answer: Path) -> _Look | None:
        try:
            facts = answer.stat()
        except OSError:
            return None
        return _Look(facts.st_size, facts.st_mtime_ns)


@clients.register("relay")
def _relay(model: str, seed: int, base_url: str) -> Client:
    return Relay(model or "relay")


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
