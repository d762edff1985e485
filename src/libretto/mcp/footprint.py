"""What the tool list costs an agent, measured: the JSON a client is sent, a token for every four characters."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["footprint", "footprint_lines"]

_CHARACTERS = 4


def footprint() -> dict[str, int]:
    """Tokens by tool: its name, description and schemas as the JSON of the tool list, four characters a token."""
    return {entry["name"]: -(-len(_json(entry)) // _CHARACTERS) for entry in _entries()}


def footprint_lines() -> list[str]:
    """The footprint for a person: a line a tool, then the whole list."""
    from libretto.mcp.server import INSTRUCTIONS

    rows = [f"{name:<10} {tokens:>6}" for name, tokens in footprint().items()]
    whole = len(_json(_entries()))
    total = (
        f"{len(rows)} tools: {whole:,} characters of JSON, {-(-whole // _CHARACTERS):,} tokens at four characters each"
    )
    return [*rows, total, f"instructions: {-(-len(INSTRUCTIONS) // _CHARACTERS)} tokens more"]


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _entries() -> list[dict[str, Any]]:
    """The tool list as it is sent."""
    from libretto.mcp.server import make_server
    from libretto.workspace import Workspace

    server = make_server(Workspace("."))
    import anyio  # there, once the server is

    listed = anyio.run(server.list_tools)
    return [each.model_dump(by_alias=True, exclude_none=True, mode="json") for each in listed]
