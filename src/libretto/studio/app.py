"""The studio as a web application: its page, and the addresses that the page calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from libretto.errors import LibrettoError
from libretto.studio.desk import MOST_BODY, Call, Handler, StudioDesk, json_of, routes
from libretto.studio.guard import Guard
from libretto.studio.refusing import refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

__all__ = ["make_app"]

_REFUSALS = {404: "there is no such address", 405: "this address does not take such a request"}


def make_app(desk: StudioDesk, port: int) -> ASGIApp:
    """The application, guarded: the page, its files, and every registered address."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import FileResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    import libretto.studio.routes as addresses

    addresses.load()
    page = Path(str(files("libretto.studio").joinpath("page")))

    async def index(request: Request) -> Response:
        return FileResponse(page / "index.html", headers={"cache-control": "no-cache"})

    async def nowhere(request: Request) -> Response:
        return json_of({"error": _REFUSALS[404]}, 404)

    async def refusing(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return json_of({"error": _REFUSALS.get(status, "this cannot be answered")}, status)

    made = [Route("/", index, methods=["GET"])]
    made += [Route(one.path, _answering(desk, one.handler), methods=[one.method]) for one in routes.values()]
    app = Starlette(
        routes=[*made, Mount("/page", StaticFiles(directory=page)), Route("/{rest:path}", nowhere)],
        exception_handlers={HTTPException: refusing},
    )
    return Guard(app, desk.token, port, MOST_BODY)


def _answering(desk: StudioDesk, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """A handler as Starlette wants it: in a thread; our errors become one line of JSON."""
    from starlette.concurrency import run_in_threadpool

    def answer(call: Call) -> Response:
        try:
            return handler(desk, call)
        except LibrettoError as error:
            status, data = refused(error)
            return json_of(data, status)
        except (OSError, OverflowError, RecursionError, MemoryError, UnicodeError) as error:
            return json_of({"error": f"this cannot be done: {type(error).__name__}"}, 400)
        except Exception as error:  # a mistake of ours: one line for the page, and which for whoever reports it
            return json_of({"error": f"this went wrong: {type(error).__name__}"}, 500)

    async def attend(request: Request) -> Response:
        call = Call(dict(request.path_params), dict(request.query_params), await request.body())
        return await run_in_threadpool(answer, call)

    return attend
