"""What the commands of a workspace do: call, print. The clock and the user's name come in here."""

from __future__ import annotations

import getpass
import json as jsonlib
from typing import Any

import typer

from libretto.errors import LibrettoError, StaleWrite
from libretto.workspace import Workspace, blame, handle, open_version, save_file, split_handle
from libretto.workspace.versions import now

__all__ = ["run_blame", "run_log", "run_open", "run_pieces", "run_save", "run_undo"]


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
    home = Workspace(workspace)
    rows = [(name, home.version(name)) for name in home.pieces()]
    lines = [f"{handle(name, last.number):<30} {last.time:<20} {last.author}" for name, last in rows]
    data = [{"piece": name, **last.to_dict()} for name, last in rows]
    _print(data, lines or [f"there are no pieces in {home.folder}; libretto save FILE makes one"], json)


def run_log(piece: str, workspace: str, json: bool) -> None:
    """Print every version of a piece."""
    home = Workspace(workspace)
    home.version(piece)
    versions = home.log(piece)
    lines = [f"{each.number:>4}  {each.time:<20}  {each.author:<16}  {each.message}".rstrip() for each in versions]
    _print([each.to_dict() for each in versions], lines, json)


def run_save(
    file: str, name: str | None, message: str, author: str | None, workspace: str, force: bool, json: bool
) -> None:
    """Keep a file as a version."""
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
    name, number = split_handle(piece)
    version = open_version(Workspace(workspace), name, number, output, force=force)
    data = {"piece": name, "file": output, **version.to_dict()}
    _print(data, [f"wrote {output} from {handle(name, version.number)}"], json)


def run_undo(piece: str, to: int | None, redo: bool, author: str | None, workspace: str, json: bool) -> None:
    """Go back as a new version."""
    version = Workspace(workspace).undo(piece, author=_who(author), time=now(), to=to, redo=redo)
    _print({"piece": piece, **version.to_dict()}, [f"{handle(piece, version.number)}: {version.message}"], json)


def run_blame(piece: str, workspace: str, json: bool) -> None:
    """Print who wrote what."""
    found = blame(Workspace(workspace), *split_handle(piece))
    width = max((len(each.voice) for each in found), default=0)
    lines = [
        f"{each.voice:<{width}}  {f'{each.first}-{each.last}':<9}  {each.version.author:<16}  "
        f"@{each.version.number}  {each.version.message}".rstrip()
        for each in found
    ]
    _print([each.to_dict() for each in found], lines or ["there is not a note in it"], json)
