"""What the commands for teachers and learners do: read, run, write, print."""

from __future__ import annotations

import json as jsonlib
import sys

import typer

from libretto.cli.model_options import Composing
from libretto.errors import LibrettoError

__all__ = ["run_drill", "run_grade", "run_lesson"]


def run_drill(
    concept: str,
    key: str,
    meter: str,
    bars: int | None,
    level: int | None,
    clef: str,
    range_: str,
    tempo: float | None,
    instrument: str,
    how: Composing,
    output: str | None,
    force: bool,
    json: bool,
) -> None:
    """Write a drill and print it or say where it is; exit 1 where no draft keeps every clause."""
    from libretto.formats import write
    from libretto.grammar import notate
    from libretto.tasks.drill.level import difficulty_of
    from libretto.tasks.drill.task import drill_task, parse_range

    low, high = parse_range(range_) if range_ else (None, None)
    task = drill_task(concept, key, meter, bars, level, clef, low, high, tempo, instrument)
    run = how.play(task)
    if run.score is None:
        raise LibrettoError("no draft could be read")
    hard = difficulty_of(run.score, task.concept)
    if output:
        write(run.score, output, force=force)
    if json:
        data = {
            "passed": run.passed, "difficulty": hard.grade, "reasons": list(hard.reasons), "file": output,
            "best": run.best.to_dict(), "text": notate(run.score),
        }  # fmt: skip
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        if not output:
            typer.echo(notate(run.score))
        assert run.best.receipt is not None
        lines = [*run.best.receipt.lines, f"grade {hard.grade} of 10: {', '.join(hard.reasons)}"]
        if not run.passed:
            lines.append(run.best.feedback)
        if output:
            lines.append(f"wrote {output}")
        print("\n".join(lines), file=sys.stderr if not output else sys.stdout)
    raise typer.Exit(0 if run.passed else 1)


def run_lesson(
    concepts: list[str],
    output: str,
    keys: str,
    count: int,
    meter: str,
    bars: int | None,
    level: int | None,
    clef: str,
    tempo: float | None,
    instrument: str,
    seed: int,
    force: bool,
    json: bool,
) -> None:
    """Write a lesson and say what is in it."""
    from libretto.report.lesson import make_lesson, write_lesson

    names = [each.strip() for each in keys.split(",") if each.strip()]
    made = make_lesson(
        concepts, names, count, meter=meter, bars=bars, level=level, clef=clef, tempo=tempo, instrument=instrument,
        seed=seed,
    )  # fmt: skip
    paths = write_lesson(made, output, force=force)
    rows = [
        {"name": part.name, "concept": part.concept.key, "key": str(part.score.key), "grade": part.difficulty.grade,
         "reasons": list(part.difficulty.reasons), "passed": part.passed}
        for part in made.parts
    ]  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps({"drills": rows, "files": [str(path) for path in paths]}, ensure_ascii=False))
    else:
        for part in made.parts:
            typer.echo(f"{part.difficulty.grade:>2}  {part.name}  ({', '.join(part.difficulty.reasons)})")
        typer.echo(f"wrote {len(paths)} files; the page is {paths[-1]}")
    raise typer.Exit(0 if all(part.passed for part in made.parts) else 1)


def run_grade(answer: str, drill: str, concept: str, json: bool) -> None:
    """Grade an answer and print what was found."""
    from libretto.formats import read
    from libretto.knowledge import find_concept
    from libretto.tasks.drill.grading import grade
    from libretto.tasks.drill.task import drill_task

    written = read(drill)
    asked = None
    if concept:
        asked = drill_task(concept).concept
    elif written.title:
        try:
            asked = (
                find_concept(f"theory/{written.title}") if "/" in written.title else drill_task(written.title).concept
            )
        except LibrettoError:
            asked = None
    found = grade(read(answer), written, asked)
    typer.echo(jsonlib.dumps(found.to_dict(), ensure_ascii=False) if json else "\n".join(found.lines))
