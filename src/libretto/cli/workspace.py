"""The commands of workspaces (pieces, log, save, open, undo, blame), and the one that serves them to agents."""

from __future__ import annotations

import getpass
import json as jsonlib
from typing import Annotated, Any

import typer

from libretto.cli.options import Json, Place
from libretto.errors import LibrettoError, StaleWrite

__all__ = [
    "add_to",
    "blame",
    "log",
    "mcp",
    "open_piece",
    "pieces",
    "run_blame",
    "run_log",
    "run_open",
    "run_pieces",
    "run_save",
    "run_undo",
    "save",
    "undo",
]

Anyway = Annotated[bool, typer.Option("--force", help="Do it all the same.")]
Piece = Annotated[str, typer.Argument(metavar="PIECE", help="The name of a piece, as libretto pieces lists it.")]
Author = Annotated[str | None, typer.Option("--author", help="Who did it; your user name otherwise.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    app.command()(save)
    app.command("open")(open_piece)
    for command in (pieces, log, undo, blame, mcp):
        app.command()(command)


def pieces(workspace: Place = ".", json: Json = False) -> None:
    """List the pieces of a workspace, each with its newest version.

    Example: libretto pieces
    """
    run_pieces(workspace, json)


def log(piece: Piece, workspace: Place = ".", json: Json = False) -> None:
    """List the versions of a piece: number, when, who, why.

    Example: libretto log waltz
    """
    run_log(piece, workspace, json)


def save(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A MIDI, MusicXML, ABC or grammar file.")],
    name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The piece; by the file otherwise.")] = None,
    message: Annotated[str, typer.Option("--message", "-m", help="What was done.")] = "",
    author: Author = None,
    workspace: Place = ".",
    force: Anyway = False,
    json: Json = False,
) -> None:
    """Keep a file as the next version of a piece; refused where the piece went on since the file was opened.

    Example: libretto save waltz.libretto --message "softer bridge"
    """
    run_save(file, name, message, author, workspace, force, json)


def open_piece(
    piece: Annotated[str, typer.Argument(metavar="PIECE[@N]", help="A piece, or one of its versions.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to write it; any format.")],
    workspace: Place = ".",
    force: Anyway = False,
    json: Json = False,
) -> None:
    """Write a version as a file; a file that was changed by hand is kept unless --force.

    Example: libretto open waltz@3 -o waltz.mid
    """
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
    run_undo(piece, to, redo, author, workspace, json)


def blame(
    piece: Annotated[str, typer.Argument(metavar="PIECE[@N]", help="A piece, or one of its versions.")],
    workspace: Place = ".",
    json: Json = False,
) -> None:
    """Say who wrote what: for each voice and stretch of bars the author and version that last changed it.

    Example: libretto blame waltz
    """
    run_blame(piece, workspace, json)


def _who(author: str | None) -> str:
    """The author as given, or whoever is logged in."""
    if author:
        return author
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "someone"


def _print(data: Any, lines: list[str], json: bool) -> None:
    typer.echo(jsonlib.dumps(data, ensure_ascii=False) if json else "\n".join(lines))


def run_pieces(workspace: str, json: bool) -> None:
    """Print every piece with its newest version."""
    from libretto.workspace import Workspace, handle

    home = Workspace(workspace)
    rows = [(name, home.version(name)) for name in home.pieces()]
    lines = [f"{handle(name, last.number):<30} {last.time:<20} {last.author}" for name, last in rows]
    data = [{"piece": name, **last.to_dict()} for name, last in rows]
    _print(data, lines or [f"there are no pieces in {home.folder}; libretto save FILE makes one"], json)


def run_log(piece: str, workspace: str, json: bool) -> None:
    """Print every version of a piece."""
    from libretto.workspace import Workspace

    home = Workspace(workspace)
    home.version(piece)
    versions = home.log(piece)
    lines = [
        f"{version.number:>4}  {version.time:<20}  {version.author:<16}  {version.message}".rstrip()
        for version in versions
    ]
    _print([version.to_dict() for version in versions], lines, json)


def run_save(
    file: str, name: str | None, message: str, author: str | None, workspace: str, force: bool, json: bool
) -> None:
    """Keep a file as a version."""
    from libretto.workspace import Workspace, handle, save_file
    from libretto.workspace.versions import now

    try:
        piece, version = save_file(
            Workspace(workspace), file, author=_who(author), time=now(), name=name, message=message, force=force
        )
    except StaleWrite as error:
        was, there = handle(error.piece, error.base), handle(error.piece, error.newest)
        raise LibrettoError(
            f"{file} was opened from {was}, and there is {there}; see libretto diff {was} {there}, "
            "or use --force to make this the newest"
        ) from None
    _print({"piece": piece, **version.to_dict()}, [f"{handle(piece, version.number)}: {version.message}"], json)


def run_open(piece: str, output: str, workspace: str, force: bool, json: bool) -> None:
    """Write a version as a file."""
    from libretto.workspace import Workspace, handle, open_version, split_handle

    name, number = split_handle(piece)
    version, made = open_version(Workspace(workspace), name, number, output, force=force)
    data = {"piece": name, "file": output, **version.to_dict(), **made.to_dict()}
    _print(data, [f"wrote {output} from {handle(name, version.number)}", made.line()], json)


def run_undo(piece: str, to: int | None, redo: bool, author: str | None, workspace: str, json: bool) -> None:
    """Go back as a new version."""
    from libretto.workspace import Workspace, handle
    from libretto.workspace.versions import now

    version = Workspace(workspace).undo(piece, author=_who(author), time=now(), to=to, redo=redo)
    _print({"piece": piece, **version.to_dict()}, [f"{handle(piece, version.number)}: {version.message}"], json)


def run_blame(piece: str, workspace: str, json: bool) -> None:
    """Print who wrote what."""
    from libretto.workspace import Workspace, split_handle
    from libretto.workspace import blame as who_wrote

    stretches = who_wrote(Workspace(workspace), *split_handle(piece))
    width = max((len(stretch.voice) for stretch in stretches), default=0)
    lines = [
        f"{stretch.voice:<{width}}  {f'{stretch.first}-{stretch.last}':<9}  {stretch.version.author:<16}  "
        f"@{stretch.version.number}  {stretch.version.message}".rstrip()
        for stretch in stretches
    ]
    _print([stretch.to_dict() for stretch in stretches], lines or ["there is not a note in it"], json)


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
