"""The command that compares: diff; and its help."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.files import read_score
from libretto.cli.options import Json, Place

if TYPE_CHECKING:
    from libretto.score import Score

__all__ = ["add_to", "diff", "run_diff"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(diff)


def diff(
    first: Annotated[str, typer.Argument(metavar="A")],
    second: Annotated[str, typer.Argument(metavar="B")],
    workspace: Place = ".",
    json: Json = False,
) -> None:
    """Say in musical terms what changed from A to B, files or versions; exits with 1 where something did.

    Example: libretto diff before.mid after.mid, or libretto diff waltz@3 waltz@5
    """
    run_diff(first, second, workspace, json)


def _read_or_version(path: str, workspace: str) -> Score:
    """The piece in a file or, where there is no such file, a version such as ``waltz@3``."""
    from libretto.workspace import Workspace, is_handle, split_handle

    if not is_handle(path) or Path(path).exists():
        return read_score(path)
    return Workspace(workspace).score(*split_handle(path))


def run_diff(first: str, second: str, workspace: str, json: bool) -> None:
    """Compare two files or versions; exit 1 where they differ."""
    from libretto.formats import unread_in_files
    from libretto.score import diff

    changes = diff(_read_or_version(first, workspace), _read_or_version(second, workspace))
    unread = unread_in_files(first, second) if changes.is_empty else {}
    if json:
        data = {"a": first, "b": second, "same": changes.is_empty, "not_compared": unread, **changes.to_dict()}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    elif not changes.is_empty:
        typer.echo("\n".join(changes.lines()))
    elif unread:
        counts = ", ".join(f"{count:,} {name}" for name, count in unread.items())
        typer.echo(f"no difference in what a piece holds; not compared, since only the files hold it: {counts}")
    else:
        typer.echo("the same music")
    raise typer.Exit(0 if changes.is_empty else 1)
