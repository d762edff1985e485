"""What the measuring commands do: read, call, print."""

from __future__ import annotations

import json as jsonlib
import sys

import typer

from libretto.errors import LibrettoError

__all__ = ["run_axes", "run_measure", "run_original"]


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
    from libretto.report.fingerprint import appraisal_lines

    check_genre(cloud, genre)
    failed = False
    for path, found in appraise_many(files, genre, cloud=cloud, original=original, jobs=jobs):
        if isinstance(found, LibrettoError):
            text = " ".join(str(found).split())
            print(f"libretto: {text if path in text else f'{path}: {text}'}", file=sys.stderr)
            failed = True
        elif json:
            typer.echo(jsonlib.dumps({"file": path, **found.to_dict()}, ensure_ascii=False))
        else:
            typer.echo("\n".join([path, *appraisal_lines(found), ""]))
    raise typer.Exit(2 if failed else 0)


def run_original(files: list[str], against: str | None, cloud: str, genre: str | None, songs: int, json: bool) -> None:
    """Print what a piece shares with the songs it resembles most; exit 1 where a file shares too much with one."""
    from libretto.gates import compare_many
    from libretto.report.originality import comparison_lines

    copied = failed = False
    for path, found in compare_many(files, against=against, cloud=cloud, genre=genre, songs=songs):
        if isinstance(found, LibrettoError):
            text = " ".join(str(found).split())
            print(f"libretto: {text if path in text else f'{path}: {text}'}", file=sys.stderr)
            failed = True
            continue
        copied |= not found.passed
        if json:
            typer.echo(jsonlib.dumps({"file": path, **found.to_dict()}, ensure_ascii=False))
        else:
            typer.echo("\n".join([path, *comparison_lines(found), ""]))
    raise typer.Exit(2 if failed else 1 if copied else 0)
