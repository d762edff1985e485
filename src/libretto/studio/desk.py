"""The desk of the studio: the workspace, who writes, the workers, and the routes that the page may call."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.registry import Registry
from libretto.score import Score
from libretto.studio.work import Workers
from libretto.workspace import Version, Workspace, split_handle

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["MOST_BODY", "Handler", "Route", "StudioDesk", "body_of", "route", "routes"]

#: The largest request, in bytes: a file that is dropped, or a recording.
MOST_BODY = 40_000_000
Handler = Callable[["StudioDesk", "Request"], Awaitable["Response"]]


@dataclass(frozen=True)
class Route:
    """An address of the studio: the method, the path with its places in braces, and what answers."""

    method: str
    path: str
    handler: Handler


#: Every address that the page may call, by method and path.
routes: Registry[Route] = Registry("route")


def route(method: str, path: str) -> Callable[[Handler], Handler]:
    """Let the decorated function answer at an address."""

    def add(handler: Handler) -> Handler:
        routes.register(f"{path} {method}")(Route(method, path, handler))
        return handler

    return add


@dataclass
class StudioDesk:
    """What every answer may use: the workspace, the author of what a person writes, and the workers."""

    workspace: Workspace
    workers: Workers
    author: str = "you"
    token: str = ""

    def find(self, handle: str) -> tuple[str, Version, Score]:
        """A piece by its handle: its name, the version, and the music."""
        name, number = split_handle(handle)
        version = self.workspace.version(name, number)
        return name, version, self.workspace.score(name, version.number)


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings."""
    try:
        data = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise LibrettoError("the request is no JSON") from None
    if not isinstance(data, dict):
        raise LibrettoError("the request is no JSON object")
    return data
