"""The desk that tools work at: the workspace, who writes, what was shown, and how to say that work goes on."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field

from libretto.errors import LibrettoError
from libretto.knowledge import Shown
from libretto.registry import Registry
from libretto.score import Score
from libretto.workspace import Version, Workspace, handle, split_handle
from libretto.workspace.versions import now

__all__ = ["LONGEST_HANDLE", "Answer", "Call", "Desk", "Tool", "bounded", "call", "say", "tools"]

#: The longest name of a piece with its version, in characters.
LONGEST_HANDLE = 200
#: What a tool answers: plain data, ``ok`` first.
Answer = dict[str, object]
Tool = Callable[..., Answer]
#: Every tool by name: a function whose first argument is the desk. Its docstring is what an agent reads of it.
tools: Registry[Tool] = Registry("tool")


@dataclass(frozen=True)
class Call:
    """One call of a tool: the client that makes it, and where to report how far it is."""

    client: str = ""
    report: Callable[[str], None] = lambda message: None


call: ContextVar[Call] = ContextVar("call", default=Call())  # noqa: B039  (it never changes)


def say(message: str) -> None:
    """Tell the client that work goes on."""
    call.get().report(message)


@dataclass
class Desk:
    """Where tools work: a workspace, an author, and what the agent was shown so far."""

    workspace: Workspace
    author: str = ""
    shown: Shown = field(default_factory=Shown)

    @property
    def who(self) -> str:
        """Who writes: as the server was told, or as the client calls itself."""
        return self.author or call.get().client or "agent"

    def now(self) -> str:
        """The time, for versions."""
        return now()

    def find(self, piece: str) -> tuple[str, Version, Score]:
        """A piece by its handle: its name, the version, and the music."""
        name, number = split_handle(bounded(piece, LONGEST_HANDLE, "piece"))
        version = self.workspace.version(name, number)
        return name, version, self.workspace.score(name, version.number)

    def base(self, piece: str) -> tuple[str, int]:
        """The name and the version a writer knew, from a handle that must have both."""
        name, number = split_handle(bounded(piece, LONGEST_HANDLE, "piece"))
        if number is None:
            newest = self.workspace.version(name).number
            raise LibrettoError(f"say which version you read: {handle(name, newest)} is the newest")
        return name, number


def bounded(text: str, most: int, what: str) -> str:
    """The text itself, where it is not too long."""
    if len(text) > most:
        raise LibrettoError(f"{what} has {len(text):,} characters; the most is {most:,}")
    return text
