"""The studio as a web application: its page, and the addresses that the page calls."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from libretto.errors import LibrettoError
from libretto.studio.desk import MOST_BODY, Handler, StudioDesk, routes
from libretto.studio.guard import Guard
from libretto.studio.refusing import refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

__all__ = ["make_app"]


def make_app(desk: StudioDesk, port: int) -> ASGIApp:
    """The application, guarded: the page, its files, and every registered address."""
    from starlette.applications import Starlette
    from starlette.responses import FileResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    import libretto.studio.routes as addresses

    addresses.load()
    page = Path(str(files("libretto.studio").joinpath("page")))

    async def index(request: Request) -> Response:
        return FileResponse(page / "index.html", headers={"cache-control": "no-cache"})

    made = [Route("/", index, methods=["GET"])]
    made += [Route(one.path, _answering(desk, one.handler), methods=[one.method]) for one in routes.values()]
    app = Starlette(routes=[*made, Mount("/page", StaticFiles(directory=page))])
    return Guard(app, desk.token, port, MOST_BODY)


def _answering(desk: StudioDesk, handler: Handler):  # type: ignore[no-untyped-def]
    """A handler as Starlette wants it; our errors become one line of JSON."""
    from starlette.responses import JSONResponse

    async def answer(request: Request) -> Response:
        try:
            return await handler(desk, request)
        except LibrettoError as error:
            status, data = refused(error)
            return JSONResponse(data, status_code=status)

    return answer
