"""The command under ``libretto bench`` that shows the four applications on one page, and its help."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, say
from libretto.cli.files import read_score
from libretto.cli.options import Force, Json, composes

__all__ = ["add_to", "gallery", "run_gallery"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(gallery)


@composes(without=("replay", "run", "dry_run"))
def gallery(
    output: Annotated[str, typer.Option("-o", "--output", metavar="FOLDER", help="Where page and files go.")],
    song: Annotated[
        str | None, typer.Option("--song", metavar="FILE", help="Fill a gap in this and morph from it; ours without.")
    ] = None,
    how: Composing = HOUSE,
    force: Force = False,
    json: Json = False,
) -> None:
    """Show four applications on one page: a gap that is filled, a piece, a morph with its curve, a drill.

    Each is a roll and, where verovio is installed, a score. Exits with 1 where one of them does not pass.

    Example: libretto bench gallery -o gallery --song song.mid
    """
    run_gallery(output, song, how, force, json)


def run_gallery(output: str, song: str | None, how: Composing, force: bool, json: bool) -> None:
    """Make and write the four, say what came of each; exit 1 where one does not pass."""
    from libretto.report.gallery import GALLERY_PAGE, write_gallery

    exhibits = write_gallery(output, how.play, read_score(song) if song else None, force=force)
    page = Path(output) / GALLERY_PAGE
    if json:
        data = {"page": str(page), "exhibits": [exhibit.to_dict() for exhibit in exhibits]}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        for exhibit in exhibits:
            typer.echo("\n  ".join([f"{exhibit.name}: {exhibit.asked}", *exhibit.said]))
    say(f"wrote {page}")
    raise typer.Exit(0 if all(exhibit.passed for exhibit in exhibits) else 1)
