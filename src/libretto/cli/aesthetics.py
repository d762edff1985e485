"""The command under ``libretto bench`` that judges the aesthetics of sound, and its help."""

from __future__ import annotations

import json as jsonlib
from dataclasses import asdict
from typing import Annotated

import typer

from libretto.cli.options import Json, show_progress

__all__ = ["add_to", "aesthetics", "run_aesthetics"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(aesthetics)


def aesthetics(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder a system: pieces, WAV files or runs.")],
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="FILE", help="Weights; without, as the package finds them.")
    ] = None,
    soundfont: Annotated[str | None, typer.Option("--soundfont", metavar="FILE", help="An .sf2 file.")] = None,
    json: Json = False,
) -> None:
    """Score sound by audiobox-aesthetics: CE, CU, PC and PQ of every system, with intervals.

    Example: libretto bench aesthetics bench-teams --weights checkpoint.pt
    """
    run_aesthetics(folder, weights, soundfont, json)


def run_aesthetics(folder: str, weights: str | None, soundfont: str | None, json: bool) -> None:
    """Print the table."""
    from libretto.bench.aesthetics import aesthetics_lines, load_predictor, rate_folder

    rated = rate_folder(folder, load_predictor(weights), soundfont=soundfont, step=show_progress)
    typer.echo(jsonlib.dumps([asdict(row) for row in rated]) if json else "\n".join(aesthetics_lines(rated)))
