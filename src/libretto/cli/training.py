"""The command for training the ear, and its help."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated, Any

import typer

from libretto.cli.options import Json, Place, Seed
from libretto.errors import LibrettoError

__all__ = ["add_to", "run_train", "train"]

_LEARNER = "me"
_MOST_LINES = 10_000  # of a file of answers


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(train)


def train(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(metavar="KIND...", help="intervals, chords, progressions, rhythms, melodies; all without one."),
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, max=1000, help="How many questions.")] = 10,
    level: Annotated[
        int | None, typer.Option("--level", min=1, max=3, help="Only this level; without it the record decides.")
    ] = None,
    learner: Annotated[str, typer.Option("--learner", help="Whose record chooses the questions.")] = _LEARNER,
    forget: Annotated[bool, typer.Option("--forget", help="Neither read nor keep a record.")] = False,
    workspace: Place = ".",
    sound: Annotated[bool, typer.Option(help="Play the questions; without sound they are shown as notation.")] = True,
    answers: Annotated[
        str | None, typer.Option("--answers", metavar="FILE", help="Answers, a line each, instead of being asked.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="Keep what is played here, as WAV or MIDI.")
    ] = None,
    standing: Annotated[bool, typer.Option("--standing", help="Only say how well each skill is known.")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Train the ear: hear intervals, chords, progressions, rhythms and melodies, answer, and be told what it was.

    What went wrong comes back sooner; what is known comes back seldom. The same record and seed ask the same. While
    you are asked: again, show (the notation), skip, quit.

    Example: libretto train intervals chords --count 20
    Example: libretto train melodies --level 2 --no-sound --answers answers.txt --json
    """
    run_train(
        kinds or [], count, level, "" if forget else learner, workspace, sound, answers, output, standing, seed, json
    )


def run_train(
    kinds: list[str],
    count: int,
    level: int | None,
    learner: str,
    workspace: str,
    sound: bool,
    answers: str | None,
    output: str | None,
    standing: bool,
    seed: int,
    json: bool,
) -> None:
    """Ask so many questions and say how it went; the record is kept answer by answer."""
    from libretto.cli.questions import Sounds, Talk
    from libretto.tasks.training import Course
    from libretto.workspace import Workspace
    from libretto.workspace.learners import answers_of, learner_file

    place = Workspace(workspace)
    known = answers_of(place, learner) if learner and learner_file(place, learner).is_file() else ()
    course = Course(kinds, known, level, seed)
    if standing:
        _say_standing(course.standing(), json)
        return
    asked = answers is None and sys.stdin.isatty()
    lines = None if asked else _lines(answers)
    sounds = Sounds(sound and (asked or output is not None), asked, output, place.folder / "training")
    talk = Talk(course, place if learner else None, learner, sounds, lines, json)
    talk.begin()
    try:
        for _ in range(count):
            if not talk.ask():
                break
    except (EOFError, KeyboardInterrupt):
        pass  # leaving is no error; what was answered is kept
    talk.end()


def _lines(answers: str | None) -> list[str]:
    """The answers of a file, or of standard input, a line each."""
    from libretto.formats import read_bytes

    data = read_bytes(answers) if answers not in (None, "-") else sys.stdin.buffer.read()
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        raise LibrettoError("the answers are no text in UTF-8") from None
    if len(lines) > _MOST_LINES:
        raise LibrettoError(f"there are more than {_MOST_LINES:,} answers")
    return lines


def _say_standing(rows: list[dict[str, Any]], json: bool) -> None:
    if json:
        typer.echo(jsonlib.dumps({"standing": rows}, ensure_ascii=False))
        return
    for row in rows:
        typer.echo(f"{row['kind']}: level {row['level']}")
        for skill in row["skills"]:
            full = "#" * skill["strength"] + "." * (5 - skill["strength"])
            typer.echo(f"  {full}  {skill['skill']:<36} {skill['right']} of {skill['asked']} right")
        if not row["skills"]:
            typer.echo("  nothing was asked yet")
