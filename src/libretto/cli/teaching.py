"""The commands for teachers and learners, and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, keep_apart
from libretto.cli.options import Force, Json, Place, Seed, composes
from libretto.cli.waiting import waiting
from libretto.errors import LibrettoError

if TYPE_CHECKING:
    from libretto.score import Score

__all__ = ["SOUND_SUFFIXES", "add_to", "drill", "grade", "lesson", "run_drill", "run_grade"]

SOUND_SUFFIXES = (".wav", ".flac", ".ogg", ".mp3", ".aif", ".aiff")

Key = Annotated[str, typer.Option("--key", help="Such as E or 'E minor'; without a mode the concept's own.")]
Meter = Annotated[str, typer.Option("--meter", help="Such as 3/4; without one the concept's own.")]
Bars = Annotated[int | None, typer.Option("--bars", min=2, help="Exactly so many bars.")]
Level = Annotated[int | None, typer.Option("--level", min=1, max=3, help="1 to 3; the concept's own without it.")]
Clef = Annotated[str, typer.Option("--clef", help="treble, alto, tenor or bass: stay where it lies well.")]
Tempo = Annotated[float | None, typer.Option("--tempo", help="Quarter notes a minute.")]
Instrument = Annotated[str, typer.Option("--instrument", help="Such as flute.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (drill, lesson, grade):
        app.command()(command)


@composes()
def drill(
    concept: Annotated[str, typer.Argument(metavar="CONCEPT", help="A concept of theory, such as 'harmonic minor'.")],
    key: Key = "",
    meter: Meter = "",
    bars: Bars = None,
    level: Level = None,
    clef: Clef = "",
    range_: Annotated[str, typer.Option("--range", metavar="LOW-HIGH", help="Such as C2-C4.")] = "",
    tempo: Tempo = None,
    instrument: Instrument = "",
    how: Composing = HOUSE,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="A text, MIDI, MusicXML or ABC file.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a drill: one voice that practises one concept, checked by what finds that concept in music.

    Example: libretto drill "harmonic minor" --key E --meter 4/4 --level 2 --bars 20 -o drill.musicxml
    """
    run_drill(concept, key, meter, bars, level, clef, range_, tempo, instrument, how, output, force, json)


def lesson(
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="The folder to write into.")],
    concepts: Annotated[
        list[str] | None, typer.Argument(metavar="CONCEPT...", help="Concepts of theory; none with --learner.")
    ] = None,
    keys: Annotated[str, typer.Option("--keys", help="Keys with commas between: E,A,D.")] = "",
    count: Annotated[int, typer.Option("--count", min=1, help="How many drills.")] = 6,
    meter: Meter = "",
    bars: Bars = None,
    level: Level = None,
    clef: Clef = "",
    tempo: Tempo = None,
    instrument: Instrument = "",
    parts: Annotated[str, typer.Option("--parts", help="Also parts for players in Bb,Eb,F.")] = "",
    students: Annotated[
        int | None, typer.Option("--students", min=1, help="A class: a page of their own each.")
    ] = None,
    learner: Annotated[str, typer.Option("--learner", help="Choose by what this learner got wrong.")] = "",
    workspace: Place = ".",
    seed: Seed = 0,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a lesson: drills over concepts and keys, the easier first, as sheets and pages, with answers apart.

    Example: libretto lesson "harmonic minor" "melodic minor" --keys E,A,D --count 6 --parts Bb -o lesson
    """
    from libretto.cli.lessons import Asked, run_lesson

    asked = Asked(concepts or [], _listed(keys), count, meter, bars, level, clef, tempo, instrument)
    run_lesson(asked, output, _listed(parts), students, learner, workspace, seed, force, json)


def _listed(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def grade(
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="What was played: MIDI, MusicXML or a recording.")],
    drill: Annotated[str, typer.Option("--drill", metavar="FILE", help="The drill that was to be played.")],
    concept: Annotated[str, typer.Option("--concept", help="The concept it practises (else its title).")] = "",
    learner: Annotated[str, typer.Option("--learner", help="Keep the grade in this learner's record.")] = "",
    workspace: Place = ".",
    json: Json = False,
) -> None:
    """Grade an answer to a drill: each mistake with its bar and beat, a score, what to practise; exits with 1 for any.

    Tempo, silence at the start, small unevenness and transposition are not held against the learner. A recording (WAV,
    FLAC, Ogg, MP3) is heard first: as one line where the drill is one, else as many notes at once.

    Example: libretto grade take.wav --drill drill.libretto
    """
    run_grade(answer, drill, concept, learner, workspace, json)


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
    from libretto.tasks.drill.request import difficulty_of
    from libretto.tasks.drill.task import drill_task, parse_range

    low, high = parse_range(range_) if range_ else (None, None)
    task = drill_task(concept, key, meter, bars, level, clef, low, high, tempo, instrument)
    keep_apart(output, force=force)
    with waiting(f"writing a drill on {concept}"):
        run = how.play(task)
    if run.score is None:
        raise LibrettoError("no draft could be read")
    hard = difficulty_of(run.score, task.concept)
    if output:
        write(run.score, output, force=force)
    if json:
        data = {
            "passed": run.passed, "difficulty": hard.grade, "reasons": list(hard.reasons), "file": output,
            "best": run.best.to_dict(), "text": notate(run.score), "not_taken_up": list(task.contract.unread),
        }  # fmt: skip
        typer.echo(jsonlib.dumps(data, ensure_ascii=False))
    else:
        if not output:
            typer.echo(notate(run.score))
        kept = run.best.receipt.lines if run.best.receipt else ()
        lines = [*kept, *(f"not taken up: {line}" for line in task.contract.unread)]
        lines.append(f"grade {hard.grade} of 10: {', '.join(hard.reasons)}")
        if not run.passed:
            lines.append(run.best.feedback)
        if output:
            lines.append(f"wrote {output}")
        print("\n".join(lines), file=sys.stderr if not output else sys.stdout)
    raise typer.Exit(0 if run.passed else 1)


def run_grade(answer: str, drill: str, concept: str, learner: str, workspace: str, json: bool) -> None:
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
    recorded = PurePath(answer).suffix.lower() in SOUND_SUFFIXES
    graded = grade(_answer(answer, written, json), written, asked, recorded=recorded)
    if learner:
        from libretto.cli.lessons import keep_grade

        keep_grade(learner, workspace, drill, written, asked, graded)
    typer.echo(jsonlib.dumps(graded.to_dict(), ensure_ascii=False) if json else "\n".join(graded.lines))
    raise typer.Exit(1 if graded.mistakes else 0)


def _answer(path: str, written: Score, json: bool) -> Score:
    """What a learner played: a file of notes, or a recording that is heard as what the drill is."""
    from libretto.formats import read

    if PurePath(path).suffix.lower() not in SOUND_SUFFIXES:
        return read(path)
    from libretto.cli.writing_down import shown_part
    from libretto.hearing.audio import LONGEST_RECORDING, load_clip
    from libretto.hearing.transcribing import answer_from

    clip = load_clip(path, longest=LONGEST_RECORDING)
    answer, words = answer_from(clip, written, None if json else shown_part)
    if not json:
        print(f"heard {len(answer.table)} notes, as {words}", file=sys.stderr)
    return answer
