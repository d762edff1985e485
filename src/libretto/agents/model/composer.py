"""The model composer: a language model in the one loop. It drafts in one go or by a plan and sections, and revises by
patches; what it cannot be read at is asked for again, and what it has written is never lost.

The same replies give the same draft: requests depend on the task, the rounds and the replies before, on nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from libretto.agents.composer import Setup, Stopped, model_composers
from libretto.agents.model.canvas import Canvas
from libretto.agents.model.desk import Desk, page
from libretto.agents.model.plan import PiecePlan, plan_of_contract
from libretto.agents.model.planning import read_plan
from libretto.agents.model.reading import read_reply
from libretto.agents.model.revising import revise_draft
from libretto.agents.model.shape import is_short, tokens_a_bar
from libretto.agents.model.writing import bar_tokens, sections_of, take_reply, write_bars
from libretto.agents.session import Asked
from libretto.errors import BudgetSpent, GrammarError, LibrettoError, ModelError
from libretto.grammar import notate
from libretto.house.revise.moves import move_of
from libretto.models.ledger import Ledger
from libretto.score import Score
from libretto.tasks import AnswerShape, Draft, RevisionTask, Round, Task, judge_draft, qualities
from libretto.tasks.rounds import best_of

__all__ = ["ModelComposer"]

_PLAN_TOKENS = 4_000  # the most that a plan may have
_NO_NOTES = ("speed", "key", "instrument", "loudness")  # wishes that a program grants better than a model
_MOST_RAW = 100_000  # characters of an answer in which nothing can be read


@model_composers.register("single")
class ModelComposer:
    """Composes any task with a model behind a ledger."""

    #: What it can be asked to write in.
    notations: tuple[str, ...] = ("grammar",)

    def __init__(self, ledger: Ledger, name: str, setup: Setup) -> None:
        if setup.notation not in self.notations:
            raise LibrettoError(f"there is no notation {setup.notation!r} here; there is {', '.join(self.notations)}")
        self.ledger, self.name, self.setup = ledger, name, setup

    @property
    def settings(self) -> Mapping[str, Any]:
        """What a run must be resumed with beside its composer's name; where a server is found is not part of it."""
        said = {"team": self.setup.team, "notation": self.setup.notation, "prompts": self.setup.prompts}
        return {name: value for name, value in said.items() if value and (name, value) != ("notation", "grammar")}

    def keep_in(self, folder: str | os.PathLike[str]) -> None:
        """Keep every call in the folder of a run."""
        self.ledger.keep_in(folder)

    def draft(self, task: Task) -> Draft:
        """A first draft: in one go where it is short, else a plan and then its sections."""
        return self._made(task, ())

    def revise(self, task: Task, rounds: Sequence[Round]) -> Draft:
        """A better draft: patches to the best one, the rest of one that ends early, or a new one."""
        return self._made(task, rounds)

    def _made(self, task: Task, rounds: Sequence[Round]) -> Draft:
        self.ledger.begin(len(rounds) + 1)
        desk = Desk(self.ledger, task, rounds, notation=self.setup.notation, heard=self.setup.heard)
        work = _Drafting(desk, task.shape())
        try:
            work.write()
        except (BudgetSpent, ModelError) as error:
            kept = isinstance(error, ModelError) and error.kind == "interrupted"  # it goes on with the very next call
            raise Stopped(str(error), None if kept or not work.begun else work.draft) from error
        return work.draft


