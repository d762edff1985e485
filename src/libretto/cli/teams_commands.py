"""What the bench of teams does at the command line: read, run, print."""

from __future__ import annotations

import json as jsonlib
import sys
from dataclasses import asdict

import typer

__all__ = ["run_bench_teams"]


def run_bench_teams(
    composer: str,
    teams: list[str],
    beside: str,
    briefs: str | None,
    limit: int,
    rounds: int,
    seed: int,
    abc: bool,
    output: str,
    budget: tuple[int | None, float | None, float | None],
    base_url: str,
    dry_run: bool,
    json: bool,
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
    notation = "abc" if abc else "grammar"
    if dry_run or composer.partition(":")[0] not in ("scripted", "relay"):
        taken = expected_tokens(chosen[:2], teams, rounds=rounds, notation=notation)
        both = 2 if beside else 1
        for name, (sent, back) in taken.items():
            whole = expected([(sent * both, back * both)] * len(chosen), composer, base_url)
            _say(f"{name}: about {sent:,} tokens in and {back:,} out a piece; in all {whole}")
        if dry_run:
            return
    entries = run_teams(
        chosen, composer, teams, output, beside=beside, rounds=rounds, seed=seed, notation=notation,
        budget=Budget(*budget), base_url=base_url, say=_say,
    )  # fmt: skip
    if json:
        typer.echo(jsonlib.dumps([asdict(each) for each in entries], ensure_ascii=False))
    else:
        typer.echo(comparison_table(entries))
    tokens, money = sum(each.tokens for each in entries), sum(each.money for each in entries)
    _say(f"{tokens:,} tokens in all, ${money:.2f}; runs and teams.md in {output}")


def _say(line: str) -> None:
    print(f"libretto: {line}", file=sys.stderr)
