"""The commands by which a person talks back: revise, and what was learnt of their taste; with their help."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli.model_options import BaseUrl, BudgetMoney, BudgetSeconds, BudgetTokens, Composing, DryRun, Who

__all__ = ["add_to", "revise", "taste"]

Json = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (revise, taste):
        app.command()(command)


def revise(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a run, or a piece in any format.")],
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What should change, in plain words.")],
    composer: Who = "house",
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How many drafts at most.")] = 3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another way.")] = 0,
    genre: Annotated[str | None, typer.Option("--genre", help="The genre of a piece that is no run.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Only say what the words were taken to mean.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="The piece: any format by its suffix.")
    ] = None,
    remember: Annotated[bool, typer.Option(help="Count what was asked for in the taste file.")] = True,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    json: Json = False,
) -> None:
    """Change a piece as told in words; what they were taken to mean is shown first, everything else stays as it is.

    A run keeps each revision in a folder of its own inside it. Exits with 1 where a wish could not be granted.

    Example: libretto revise runs/waltz "the melody is too cheerful, and a darker bridge"
    """
    from libretto.cli.revise_commands import run_revise

    how = Composing(composer, seed, rounds, budget_tokens, budget_money, budget_seconds, None, base_url, dry_run)
    run_revise(run, " ".join(words), how, genre, show, output, remember, force, json)


def taste(json: Json = False) -> None:
    """Say what was learnt of your taste, where the file is, and how to edit it or switch it off."""
    from libretto.cli.revise_commands import run_taste

    run_taste(json)
