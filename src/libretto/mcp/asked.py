"""What was asked of a piece in the workspace: the run that it belongs to, or the contract that is kept beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from libretto.mcp.desk import Answer, Desk
from libretto.workspace import check_name, inside

if TYPE_CHECKING:
    from libretto.gates import Verdict
    from libretto.tasks import Round, Task

__all__ = ["RUNS", "genre_of", "round_told", "run_folder", "task_of", "verdict_told"]

#: The folder of a workspace in which runs are kept.
RUNS = "runs"


def run_folder(desk: Desk, run: str) -> Path:
    """Where a run of this workspace is kept."""
    return inside(desk.workspace.root, f"{RUNS}/{check_name(run, 'run')}")


def genre_of(desk: Desk, name: str) -> str:
    """The genre that a piece was said to be in; empty where nobody said."""
    task = task_of(desk, name)
    return task.genre if task is not None else desk.workspace.about(name).get("genre", "")


def task_of(desk: Desk, name: str, genre: str = "", original: bool = True) -> Task | None:
    """The task that a piece answers, with all that was shown here; None where nobody asked for anything."""
    from libretto.agents.session import task_of_run
    from libretto.contract import contract_from_text
    from libretto.tasks import compose_task

    about = desk.workspace.about(name)
    if "run" in about and (run_folder(desk, about["run"]) / "run.json").is_file():
        task = task_of_run(run_folder(desk, about["run"]), desk.shown)
        return replace(task, genre=genre or task.genre, original=task.original and original)
    if "contract" not in about:
        return None
    contract = contract_from_text(about["contract"])
    meant = genre or about.get("genre", "")
    task = compose_task(about.get("brief", ""), contract=contract, genre=meant or None, original=original)
    return replace(task, shown=desk.shown)


def verdict_told(verdict: Verdict, full: bool = False) -> Answer:
    """What the gates say: whether a piece passes, as what it was judged, and what to tell its composer.

    Of gates that it passes nothing is said unless it is ``full``.

    >>> from libretto.gates import Outcome, Verdict
    >>> verdict_told(Verdict("", "", "piece", {"order": Outcome(1.0, "fine")}))["judged"]
    'as a piece: passes every gate'
    """
    notes = {gate: outcome.note for gate, outcome in verdict.outcomes.items() if full or gate in verdict.failed}
    return {
        "passed": verdict.passed,
        "judged": f"{verdict.judged_as}: {verdict.state}",
        "failed": list(verdict.failed),
        **({"gates": notes} if notes else {}),
        "feedback": verdict.feedback,
    }


def round_told(made: Round, full: bool = False) -> Answer:
    """What was said of a draft: the verdict and the receipt, or what cannot be read of it."""
    if made.verdict is None:
        return {"passed": False, "feedback": made.feedback}
    receipt = {"receipt": list(made.receipt.asked_lines)} if made.receipt is not None else {}
    return {**receipt, **verdict_told(made.verdict, full)}
