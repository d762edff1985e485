"""The commands under ``libretto bench``, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["bench_app", "representation"]

bench_app = typer.Typer(
    name="bench",
    help="Measure the published tables here, row by row.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Replace plots that exist.")]


@bench_app.command()
def representation(
    cloud: Annotated[
        list[str] | None,
        typer.Option("--cloud", metavar="NAME", help="A cloud by name or path, again for more. [paper314 and default]"),
    ] = None,
    music: Annotated[
        list[str] | None,
        typer.Option("--music", metavar="FOLDER", help="Measure fidelity on up to 40 files from here, again for more."),
    ] = None,
    plots: Annotated[str | None, typer.Option("--plots", metavar="DIR", help="Write plots into this folder.")] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Print tables 1 and 2 with the published figure beside ours; exits with 1 where a mark is missed.

    Example: libretto bench representation --music ~/midi --plots plots
    """
    from libretto.cli.bench_commands import run_representation

    run_representation(cloud or ["paper314", "default"], music or [], plots, force, json)
