"""The bench of teams, and its help."""

from __future__ import annotations

from typing import Annotated

import typer

from libretto.cli.model_options import BaseUrl, BudgetMoney, BudgetSeconds, BudgetTokens, DryRun, Who

__all__ = ["add_to", "teams"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(teams)


def teams(
    composer: Who = "scripted",
    team: Annotated[
        list[str] | None, typer.Option("--team", metavar="NAME", help="A team or a file; again for more.")
    ] = None,
    beside: Annotated[str, typer.Option("--beside", help="Who is set beside each, with as many tokens.")] = "single",
    briefs: Annotated[
        str | None, typer.Option("--briefs", metavar="FILE", help="Briefs, one a line or a JSON list; ours without.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many briefs at most.")] = 20,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Rounds of a team at most.")] = 2,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed.")] = 0,
    abc: Annotated[bool, typer.Option("--abc", help="Write ABC, as in the papers.")] = False,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Where the runs are kept; a cut-off bench goes on.")
    ] = "bench-teams",
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    budget_seconds: BudgetSeconds = None,
    base_url: BaseUrl = "",
    dry_run: DryRun = False,
    json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Teams against one agent with the same tokens: contract, gates, tokens and money. Budgets are for each piece.

    Example: libretto bench teams --composer anthropic:NAME --team composerx --limit 5 --dry-run
    """
    from libretto.cli.teams_commands import run_bench_teams

    run_bench_teams(
        composer, team or ["composerx", "cocomposer"], beside, briefs, limit, rounds, seed, abc, output,
        (budget_tokens, budget_money, budget_seconds), base_url, dry_run, json,
    )  # fmt: skip
