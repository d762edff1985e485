"""The command that serves a workspace to agents, and its help."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli.options import Place

__all__ = ["add_to", "mcp"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(mcp)


def mcp(
    workspace: Place = ".",
    http: Annotated[
        int | None,
        typer.Option("--http", metavar="PORT", min=1, max=65535, help="Serve http://127.0.0.1:PORT/mcp instead."),
    ] = None,
    author: Annotated[str | None, typer.Option("--author", help="Who writes; the client's name otherwise.")] = None,
    footprint: Annotated[bool, typer.Option("--footprint", help="Print what the tool list costs, and end.")] = False,
) -> None:
    """Serve a workspace to agents over the Model Context Protocol: standard streams, or HTTP on this machine only.

    Example: libretto mcp --workspace ~/music
    """
    from libretto.mcp import footprint_lines, serve

    if footprint:
        typer.echo("\n".join(footprint_lines()))
    else:
        serve(workspace, http, author)
