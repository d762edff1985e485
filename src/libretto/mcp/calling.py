"""One call of a tool: who calls, progress while it lasts, and what to say of a call that went wrong before its tool."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from libretto.mcp.answers import refusal
from libretto.mcp.desk import Answer, Call, call, tools

__all__ = ["attended", "misused"]

_BEAT = 5.0  # seconds after which a client hears again that work goes on


async def attended(work: Callable[[], Awaitable[Any]], context: Any) -> Any:
    """What a call comes to, or the exception it ends with; while it lasts, its client hears how far it is."""
    import anyio

    steps = _Steps(context)
    token = call.set(Call(steps.client, steps.report))
    result: Any = None
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(steps.beat)
            try:
                result = await work()
            except Exception as error:
                result = error
            group.cancel_scope.cancel()
    finally:
        call.reset(token)
    return result


class _Steps:
    """The progress of one call: messages in order, each with a larger number."""

    def __init__(self, context: Any) -> None:
        self.context, self.count, self.last = context, 0, "at work"
        try:
            known = context.session.client_params
        except (AttributeError, ValueError):
            known = None
            self.context = None
        self.client = str(known.client_info.name) if known else ""

    def report(self, message: str) -> None:
        """Tell the client something, from the thread of a tool."""
        import anyio.from_thread

        self.last = message
        if self.context is not None:
            anyio.from_thread.run(self._send, message)

    async def _send(self, message: str) -> None:
        self.count += 1
        await self.context.report_progress(float(self.count), None, message)

    async def beat(self) -> None:
        """Say again and again what is being done."""
        import anyio

        while self.context is not None:
            await anyio.sleep(_BEAT)
            await self._send(f"still {self.last}")


def misused(name: str, error: Exception) -> Answer:
    """A call that never reached its tool, as data: an unknown tool, or arguments of a wrong kind."""
    from pydantic import ValidationError

    cause = error.__cause__
    if isinstance(cause, ValidationError):
        wrong = [f"{'.'.join(map(str, each['loc']))[:80]}: {each['msg'][:120]}" for each in cause.errors()[:8]]
        return refusal(f"{name} was called wrongly: {'; '.join(wrong)}", "see the tool's schema")
    if name not in tools:
        return refusal(f"there is no tool {name[:80]!r}", f"there are {', '.join(tools)}")
    logging.getLogger(__name__).error("tool %r failed", name, exc_info=cause)
    return refusal(f"{name} failed inside; this is a fault of the server", "try something else, and report it")
