"""Resources: pieces and concepts by address, for clients that attach rather than call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.mcp.desk import Desk
from libretto.workspace import handle

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

__all__ = ["add_resources"]

_MOST = 200_000


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

    found = find_concept(key)
    desk.shown.add(found)
    return "\n".join(concept_lines(found))


def _told(work: Callable[[], str]) -> str:
    """A text, bounded; our errors as the SDK's, so that the client reads the line."""
    from mcp.server.mcpserver.exceptions import ResourceError

    try:
        return work()[:_MOST]
    except LibrettoError as error:
        raise ResourceError(str(error)) from None
