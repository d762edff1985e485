"""A session: one task, one round at a time. Whoever composes, a person, a model or the loop, hands in drafts here.

A draft that cannot be read is a round too: its feedback is what is wrong with it. Where a folder is given, every round
is in it before the next one begins, and a session that was cut off goes on where it stopped. A run that is played by
hand is a folder with the task's page inside, to which drafts are handed in one by one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypedDict

from libretto.agents.folder import BEGUN, RunFolder, read_asked
from libretto.errors import GrammarError, LibrettoError, Problem
from libretto.formats import write_bytes
from libretto.grammar import notate, parse
from libretto.knowledge import Shown
from libretto.score import Score
from libretto.tasks import Draft, Round, Run, Task, judge_draft, make_again, make_prompt
from libretto.tasks.prompt import show_ideas

__all__ = ["BY_HAND", "PATIENCE", "Asked", "AskedKind", "Session", "start_run", "submit_draft", "task_of_run"]

#: So many rounds without anything better, and a loop stops.
PATIENCE = 2
_SHOWN = 40  # characters of a draft that a problem shows


class Session:
    """A task in progress: what was handed in, what was said of it, and whether to go on."""

    def __init__(
        self,
        task: Task,
        composer: str = "",
        seed: int = 0,
        *,
        folder: str | os.PathLike[str] | None = None,
        settings: Mapping[str, Any] | None = None,
        begun: str = "",
    ) -> None:
        self.task, self.composer, self.seed = task, composer, seed
        self.rounds: list[Round] = []
        self.stopped = ""
        files = {BEGUN: begun.encode()} if begun else {}
        self.folder = (
            RunFolder.open(folder, task, composer, seed, files, settings=settings) if folder is not None else None
        )
        known = self.folder.shown() if self.folder else Shown()
        task.shown.add(*known.concepts, *known.excerpts)
        for draft in self.folder.drafts() if self.folder else ():
            self.rounds.append(self._judged(draft))
        if begun and not self.rounds:
            self.submit(Draft(begun, {"begun": True}))

    def submit(self, draft: Draft | str) -> Round:
        """Judge a draft; the answer says what to change."""
        made = self._judged(draft if isinstance(draft, Draft) else Draft(draft))
        if self.folder is not None:
            self.folder.keep_shown(self.task.shown)  # before the round, which is there only once all of it is
            self.folder.keep(made)
        self.rounds.append(made)
        return made

    def finish(self) -> None:
        """Put the best draft beside the rounds, where a folder is given and there is one."""
        if self.folder is not None and self.rounds:
            self.folder.finish(self.run)

    def _judged(self, draft: Draft) -> Round:
        number = len(self.rounds) + 1
        try:
            answer = parse(draft.text)
            if not len(answer.table):
                return Round(number, draft, problems=(Problem(1, 1, "", "at least one note"),))
            score, handed_in = self.task.completed(answer)
        except GrammarError as error:
            return Round(number, draft, problems=tuple(error.problems))
        except LibrettoError as error:
            return Round(number, draft, problems=(Problem(1, 1, draft.text[:_SHOWN], "a piece", str(error)),))
        return judge_draft(self.task, score, number, draft, handed_in)

    @property
    def run(self) -> Run:
        """The rounds so far."""
        folder = str(self.folder.path) if self.folder else ""
        return Run(self.task, self.composer, self.seed, tuple(self.rounds), folder, self.stopped)

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected: a draft passed, or the last ones brought nothing better."""
        return bool(self.rounds) and (self.run.best.passed or self.is_stuck)

    @property
    def is_stuck(self) -> bool:
        """Whether the last drafts brought nothing better."""
        return bool(self.rounds) and len(self.rounds) - self.run.best.number >= PATIENCE


#: Who composes in a run to which drafts are handed in.
BY_HAND = "by hand"


def start_run(task: Task, folder: str | os.PathLike[str], answer: str | None = None) -> Path:
    """Start a run folder for a task made from words, with its page inside as ``prompt.md``.

    ``answer`` is what the page ends with where drafts are not handed in as an answer.
    """
    if not task.made:
        raise LibrettoError("only a task that was made from words can be made again; use make_task")
    page = make_prompt(task, answer=answer)
    files: dict[str, bytes] = {}
    if (given := task.given()) is not None:  # from here on the run knows nothing of what is hidden
        music, options = given
        path, text = Path(folder).resolve() / "given.libretto", notate(music).encode()
        files = {path.name: text}
        made = {
            "kind": task.made["kind"],
            "arguments": [str(path)],
            "options": dict(sorted((task.made["options"] | options).items())),
            "files": {str(path): hashlib.sha256(text).hexdigest()},
        }
        task = replace(task, made=made)
    opened = RunFolder.open(folder, task, BY_HAND, 0, files)
    path = opened.path / "prompt.md"
    if not path.is_file():
        write_bytes(page.encode(), path)
    return path


def task_of_run(folder: str | os.PathLike[str], shown: Shown | None = None) -> Task:
    """The task of a run that takes drafts, with all that its composer was shown: by its page, before, and now."""
    asked = read_asked(folder)
    if asked.get("composer") != BY_HAND or not isinstance(asked.get("made"), dict):
        raise LibrettoError(f"{folder} holds a run that takes no drafts; start one by a task")
    task = make_again(asked["made"])
    show_ideas(task)  # what its page shows is looked for in the draft
    for more in (RunFolder(Path(folder)).shown(), shown or Shown()):
        task.shown.add(*more.concepts, *more.excerpts)
    return task


def submit_draft(folder: str | os.PathLike[str], text: str, shown: Shown | None = None) -> Run:
    """Judge a draft as the next round of a run; the run says what was said of it and which round is best.

    ``shown`` is what its composer was shown elsewhere than on the task's page. A draft after one that passed is judged
    as any other and may become the best.
    """
    session = Session(task_of_run(folder, shown), BY_HAND, 0, folder=folder)
    session.submit(text)
    session.finish()
    return session.run


AskedKind = Literal["plan", "piece", "bars", "repair", "revise", "role", "review", "prompts", "speaker", "words"]


class Asked(TypedDict, total=False):
    """What is asked of whoever answers; every field may be missing.

    ``kind``: ``plan`` (the plan of a piece), ``piece`` (a whole piece in one go), ``bars`` (some bars of a piece),
    ``repair`` (what could not be read, again), ``revise`` (patches, or the piece anew), ``role`` and ``review``
    (teams: some voices of some bars; what is to be changed), ``speaker`` (who is next)
    and ``words`` (a step before the notes), ``prompts`` (new briefs, by the seed in ``brief``).
    """

    kind: AskedKind
    #: What a repair repeats: the kind of the request that was answered badly.
    again: AskedKind
    task: Task
    brief: str
    #: The bars to write, by number, both ends included.
    bars: tuple[int, int]
    #: The voices to write; all of the piece where there are none.
    voices: tuple[str, ...]
    notation: str
    #: The header of the piece in writing.
    header: str
    #: The piece that is revised or written into.
    base: Score
    rounds: tuple[Round, ...]
    #: What a member of a team is asked to be.
    role: str
    #: The number of the call in its run, from 1; the ledger adds it.
    call: int
