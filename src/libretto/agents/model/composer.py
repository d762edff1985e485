"""The model composer: a language model in the one loop. It drafts in one go or by a plan and sections, and revises by
patches; what it cannot be read at is asked for again, and what it has written is never lost.

The same replies give the same draft: requests depend on the task, the rounds and the replies before, on nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from libretto.agents.asked import Asked
from libretto.agents.composer import Setup, Stopped
from libretto.agents.model.canvas import Canvas
from libretto.agents.model.desk import MOST_REPAIRS, Desk, is_cut
from libretto.agents.model.pages import page, repair_text
from libretto.agents.model.plan import Plan, plan_of_contract, read_plan
from libretto.agents.model.reading import Read, read_reply
from libretto.agents.model.revising import revise_draft
from libretto.agents.model.shape import Shape, shape_of
from libretto.agents.model.writing import bar_tokens, sections_of, take_reply, write_bars
from libretto.errors import BudgetSpent, GrammarError, LibrettoError, ModelError
from libretto.grammar import notate
from libretto.house.revise.moves import moves
from libretto.models.client import Message
from libretto.models.ledger import Ledger
from libretto.tasks import Draft, RevisionTask, Round, Task
from libretto.tasks.rounds import best_of

__all__ = ["ModelComposer"]

_PLAN_TOKENS = 4_000
_NO_NOTES = ("speed", "key", "instrument", "loudness")  # wishes that a program grants better than a model
_MOST_RAW = 100_000  # characters of an answer in which nothing can be read


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
        said = {"team": self.setup.team, "notation": self.setup.notation}
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
        sheet = _Sheet(desk, shape_of(task))
        try:
            sheet.write()
        except (BudgetSpent, ModelError) as error:
            kept = getattr(error, "kind", "") == "interrupted"  # it goes on with the very next call
            raise Stopped(str(error), None if kept or not sheet.begun else sheet.draft) from error
        return sheet.draft


class _Sheet:
    """One draft in the making: whatever stands when something goes wrong is its draft."""

    def __init__(self, desk: Desk, shape: Shape) -> None:
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
        readable = [each for each in self.desk.rounds if each.score is not None]
        if readable:
            best = best_of(readable)
            if not self._goes_on(best):
                self._revise(best)
        elif isinstance(self.desk.task, RevisionTask):
            self._as_wished(self.desk.task)
        elif self.shape.base is not None:
            self._into_a_song()
        elif self.shape.short:
            self._in_one_go()
        else:
            self._by_sections()

    # drafts

    def _into_a_song(self) -> None:
        shape = self.shape
        assert shape.base is not None
        self.canvas = Canvas.over(shape.base, shape.first, shape.last, shape.writes, labels=shape.labels)
        self._sections(self.canvas, shape.tokens, ())

    def _in_one_go(self) -> None:
        """The whole piece in one answer, its header first; then what of it could not be read."""
        desk, bars = self.desk, self.shape.last or 0
        wanted = f" of {bars} bars" if bars else ""
        text = desk.page(desk.rounds, page("piece", asked=wanted))
        head = _known_fields(desk.task, bars)
        history: tuple[Message, ...] = ()
        problems: list[str] = []
        for attempt in range(MOST_REPAIRS + 1):
            asked = Asked(kind="repair" if attempt else "piece", voices=())
            if attempt:
                asked["again"] = "piece"
            if bars:
                asked["bars"] = (1, bars)
            told = repair_text(problems, "the whole piece") if attempt else text
            reply = desk.ask(f"the piece{f', repair {attempt}' if attempt else ''}", told, asked, history=history)
            self.raw = reply.text
            read = read_reply(reply.text, head, cut=is_cut(reply))
            if read.bars:
                self.canvas = _canvas_of(read, bars)
                problems = take_reply(desk, self.canvas, reply, self.canvas.missing())
                if self.canvas.bars:
                    break
            else:
                desk.note("lenient", *read.repairs)
            problems = problems or ["there is no piece in your answer: a header, the voices, then every bar"]
            desk.note("repairs", f"the piece: {'; '.join(problems[:3])}")
            history = desk.again(text, reply)
        if self.canvas is not None and self.canvas.bars and self.canvas.missing():
            missing = self.canvas.missing()
            write_bars(desk, self.canvas, missing[0], missing[-1])

    def _by_sections(self) -> None:
        plan = self._plan()
        self.desk.notes["plan"] = plan.text
        names = tuple(voice.name for voice in plan.voices)
        self.canvas = Canvas(plan.head, 1, plan.bars, names, (), plan.chord_of, plan.extras)
        self._sections(self.canvas, _plan_tokens(plan), tuple(first for _, first, _ in plan.form), plan)

    def _plan(self) -> Plan:
        """The plan that is asked for; the contract's own where none can be read."""
        desk, bars = self.desk, self.shape.last
        wanted = f"a piece of {bars} bars" if bars else "a piece as long as such music is"
        text = desk.page(desk.rounds, page("plan", asked=wanted))
        history: tuple[Message, ...] = ()
        problems: list[str] = []
        for attempt in range(MOST_REPAIRS + 1):
            told = repair_text(problems, "the plan") if attempt else text
            asked = Asked(kind="repair" if attempt else "plan")
            if attempt:
                asked["again"] = "plan"
            if bars:
                asked["bars"] = (1, bars)
            purpose = f"plan{f', repair {attempt}' if attempt else ''}"
            reply = desk.ask(purpose, told, asked, history=history, limit=_PLAN_TOKENS)
            plan, repaired, problems = read_plan(reply.text, desk.task.contract, bars)
            desk.note("lenient", *(f"plan: {each}" for each in repaired))
            if plan is not None:
                return plan
            desk.note("repairs", f"plan: {'; '.join(problems[:3])}")
            history = desk.again(text, reply)
        desk.note("repairs", "plan: none could be read; the plainest one that keeps the contract is used")
        return plan_of_contract(desk.task.contract, bars)

    def _sections(self, canvas: Canvas, tokens: int, starts: tuple[int, ...], plan: Plan | None = None) -> None:
        for first, last in sections_of(canvas.first, canvas.last, tokens, starts):
            self.desk.note("sections", [first, last])
            if not write_bars(self.desk, canvas, first, last, plan, self.desk.rounds):
                break  # nothing at all came of it; what stands is judged

    # revisions

    def _as_wished(self, task: RevisionTask) -> None:
        """A piece changed as wished: what needs no notes by the program, the rest by patches of the model."""
        piece = task.base
        for wish in task.wishes:
            piece = moves[wish.quality](piece, wish) if wish.quality in _NO_NOTES else piece
        self.text = notate(piece)
        verdict = task.judge(piece)
        if verdict.outcomes["wishes"].passed:
            self.desk.note("saved", "every wish was granted without a note being written")
            return
        self._revise(Round(0, Draft(self.text), piece, verdict, task.receipt(piece)))

    def _goes_on(self, best: Round) -> bool:
        """Whether the best draft is an unfinished piece, which is then finished."""
        assert best.score is not None
        wanted = self.shape.last or 0
        plan, _, _ = read_plan(str(best.draft.notes.get("plan", "")), self.desk.task.contract, wanted or None)
        wanted = wanted or (plan.bars if plan else 0)
        if self.shape.base is not None or best.score.numbers[-1] >= wanted:
            return False
        chords, extras = (plan.chord_of, plan.extras) if plan else ({}, {})
        if plan is not None:
            self.desk.notes["plan"] = plan.text
        self.desk.note("sections", f"from bar {best.score.numbers[-1] + 1} on")
        self.canvas = Canvas.after(best.score, wanted, chords, extras)
        starts = tuple(first for _, first, _ in plan.form) if plan else ()
        drums = any(voice.drums for voice in best.score.voices)
        self._sections(self.canvas, bar_tokens(len(best.score.voices) - drums, drums), starts, plan)
        if not self.canvas.bars:
            self.text = notate(best.score)
        return True

    def _revise(self, best: Round) -> None:
        assert best.score is not None
        if "plan" in best.draft.notes:
            self.desk.notes["plan"] = best.draft.notes["plan"]
        self.text = notate(best.score)
        for piece in revise_draft(self.desk, self.shape, best):
            self.text = notate(piece)


def _plan_tokens(plan: Plan) -> int:
    drums = sum(voice.drums for voice in plan.voices)
    return bar_tokens(len(plan.voices) - drums, bool(drums))


def _known_fields(task: Task, bars: int) -> list[str]:
    """What the contract says of the header, for answers that leave it out."""
    plan = plan_of_contract(task.contract, bars or None)
    known = [f"KEY: {plan.key}"] if task.contract.key else []
    known += [f"METER: {plan.meter}"] if task.contract.meter else []
    return known + ([f"TEMPO: {plan.tempo}"] if task.contract.tempo_bpm else [])


def _canvas_of(read: Read, bars: int) -> Canvas:
    """A canvas for a piece that came with its own header."""
    numbers = [bar.number for bar in read.bars]
    pickup = numbers[0] == 0 and not (bars and numbers == list(range(bars)))
    first = 0 if pickup else 1
    return Canvas(read.head, first, bars or min(max(numbers), first + len(numbers) + 7))
