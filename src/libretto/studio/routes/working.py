"""Jobs: begin one, follow it, end it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from libretto.errors import LibrettoError
from libretto.studio.desk import Call, StudioDesk, json_of, route
from libretto.studio.jobs import known_kinds

if TYPE_CHECKING:
    from starlette.responses import Response

__all__: list[str] = []

_GLANCE = 0.03  # seconds between two looks at a job


@route("POST", "/api/jobs")
def _begin(desk: StudioDesk, call: Call) -> Response:
    asked = call.data
    kind, arguments = asked.get("kind"), asked.get("arguments", {})
    if not isinstance(kind, str) or not isinstance(arguments, dict):
        raise LibrettoError("a job has a kind and arguments")
    if kind not in known_kinds():
        raise LibrettoError(f"there is no such kind of job; there are {', '.join(known_kinds())}")
    return json_of(desk.workers.start(kind, arguments | {"author": desk.author}).to_dict())


@route("GET", "/api/jobs")
def _all(desk: StudioDesk, call: Call) -> Response:
    return json_of([job.to_dict() for job in list(desk.workers.jobs.values())])


@route("GET", "/api/jobs/{job}/events")
def _follow(desk: StudioDesk, call: Call) -> Response:
    """Everything that a job says, as server-sent events, from its beginning until it is over."""
    from starlette.responses import StreamingResponse

    job = desk.workers.find(call.places["job"])

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
def _cancel(desk: StudioDesk, call: Call) -> Response:
    return json_of(desk.workers.cancel(call.places["job"]).to_dict())
