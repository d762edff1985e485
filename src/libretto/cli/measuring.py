"""The commands that measure: measure, original, axes, audit; and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from libretto.cli.options import Json
from libretto.errors import FormatError, LibrettoError

__all__ = ["add_to", "audit", "axes", "measure", "original", "run_audit", "run_axes", "run_measure", "run_original"]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (audit, measure, original, axes):
        app.command()(command)


def audit(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files and folders.")],
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; 0 takes one for each core.")] = 0,
    json: Json = False,
) -> None:
    """Measure what reading and writing do to files, beside the published figures.

    Example: libretto audit ~/midi
    """
    run_audit(paths, jobs, json)


def measure(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to measure.")],
    genre: Annotated[str | None, typer.Option("--genre", help="The genre they are meant to be in.")] = None,
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud to place them in: a name or a path.")] = "default",
    original: Annotated[bool, typer.Option(help="Look for copies too.")] = True,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 takes one for each core.")] = 0,
    json: Json = False,
) -> None:
    """Place a piece among real music: every axis, the genres it sounds like, what the gates say and what to change.

    With --json, one object a file and line.

    Example: libretto measure song.mid --genre jazz
    """
    run_measure(files, genre, cloud, original, jobs, json)


def original(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to compare.")],
    against: Annotated[
        str | None, typer.Option("--against", metavar="FOLDER", help="Music to compare with, instead of a cloud's.")
    ] = None,
    cloud: Annotated[str, typer.Option("--cloud", help="The cloud whose songs to compare with.")] = "default",
    genre: Annotated[str | None, typer.Option("--genre", help="The genre they are meant to be in.")] = None,
    songs: Annotated[int, typer.Option("--songs", min=1, max=100, help="How many songs to show.")] = 5,
    json: Json = False,
) -> None:
    """Say what a piece shares with other songs, in any key and shifted in time; exits with 1 where it is too much.

    Example: libretto original song.mid --against ~/midi
    """
    run_original(files, against, cloud, genre, songs, json)


def axes(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/axes.md.")] = False,
    json: Json = False,
) -> None:
    """List the axes that describe the structure of a piece, and what each means."""
    run_axes(markdown, json)


def run_axes(markdown: bool, json: bool) -> None:
    """Print the list of axes."""
    from libretto.axes.axis import axes_as_data, axes_as_markdown, axes_as_text

    if json:
        typer.echo(jsonlib.dumps(axes_as_data(), ensure_ascii=False))
    else:
        typer.echo(axes_as_markdown() if markdown else axes_as_text(), nl=not markdown)


def run_measure(files: list[str], genre: str | None, cloud: str, original: bool, jobs: int, json: bool) -> None:
    """Print a fingerprint and a verdict a file; exit 2 where a file could not be read, after the others."""
    from libretto.gates import appraise_many, check_genre
    from libretto.report.terminal import appraisal_lines

    check_genre(cloud, genre)
    failed = False
    for path, appraised in appraise_many(files, genre, cloud=cloud, original=original, jobs=jobs):
        if isinstance(appraised, LibrettoError):
            text = " ".join(str(appraised).split())
            print(f"libretto: {text if path in text else f'{path}: {text}'}", file=sys.stderr)
            failed = True
        elif json:
            typer.echo(jsonlib.dumps({"file": path, **appraised.to_dict()}, ensure_ascii=False))
        else:
            typer.echo("\n".join([path, *appraisal_lines(appraised), ""]))
    raise typer.Exit(2 if failed else 0)


def run_original(files: list[str], against: str | None, cloud: str, genre: str | None, songs: int, json: bool) -> None:
    """Print what a piece shares with the songs it resembles most; exit 1 where a file shares too much with one."""
    from libretto.gates import compare_many
    from libretto.report.terminal import comparison_lines

    copied = failed = False
    for path, compared in compare_many(files, against=against, cloud=cloud, genre=genre, songs=songs):
        if isinstance(compared, LibrettoError):
            text = " ".join(str(compared).split())
            print(f"libretto: {text if path in text else f'{path}: {text}'}", file=sys.stderr)
            failed = True
            continue
        copied |= not compared.passed
        if json:
            typer.echo(jsonlib.dumps({"file": path, **compared.to_dict()}, ensure_ascii=False))
        else:
            typer.echo("\n".join([path, *comparison_lines(compared), ""]))
    raise typer.Exit(2 if failed else 1 if copied else 0)


def run_audit(paths: list[str], jobs: int, json: bool) -> None:
    """Measure files and print the table; exit 1 where a mark is missed."""
    from libretto.bench.audit import audit_files, collect, table_lines

    files = collect([Path(path) for path in paths])
    if not files:
        raise FormatError("there is no file to audit in " + ", ".join(paths))
    result = audit_files(files, jobs)
    text = jsonlib.dumps(result.to_dict(), ensure_ascii=False) if json else "\n".join(table_lines(result))
    typer.echo(text)
    raise typer.Exit(0 if result.passed else 1)
