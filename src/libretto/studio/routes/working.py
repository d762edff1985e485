"""Jobs: begin one, follow it, end it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from libretto.errors import LibrettoError
from libretto.studio.desk import StudioDesk, body_of, route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__: list[str] = []

_GLANCE = 0.03  # seconds between two looks at a job


@route("POST", "/api/jobs")
async def _begin(desk: StudioDesk, request: Request) -> Response:
    from starlette.responses import JSONResponse

    asked = await body_of(request)
    arguments = asked.get("arguments", {})
    if not isinstance(asked.get("kind"), str) or not isinstance(arguments, dict):
        raise LibrettoError("a job has a kind and arguments")
    return JSONResponse(desk.workers.start(asked["kind"], arguments).to_dict())


@route("GET", "/api/jobs")
async def _all(desk: StudioDesk, request: Request) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse([job.to_dict() for job in desk.workers.jobs.values()])


@route("GET", "/api/jobs/{job}/events")
async def _follow(desk: StudioDesk, request: Request) -> Response:
    """Everything that a job says, as server-sent events, from its beginning until it is over."""
    from starlette.responses import StreamingResponse

    job = desk.workers.find(request.path_params["job"])

    async def events() -> AsyncIterator[str]:
        seen = -1
        while True:
            if job.steps != seen:
                seen, over = job.steps, job.is_over
                yield f"data: {json.dumps(job.to_dict())}\n\n"
                if over:
                    return
            await asyncio.sleep(_GLANCE)

    return StreamingResponse(events(), media_type="text/event-stream", headers={"cache-control": "no-store"})


@route("DELETE", "/api/jobs/{job}")
async def _cancel(desk: StudioDesk, request: Request) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse(desk.workers.cancel(request.path_params["job"]).to_dict())
