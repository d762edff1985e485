"""The commands that show and play tasks, and the one that morphs; with their help."""

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

__all__ = ["add_to", "morph", "submit", "task"]

Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    app.command()(morph)
    app.command(context_settings={"ignore_unknown_options": True})(task)
    app.command()(submit)


def morph(
    source: Annotated[str, typer.Argument(metavar="A", help="Where it begins: a file or a genre.")],
    target: Annotated[str, typer.Argument(metavar="B", help="Where it ends: a file or a genre.")],
    bars: Annotated[int, typer.Option("--bars", help="How many bars, 24 to 400.")] = 54,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another way.")] = 0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How many drafts at most.")] = 4,
    composer: Who = "house",
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    replay: Replay = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    run: RunFolder = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="The piece: any format by its suffix.")
    ] = None,
    curve: Annotated[str | None, typer.Option("--curve", metavar="SVG", help="Draw the way into this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    json: Json = False,
) -> None:
    """Go from one song or genre to another, step by step; prints the rounds, the verdict and the way.

    Exits with 1 where no draft passed every check.

    Example: libretto morph one.mid jazz --bars 54 -o way.mid --curve way.svg
    """
    from libretto.cli.tasks_commands import run_morph

    how = Composing(composer, seed, rounds, budget_tokens, budget_money, budget_seconds, replay, base_url, dry_run, run)
    run_morph(source, target, bars, how, output, curve, force, json)


def task(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What is to be made, such as compose, morph or fill.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]", help="What the kind takes: words, files, and --name value.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Such as bars=54, the same as --bars 54; again for more."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the page that a composer reads.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="RUN", help="Start a run in this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a task as a composer reads it, or start a run to which drafts are handed in with libretto submit.

    Options that are not listed here are settings of the kind: bars, voices, voice, role, at, genre, key and so on.

    Example: libretto task compose "A slow waltz in D minor over 16 bars for piano" --show

    Example: libretto task fill song.mid --bars 33-40 --voices BASS -o runs/gap
    """
    from libretto.cli.tasks_commands import run_task_command

    run_task_command(kind, words or [], settings or [], show, output, json)


def submit(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A folder that libretto task has started.")],
    candidate: Annotated[str, typer.Argument(metavar="FILE", help="A draft in the grammar; - is standard input.")],
    json: Json = False,
) -> None:
    """Hand in a draft: it is judged as the next round, the best is kept; exits with 1 where it does not pass.

    Example: libretto submit runs/waltz draft.libretto
    """
    from libretto.cli.tasks_commands import run_submit

    run_submit(run, candidate, json)
