"""Resources and prompts, for clients that attach rather than call: pieces and concepts by address, and a page for every
kind of task, the same that runs have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.mcp.desk import Desk
from libretto.workspace import handle

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
import shlex

from libretto.mcp.tasks import MOST_WORDS, words_of

__all__ = ["add_prompts", "add_resources"]

_MOST = 200_000  # characters of a page
_LONGEST_OPTIONS = 2_000


def add_resources(server: MCPServer[Any], desk: Desk) -> None:
    """Put the resources into a server."""

    @server.resource("libretto://pieces", description="Every piece with its newest version.", mime_type="text/plain")
    def pieces() -> str:
        names = desk.workspace.pieces()
        return "\n".join(handle(name, desk.workspace.version(name).number) for name in names)

    @server.resource("libretto://pieces/{piece}", description="A piece in the grammar.", mime_type="text/plain")
    def piece(piece: str) -> str:
        return _told(lambda: desk.workspace.text(*_split(piece)))

    @server.resource("libretto://concepts", description="Every concept in a line.", mime_type="text/plain")
    def concepts() -> str:
        from libretto.knowledge import all_concepts
        from libretto.report.concepts import list_lines

        return "\n".join(list_lines(list(all_concepts().values())))[:_MOST]

    @server.resource("libretto://concepts/{base}/{name}", description="A concept.", mime_type="text/plain")
    def concept(base: str, name: str) -> str:
        return _told(lambda: _concept(desk, f"{base}/{name}"))


def _split(piece: str) -> tuple[str, int | None]:
    from libretto.workspace import split_handle

    return split_handle(piece)


def _concept(desk: Desk, key: str) -> str:
    from libretto.knowledge import find_concept
    from libretto.report.concepts import concept_lines

    concept = find_concept(key)
    desk.shown.add(concept)
    return "\n".join(concept_lines(concept))


def _told(work: Callable[[], str]) -> str:
    """A text, bounded; our errors as the SDK's, so that the client reads the line."""
    from mcp.server.mcpserver.exceptions import ResourceError

    try:
        return work()[:_MOST]
    except LibrettoError as error:
        raise ResourceError(str(error)) from None


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
        settings = dict(word.split("=", 1) for word in shlex.split(options[:_LONGEST_OPTIONS]) if "=" in word)
        given = [words] if kind == "compose" else shlex.split(words[:MOST_WORDS])
        settings = dict(zip(settings, words_of(desk, list(settings.values())), strict=True))
        return make_prompt(make_task(kind, words_of(desk, given), settings))[:_MOST]
    except (LibrettoError, ValueError) as error:
        return f"This task cannot be made: {' '.join(str(error).split())}"
