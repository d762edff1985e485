"""What a worker can do: one function a kind of job, found by being there.

A job is a function of what it works with (``Bench``: the workspace, and how to say how far it is) and of plain
arguments; it returns plain data. It runs in a process of its own, so it may be ended at any moment.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

from libretto.errors import LibrettoError
from libretto.registry import Registry, load_all
from libretto.studio.readiness import get_ready
from libretto.studio.refusing import refused
from libretto.workspace import Workspace

__all__ = ["Bench", "Report", "attend", "job", "job_kinds", "known_kinds"]


class Report(Protocol):
    """A way to say how far a job is: in a line, the share that is done, and the dollars spent, where they are known."""

    def __call__(self, text: str, share: float | None = None, spent: float | None = None, /) -> None:
        """Say it."""


@dataclass(frozen=True)
class Bench:
    """What a job works with: the workspace, and a way to say how far it is."""

    workspace: Workspace
    report: Report


_LONGEST = 300  # characters of an error that is a mistake of ours
Work = Callable[[Bench, dict[str, Any]], dict[str, Any]]
#: Every kind of job by name.
job_kinds: Registry[Work] = Registry("kind of job")
job = job_kinds.register


def known_kinds() -> Registry[Work]:
    """Every kind of job, those of all modules here."""
    load_all(__name__)
    return job_kinds


def attend(pipe: Connection, root: str, ready: bool = True) -> None:
    """Do jobs until nobody asks any more: the whole life of a worker."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is over
    load_all(__name__)
    workspace = Workspace(root)
    if ready:
        get_ready(pipe.poll)
    with suppress(EOFError, OSError):  # the server is gone
        while True:
            kind, arguments = pipe.recv()
            pipe.send(_done(kind, arguments, Bench(workspace, _reporting(pipe))))


def _reporting(pipe: Connection) -> Report:
    """A way to tell the server how far a job is."""

    def report(text: str, share: float | None = None, spent: float | None = None, /) -> None:
        pipe.send(("progress", {"text": text, "share": share} | ({} if spent is None else {"spent": spent})))

    return report


def _done(kind: str, arguments: dict[str, Any], bench: Bench) -> tuple[str, dict[str, Any]]:
    try:
        return "done", job_kinds[kind](bench, arguments)
    except LibrettoError as error:
        return "failed", refused(error)[1]
    except (OSError, OverflowError, RecursionError, MemoryError) as error:
        return "failed", {"error": f"this cannot be done: {type(error).__name__}"}
    except Exception as error:  # a mistake of ours must not take the worker with it, nor what waits for it
        return "failed", {
            "error": f"this went wrong: {type(error).__name__}: {' '.join(str(error).split())[:_LONGEST]}"
        }
