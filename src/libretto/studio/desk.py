"""The desk of the studio: the workspace, who writes, the workers, and the routes that the page may call."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.registry import Registry
from libretto.score import Score
from libretto.studio.work import Workers
from libretto.workspace import Version, Workspace, split_handle

if TYPE_CHECKING:
    from starlette.responses import Response

__all__ = ["MOST_BODY", "Call", "Handler", "Route", "StudioDesk", "json_of", "route", "routes"]

#: The largest request, in bytes: a file that is dropped, or a recording.
MOST_BODY = 40_000_000
_MOST_SCORES = 24  # pieces that are kept read


@dataclass(frozen=True)
class Call:
    """One request: the places of its path by name, its query, and its body."""

    places: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes = b""

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object that the request brings."""
        try:
            data = json.loads(self.body or b"{}")
        except (ValueError, RecursionError):
            raise LibrettoError("the request is no JSON") from None
        if not isinstance(data, dict):
            raise LibrettoError("the request is no JSON object")
        return data


Handler = Callable[["StudioDesk", Call], "Response"]


@dataclass(frozen=True)
class Route:
    """An address of the studio: the method, the path with its places in braces, and what answers."""

    method: str
    path: str
    handler: Handler


#: Every address that the page may call, by method and path.
routes: Registry[Route] = Registry("route")


def route(method: str, path: str) -> Callable[[Handler], Handler]:
    """Let the decorated function answer at an address; it runs in a thread, so that it may take its time."""

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
    _scores: OrderedDict[str, Score] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, handle: str) -> tuple[str, Version, Score]:
        """A piece by its handle: its name, the version, and the music."""
        name, number = split_handle(handle)
        version = self.workspace.version(name, number)
        return name, version, self.score(version.digest, lambda: self.workspace.score(name, version.number))

    def score(self, digest: str, read: Callable[[], Score]) -> Score:
        """The music of a text by its digest: as it was read before, or read now."""
        with self._lock:
            known = self._scores.get(digest)
            if known is not None:
                self._scores.move_to_end(digest)
                return known
        score = read()
        with self._lock:
            self._scores[digest] = score
            while len(self._scores) > _MOST_SCORES:
                self._scores.popitem(last=False)
        return score


def json_of(data: Any, status: int = 200) -> Response:
    """Plain data as an answer; in ASCII, since halves of characters cannot be sent otherwise."""
    from starlette.responses import Response

    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return Response(text, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})
