"""The commands of a workspace: pieces, log, save, open, undo, blame; and their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Place", "add_to", "blame", "log", "open_piece", "pieces", "save", "undo"]

Place = Annotated[
    str, typer.Option("--workspace", metavar="DIR", help="The folder whose .libretto keeps the versions.")
]
Piece = Annotated[str, typer.Argument(metavar="PIECE", help="The name of a piece, as libretto pieces lists it.")]
Author = Annotated[str | None, typer.Option("--author", help="Who did it; your user name otherwise.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Do it all the same.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    app.command()(save)
    app.command("open")(open_piece)
    for command in (pieces, log, undo, blame):
        app.command()(command)


def pieces(workspace: Place = ".", json: Json = False) -> None:
    """List the pieces of a workspace, each with its newest version.

    Example: libretto pieces
    """
    from libretto.cli.workspace_commands import run_pieces

    run_pieces(workspace, json)


def log(piece: Piece, workspace: Place = ".", json: Json = False) -> None:
    """List the versions of a piece: number, when, who, why.

    Example: libretto log waltz
    """
    from libretto.cli.workspace_commands import run_log

    run_log(piece, workspace, json)


def save(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A MIDI, MusicXML, ABC or grammar file.")],
    name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The piece; by the file otherwise.")] = None,
    message: Annotated[str, typer.Option("--message", "-m", help="What was done.")] = "",
    author: Author = None,
    workspace: Place = ".",
    force: Force = False,
    json: Json = False,
) -> None:
    """Keep a file as the next version of a piece; refused where the piece went on since the file was opened.

    Example: libretto save waltz.libretto --message "softer bridge"
    """
    from libretto.cli.workspace_commands import run_save

    run_save(file, name, message, author, workspace, force, json)


def open_piece(
    piece: Annotated[str, typer.Argument(metavar="PIECE[@N]", help="A piece, or one of its versions.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; any format.")],
    workspace: Place = ".",
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a version as a file; a file that was changed by hand is kept unless --force.

    Example: libretto open waltz@3 -o waltz.mid
    """
    from libretto.cli.workspace_commands import run_open

    run_open(piece, output, workspace, force, json)


def undo(
    piece: Piece,
    to: Annotated[int | None, typer.Option("--to", metavar="N", min=1, help="Go back to this version.")] = None,
    redo: Annotated[bool, typer.Option("--redo", help="Take again what was undone last.")] = False,
    author: Author = None,
    workspace: Place = ".",
    json: Json = False,
) -> None:
    """Take back the last change of a piece, as a new version; nothing is lost.

    Example: libretto undo waltz --to 3
    """
    from libretto.cli.workspace_commands import run_undo

    run_undo(piece, to, redo, author, workspace, json)


def blame(
    piece: Annotated[str, typer.Argument(metavar="PIECE[@N]", help="A piece, or one of its versions.")],
    workspace: Place = ".",
    json: Json = False,
) -> None:
    """Say who wrote what: for each voice and stretch of bars the author and version that last changed it.

    Example: libretto blame waltz
    """
    from libretto.cli.workspace_commands import run_blame

    run_blame(piece, workspace, json)
