"""The studio: one local page in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli.options import Place

__all__ = ["add_to", "studio"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(studio)


def studio(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="Music to open as a piece: MIDI, MusicXML, ABC or the grammar."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Compose a piece and open it at once.")] = False,
    workspace: Place = ".",
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="Where to listen; 8765 or a free one otherwise.")
    ] = None,
    author: Annotated[str, typer.Option("--author", help="Who writes what you write there.")] = "you",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Open the studio in the browser: say, see, hear, pick and change, on this machine alone.

    Example: libretto studio song.mid --workspace ~/music
    """
    from libretto.studio import serve_studio

    serve_studio(workspace, port=port, file=file, demo=demo, author=author, browser=browser)
