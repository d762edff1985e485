"""The commands for teachers and learners, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli.model_options import (
    BaseUrl,
    BudgetMoney,
    BudgetSeconds,
    BudgetTokens,
    Composing,
    DryRun,
    Replay,
    RunFolder,
    Who,
)

__all__ = ["add_to", "drill", "grade", "lesson"]

Key = Annotated[str, typer.Option("--key", help="Such as E or 'E minor'; without a mode the concept's own.")]
Meter = Annotated[str, typer.Option("--meter", help="Such as 3/4; without one the concept's own.")]
Bars = Annotated[int | None, typer.Option("--bars", min=2, help="Exactly so many bars.")]
Level = Annotated[int | None, typer.Option("--level", min=1, max=3, help="1 to 3; the concept's own without it.")]
Clef = Annotated[str, typer.Option("--clef", help="treble, alto, tenor or bass: stay where it lies well.")]
Tempo = Annotated[float | None, typer.Option("--tempo", help="Quarter notes a minute.")]
Instrument = Annotated[str, typer.Option("--instrument", help="Such as flute.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, another drill.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (drill, lesson, grade):
        app.command()(command)


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
    seed: Seed = 0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How many drafts at most.")] = 3,
    composer: Who = "house",
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    replay: Replay = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    run: RunFolder = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="A text, MIDI, MusicXML or ABC file.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a drill: one voice that practises one concept, checked by what finds that concept in music.

    Example: libretto drill "harmonic minor" --key E --meter 4/4 --level 2 --bars 20 -o drill.musicxml
    """
    from libretto.cli.teaching_commands import run_drill

    how = Composing(composer, seed, rounds, budget_tokens, budget_money, budget_seconds, replay, base_url, dry_run, run)
    run_drill(concept, key, meter, bars, level, clef, range_, tempo, instrument, how, output, force, json)


def lesson(
    concepts: Annotated[list[str], typer.Argument(metavar="CONCEPT...", help="Concepts of theory.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="The folder to write into.")],
    keys: Annotated[str, typer.Option("--keys", help="Keys with commas between: E,A,D.")] = "",
    count: Annotated[int, typer.Option("--count", min=1, help="How many drills.")] = 6,
    meter: Meter = "",
    bars: Bars = None,
    level: Level = None,
    clef: Clef = "",
    tempo: Tempo = None,
    instrument: Instrument = "",
    seed: Seed = 0,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a lesson: several drills over concepts and keys, the easier first, and a page that lists them.

    Example: libretto lesson "harmonic minor" "melodic minor" --keys E,A,D --count 6 -o lesson
    """
    from libretto.cli.teaching_commands import run_lesson

    run_lesson(concepts, output, keys, count, meter, bars, level, clef, tempo, instrument, seed, force, json)


def grade(
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="What the learner played: MIDI or MusicXML.")],
    drill: Annotated[str, typer.Option("--drill", metavar="FILE", help="The drill that was to be played.")],
    concept: Annotated[str, typer.Option("--concept", help="The concept it practises (else its title).")] = "",
    json: Json = False,
) -> None:
    """Grade an answer to a drill: each mistake with its bar and beat, a score, and what to practise next.

    Tempo, silence at the start, small unevenness and transposition are not held against the learner.

    Example: libretto grade played.mid --drill drill.libretto
    """
    from libretto.cli.teaching_commands import run_grade

    run_grade(answer, drill, concept, json)
