"""Prompts: one a kind of task, from the same pages that runs have."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.mcp.desk import Desk
from libretto.mcp.tasks import words_of

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

__all__ = ["add_prompts"]

_MOST = 200_000


def add_prompts(server: MCPServer[Any], desk: Desk) -> None:
    """Put a prompt for every kind of task into a server."""
    from libretto.tasks import task_kinds

    for kind in task_kinds:
        _add(server, desk, kind)


def _add(server: MCPServer[Any], desk: Desk, kind: str) -> None:
    def page(words: str, options: str = "") -> str:
        return _page(desk, kind, words, options)

    described = (
        f"The page of a task to {kind}. words: the brief, or songs (handles, files) and genres, quoted where they"
    )
    server.prompt(kind, description=f"{described} hold spaces; options: such as bars=54 genre=jazz.")(page)


def _page(desk: Desk, kind: str, words: str, options: str) -> str:
    from libretto.tasks import make_prompt, make_task

    try:
        settings = dict(each.split("=", 1) for each in shlex.split(options[:2_000]) if "=" in each)
        given = [words] if kind == "compose" else shlex.split(words[:8_000])
        settings = dict(zip(settings, words_of(desk, list(settings.values())), strict=True))
        return make_prompt(make_task(kind, words_of(desk, given), settings))[:_MOST]
    except (LibrettoError, ValueError) as error:
        return f"This task cannot be made: {' '.join(str(error).split())}"
