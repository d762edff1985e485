"""A client for tests: the official one over standard streams, HTTP or in the same process, with answers as data."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

__all__ = ["Agent", "over_stdio", "play"]

SOURCE = Path(__file__).parents[2] / "src"


class Agent:
    """Whoever calls tools: answers are dictionaries, progress is kept."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: list[str] = []

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        async def heard(progress: float, total: float | None, message: str | None) -> None:
            self.heard.append(message or "")

        answer = await self.client.call_tool(tool, arguments, progress_callback=heard)
        assert isinstance(answer.structured_content, dict)
        assert answer.is_error == (not answer.structured_content["ok"])
        return answer.structured_content


def over_stdio(workspace: Path, *more: str) -> StdioServerParameters:
    """The server as a client starts it."""
    env = {"PYTHONPATH": str(SOURCE), "OMP_NUM_THREADS": "1", "HOME": os.environ.get("HOME", "")}
    arguments = ["-m", "libretto", "mcp", "--workspace", str(workspace), *more]
    return StdioServerParameters(command=sys.executable, args=arguments, env=env)


def play(server: Any, script: Callable[[Agent], Awaitable[None]]) -> None:
    """Run a script with a client of a server."""

    async def main() -> None:
        async with Client(server) as client:
            await script(Agent(client))

    anyio.run(main)
