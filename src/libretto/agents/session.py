"""A session: one task, one round at a time. Whoever composes, a person, a model or the loop, hands in drafts here.

A draft that cannot be read is a round too: its feedback is what is wrong with it. Where a folder is given, every round
is in it before the next one begins, and a session that was cut off goes on where it stopped.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from libretto.agents.folder import RunFolder
from libretto.errors import GrammarError, LibrettoError, Problem
from libretto.grammar import parse
from libretto.tasks import Draft, Round, Run, Task

__all__ = ["PATIENCE", "Session"]

#: So many rounds without anything better, and a loop stops.
PATIENCE = 2


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
    ) -> None:
        self.task, self.composer, self.seed = task, composer, seed
        self.rounds: list[Round] = []
        self.stopped = ""
        self.folder = RunFolder.open(folder, task, composer, seed, settings=settings) if folder is not None else None
        for draft in self.folder.drafts() if self.folder else ():
            self.rounds.append(self._judged(draft))

    def submit(self, draft: Draft | str) -> Round:
        """Judge a draft; the answer says what to change."""
        made = self._judged(draft if isinstance(draft, Draft) else Draft(draft))
        if self.folder is not None:
            self.folder.keep(made)
        self.rounds.append(made)
        return made

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
            return Round(number, draft, problems=(Problem(1, 1, draft.text[:40], "a piece", str(error)),))
        verdict, receipt = self.task.judge(score), self.task.receipt(score)
        return Round(number, draft, score, verdict, receipt, handed_in=handed_in)

    @property
    def run(self) -> Run:
        """The rounds so far."""
        folder = str(self.folder.path) if self.folder else ""
        return Run(self.task, self.composer, self.seed, tuple(self.rounds), folder, self.stopped)

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected: a draft passed, or the last ones brought nothing better."""
        if not self.rounds:
            return False
        best = self.run.best
        return best.passed or len(self.rounds) - best.number >= PATIENCE
