"""The commands under ``libretto corpus``, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["build", "corpus_app", "info", "list_clouds"]

corpus_app = typer.Typer(
    name="corpus",
    help="Build clouds of your own music, and look at those there are.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@corpus_app.command()
def build(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder of music, at any depth.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="NAME", help="A name, or a path for its folder.")],
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="CSV", help="A table: file (or id), genre, and artist and title if known."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Processes; 0 takes one for each core.")] = 0,
    about: Annotated[str, typer.Option("--about", help="A sentence on what the music is.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a cloud of that name.")] = False,
    json: Json = False,
) -> None:
    """Measure a folder of MIDI, MusicXML, ABC and grammar files into a cloud.

    The genre is the first sub-folder, or what --labels says; a manifest.csv in FOLDER is read without being asked
    for. Copies are left out. A build that was stopped goes on where it was when it is run again.

    Example: libretto corpus build ~/midi -o mine --labels labels.csv
    """
    from libretto.cli.corpus_commands import run_build

    run_build(folder, output, labels, jobs, about, force, json)


@corpus_app.command("list")
def list_clouds(json: Json = False) -> None:
    """List the clouds there are: the package's and yours.

    Example: libretto corpus list
    """
    from libretto.cli.corpus_commands import run_list

    run_list(json)


@corpus_app.command()
def info(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A cloud by its name, or the path of its folder.")],
    json: Json = False,
) -> None:
    """Say what a cloud is made of: songs by genre, axes, index, calibrated gates, checksum.

    Example: libretto corpus info paper314
    """
    from libretto.cli.corpus_commands import run_info

    run_info(name, json)
