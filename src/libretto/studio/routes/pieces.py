"""Pieces: which there are, one as the page draws it, and as the synthesiser plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from libretto.studio.desk import StudioDesk, route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__: list[str] = []


@route("GET", "/api/state")
async def _state(desk: StudioDesk, request: Request) -> Response:
    """The pieces of the workspace, and the jobs."""
    from starlette.responses import JSONResponse

    names = desk.workspace.pieces()
    newest = [(name, desk.workspace.version(name)) for name in names]
    pieces = [{"name": name, "version": version.number, "time": version.time} for name, version in newest]
    jobs = [job.to_dict() for job in desk.workers.jobs.values()]
    return JSONResponse({"workspace": str(desk.workspace.root), "pieces": pieces, "jobs": jobs})


@route("GET", "/api/pieces/{piece}")
async def _piece(desk: StudioDesk, request: Request) -> Response:
    """A piece as the page draws it."""
    from starlette.responses import JSONResponse

    from libretto.studio.showing import piece_view

    name, version, score = desk.find(request.path_params["piece"])
    history = desk.workspace.history(name)
    return JSONResponse(
        piece_view(score)
        | {
            "name": name,
            "version": version.number,
            "text": desk.workspace.text(name, version.number),
            "versions": [one.to_dict() for one in desk.workspace.log(name)],
            "history": {"now": history.now, "undo": list(history.undo), "redo": list(history.redo)},
        }
    )


@route("GET", "/api/pieces/{piece}/performance.mid")
async def _performance(desk: StudioDesk, request: Request) -> Response:
    """A piece as MIDI for the page's synthesiser."""
    from starlette.responses import Response

    from libretto.formats import formats

    _, _, score = desk.find(request.path_params["piece"])
    return Response(formats["midi"].encode(score), media_type="audio/midi")


@route("GET", "/api/soundfont")
async def _soundfont(desk: StudioDesk, request: Request) -> Response:
    """The soundfont that this machine has."""
    from starlette.responses import FileResponse

    from libretto.sound.soundfont import find_soundfont

    return FileResponse(find_soundfont().path, media_type="application/octet-stream")
