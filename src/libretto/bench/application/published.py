"""What the rows of table 3 say under the published gates: figures of tables 2 and A.3 that drafts give.

*Extremes* and *copy risk* of drafts that pass against those that fail are the right column of table 2; *axes before and
after* retrieval, by the published percentiles, are figure A.3. For a composer that reads no page they are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from libretto.bench.application import CaseData, OutcomeData
from libretto.corpus.slide import pairs_of
from libretto.errors import LibrettoError
from libretto.gates.paper import check_gates, copy_risk, paper_extremes, paper_percentiles, songs_of
from libretto.score import Score
from libretto.tasks import FillTask, Run
from libretto.tasks.fill.final import final_grade

__all__ = [
    "PAPER_ROWS",
    "REFUSED",
    "ablation_lines",
    "axes_moved",
    "discrimination_lines",
    "draft_figures",
    "final_figures",
    "with_gates",
]

#: The rows for which the paper prints gates.
PAPER_ROWS = ("compose", "retrieval", "fill")
REFUSED = "refused as a copy of the hidden bars"  #: the figure that says so
_DIGITS = 4  # of a share that is kept
_SHOWN_AXES = 8  # that one piece names


def with_gates(row: str, cases: Sequence[CaseData], gates: str) -> list[CaseData]:
    """The cases of a row to be judged by some gates; refused where the paper has none for it."""
    if check_gates(gates) == "ours":
        return list(cases)
    if row not in PAPER_ROWS:
        raise LibrettoError(f"the paper has no gates for the row {row}; it has some for {', '.join(PAPER_ROWS)}")
    return [{**case, "gates": gates} for case in cases]


def draft_figures(run: Run) -> dict[str, float]:
    """Extreme axes and copy risk of a run's best draft by the published rules; nothing where none could be read."""
    if run.score is None:
        return {}
    piece, cited = pairs_of(run.score), [pairs_of(excerpt, name) for name, excerpt in run.task.shown.cited]
    risk = copy_risk(piece, cited, songs_of(run.task.gates)).share
    return {"extremes": float(len(paper_extremes(paper_percentiles(run.score)))), "copy": round(risk, _DIGITS)}


def final_figures(task: FillTask, answer: Score, song: Score) -> tuple[dict[str, float], dict[str, float]]:
    """The final grade of a fill, and by the published gates its extreme axes and copy of the answer; after the loop."""
    grade = final_grade(task, answer, song)
    if grade is None:
        return {}, {}
    told = {"answer overlap": grade.overlap, "beat alignment": grade.beat, REFUSED: float(grade.copied)}
    return told, {"extremes": float(grade.extremes), "copy": grade.slid} if task.gates != "ours" else {}


def axes_moved(before: Score | None, after: Score | None) -> dict[str, list[int]]:
    """The published percentiles of two pieces on every axis that is extreme in one of them."""
    if before is None or after is None:
        return {}
    one, two = paper_percentiles(before), paper_percentiles(after)
    extreme = {*paper_extremes(one), *paper_extremes(two)}
    return {name: [one[name], two[name]] for name in one if name in extreme}


def discrimination_lines(outcomes: Sequence[OutcomeData]) -> list[str]:
    """Table 2, right: extremes and copy risk of what passes against what fails; nothing where nobody counted."""
    counted = [outcome for outcome in outcomes if "extremes" in outcome]
    passing = [outcome for outcome in counted if outcome["passed"]]
    failing = [outcome for outcome in counted if not outcome["passed"]]
    if not counted:
        return []
    extremes = f"passing {_mean(passing, 'extremes', 2)}, failing {_mean(failing, 'extremes', 2)}"
    most = max((float(outcome["copy"]) for outcome in passing), default=0.0)
    copies = f"passing {_mean(passing, 'copy', 3)} (at most {most:.3f}), failing {_mean(failing, 'copy', 3)}"
    return [f"  extreme axes of drafts: {extremes}", f"  copy risk of drafts: {copies}"]


def _mean(outcomes: Sequence[Mapping[str, Any]], name: str, digits: int) -> str:
    return f"{fmean(float(outcome[name]) for outcome in outcomes):.{digits}f}" if outcomes else "-"


def ablation_lines(outcomes: Sequence[OutcomeData]) -> list[str]:
    """Figure A.3: for every piece the axes that are extreme without or with retrieval, before and after."""
    told = [outcome for outcome in outcomes if outcome.get("axes")]
    if not told:
        return []
    counts = [[sum(_out(pair[at]) for pair in outcome["axes"].values()) for at in (0, 1)] for outcome in told]
    means = [fmean(pair[at] for pair in counts) for at in (0, 1)]
    lines = [f"  extreme axes without retrieval {means[0]:.1f}, with it {means[1]:.1f}"]
    for outcome in told:
        moved = sorted(outcome["axes"].items(), key=lambda item: (-abs(item[1][0] - item[1][1]), item[0]))
        axes = ", ".join(f"{name} {one} to {two}" for name, (one, two) in moved[:_SHOWN_AXES])
        lines.append(f"    {outcome['case']}: {axes}")
    return lines


def _out(percentile: int) -> bool:
    return bool(paper_extremes({"": percentile}))
