"""The server: tools, resources and prompts over a workspace, on standard streams or on this machine's own HTTP."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError, MissingExtra
from libretto.mcp.answers import answer, attended, misused
from libretto.mcp.desk import Answer, Desk, Tool, tools
from libretto.mcp.resources import add_prompts, add_resources
from libretto.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.tools import Tool as SdkTool

__all__ = ["HOST", "INSTRUCTIONS", "footprint", "footprint_lines", "make_server", "serve"]

HOST = "127.0.0.1"
INSTRUCTIONS = (
    "Compose and edit symbolic music as text. Start with guide(). Pieces have handles such as waltz@3; every write "
    "makes a version, nothing is lost. Read and write bars, then ask for findings."
)
_MOST_BODY = 4_000_000  # bytes of a request
_NULL = {"type": "null"}
_CHARACTERS = 4  # taken for a token


def serve(workspace: str | os.PathLike[str] = ".", port: int | None = None, author: str | None = None) -> None:
    """Serve a workspace until the client leaves; with a port, over HTTP on the loopback address alone."""
    home = Workspace(workspace)
    server = make_server(home, author or "")
    if port is None:
        server.run("stdio")
    else:
        print(f"libretto: serving {home.root} at http://{HOST}:{port}/mcp", file=sys.stderr)
        server.run("streamable-http", host=HOST, port=port, max_request_body_size=_MOST_BODY)


def make_server(workspace: Workspace, author: str = "") -> MCPServer[Any]:
    """A server of the official SDK with every tool, resource and prompt."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp_types import CallToolResult, TextContent
    except ImportError:
        raise MissingExtra("the MCP server", "mcp") from None
    if not workspace.root.is_dir():
        raise LibrettoError(f"{workspace.root} is not a folder; make it, or name another with --workspace")
    desk = Desk(workspace, author)

    class Server(MCPServer[Any]):
        """The SDK's server, whose errors are data and whose texts are short."""

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            """Call a tool; whatever happens, the answer is data."""
            result = await attended(lambda: MCPServer.call_tool(self, name, arguments, context), context)
            if isinstance(result, ToolError):
                data = misused(name, result)
                return CallToolResult(content=[_text(data)], structured_content=data, is_error=True)
            if isinstance(result, Exception):
                raise result
            if isinstance(result, CallToolResult) and isinstance(result.structured_content, dict):
                result.content = [_text(result.structured_content)]
                result.is_error = result.structured_content.get("ok") is False
            return result

    def _text(data: dict[str, Any]) -> Any:
        return TextContent(type="text", text=json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    made = [_made(desk, name) for name in tools]
    server = Server("libretto", instructions=INSTRUCTIONS, version=_version(), tools=made, log_level="WARNING")
    add_resources(server, desk)
    add_prompts(server, desk)
    return server


def _made(desk: Desk, name: str) -> SdkTool:
    """A tool for the SDK: the desk is already there, titles say nothing new and are left out."""
    from mcp.server.mcpserver.tools import Tool as Made

    description = inspect.cleandoc(tools[name].__doc__ or "").replace("\n\n", "\n")
    made = Made.from_function(_bound(desk, name, tools[name]), name=name, description=description)
    made.parameters = _untitled(made.parameters)
    made.fn_metadata.output_schema = {"type": "object"}
    return made


def _bound(desk: Desk, name: str, tool: Tool) -> Callable[..., Answer]:
    """A tool as the SDK wants it: a function of what the agent gives."""
    signature = inspect.signature(tool, eval_str=True)

    def run(**arguments: Any) -> Answer:
        return answer(tool, desk, arguments)

    run.__name__ = name
    given = list(signature.parameters.values())[1:]
    run.__signature__ = signature.replace(parameters=given, return_annotation=dict[str, Any])  # type: ignore[attr-defined]
    return run


def _untitled(schema: Any) -> Any:
    """A schema without titles, which only repeat the names."""
    if isinstance(schema, dict):
        return _not_null(
            {name: _untitled(part) for name, part in schema.items() if not (name == "title" and isinstance(part, str))}
        )
    return [_untitled(part) for part in schema] if isinstance(schema, list) else schema


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of what may be left out, without saying that it may be null: a default says as much."""
    if _NULL not in schema.get("anyOf", ()):
        return schema
    others = [kind for kind in schema["anyOf"] if kind != _NULL]
    if len(others) != 1:
        return schema
    whole = {name: part for name, part in schema.items() if name != "anyOf"} | others[0]
    return {name: part for name, part in whole.items() if not (name == "default" and part is None)}


def _version() -> str:
    try:
        return version("libretto")
    except PackageNotFoundError:
        return "0"


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
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed]
