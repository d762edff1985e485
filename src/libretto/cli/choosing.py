"""The command under ``libretto bench`` that repeats the choice of the axes, and its help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.options import Jobs, Json, show_progress

__all__ = ["add_to", "choice", "run_choice"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(choice)


def choice(
    music: Annotated[
        str,
        typer.Argument(metavar="FOLDER", help="Songs, or a cloud of yours whose songs are still there."),
    ],
    bound: Annotated[
        float, typer.Option("--bound", min=0.1, max=1.0, help="Axes that agree so much are one and the same.")
    ] = 0.80,
    limit: Annotated[int | None, typer.Option("--limit", min=12, help="So many songs at most, the first.")] = None,
    jobs: Jobs = 0,
    json: Json = False,
) -> None:
    """Choose axes among the 35 candidates as the paper did, by spread and redundancy, on any music.

    Example: libretto bench choice ~/midi --bound 0.75
    """
    run_choice(music, bound, limit, jobs, json)


def run_choice(music: str, bound: float, limit: int | None, jobs: int, json: bool) -> None:
    """Measure every candidate on every song and print which are kept."""
    from libretto.bench.representation.choice import choice_lines, choose, measure_candidates

    chosen = choose(measure_candidates(music, limit, jobs, show_progress), bound)
    typer.echo(jsonlib.dumps(chosen.to_dict(), ensure_ascii=True) if json else "\n".join(choice_lines(chosen)))
