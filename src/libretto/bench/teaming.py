"""Teams against one agent with the same tokens: contract, gates, tokens and money, brief by brief; resumable.

Every piece is a run in a folder of its own, so that a bench that was cut off goes on where it stopped and no call is
paid for twice. Each team's piece is set beside one by a single agent that may spend as many tokens as the team did.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.resources import files
from itertools import product
from pathlib import Path

from libretto.agents import composer, run_task
from libretto.agents.composer import Setup
from libretto.agents.teams import load_team
from libretto.agents.teams.beside import MOST_ROUNDS, Entry, comparison_table, entry_of, tokens_beside
from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.models.ledger import Budget
from libretto.tasks import compose_task

__all__ = ["briefs_from", "run_teams"]

_MOST_BRIEFS = 1_000
_UNFIT = re.compile(r"[^\w.-]+")  # what no folder should be called


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
    clients: str | Sequence[str],
    teams: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    beside: str = "single",
    rounds: int = 2,
    seed: int = 0,
    notation: str = "grammar",
    budget: Budget | None = None,
    base_url: str = "",
    prompts: str = "",
    say: Callable[[str], None] = lambda line: None,
) -> list[Entry]:
    """Every brief by every team with every client, each beside a single agent with the tokens the team has used.

    With several clients each team of each has a folder of its own, ``TEAM-CLIENT``.
    """
    entries = []
    names = [clients] if isinstance(clients, str) else list(clients)
    for number, client, team in product(range(1, len(briefs) + 1), names, teams):
        brief, several = briefs[number - 1], len(names) > 1
        whom, mark = (f" by {client}", f"-{_UNFIT.sub('-', client)}") if several else ("", "")
        place = Path(folder) / f"{team}{mark}" / f"{number:03d}"
        setup = Setup(
            budget=budget or Budget(), base_url=base_url, team=team, notation=notation, prompts=_own(prompts, team)
        )
        run = run_task(compose_task(brief), composer(client, seed, setup), rounds=rounds, seed=seed, folder=place)
        entries.append(entry_of(number, f"{team}{whom}", run))
        say(f"{number}/{len(briefs)} {team}{whom}: {_words(entries[-1])}")
        if not beside:
            continue
        spent = tokens_beside(run)
        alone = Setup(budget=Budget(tokens=spent), base_url=base_url, team=beside, notation=notation)
        other = Path(folder) / f"{beside}-beside-{team}{mark}" / f"{number:03d}"
        single = run_task(
            compose_task(brief), composer(client, seed, alone), rounds=MOST_ROUNDS, seed=seed, folder=other
        )
        entries.append(entry_of(number, f"{beside} beside {team}{whom}", single))
        say(f"{number}/{len(briefs)} {beside}{whom} with {spent:,} tokens: {_words(entries[-1])}")
    rows = json.dumps([asdict(each) for each in entries], ensure_ascii=False, indent=1)
    write_bytes((rows + "\n").encode(), Path(folder) / "teams.json", force=True)
    write_bytes((comparison_table(entries) + "\n").encode(), Path(folder) / "teams.md", force=True)
    return entries


def _own(prompts: str, team: str) -> str:
    """The folder with a user's prompts for a team; nothing where it holds folders of teams and none of this one."""
    place = Path(prompts) / load_team(team).name
    folders = bool(prompts) and Path(prompts).is_dir() and any(path.is_dir() for path in Path(prompts).iterdir())
    return prompts if not folders or place.is_dir() else ""


def _words(entry: Entry) -> str:
    state = "passes every gate" if entry.passed else "does not pass" if entry.read else "nothing could be read"
    return f"{state}, {entry.kept}/{entry.clauses} clauses, {entry.tokens:,} tokens, ${entry.money:.2f}"
