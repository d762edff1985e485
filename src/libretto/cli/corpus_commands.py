"""What the commands under ``libretto corpus`` do: call, print."""

from __future__ import annotations

import json as jsonlib
from typing import Any

import typer

from libretto.errors import LibrettoError

__all__ = ["run_build", "run_info", "run_list"]


def _print(data: Any) -> None:
    typer.echo(jsonlib.dumps(data, ensure_ascii=True))


def run_build(folder: str, output: str, labels: str | None, jobs: int, about: str, force: bool, json: bool) -> None:
    """Build a cloud; say what is in it and what is not."""
    from libretto.corpus.build import build_cloud

    built = build_cloud(folder, output, labels=labels, jobs=jobs, about=about, force=force)
    _print(built.to_dict()) if json else typer.echo("\n".join(built.lines()))


def run_list(json: bool) -> None:
    """Print a line a cloud; one that is damaged says so, and the exit code is 1."""
    from libretto.corpus.store import cloud_names, describe_cloud

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
    from libretto.corpus.labels import shown
    from libretto.corpus.store import describe_cloud

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
        f"percentiles: {facts['rule']}",
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
    return f"calibrated for {len(gates['songs'])} genres" + (f" and for regions of {regions} bars" if regions else "")
