"""A team as a composer: an opening, cycles of review, a closing; what stands when the budget ends is handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from libretto.agents.composer import Setup, Stopped
from libretto.agents.model.composer import ModelComposer
from libretto.agents.model.plan import read_plan
from libretto.agents.teams.abc import abc_duties
from libretto.agents.teams.duties import duties
from libretto.agents.teams.table import Table
from libretto.agents.teams.team import load_team
from libretto.errors import BudgetSpent, LibrettoError, ModelError
from libretto.formats import formats
from libretto.grammar import notate
from libretto.models.ledger import Ledger
from libretto.tasks import Draft, Round, Task
from libretto.tasks.rounds import best_of

__all__ = ["TeamComposer"]


class TeamComposer(ModelComposer):
    """Composes with the roles of a team, all of them one model behind a ledger."""

    notations = ("grammar", "abc")

    def __init__(self, ledger: Ledger, name: str, setup: Setup) -> None:
        super().__init__(ledger, name, setup)
        self.team = load_team(setup.team)

    def _made(self, task: Task, rounds: Sequence[Round]) -> Draft:
        if task.kind != "compose":
            raise LibrettoError(f"teams compose; the task {task.kind!r} takes a single agent: leave out --team")
        self.ledger.begin(len(rounds) + 1)
        table = Table(self.ledger, task, rounds, self.team, notation=self.setup.notation, heard=self.setup.heard)
        table.notes["team"] = self.team.name
        try:
            self._play(table, rounds)
        except (BudgetSpent, ModelError) as error:
            kept = getattr(error, "kind", "") == "interrupted"
            raise Stopped(str(error), None if kept or not _stands(table) else _draft(table)) from error
        return _draft(table)

    def _play(self, table: Table, rounds: Sequence[Round]) -> None:
        known = abc_duties if table.notation == "abc" else duties
        readable = [each for each in rounds if each.score is not None and len(each.score.table)]
        if readable:
            _taken_up(table, best_of(readable))
        else:
            self._in_turn(table, known, self.team.opening)
        cycles = self.team.reviews if not readable else 1
        for _ in range(cycles if self.team.cycle else 0):
            if not readable and self._enough(table):
                table.note("saved", "a cycle of review: nothing was left to improve")
                break
            self._in_turn(table, known, self.team.cycle)
        self._in_turn(table, known, self.team.closing)

    def _in_turn(self, table: Table, known: Mapping[str, Any], names: Sequence[str]) -> None:
        for name in names:
            role = table.turn(name)
            known[role.does](table)
            if table.approved and self.team.stop == "approved" and role.does == "review":
                return

    def _enough(self, table: Table) -> bool:
        """Whether the stop rule of the team is met."""
        if self.team.stop == "never" or table.piece is None:
            return False
        return table.approved if self.team.stop == "approved" else table.round_of(table.piece).passed


def _taken_up(table: Table, best: Round) -> None:
    """Begin where the best draft stands."""
    assert best.score is not None
    table.piece = best.score
    table.plan, _, _ = read_plan(str(best.draft.notes.get("plan", "")), table.task.contract, best.score.bars)
    if table.notation == "abc":
        table.abc = formats["abc"].encode(best.score).decode("utf-8", "replace")
    if "plan" in best.draft.notes:
        table.notes["plan"] = best.draft.notes["plan"]
    table.said.append(("the gates", best.feedback))


def _stands(table: Table) -> bool:
    return table.piece is not None and len(table.piece.table) > 0


def _draft(table: Table) -> Draft:
    if not _stands(table):
        return table.draft("% nothing was written\n")
    assert table.piece is not None
    return table.draft(notate(table.piece))
