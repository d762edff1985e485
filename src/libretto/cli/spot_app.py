"""The command that spots faults, and its help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["add_to", "spot"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(spot)


def spot(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")],
    bars: Annotated[str | None, typer.Option("--bars", help="Report only bars such as 9-16 or 9.")] = None,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only this kind of fault, again for more.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Every textbook fault, for exercises.")] = False,
    most: Annotated[int, typer.Option("--most", min=1, max=1000, help="So many faults at most.")] = 5,
    plant: Annotated[
        str | None, typer.Option("--plant", metavar="KIND", help="Write a copy with one fault of this kind instead.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed plants elsewhere.")] = 0,
    subtle: Annotated[bool, typer.Option("--subtle", help="Plant a fault that is harder to hear.")] = False,
    donor: Annotated[
        str | None, typer.Option("--from", metavar="OTHER", help="A song from which a foreign bar may be taken.")
    ] = None,
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="OUT", help="Where the copy goes.")] = None,
    secret: Annotated[bool, typer.Option("--secret", help="Do not say where the fault is planted.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Find wrong notes, basses, clashes, ranges, crossings, parallels and bars; exits with 1 where there are any.

    Example: libretto spot song.mid; libretto spot --plant clash --seed 3 song.mid -o faulty.mid
    """
    from libretto.cli.spot_commands import run_plant, run_spot

    if plant is not None:
        run_plant(file, plant, seed, subtle, donor, output, secret, force, json)
    else:
        run_spot(file, bars, kind or [], strict, most, json)
