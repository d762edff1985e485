"""A team as a composer: an opening, cycles of review, a closing; what stands when the budget ends is handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from libretto.agents.composer import Setup, Stopped, model_composers
from libretto.agents.model.composer import ModelComposer
from libretto.agents.model.planning import read_plan
from libretto.agents.teams.abc import abc_duties
from libretto.agents.teams.chat import converse
from libretto.agents.teams.duties import duties
from libretto.agents.teams.table import Table
from libretto.agents.teams.wording import team_with
from libretto.errors import BudgetSpent, LibrettoError, ModelError
from libretto.formats import formats
from libretto.grammar import notate
from libretto.models.ledger import Ledger
from libretto.score import Score
from libretto.tasks import Draft, Round, Task
from libretto.tasks.rounds import best_of

__all__ = ["TeamComposer"]


@model_composers.register("team")
class TeamComposer(ModelComposer):
    """Composes with the roles of a team, all of them one model behind a ledger."""

    notations = ("grammar", "abc")

    def __init__(self, ledger: Ledger, name: str, setup: Setup) -> None:
        super().__init__(ledger, name, setup)
        self.team = team_with(setup.team, setup.prompts)

    def _made(self, task: Task, rounds: Sequence[Round]) -> Draft:
        if task.kind != "compose":
            raise LibrettoError(f"teams compose; the task {task.kind!r} takes a single agent: leave out --team")
        self.ledger.begin(len(rounds) + 1)
        table = Table(self.ledger, task, rounds, self.team, notation=self.setup.notation, heard=self.setup.heard)
        table.notes["team"] = self.team.name
        try:
            self._play(table, rounds)
        except (BudgetSpent, ModelError) as error:
            kept = isinstance(error, ModelError) and error.kind == "interrupted"
            raise Stopped(str(error), None if kept or not table.stands else _draft(table)) from error
        return _draft(table)

    def _play(self, table: Table, rounds: Sequence[Round]) -> None:
        known = abc_duties if table.notation == "abc" else duties
        readable = [round for round in rounds if round.score is not None and len(round.score.table)]
        best = best_of(readable) if readable else None
        if best is not None and best.score is not None:
            _take_up(table, best, best.score)
        elif table.notation == "abc" and self.team.speakers == "chosen":
            converse(table, known)
            return
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


def _take_up(table: Table, best: Round, piece: Score) -> None:
    """Begin where the best draft stands."""
    table.piece = piece
    table.plan, _, _ = read_plan(str(best.draft.notes.get("plan", "")), table.task.contract, piece.bars)
    if table.notation == "abc":
        table.abc = formats["abc"].encode(piece).decode("utf-8", "replace")
    if "plan" in best.draft.notes:
        table.notes["plan"] = best.draft.notes["plan"]
    table.said.append(("the gates", best.feedback))


def _draft(table: Table) -> Draft:
    """What stands on the table as a draft."""
    if table.piece is None or not table.stands:
        return table.draft("% nothing was written\n")
    return table.draft(notate(table.piece))
