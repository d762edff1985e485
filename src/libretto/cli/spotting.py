"""The command that finds faults, or plants one; and its help."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer

from libretto.cli.files import read_score, span_of
from libretto.cli.options import Force, Json
from libretto.errors import LibrettoError

__all__ = ["add_to", "run_plant", "run_spot", "spot"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(spot)


_ALL = 10_000  # faults, where only those of some bars are shown


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
    force: Force = False,
    json: Json = False,
) -> None:
    """Find wrong notes, basses, clashes, ranges, crossings, parallels and bars; exits with 1 where there are any.

    Example: libretto spot song.mid; libretto spot --plant clash --seed 3 song.mid -o faulty.mid
    """
    if plant is not None:
        run_plant(file, plant, seed, subtle, donor, output, secret, force, json)
    else:
        run_spot(file, bars, kind or [], strict, most, json)


def run_spot(file: str, bars: str | None, kinds: list[str], strict: bool, most: int, json: bool) -> None:
    """Print the faults of a piece; exit 1 where there are any."""
    from libretto.faults.find import fault_line, spot

    score = read_score(file)
    first, last = span_of(bars)
    faults = spot(score, most if first is None else _ALL, strict=strict, kinds=tuple(kinds))
    if first is not None:
        faults = [fault for fault in faults if first <= fault.bar <= (first if last is None else last)][:most]
    if json:
        typer.echo(jsonlib.dumps({"file": file, "faults": [fault.to_dict() for fault in faults]}, ensure_ascii=False))
    elif faults:
        typer.echo("\n".join(map(fault_line, faults)))
    else:
        pitched = any(len(voice.array) and not voice.drums for voice in score.voices)
        typer.echo("nothing stands out as a fault" if pitched else "there are no pitched notes to judge")
    raise typer.Exit(1 if faults else 0)


def run_plant(
    file: str,
    kind: str,
    seed: int,
    subtle: bool,
    donor: str | None,
    output: str | None,
    secret: bool,
    force: bool,
    json: bool,
) -> None:
    """Write a copy of a piece with one fault, and say where it is unless that is a secret."""
    from libretto.faults.plant import plant
    from libretto.formats import write_edited

    if output is None:
        raise LibrettoError("say with -o where the copy with the fault goes")
    other = None if donor is None else read_score(donor)
    planted = plant(read_score(file), kind, seed, degree="subtle" if subtle else "plain", donor=other)
    if planted is None:
        raise LibrettoError(f"{file} has no place for a fault of the kind {kind!r}; try another kind")
    write_edited(planted.score, file, output, force=force)
    where = {} if secret else {"bar": planted.bar, "voice": planted.voice, "words": planted.words}
    if json:
        typer.echo(jsonlib.dumps({"file": output, "kind": kind, **where}, ensure_ascii=False))
    else:
        typer.echo(f"wrote {output} with one fault" if secret else f"wrote {output}: {kind}: {planted.words}")
