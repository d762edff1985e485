"""The commands under ``libretto corpus``, and their help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated, Any, NamedTuple

import typer

from libretto.cli.options import Json
from libretto.errors import LibrettoError

__all__ = ["Means", "build", "corpus_app", "info", "list_clouds", "run_build", "run_info", "run_list"]

corpus_app = typer.Typer(
    name="corpus",
    help="Build clouds of your own music, and look at those there are.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@corpus_app.command()
def build(
    folder: Annotated[
        str, typer.Argument(metavar="PLACE", help="A folder of music, an address (s3://...), or a list of files.")
    ],
    output: Annotated[str, typer.Option("-o", "--output", metavar="NAME", help="A name, or a path for its folder.")],
    labels: Annotated[
        str | None,
        typer.Option("--labels", metavar="CSV", help="A table: file (or id), genre, and artist and title if known."),
    ] = None,
    jobs: Annotated[int, typer.Option("--workers", "--jobs", min=0, help="Processes; 0 takes one for each core.")] = 0,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="A dask scheduler whose workers measure instead.")
    ] = "",
    large: Annotated[
        bool, typer.Option("--large", help="By partitions, as for very many files; taken by itself from 20,000 on.")
    ] = False,
    part: Annotated[int, typer.Option("--part", min=1, max=100_000, help="Files of a partition.")] = 500,
    in_full: Annotated[
        int, typer.Option("--in-full", min=0, help="Songs of a large cloud by which its gates are calibrated.")
    ] = 1_000,
    about: Annotated[str, typer.Option("--about", help="A sentence on what the music is.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a cloud of that name.")] = False,
    json: Json = False,
) -> None:
    """Measure a folder of MIDI, MusicXML, ABC and grammar files into a cloud.

    The genre is the first sub-folder, or what --labels says; a manifest.csv in FOLDER is read without being asked
    for. Copies are left out. A build that was stopped goes on where it was when it is run again. Very many files are
    measured by partitions (docs/scale.md), on processes of this machine or on a dask cluster.

    Example: libretto corpus build ~/midi -o mine --labels labels.csv
    """
    means = Means(jobs, scheduler, large, part, in_full)
    run_build(folder, output, labels, means, about, force, json)


@corpus_app.command("list")
def list_clouds(json: Json = False) -> None:
    """List the clouds there are: the package's and yours.

    Example: libretto corpus list
    """
    run_list(json)


@corpus_app.command()
def info(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A cloud by its name, or the path of its folder.")],
    json: Json = False,
) -> None:
    """Say what a cloud is made of: songs by genre, axes, index, calibrated gates, checksum.

    Example: libretto corpus info paper314
    """
    run_info(name, json)


def _print(data: Any) -> None:
    typer.echo(jsonlib.dumps(data, ensure_ascii=True))


class Means(NamedTuple):
    """By what a cloud is built: processes, or a cluster; by partitions or not, and how."""

    workers: int = 0
    scheduler: str = ""
    large: bool = False
    part: int = 500
    in_full: int = 1_000


def run_build(place: str, output: str, labels: str | None, means: Means, about: str, force: bool, json: bool) -> None:
    """Build a cloud; say what is in it and what is not."""
    from libretto.corpus.scale.choosing import build_any

    built = build_any(place, output, labels=labels, about=about, force=force, **means._asdict())
    _print(built.to_dict()) if json else typer.echo("\n".join(built.lines()))


def run_list(json: bool) -> None:
    """Print a line a cloud; one that is damaged says so, and the exit code is 1."""
    from libretto.corpus.describe import describe_cloud
    from libretto.corpus.store import cloud_names

    damaged = False
    for name in cloud_names():
        try:
            facts = describe_cloud(name)
        except LibrettoError as error:
            facts, damaged = {"name": name, "error": " ".join(str(error).split())}, True
        _print(facts) if json else typer.echo(_list_line(facts))
    raise typer.Exit(1 if damaged else 0)


def _list_line(facts: dict[str, Any]) -> str:
    if "error" in facts:
        return f"{facts['name']:<20} damaged: {facts['error']}"
    counts = f"{facts['songs']:,} songs, {len(facts['genres'])} genres, {len(facts['axes'])} axes"
    whose = "of the package" if facts["shipped"] else "yours"
    return f"{facts['name']:<20} {counts:<40} {whose:<15} {_index(facts)}"


def _index(facts: dict[str, Any]) -> str:
    index = facts["index"]
    return f"index: {index['kind']}, {index['bytes']:,} bytes" if index else "no index"


def run_info(name: str, json: bool) -> None:
    """Print what a cloud is made of."""
    from libretto.corpus.describe import describe_cloud
    from libretto.corpus.labels import shown

    facts = describe_cloud(name)
    if json:
        _print(facts)
        return
    width = max(map(len, [*facts["genres"], "(no genre)"])) + 2
    genres = [f"  {genre:<{width}}{count:>6,}" for genre, count in facts["genres"].items()]
    if facts["unlabelled"]:
        genres.append(f"  {'(no genre)':<{width}}{facts['unlabelled']:>6,}")
    lines = [
        f"{facts['name']}, version {facts['version']}: {facts['songs']:,} songs, {len(facts['axes'])} axes",
        *([facts["about"]] if facts["about"] else []),
        *genres,
        f"percentiles: {facts['rule']}; measured on the {facts['grid']} grid",
        _index(facts),
        f"gates: {_gates(facts)}",
        f"folder: {facts['folder']}",
        f"checksum: {facts['checksum']}",
    ]
    typer.echo("\n".join(map(shown, lines)))


def _gates(facts: dict[str, Any]) -> str:
    gates = facts["gates"]
    if gates is None:
        return "not calibrated"
    regions = ", ".join(map(str, gates["regions"]))
    words = f"calibrated for {len(gates['songs'])} genres" + (f" and for regions of {regions} bars" if regions else "")
    return words + (f", {gates['kinds']} kinds of pieces by forces and length" if gates["kinds"] else "")
