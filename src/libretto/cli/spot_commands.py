"""What the command that spots faults does: read, call, print."""

from __future__ import annotations

import json as jsonlib

import typer

from libretto.cli.commands import read_score, span_of
from libretto.errors import LibrettoError

__all__ = ["run_plant", "run_spot"]


def run_spot(file: str, bars: str | None, kinds: list[str], strict: bool, most: int, json: bool) -> None:
    """Print the faults of a piece; exit 1 where there are any."""
    from libretto.tasks.spot.find import fault_line, spot

    score = read_score(file)
    first, last = span_of(bars)
    found = spot(score, most if first is None else 10_000, strict=strict, kinds=tuple(kinds))
    if first is not None:
        found = [one for one in found if first <= one.bar <= (first if last is None else last)][:most]
    if json:
        typer.echo(jsonlib.dumps({"file": file, "faults": [one.to_dict() for one in found]}, ensure_ascii=False))
    elif found:
        typer.echo("\n".join(map(fault_line, found)))
    else:
        pitched = any(len(voice.array) and not voice.drums for voice in score.voices)
        typer.echo("nothing stands out as a fault" if pitched else "there are no pitched notes to judge")
    raise typer.Exit(1 if found else 0)


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
    from libretto.formats import write
    from libretto.tasks.spot.plant import plant

    if output is None:
        raise LibrettoError("say with -o where the copy with the fault goes")
    other = None if donor is None else read_score(donor)
    planted = plant(read_score(file), kind, seed, degree="subtle" if subtle else "plain", donor=other)
    if planted is None:
        raise LibrettoError(f"{file} has no place for a fault of the kind {kind!r}; try another kind")
    write(planted.score, output, force=force)
    where = {} if secret else {"bar": planted.bar, "voice": planted.voice, "words": planted.words}
    if json:
        typer.echo(jsonlib.dumps({"file": output, "kind": kind, **where}, ensure_ascii=False))
    else:
        typer.echo(f"wrote {output} with one fault" if secret else f"wrote {output}: {kind}: {planted.words}")
