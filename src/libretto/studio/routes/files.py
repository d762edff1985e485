"""Files: a piece as sound, pages and every kind of export; engraved pages for the screen."""

from __future__ import annotations

import base64
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from libretto.studio.desk import Call, StudioDesk, json_of, route
from libretto.workspace import find_take, handle

if TYPE_CHECKING:
    from starlette.responses import Response

__all__: list[str] = []

_MOST_DRAWN = 8  # pieces whose pages are kept
_QUICK = ("mid", "musicxml", "abc", "libretto")
_drawn: OrderedDict[str, dict[str, Any]] = OrderedDict()
_lock = Lock()


def _pages(desk: StudioDesk, digest: str, arguments: dict[str, Any]) -> Response:
    with _lock:
        known = _drawn.get(digest)
    if known is None:
        known = desk.workers.at_once("score", arguments)
        with _lock:
            _drawn[digest] = known
            while len(_drawn) > _MOST_DRAWN:
                _drawn.popitem(last=False)
    return json_of(known)


@route("GET", "/api/pieces/{piece}/score")
def _score(desk: StudioDesk, call: Call) -> Response:
    """Engraved pages as SVG, the id of each bar's measure, and the ids of the notes that start when."""
    name, version, _ = desk.find(call.places["piece"])
    return _pages(desk, version.digest, {"piece": handle(name, version.number)})


@route("GET", "/api/takes/{take}/score")
def _take_score(desk: StudioDesk, call: Call) -> Response:
    take = find_take(desk.workspace, call.places["take"])
    return _pages(desk, take.digest, {"take": take.id})


def _download(name: str, media: str, data: bytes) -> Response:
    from starlette.responses import Response

    place = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(data, media_type=media, headers={"content-disposition": place, "cache-control": "no-store"})


def _made(desk: StudioDesk, piece: str, kind: str) -> Response:
    name, version, _ = desk.find(piece)
    if kind in _QUICK:
        from libretto.report.exports import export

        return _download(*export(desk.workspace, name, version.number, kind))
    told = desk.workers.at_once("bytes", {"piece": handle(name, version.number), "kind": kind})
    return _download(told["name"], told["media"], base64.b64decode(told["data"]))


@route("GET", "/api/pieces/{piece}/export/{kind}")
def _export(desk: StudioDesk, call: Call) -> Response:
    """A piece as a file to be kept."""
    return _made(desk, call.places["piece"], call.places["kind"])


@route("GET", "/api/pieces/{piece}/sound.wav")
def _wav(desk: StudioDesk, call: Call) -> Response:
    return _made(desk, call.places["piece"], "wav")


@route("GET", "/api/pieces/{piece}/sound.mp3")
def _mp3(desk: StudioDesk, call: Call) -> Response:
    return _made(desk, call.places["piece"], "mp3")


@route("GET", "/api/files/{file}")
def _file(desk: StudioDesk, call: Call) -> Response:
    """A file that a job made."""
    from starlette.responses import FileResponse

    from libretto.studio.jobs.drawing import file_place

    path, name, media = file_place(desk.workspace, call.places["file"])
    return FileResponse(path, media_type=media, filename=name, headers={"cache-control": "no-store"})
