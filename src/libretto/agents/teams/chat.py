"""A group chat, as ComposerX has it: the client speaks first, then a manager chooses who speaks, round by round.

Each round has three steps: a speaker is chosen, it answers, and its answer is put before everybody. A manager who names
nobody gets whoever is next in the usual order. The closing belongs to the last round, if nobody was given it before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from libretto.agents.model.desk import page
from libretto.agents.session import Asked
from libretto.agents.teams.table import Table
from libretto.models.client import Message

__all__ = ["converse"]

_CLIENT = "client"  # who proxies the user
_LIMIT = 100  # tokens of a name
_MOST_SAID = 400  # characters of a message that the manager is shown


def converse(table: Table, known: Mapping[str, Callable[[Table], None]]) -> None:
    """Let the team talk for its rounds; the client's message is the first of them."""
    team = table.team
    table.note("speakers", _CLIENT)
    spoken: list[str] = []
    for turn in range(2, team.rounds + 1):
        usual = _usual(table, spoken)
        closing = team.closing[-1] if team.closing else ""
        name = closing if turn == team.rounds and closing else _chosen(table, usual)
        role = table.turn(name)
        table.note("speakers", name)
        spoken.append(name)
        known[role.does](table)
        if name == closing and table.piece is not None:
            return


def _usual(table: Table, spoken: list[str]) -> str:
    """Who is next in the usual order: the opening, then reviews, and the closing once the reviewer approves."""
    team = table.team
    if len(spoken) < len(team.opening):
        return team.opening[len(spoken)]
    if (table.approved or not team.cycle) and team.closing:
        return team.closing[0]
    later = len(spoken) - len(team.opening)
    return team.cycle[later % len(team.cycle)] if team.cycle else team.opening[-1]


def _chosen(table: Table, usual: str) -> str:
    """Whom the manager names; whoever is next as usual where it names nobody."""
    team = table.team
    roles = "\n".join(f"- {name}: {_first_sentence(role.duty)}" for name, role in team.roles.items())
    said = "\n".join(f"**{name}**: {text[:_MOST_SAID]}" for name, text in [(_CLIENT, table.task.brief), *table.said])
    order = ", ".join([*team.opening, *team.cycle, *team.closing])
    text = page("team-speaker", roles=roles, said=said, order=order)
    asked = Asked(kind="speaker", role=usual)
    reply = table.ask("manager: who speaks", text, asked, limit=_LIMIT, system=Message("system", _MANAGER))
    named = [name for name in team.roles if re.search(rf"\b{re.escape(name)}\b", reply.text, re.IGNORECASE)]
    if len(named) == 1:
        return named[0]
    table.note("lenient", f"the manager named {len(named)} speakers; {usual} is next as usual")
    return usual


_MANAGER = "You manage a group chat. You write no music; you only say whose turn it is."


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0][:_MOST_SAID]
