"""The command that composes, and its help."""

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
    Who,
)

__all__ = ["add_to", "compose"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(compose)


def compose(
    brief: Annotated[
        list[str] | None, typer.Argument(metavar="[BRIEF]", help="What to compose, in plain words; @FILE reads a file.")
    ] = None,
    genre: Annotated[str | None, typer.Option("--genre", help="A genre of the default cloud, such as jazz.")] = None,
    bars: Annotated[int | None, typer.Option("--bars", min=1, help="How many bars.")] = None,
    key: Annotated[str | None, typer.Option("--key", help="Such as 'F# minor'.")] = None,
    tempo: Annotated[float | None, typer.Option("--tempo", help="Quarter notes a minute.")] = None,
    meter: Annotated[str | None, typer.Option("--meter", help="Such as 3/4.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Another seed, another piece.")] = 0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How many drafts at most.")] = 3,
    contract: Annotated[
        str | None, typer.Option("--contract", metavar="FILE", help="A contract as TOML or JSON instead of a brief.")
    ] = None,
    composer: Who = "house",
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="DIR", help="The folder of the run (runs/NAME).")
    ] = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    replay: Replay = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    sound: Annotated[bool, typer.Option(help="Render the sound.")] = True,
    notation: Annotated[bool, typer.Option(help="Engrave the score.")] = True,
    page: Annotated[bool, typer.Option(help="Write the page that shows it.")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Compose a piece from a brief or a genre; no model and no network are needed, but --composer takes any model.

    Writes text, MIDI, MusicXML, sound, score and a page; the run folder keeps every draft. The same brief and seed give
    the same bytes, and a run that was cut off goes on where it stopped.

    --replay RUN without a brief plays that run again from its recorded replies.

    Example: libretto compose "A nostalgic chanson in C major, slow, C Am Dm G over 16 bars, accordion and violin"
    """
    from libretto.cli.compose_commands import run_compose

    how = Composing(
        composer, seed, rounds, budget_tokens, budget_money, budget_seconds, replay, base_url, dry_run, output
    )
    run_compose(" ".join(brief or ()), genre, bars, key, tempo, meter, contract, how, sound, notation, page, json)
