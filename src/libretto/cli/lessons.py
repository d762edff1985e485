"""What the commands for lessons and learners do: sheets for one, for a class, or by what a learner got wrong."""

from __future__ import annotations

import json as jsonlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import typer

from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.knowledge import Concept
    from libretto.report.lesson import Lesson
    from libretto.score import Score
    from libretto.tasks.drill.mistakes import Grade
    from libretto.tasks.drill.progress import Step

__all__ = ["Asked", "keep_grade", "run_lesson"]


@dataclass(frozen=True)
class Asked:
    """What is asked of a lesson; ``pairs`` are concepts with their keys where a learner's record chose them."""

    concepts: list[str]
    keys: list[str]
    count: int
    meter: str
    bars: int | None
    level: int | None
    clef: str
    tempo: float | None
    instrument: str
    pairs: tuple[tuple[str, str], ...] = ()

    def make(self, seed: int) -> Lesson:
        """The lesson of a seed."""
        from libretto.report.lesson import make_lesson

        return make_lesson(
            self.concepts, self.keys, self.count, meter=self.meter, bars=self.bars, level=self.level, clef=self.clef,
            tempo=self.tempo, instrument=self.instrument, seed=seed, pairs=self.pairs,
        )  # fmt: skip


def run_lesson(
    asked: Asked,
    output: str,
    parts: list[str],
    students: int | None,
    learner: str,
    workspace: str,
    seed: int,
    force: bool,
    json: bool,
) -> None:
    """Write a lesson, or one for every student of a class, and say what is in it."""
    steps: tuple[Step, ...] = ()
    if learner:
        if asked.concepts or students is not None:
            raise LibrettoError("--learner chooses the concepts itself, for one learner; leave them and --students out")
        steps = _steps(learner, workspace, asked.count)
        asked = replace(asked, pairs=tuple((step.concept, step.key) for step in steps))
    if students is not None:
        if parts:
            raise LibrettoError("--students and --parts do not go together; write the parts of one lesson")
        _run_class(asked, output, students, seed, force, json)
    _run_one(asked, output, parts, steps, seed, force, json)


def _steps(learner: str, workspace: str, count: int) -> tuple[Step, ...]:
    from libretto.tasks.drill.progress import next_steps
    from libretto.tasks.training.course import weaknesses
    from libretto.workspace import Workspace
    from libretto.workspace.learners import answers_of

    answers = answers_of(Workspace(workspace), learner)
    return next_steps(answers, count, weaknesses(answers))


def _run_one(
    asked: Asked, output: str, parts: list[str], steps: tuple[Step, ...], seed: int, force: bool, json: bool
) -> None:
    from importlib.util import find_spec

    from libretto.report.class_set import check_readings, write_sheets
    from libretto.report.lesson import write_lesson

    check_readings(parts)
    made = asked.make(seed)
    paths = write_lesson(made, output, force=force)
    if find_spec("verovio") is not None and find_spec("typst") is not None:
        paths = [*write_sheets(made, output, parts, force=force), *paths]
    elif parts:
        raise LibrettoError("parts are engraved; pip install 'libretto[notation]'")
    rows = [
        {"name": part.name, "concept": part.concept.key, "key": str(part.score.key), "grade": part.difficulty.grade,
         "reasons": list(part.difficulty.reasons), "passed": part.passed}
        for part in made.parts
    ]  # fmt: skip
    why = [{"concept": step.concept, "key": step.key, "why": step.why} for step in steps]
    if json:
        told = {"drills": rows, "files": [str(path) for path in paths], "chosen": why}
        typer.echo(jsonlib.dumps(told, ensure_ascii=False))
    else:
        for step in steps:
            typer.echo(f"chosen: {step.concept}{' in ' + step.key if step.key else ''}: {step.why}")
        for part in made.parts:
            typer.echo(f"{part.difficulty.grade:>2}  {part.name}  ({', '.join(part.difficulty.reasons)})")
        typer.echo(f"wrote {len(paths)} files; the page is {paths[-1]}")
    raise typer.Exit(0 if all(part.passed for part in made.parts) else 1)


def _run_class(asked: Asked, output: str, students: int, seed: int, force: bool, json: bool) -> None:
    from libretto.report.class_set import make_class, write_class

    lessons = make_class(asked.make, students, seed)
    paths = write_class(lessons, output, force=force)
    if json:
        told = {"students": [{"seed": number} for number, _ in lessons], "files": [str(path) for path in paths]}
        typer.echo(jsonlib.dumps(told, ensure_ascii=False))
    else:
        typer.echo(f"wrote {len(paths)} files for {students} students; print class.pdf, keep answers.pdf ({output})")
    raise typer.Exit(0 if all(part.passed for _, lesson in lessons for part in lesson.parts) else 1)


def keep_grade(
    learner: str, workspace: str, drill: str, written: Score, concept: Concept | None, graded: Grade
) -> None:
    """Put a grade into a learner's record."""
    from libretto.workspace import Workspace
    from libretto.workspace.learners import Answer, add_answer
    from libretto.workspace.versions import now

    kinds = Counter(mistake.kind for mistake in graded.mistakes)
    answer = Answer(
        now(), PurePath(drill).name, concept.title if concept is not None else "", str(written.key), graded.score,
        dict(sorted(kinds.items())), graded.concept_heard, graded.practise,
    )  # fmt: skip
    add_answer(Workspace(workspace), learner, answer)
