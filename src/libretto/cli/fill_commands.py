"""What the commands that write into a song do: read, run, write, print."""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import typer

from libretto.cli.model_options import Composing
from libretto.errors import LibrettoError

__all__ = ["Writing", "run_writing"]


@dataclass(frozen=True)
class Writing:
    """What the three commands have in common: who writes, for how many rounds, where to, and what is printed."""

    output: str
    composing: Composing
    roll: str | None
    force: bool
    json: bool


def run_writing(kind: str, song: str, settings: Mapping[str, str | int | None], how: Writing) -> None:
    """Play a task over a song and say what became of it; exit 1 where no draft passed."""
    from libretto.formats import format_of, write, write_bytes
    from libretto.report.run import round_line
    from libretto.tasks import AccompanyTask, FillTask, make_task

    if how.output != "-":
        format_of(how.output)
    for path in filter(None, (how.output, how.roll)):
        if path != "-" and Path(path).exists() and not how.force:
            raise LibrettoError(f"{path} exists; use --force to replace it")
    task = make_task(kind, [song], {name: str(value) for name, value in settings.items() if value is not None})
    assert isinstance(task, AccompanyTask | FillTask)
    print(f"libretto: {task.brief}", file=sys.stderr)
    run = how.composing.play(task, lambda each: print(f"libretto: {round_line(each)}", file=sys.stderr))
    if run.score is None or not task.same_outside(run.score):
        raise LibrettoError("no draft could be read that left the rest of the song alone")
    write(run.score, how.output, force=how.force)
    files = [how.output]
    if how.roll is not None:
        from libretto.roll import roll_pair

        write_bytes(roll_pair(task.context, run.score, title=task.brief).encode(), how.roll, force=how.force)
        files.append(how.roll)
    verdict = run.best.verdict
    assert verdict is not None
    if how.json:
        data = {"passed": run.passed, "best": run.best.to_dict(), "outside": task.digest, "files": files}
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    elif how.output != "-":
        gates = [
            f"{name:<12} {'passed' if each.passed else 'FAILED'}  {each.note}"
            for name, each in verdict.outcomes.items()
        ]
        proof = f"everything else is untouched: sha256 {task.digest} before and after"
        wrote = [f"wrote {path}" for path in files]
        typer.echo("\n".join([*gates, proof, "", run.best.feedback, "", *wrote]))
    raise typer.Exit(0 if run.passed else 1)