class _Drafting:
    """One draft in the making: whatever stands when something goes wrong is its draft."""

    def __init__(self, desk: Desk, shape: AnswerShape) -> None:
        self.desk, self.shape = desk, shape
        self.canvas: Canvas | None = None
        self.raw = ""
        self.text = ""

    @property
    def begun(self) -> bool:
        """Whether there is a bar to show."""
        return bool(self.text) or (self.canvas is not None and bool(self.canvas.bars))

    @property
    def draft(self) -> Draft:
        """What stands: the revised piece, the bars so far, or the answer in which nothing could be read."""
        if self.text:
            return self.desk.draft(self.text)
        if self.canvas is not None and self.canvas.bars:
            try:
                return self.desk.draft(notate(self.canvas.score))
            except GrammarError:
                return self.desk.draft(self.canvas.text())
        return self.desk.draft(self.raw[:_MOST_RAW] or "% nothing was written\n")

    def write(self) -> None:
        """Draft or revise, by what the rounds so far are."""
        readable = [round for round in self.desk.rounds if round.score is not None]
        best = best_of(readable) if readable else None
        if best is not None and best.score is not None:
            if not self._goes_on(best, best.score):
                self._revise(best, best.score)
        elif isinstance(self.desk.task, RevisionTask):
            self._as_wished(self.desk.task)
        elif self.shape.base is not None:
            self._into_a_song(self.shape.base)
        elif is_short(self.shape):
            self._in_one_go()
        else:
            self._by_sections()

    # drafts

    def _into_a_song(self, song: Score) -> None:
        shape = self.shape
        self.canvas = Canvas.over(song, shape.first, shape.last, shape.writes, labels=shape.labels)
        self._sections(self.canvas, tokens_a_bar(shape))

    def _in_one_go(self) -> None:
        """The whole piece in one answer, its header first; then what of it could not be read."""
        desk, bars = self.desk, self.shape.last or 0
        wanted = f" of {bars} bars" if bars else ""
        text = desk.page(desk.rounds, page("piece", asked=wanted))
        head = _known_fields(desk.task, bars)
        asked = Asked(kind="piece", voices=())
        if bars:
            asked["bars"] = (1, bars)
        problems: list[str] = []
        for attempt in desk.attempts("the piece", text, asked, "the whole piece"):
            self.raw = attempt.reply.text
            read = read_reply(self.raw, head, cut=attempt.reply.is_cut)
            if read.bars:
                self.canvas = Canvas.of(read, bars)
                problems = take_reply(desk, self.canvas, attempt.reply, self.canvas.missing())
                if self.canvas.bars:
                    break
            else:
                desk.note("lenient", *read.repairs)
            problems = problems or ["there is no piece in your answer: a header, the voices, then every bar"]
            desk.note_repair("the piece", problems)
            attempt.problems = problems
        if self.canvas is not None and self.canvas.bars and self.canvas.missing():
            missing = self.canvas.missing()
            write_bars(desk, self.canvas, missing[0], missing[-1])

    def _by_sections(self) -> None:
        """A plan, then its sections one after another."""
        plan = self._plan()
        self.desk.notes["plan"] = plan.text
        self.canvas = Canvas.of_plan(plan)
        drums = sum(voice.drums for voice in plan.voices)
        self._sections(self.canvas, bar_tokens(len(plan.voices) - drums, bool(drums)), plan)

    def _plan(self) -> PiecePlan:
        """The plan that is asked for; the contract's own where none can be read."""
        desk, bars = self.desk, self.shape.last
        wanted = f"a piece of {bars} bars" if bars else "a piece as long as such music is"
        text = desk.page(desk.rounds, page("plan", asked=wanted))
        asked = Asked(kind="plan")
        if bars:
            asked["bars"] = (1, bars)
        for attempt in desk.attempts("plan", text, asked, "the plan", limit=_PLAN_TOKENS):
            plan, repaired, attempt.problems = read_plan(attempt.reply.text, desk.task.contract, bars)
            desk.note("lenient", *(f"plan: {repair}" for repair in repaired))
            if plan is not None:
                return plan
            desk.note_repair("plan", attempt.problems)
        desk.note("repairs", "plan: none could be read; the plainest one that keeps the contract is used")
        return plan_of_contract(desk.task.contract, bars)

    def _sections(self, canvas: Canvas, tokens: int, plan: PiecePlan | None = None) -> None:
        """Write a canvas in the portions that a reply has room for, along the plan's form if there is one."""
        for first, last in sections_of(canvas.first, canvas.last, tokens, plan.starts if plan else ()):
            self.desk.note("sections", [first, last])
            if not write_bars(self.desk, canvas, first, last, plan, self.desk.rounds):
                break  # nothing at all came of it; what stands is judged

    # revisions

    def _as_wished(self, task: RevisionTask) -> None:
        """A piece changed as wished: what needs no notes by the program, the rest by patches of the model."""
        piece = task.frame.score
        for wish in task.steps:
            move = move_of(wish)
            by_program = wish.quality in _NO_NOTES or (wish.quality not in qualities() and move is not None)
            piece = move(piece, wish) if by_program and move is not None else piece
        self.text = notate(piece)
        changed = judge_draft(task, piece, 0, Draft(self.text))
        if changed.verdict is not None and changed.verdict.outcomes["wishes"].passed:
            self.desk.note("saved", "every wish was granted without a note being written")
            return
        self._revise(changed, piece)

    def _goes_on(self, best: Round, piece: Score) -> bool:
        """Whether the best draft is an unfinished piece, which is then finished."""
        wanted = self.shape.last or 0
        plan, _, _ = read_plan(str(best.draft.notes.get("plan", "")), self.desk.task.contract, wanted or None)
        wanted = wanted or (plan.bars if plan else 0)
        if self.shape.base is not None or piece.numbers[-1] >= wanted:
            return False
        chords, extras = (plan.chord_of, plan.extras) if plan else ({}, {})
        if plan is not None:
            self.desk.notes["plan"] = plan.text
        self.desk.note("sections", f"from bar {piece.numbers[-1] + 1} on")
        self.canvas = Canvas.after(piece, wanted, chords, extras)
        drums = any(voice.drums for voice in piece.voices)
        self._sections(self.canvas, bar_tokens(len(piece.voices) - drums, drums), plan)
        if not self.canvas.bars:
            self.text = notate(piece)
        return True

    def _revise(self, best: Round, piece: Score) -> None:
        """Patch the best draft; after every answer what stands is the draft."""
        if "plan" in best.draft.notes:
            self.desk.notes["plan"] = best.draft.notes["plan"]
        self.text = notate(piece)
        for better in revise_draft(self.desk, self.shape, best, piece):
            self.text = notate(better)


def _known_fields(task: Task, bars: int) -> list[str]:
    """What the contract says of the header, for answers that leave it out."""
    plan = plan_of_contract(task.contract, bars or None)
    known = [f"KEY: {plan.key}"] if task.contract.key else []
    known += [f"METER: {plan.meter}"] if task.contract.meter else []
    return known + ([f"TEMPO: {plan.tempo}"] if task.contract.tempo_bpm else [])
