"""The command that checks four-part writing, the one that measures the check, and their help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.files import read_score, span_of
from libretto.cli.options import Json

__all__ = ["add_bench_to", "add_to", "bench_harmony", "harmony", "run_bench_harmony", "run_harmony"]

Style = Annotated[str, typer.Option("--style", help="strict, as classes ask, or free, as chorales are written.")]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(harmony)


def add_bench_to(app: typer.Typer) -> None:
    """Put what measures the check among the commands of an app."""
    app.command("harmony")(bench_harmony)


def harmony(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text in four parts.")],
    style: Style = "strict",
    bars: Annotated[str | None, typer.Option("--bars", help="Report only bars such as 9-16 or 9.")] = None,
    voices: Annotated[str, typer.Option("--voices", help="The parts that make the four, with commas between.")] = "",
    json: Json = False,
) -> None:
    """Check four-part writing: parallels, spacing, doubling, resolution; exits with 1 where a rule is broken.

    Every fault is named with its rule, both voices, bar and beat.

    Example: libretto harmony exercise.musicxml --style strict
    """
    run_harmony(file, style, bars, voices, json)


def bench_harmony(
    music: Annotated[str, typer.Argument(metavar="FOLDER", help="Four-part music that is beyond reproach.")],
    style: Style = "free",
    json: Json = False,
) -> None:
    """Check every four-part piece below a folder and print alarms in 100 bars, rule by rule; exits with 1 above two.

    Example: libretto bench harmony ~/chorales --style free
    """
    run_bench_harmony(music, style, json)


def run_harmony(file: str, style: str, bars: str | None, voices: str, json: bool) -> None:
    """Print the faults of four-part writing; exit 1 where there are any."""
    from libretto.faults.harmony.checking import check_harmony

    names = [name.strip() for name in voices.split(",") if name.strip()]
    faults = check_harmony(read_score(file), style, names)
    first, last = span_of(bars)
    if first is not None:
        faults = [fault for fault in faults if first <= fault.bar <= (first if last is None else last)]
    if json:
        told = {"file": file, "style": style, "faults": [fault.to_dict() for fault in faults]}
        typer.echo(jsonlib.dumps(told, ensure_ascii=False))
    else:
        typer.echo("\n".join(fault.line for fault in faults) or f"no rule of the {style} style is broken")
    raise typer.Exit(1 if faults else 0)


def run_bench_harmony(music: str, style: str, json: bool) -> None:
    """Print how often music that is beyond reproach is blamed; exit 1 where that is too often."""
    from libretto.bench.part_writing import alarms_below, alarms_lines

    alarms = alarms_below(music, style)
    typer.echo(jsonlib.dumps(alarms.to_dict()) if json else "\n".join(alarms_lines(alarms)))
    raise typer.Exit(0 if alarms.passed else 1)
