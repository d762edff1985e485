"""The table a team sits at: the piece as it stands, the plan, what was said, and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from libretto.agents.model.canvas import blocks_of
from libretto.agents.model.desk import Desk, page
from libretto.agents.model.plan import PiecePlan
from libretto.agents.model.reading import spans_in_words
from libretto.agents.teams.team import Role, Team
from libretto.contract import describe
from libretto.grammar import primer
from libretto.models.client import Message
from libretto.models.ledger import Ledger
from libretto.score import Score
from libretto.tasks import Round, Task, judge_draft
from libretto.tasks.prompt import make_prompt

__all__ = ["Table"]

_MOST_SAID, _MOST_PIECE = 6_000, 16_000  # characters
_RECENT = 6  # sayings of the others that are shown


class Table(Desk):
    """A desk for several: each request begins with the role whose turn it is and holds what the others said."""

    def __init__(
        self,
        ledger: Ledger,
        task: Task,
        rounds: Sequence[Round],
        team: Team,
        *,
        notation: str = "grammar",
        heard: Callable[[str, str], None] = lambda purpose, text: None,
    ) -> None:
        super().__init__(ledger, task, rounds, notation=notation, heard=heard)
        self.team = team
        self.role = team.roles[team.opening[0]]
        self.plan: PiecePlan | None = None
        self.piece: Score | None = None
        self.abc = ""
        self.said: list[tuple[str, str]] = []
        self.approved = False
        self.timing: tuple[str, ...] = ()
        self.shown: tuple[int, int] | None = None

    @property
    def stands(self) -> bool:
        """Whether there is a note in the piece."""
        return self.piece is not None and len(self.piece.table) > 0

    def say(self, text: str) -> None:
        """Put on record what the role whose turn it is has said."""
        self.said.append((self.role.name, text.strip()[:_MOST_SAID]))
        self.note("said", [self.role.name, text.strip()[:_MOST_SAID]])

    def system(self) -> Message:
        """Who the role is, who else is there, its duties, and how music is written."""
        if self.role.verbatim:
            return Message("system", self.role.duty)
        if self.notation == "abc":
            return Message("system", f"{self._who()}{self.role.duty}\n\n{self.role.abc}".strip())
        music = self.role.does not in ("review", "instruments", "words")
        grammar = primer().strip() if music else ""
        form = "Answer with music in the grammar below, or in the short format a message asks for." if music else ""
        members = ", ".join(self.team.roles)
        return Message(
            "system",
            page("member", role=self.role.name, members=members, duty=self.role.duty, form=form, grammar=grammar),
        )

    def page(self, rounds: Sequence[Round], answer: str) -> str:
        """What the client asks for, what the team has said and written, what was found, and what to answer with."""
        if self.notation == "abc":
            return self._abc_page(answer)
        if self.team.bare and not rounds:
            return "\n\n".join(part for part in (self._brief, self._piece(), answer) if part)
        said = "\n\n".join(f"**{name}**: {text}" for name, text in self.said[-_RECENT:]) or "Nothing yet."
        feedback = "\n\n".join(round.feedback for round in rounds)
        return page(
            "team",
            brief=self._brief,
            contract="\n".join(["```", *describe(self.task.contract), "```"]),
            ideas=self._ideas(),
            said=said,
            piece=self._piece(),
            feedback=f"## What the gates found\n\n{feedback}" if feedback else "",
            answer=answer,
        )

    @property
    def _brief(self) -> str:
        """What the client has said."""
        return self.task.brief or f"A piece of {self.task.genre.replace('_', ' ') or 'music'}."

    def _who(self) -> str:
        """That a role is one of several, where it is."""
        others = [name for name in self.team.roles if name != self.role.name]
        return f"You are the {self.role.name} of a team: {', '.join(self.team.roles)}.\n\n" if others else ""

    def _abc_page(self, answer: str) -> str:
        """What a member of a team that writes ABC reads: the request, what was said, the tune, and what to do.

        An agent that is to be shown the bare prompt is shown that, and the tune once there is one.
        """
        said = "\n\n".join(f"**{name}**: {text}" for name, text in self.said[-_RECENT:])
        findings = "\n".join(f"- {line}" for line in self.timing)
        alone = self.team.bare and not self.abc
        return page(
            "team-abc-page",
            brief=self._brief if self.team.bare else f"## The client asks for\n\n{self._brief}",
            said=f"## What the team has said\n\n{said}" if said else "",
            piece=self._piece(),
            findings=f"## Bars that do not fill the meter\n\n{findings}" if findings else "",
            answer="" if alone else f"## What to answer now\n\n{answer}",
        )

    def _ideas(self) -> str:
        """The part of the task's page with ideas and excerpts, for teams that are shown them."""
        if not self.team.shows:
            return ""
        whole = make_prompt(self.task, grammar="", answer="")
        start, end = whole.find("## Ideas at hand"), whole.find("## How to write it")
        return whole[start:end].strip() if 0 <= start < end else ""

    def _piece(self) -> str:
        """The piece as it stands: the bars whose turn it is where there are some."""
        if self.notation == "abc":
            return f"## The piece so far\n\n```\n{self.abc[:_MOST_PIECE]}\n```" if self.abc else ""
        if self.piece is None or not len(self.piece.table):
            return f"## The plan\n\n```\n{self.plan.text.strip()}\n```" if self.plan else ""
        head, blocks = blocks_of(self.piece)
        first, last = self.shown or (self.piece.numbers[0], self.piece.numbers[-1])
        kept = [line for number, block in blocks.items() if first <= number <= last for line in block]
        music = "\n".join([*head, *kept])[:_MOST_PIECE]
        where = "" if self.shown is None else f", bars {spans_in_words(range(first, last + 1))}"
        return f"## The piece so far{where}\n\n```\n{music}\n```"

    def turn(self, name: str) -> Role:
        """Let a role speak."""
        self.role = self.team.roles[name]
        return self.role

    def round_of(self, piece: Score) -> Round:
        """The piece as it stands, judged: what can be counted about it."""
        return judge_draft(self.task, piece, len(self.rounds) + 1)
