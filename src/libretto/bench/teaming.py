"""Teams against one agent with the same tokens: contract, gates, tokens and money, brief by brief; resumable.

Every piece is a run in a folder of its own, so that a bench that was cut off goes on where it stopped and no call is
paid for twice. Each team's piece is set beside one by a single agent that may spend as many tokens as the team did.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.teams.beside import MOST_ROUNDS, comparison_table, entry_of
from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.models.ledger import Budget
from libretto.tasks import compose_task

__all__ = ["MOST_ROUNDS", "TeamEntry", "briefs_from", "entry_of", "expected_tokens", "run_teams", "table"]

_MOST_BRIEFS = 1_000
_LEAST_TOKENS = 1_000  # what a single agent may spend even where a team spent less


@dataclass(frozen=True)
class TeamEntry:
    """What became of one brief in one pair of hands."""

    brief: int
    hands: str
    read: bool
    passed: bool
    kept: int
    clauses: int
    calls_rounds: int
    tokens: int
    money: float
    seconds: float
    stopped: str


def briefs_from(path: str | None = None) -> list[str]:
    """Briefs from a file, one a line, or a JSON list of texts or objects with ``prompt``; ours where none is named."""
    if path is None:
        text = files("libretto.bench").joinpath("team_briefs.txt").read_text(encoding="utf-8")
    else:
        text = read_bytes(path).decode("utf-8", "replace")
    if text.lstrip().startswith("["):
        try:
            rows = json.loads(text)
            briefs = [str(row["prompt"]) if isinstance(row, dict) else str(row) for row in rows]
        except (ValueError, KeyError, TypeError) as error:
            raise LibrettoError(f"{path} is no list of briefs: {error}") from None
    else:
        briefs = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not briefs:
        raise LibrettoError(f"{path} holds no briefs")
    return briefs[:_MOST_BRIEFS]


def run_teams(
    briefs: Sequence[str],
    client: str,
    teams: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    beside: str = "single",
    rounds: int = 2,
    seed: int = 0,
    notation: str = "grammar",
    budget: Budget | None = None,
    base_url: str = "",
    say: Callable[[str], None] = lambda line: None,
) -> list[TeamEntry]:
    """Every brief by every team, each beside a single agent with the tokens that the team has used."""
    entries = []
    for number, brief in enumerate(briefs, start=1):
        for team in teams:
            place = Path(folder) / team / f"{number:03d}"
            setup = Setup(budget=budget or Budget(), base_url=base_url, team=team, notation=notation)
            run = run_task(compose_task(brief), composer(client, seed, setup), rounds=rounds, seed=seed, folder=place)
            entries.append(entry_of(number, team, run))
            say(f"{number}/{len(briefs)} {team}: {_words(entries[-1])}")
            if not beside:
                continue
            spent = max(_LEAST_TOKENS, run.cost.tokens_in + run.cost.tokens_out)
            alone = Setup(budget=Budget(tokens=spent), base_url=base_url, team=beside, notation=notation)
            other = Path(folder) / f"{beside}-beside-{team}" / f"{number:03d}"
            single = run_task(
                compose_task(brief), composer(client, seed, alone), rounds=MOST_ROUNDS, seed=seed, folder=other
            )
            entries.append(entry_of(number, f"{beside} beside {team}", single))
            say(f"{number}/{len(briefs)} {beside} with {spent:,} tokens: {_words(entries[-1])}")
    rows = json.dumps([asdict(entry) for entry in entries], ensure_ascii=False, indent=1)
    write_bytes((rows + "\n").encode(), Path(folder) / "teams.json", force=True)
    write_bytes((comparison_table(entries) + "\n").encode(), Path(folder) / "teams.md", force=True)
    return entries


def expected_tokens(
    briefs: Iterable[str], teams: Sequence[str], *, rounds: int = 2, notation: str = "grammar"
) -> dict[str, tuple[int, int]]:
    """Tokens in and out a piece that each team is expected to take: what a pretend model takes, by the stated rule."""
    sizes = {}
    for team in teams:
        costs = []
        for brief in briefs:
            setup = Setup(team=team, notation=notation)
            costs.append(
                run_task(compose_task(brief, original=False), composer("scripted", 0, setup), rounds=rounds).cost
            )
        sizes[team] = (round(fmean(c.tokens_in for c in costs)), round(fmean(c.tokens_out for c in costs)))
    return sizes


def entry_of(number: int, hands: str, run: Run) -> TeamEntry:
    """What became of a brief in somebody's hands, in figures."""
    read = bool(run.rounds) and run.score is not None
    checks = run.best.receipt.checks if read and run.best.receipt else ()
    cost = run.cost
    return TeamEntry(
        number, hands, read, read and run.passed, sum(check.passed is True for check in checks),
        sum(check.passed is not None for check in checks), len(run.rounds), cost.tokens_in + cost.tokens_out,
        round(cost.money, 4), round(cost.seconds, 1), run.stopped,
    )  # fmt: skip


def _words(entry: TeamEntry) -> str:
    state = "passes every gate" if entry.passed else "does not pass" if entry.read else "nothing could be read"
    return f"{state}, {entry.kept}/{entry.clauses} clauses, {entry.tokens:,} tokens, ${entry.money:.2f}"


def table(entries: Sequence[TeamEntry]) -> str:
    """The comparison as Markdown: one line a pair of hands."""
    lines = [
        "| who | pieces | read | pass every gate | clauses kept | tokens a piece | money | seconds a piece |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for hands in dict.fromkeys(entry.hands for entry in entries):
        mine = [entry for entry in entries if entry.hands == hands]
        kept, clauses = sum(entry.kept for entry in mine), sum(entry.clauses for entry in mine)
        share = f"{kept}/{clauses}" if clauses else "-"
        read, passed = sum(entry.read for entry in mine), sum(entry.passed for entry in mine)
        lines.append(
            f"| {hands} | {len(mine)} | {read} | {passed} | {share} | "
            f"{fmean(entry.tokens for entry in mine):,.0f} | ${sum(entry.money for entry in mine):.2f} | "
            f"{fmean(entry.seconds for entry in mine):.1f} |"
        )
    return "\n".join(lines)
