"""The commands under ``libretto bench`` that hold what we compose beside real music, and their help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.options import Jobs, Json, show_progress

__all__ = ["add_to", "melody", "real", "run_melody_bench", "run_real_bench"]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (melody, real):
        app.command()(command)


def melody(
    briefs: Annotated[
        str | None, typer.Option("--briefs", metavar="FILE", help="A JSON file of briefs to compose, not styles.")
    ] = None,
    styles: Annotated[list[str] | None, typer.Option("--styles", help="Only these styles, such as jig,bossa.")] = None,
    tunes: Annotated[
        str | None, typer.Option("--tunes", metavar="FOLDER", help="Collections of real tunes to measure anew.")
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Pieces a style or brief.")] = 1,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="So many pieces at most.")] = None,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Measure the tunes of composed pieces beside real tunes of their kind; exits with 1 where a mark is missed.

    Example: libretto bench melody --styles jig,bossa --seeds 3
    """
    run_melody_bench(briefs, styles or [], tunes, seeds, limit, jobs, json)


def run_melody_bench(
    briefs: str | None, styles: list[str], tunes: str | None, seeds: int, limit: int | None, jobs: int, json: bool
) -> None:
    """Print how like real tunes ours are; exit 1 where a mark is missed."""
    from libretto.bench.briefs import read_briefs
    from libretto.bench.tunes.melody import bench_melody, brief_jobs, melody_lines, style_jobs

    if briefs is not None:
        asked = brief_jobs([(brief.name, brief.text) for brief in read_briefs(briefs)], seeds)
    else:
        named = [name.strip() for words in styles for name in words.split(",") if name.strip()]
        asked = style_jobs(named, seeds)
    result = bench_melody(asked[:limit], tunes=tunes, processes=jobs, step=show_progress)
    typer.echo(jsonlib.dumps(result.to_dict(), ensure_ascii=True) if json else "\n".join(melody_lines(result)))
    raise typer.Exit(0 if result.passed else 1)


def real(
    music: Annotated[
        str, typer.Argument(metavar="FOLDER", help="A folder of songs, labelled or a genre a folder; artists help.")
    ],
    seeds: Annotated[int, typer.Option("--seeds", min=4, help="Pieces a genre, and real songs beside them.")] = 20,
    genre: Annotated[list[str] | None, typer.Option("--genre", help="Only this genre, again for more.")] = None,
    bars: Annotated[int, typer.Option("--bars", min=16, help="Bars of an excerpt.")] = 32,
    length: Annotated[int, typer.Option("--length", min=16, help="Bars that each of our pieces is asked for.")] = 32,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Say how easily ours are told from real songs, and these from other real songs; exits with 1 below a mark.

    Example: libretto bench real ~/midi --seeds 20
    """
    run_real_bench(music, seeds, genre or [], bars, length, jobs, json)


def run_real_bench(music: str, seeds: int, genres: list[str], bars: int, length: int, jobs: int, json: bool) -> None:
    """Print how easily ours are told from real songs; exit 1 where a mark is missed."""
    from libretto.bench.real.bench import bench_real, real_lines

    result = bench_real(music, seeds=seeds, genres=genres, bars=bars, length=length, jobs=jobs, step=show_progress)
    typer.echo(jsonlib.dumps(result.to_dict(), ensure_ascii=True) if json else "\n".join(real_lines(result)))
    raise typer.Exit(0 if result.passed else 1)
