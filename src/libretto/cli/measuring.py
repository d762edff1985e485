"""The commands that measure: measure, original, axes, audit; and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from libretto.cli.files import read_score
from libretto.cli.free import say_if_free
from libretto.cli.options import Alone, Beats, Force, Gates, Grid, Json, Run
from libretto.errors import FormatError, LibrettoError

__all__ = [
    "add_to",
    "audit",
    "axes",
    "measure",
    "original",
    "run_audit",
    "run_axes",
    "run_measure",
    "run_original",
    "run_parts",
    "run_table",
]


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
    run: Run = None,
    alone: Alone = False,
    beats: Beats = False,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 takes one for each core.")] = 0,
    grid: Grid = "",
    parts: Annotated[bool, typer.Option("--parts", help="Say instead how each voice sits among the others.")] = False,
    gates: Gates = "ours",
    table: Annotated[
        list[str] | None,
        typer.Option("--csv", "--parquet", metavar="TABLE", help="Measure a folder into a table instead."),
    ] = None,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="With a table: a dask scheduler to measure on.")
    ] = "",
    force: Force = False,
    json: Json = False,
) -> None:
    """Place a piece among real music: every axis, the genres it sounds like, what the gates say and what to change.

    A file in the folder of a run is judged by what that run was asked, as it was when it was handed in; any other as a
    piece of its own. With a genre its axes are placed among that genre's songs, too. Music is measured on the cloud's
    grid, paper for those of the package; on another it has values but no percentiles. With --json, one object a line.

    A folder, an address or a list of files is measured into a table with --csv or --parquet, a row a file.

    Example: libretto measure song.mid --genre jazz; libretto measure ~/midi --csv axes.csv
    """
    if table:
        run_table(files, table, jobs, scheduler, force, json)
        return
    if parts:
        run_parts(files, genre, json)
        return
    run_measure(files, genre, cloud, original, jobs, json, grid, beats, run, alone, gates)


def run_table(places: list[str], tables: list[str], jobs: int, scheduler: str, force: bool, json: bool) -> None:
    """Measure the files of a place into a table, and say how many; exit 1 where some could not be read."""
    from libretto.corpus.scale.tables import measure_table

    if len(places) != 1:
        raise LibrettoError(
            "a table is made of one folder, one address or one list of files; write the paths into a .txt"
        )
    if len(tables) != 1:
        raise LibrettoError(f"one table is written at a time, not {' and '.join(tables)}; say --csv or --parquet once")
    done = measure_table(places[0], tables[0], workers=jobs, scheduler=scheduler, force=force)
    words = f"wrote {done.table}: {done.files:,} files, {done.refused:,} of them refused (column refused)"
    typer.echo(jsonlib.dumps(done.to_dict()) if json else words)
    raise typer.Exit(1 if done.refused else 0)


def run_parts(files: list[str], genre: str | None, json: bool) -> None:
    """Print how each voice of a piece sits among the others, and what is remarked of any."""
    from libretto.faults.parts.crowding import crowds
    from libretto.faults.parts.listening import listen
    from libretto.faults.parts.seats import seat_lines, seats_of
    from libretto.gates import check_genre
    from libretto.score import played

    check_genre("default", genre)
    for path in files:
        score = read_score(path)
        seats, remarks = seats_of(score), listen(played(score)).remarks
        crowded = crowds(score, genre or "")
        if json:
            told = {"parts": [one.to_dict() for one in seats], "remarks": [one.to_dict() for one in remarks]}
            told["crowding"] = [one.to_dict() for one in crowded]
            typer.echo(jsonlib.dumps({"file": path, **told}, ensure_ascii=False))
            continue
        lines = seat_lines(seats, genre or "") or ["fewer than two voices with pitches play enough to be compared"]
        said = [*(f"{one.heard}; {one.advice}" for one in remarks), *(one.line for one in crowded)]
        typer.echo("\n".join([path, *lines, *said, ""]))


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
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="A piece to place on them.")] = None,
    genre: Annotated[str | None, typer.Option("--genre", help="Place it among the songs of a genre, too.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page docs/axes.md.")] = False,
    json: Json = False,
) -> None:
    """List the axes that describe the structure of a piece, and what each means; or place a piece on them.

    Example: libretto axes song.mid --genre jazz
    """
    run_axes(file, genre, markdown, json)


def run_axes(file: str | None, genre: str | None, markdown: bool, json: bool) -> None:
    """Print the list of axes, or where a piece stands on them."""
    from libretto.axes.axis import axes_as_data, axes_as_markdown, axes_as_text

    if file is not None:
        _print_places(file, genre, json)
    elif genre is not None:
        raise LibrettoError("say which piece is to be placed among the songs of a genre: libretto axes song.mid")
    elif json:
        typer.echo(jsonlib.dumps(axes_as_data(), ensure_ascii=False))
    else:
        typer.echo(axes_as_markdown() if markdown else axes_as_text(), nl=not markdown)


def _print_places(file: str, genre: str | None, json: bool) -> None:
    from libretto.gates.judge import place
    from libretto.report.appraisal import appraisal_lines

    places = place(read_score(file), genre)
    typer.echo(jsonlib.dumps(places.to_dict(), ensure_ascii=False) if json else "\n".join(appraisal_lines(places)))


def run_measure(
    files: list[str],
    genre: str | None,
    cloud: str,
    original: bool,
    jobs: int,
    json: bool,
    grid: str = "",
    beats: bool = False,
    run: str | None = None,
    alone: bool = False,
    gates: str = "ours",
) -> None:
    """Print a fingerprint and a verdict a file; exit 2 where a file could not be read, after the others."""
    from libretto.agents.appraising import How, appraise_files
    from libretto.gates import check_genre
    from libretto.gates.paper import check_gates
    from libretto.notation.grids import check_grid
    from libretto.report.appraisal import appraisal_lines

    chosen = check_grid(grid) if grid else None
    if check_gates(gates) == "ours":
        check_genre(cloud, genre)
    failed = False
    for path in files:
        if Path(path).is_dir():
            raise LibrettoError(f"{path} is a folder; --csv TABLE or --parquet TABLE measures all its files")
    how = How(genre, cloud, original, chosen, beats, run, alone, gates)
    for path, appraised in appraise_files(files, how, jobs):
        if not beats:
            say_if_free(path)
        if isinstance(appraised, LibrettoError):
            text = " ".join(str(appraised).split())
            print(f"libretto: {text if path in text else f'{path}: {text}'}", file=sys.stderr)
            failed = True
        elif json:
            typer.echo(jsonlib.dumps({"file": path, **appraised.appraisal.to_dict()}, ensure_ascii=False))
        else:
            typer.echo("\n".join([path, *appraisal_lines(appraised.appraisal), ""]))
    raise typer.Exit(2 if failed else 0)


def run_original(files: list[str], against: str | None, cloud: str, genre: str | None, songs: int, json: bool) -> None:
    """Print what a piece shares with the songs it resembles most; exit 1 where a file shares too much with one."""
    from libretto.gates import compare_many
    from libretto.report.likeness import comparison_lines

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
