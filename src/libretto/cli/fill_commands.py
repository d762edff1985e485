"""What the commands that write into a song do: read, run, write, print."""

from __future__ import annotations

import json as jsonlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from libretto.cli.model_options import Composing
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.score import Score
    from libretto.tasks import AccompanyTask, FillTask

__all__ = ["run_accompany", "run_extend", "run_fill"]


def run_fill(
    song: str,
    output: str,
    bars: str,
    voices: str | None,
    genre: str | None,
    how: Composing,
    roll: str | None,
    force: bool,
    json: bool,
) -> None:
    """Fill a gap and say what became of it; exit 1 where no draft passed."""
    from libretto.tasks import fill_task

    found = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", bars)
    if found is None:
        raise LibrettoError(f"{bars!r} are no bars; say 33-40, or 33 for one bar")
    first = int(found[1])
    last = int(found[2]) if found[2] else first
    names = voices.split(",") if voices else None
    _run(
        song,
        output,
        lambda piece: fill_task(piece, first, last, names, genre),
        how,
        roll,
        force,
        json,
    )


def run_accompany(
    song: str,
    output: str,
    voice: str,
    role: str | None,
    program: int | None,
    genre: str | None,
    how: Composing,
    roll: str | None,
    force: bool,
    json: bool,
) -> None:
    """Write a part and say what became of it; exit 1 where no draft passed."""
    from libretto.tasks import accompany_task

    def made(piece: Score) -> AccompanyTask:
        return accompany_task(piece, voice, role, program, genre)

    _run(song, output, made, how, roll, force, json)


def run_extend(
    song: str,
    output: str,
    bars: int,
    at: str,
    genre: str | None,
    how: Composing,
    roll: str | None,
    force: bool,
    json: bool,
) -> None:
    """Extend a song and say what became of it; exit 1 where no draft passed."""
    from libretto.tasks import extend_task

    _run(song, output, lambda piece: extend_task(piece, bars, at, genre), how, roll, force, json)


def _run(
    song: str,
    output: str,
    make: Callable[[Score], FillTask | AccompanyTask],
    how: Composing,
    roll: str | None,
    force: bool,
    json: bool,
) -> None:
    from libretto.formats import format_of, read, write, write_bytes
    from libretto.report.run import round_line

    if output != "-":
        format_of(output)
    for path in filter(None, (output, roll)):
        if path != "-" and Path(path).exists() and not force:
            raise LibrettoError(f"{path} exists; use --force to replace it")
    task = make(read(song))
    print(f"libretto: {task.brief}", file=sys.stderr)
    run = how.play(task, lambda each: print(f"libretto: {round_line(each)}", file=sys.stderr))
    if run.score is None or not task.same_outside(run.score):
        raise LibrettoError("no draft could be read that left the rest of the song alone")
    write(run.score, output, force=force)
    files = [output]
    if roll is not None:
        from libretto.render.roll import roll_pair

        write_bytes(roll_pair(task.context, run.score, title=task.brief).encode(), roll, force=force)
        files.append(roll)
    verdict = run.best.verdict
    assert verdict is not None
    if json:
        data = {"passed": run.passed, "best": run.best.to_dict(), "outside": task.digest, "files": files}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    elif output != "-":
        gates = [
            f"{name:<12} {'passed' if each.passed else 'FAILED'}  {each.note}"
            for name, each in verdict.outcomes.items()
        ]
        proof = f"everything else is untouched: sha256 {task.digest} before and after"
        wrote = [f"wrote {path}" for path in files]
        typer.echo("\n".join([*gates, proof, "", run.best.feedback, "", *wrote]))
    raise typer.Exit(0 if run.passed else 1)
