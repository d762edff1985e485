"""The commands that write into a song: fill, accompany, extend; and their help."""

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

__all__ = ["accompany", "add_to", "extend", "fill"]

Song = Annotated[str, typer.Argument(metavar="SONG", help="A MIDI, MusicXML, ABC or grammar file.")]
Output = Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="Where to write the song.")]
Genre = Annotated[str | None, typer.Option("--genre", help="A genre of the default cloud, such as jazz.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other notes.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, help="How many drafts at most.")]
Roll = Annotated[str | None, typer.Option("--roll", metavar="FILE.svg", help="Draw before and after as a piano roll.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")]
Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (fill, accompany, extend):
        app.command()(command)


def fill(
    song: Song,
    output: Output,
    bars: Annotated[str, typer.Option("--bars", help="The bars to write anew, such as 33-40.")],
    voices: Annotated[str | None, typer.Option("--voices", help="Only these voices, such as BASS,KEYS.")] = None,
    genre: Genre = None,
    seed: Seed = 0,
    rounds: Rounds = 3,
    composer: Who = "house",
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    replay: Replay = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    run: RunFolder = None,
    roll: Roll = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write some bars of a song anew, all voices or some, so that they belong; the rest provably stays as it is.

    What was in those bars is not looked at. Exits with 1 where no draft passed every gate.

    Example: libretto fill song.mid --bars 33-40 --voices BASS,KEYS -o filled.mid
    """
    from libretto.cli.fill_commands import Writing, run_writing

    how = Composing(composer, seed, rounds, budget_tokens, budget_money, budget_seconds, replay, base_url, dry_run, run)
    writing = Writing(output, how, roll, force, json)
    run_writing("fill", song, {"bars": bars, "voices": voices, "genre": genre}, writing)


def accompany(
    song: Song,
    output: Output,
    voice: Annotated[str, typer.Option("--voice", help="The voice to write: one of the song's, or a new one.")],
    role: Annotated[
        str | None, typer.Option("--role", help="bass, drums, guitar, keys, lead or strings, if the name does not say.")
    ] = None,
    program: Annotated[int | None, typer.Option("--program", min=0, max=127, help="A General MIDI program.")] = None,
    genre: Genre = None,
    seed: Seed = 0,
    rounds: Rounds = 3,
    composer: Who = "house",
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    replay: Replay = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    run: RunFolder = None,
    roll: Roll = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write one part of a song from the others: a missing one, or one that is there anew.

    Example: libretto accompany song.mid --voice Bass -o with-bass.mid
    """
    from libretto.cli.fill_commands import Writing, run_writing

    how = Composing(composer, seed, rounds, budget_tokens, budget_money, budget_seconds, replay, base_url, dry_run, run)
    writing = Writing(output, how, roll, force, json)
    run_writing("accompany", song, {"voice": voice, "role": role, "program": program, "genre": genre}, writing)


def extend(
    song: Song,
    output: Output,
    bars: Annotated[int, typer.Option("--bars", min=1, help="How many bars to add.")] = 8,
    at: Annotated[str, typer.Option("--at", help="end, start, or the number of the bar before which they go.")] = "end",
    genre: Genre = None,
    seed: Seed = 0,
    rounds: Rounds = 3,
    composer: Who = "house",
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    replay: Replay = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    run: RunFolder = None,
    roll: Roll = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Let a song go on, begin earlier, or open up in the middle, for some bars more.

    Example: libretto extend song.mid --bars 8 --at end -o longer.mid
    """
    from libretto.cli.fill_commands import Writing, run_writing

    how = Composing(composer, seed, rounds, budget_tokens, budget_money, budget_seconds, replay, base_url, dry_run, run)
    writing = Writing(output, how, roll, force, json)
    run_writing("extend", song, {"bars": bars, "at": at, "genre": genre}, writing)
