"""The command ``libretto listen make``, and its help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["make"]


def make(
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="A new or empty folder.")],
    trials: Annotated[int, typer.Option("--trials", min=1, max=2000, help="How many trials a task.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another suite.")] = 0,
    noise: Annotated[
        float | None, typer.Option("--noise", metavar="DB", help="Noise so far below all clips (else several levels).")
    ] = None,
    tasks: Annotated[
        list[str] | None, typer.Option("--tasks", help="Only these tasks: again for more, or with commas.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Make a listening suite of our own: clips, a manifest, and answers known by construction.

    Needs the extras audio and listen. The same seed gives the same clips.

    Example: libretto listen make -o suite --trials 50 --tasks contour,chord_quality_4
    """
    from libretto.cli.hearing_commands import run_make

    run_make(output, trials, seed, noise, tasks or [], json)
