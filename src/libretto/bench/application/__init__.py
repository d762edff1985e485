"""An application's row of table 3: its cases, how one is played, and what was published.

To add a row is to register it; its module is named in ``playing.py``. ``cases`` and ``play`` are plain functions
of a module, so that cases can be played by other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libretto.registry import Registry
from libretto.tasks import Run

__all__ = ["Application", "CaseData", "OutcomeData", "failed_gates", "margins_of", "rows"]

_DIGITS = 4  # of a margin

#: A case as plain data; its ``case`` names it.
CaseData = Mapping[str, Any]
#: What became of a case as plain data: ``single`` and ``passed`` at least.
OutcomeData = dict[str, Any]


@dataclass(frozen=True)
class Application:
    """One row: what it is, the published single shot and result, and the least share that passes here.

    ``labels`` say what is compared, ``about`` what must be known of it. Outcomes may say more than ``single`` and
    ``passed``: ``group`` (a line of its own for each), ``margin`` and ``distance`` (of the first and the best round),
    and ``figures`` (numbers of which the table prints the mean; yes and no count as 1 and 0).

    ``cases`` gives its cases from a folder of music (None where there is none; then it gives none if it needs one);
    ``play`` plays one with a composer for so many rounds.
    """

    title: str
    single: str
    result: str
    mark: float
    cases: Callable[[str | None], Sequence[CaseData]]
    play: Callable[[CaseData, str, int], OutcomeData]
    labels: tuple[str, str] = ("single shot", "within the rounds")
    about: str = ""


def margins_of(run: Run) -> list[float | None]:
    """The margins of a run's first and best round, None where a draft could not be read."""
    verdicts = (run.rounds[0].verdict, run.best.verdict)
    return [round(verdict.margin, _DIGITS) if verdict is not None else None for verdict in verdicts]


def failed_gates(run: Run, unread: str = "text") -> list[str]:
    """The gates that a run's best round fails; ``unread`` alone where it could not be read."""
    verdict = run.best.verdict
    return [name for name, outcome in verdict.outcomes.items() if not outcome.passed] if verdict else [unread]


#: Every row by name.
rows: Registry[Application] = Registry("application")
