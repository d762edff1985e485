"""The bench of teams, and its help."""

from __future__ import annotations

import json as jsonlib
from dataclasses import asdict
from typing import Annotated

import typer

from libretto.cli.composing import HOUSE, Composing, say
from libretto.cli.options import Json, composes

__all__ = ["add_to", "run_bench_teams", "teams"]


def add_to(app: typer.Typer) -> None:
    """Put the command among those of an app."""
    app.command()(teams)


@composes(without=("replay", "run", "team"), teams=True, composer="scripted", rounds=2)
def teams(
    team: Annotated[
        list[str] | None, typer.Option("--team", metavar="NAME", help="A team or a file; again for more.")
    ] = None,
    beside: Annotated[str, typer.Option("--beside", help="Who is set beside each, with as many tokens.")] = "single",
    briefs: Annotated[
        str | None, typer.Option("--briefs", metavar="FILE", help="Briefs, one a line or a JSON list; ours without.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many briefs at most.")] = 20,
    how: Composing = HOUSE,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Where the runs are kept; a cut-off bench goes on.")
    ] = "bench-teams",
    json: Json = False,
) -> None:
    """Teams against one agent with the same tokens: contract, gates, tokens and money. Budgets are for each piece.

    Example: libretto bench teams --composer anthropic:NAME --team composerx --limit 5 --dry-run
    """
    run_bench_teams(how, team or ["composerx", "cocomposer"], beside, briefs, limit, output, json)


def run_bench_teams(
    how: Composing, teams: list[str], beside: str, briefs: str | None, limit: int, output: str, json: bool
) -> None:
    """Print what it is expected to cost, run every brief by every team, print the comparison and what it cost."""
    from libretto.agents.teams import load_team
    from libretto.agents.teams.beside import comparison_table, expected_tokens
    from libretto.bench.teaming import briefs_from, run_teams
    from libretto.models.ledger import Budget
    from libretto.models.price import expected

    chosen = briefs_from(briefs)[:limit]
    for name in [*teams, *([beside] if beside else [])]:
        load_team(name)
    if how.dry_run or how.composer.partition(":")[0] not in ("scripted", "relay"):
        taken = expected_tokens(chosen[:2], teams, rounds=how.rounds, notation=how.notation)
        both = 2 if beside else 1
        for name, (sent, back) in taken.items():
            whole = expected([(sent * both, back * both)] * len(chosen), how.composer, how.base_url)
            say(f"{name}: about {sent:,} tokens in and {back:,} out a piece; in all {whole}")
        if how.dry_run:
            return
    entries = run_teams(
        chosen, how.composer, teams, output, beside=beside, rounds=how.rounds, seed=how.seed, notation=how.notation,
        budget=Budget(how.tokens, how.money, how.seconds), base_url=how.base_url, say=say,
    )  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps([asdict(entry) for entry in entries], ensure_ascii=False))
    else:
        typer.echo(comparison_table(entries))
    tokens, money = sum(entry.tokens for entry in entries), sum(entry.money for entry in entries)
    say(f"{tokens:,} tokens in all, ${money:.2f}; runs and teams.md in {output}")
