"""Runs as tables: for every task the three baselines, every ear, and the figures of the benchmark's authors beside."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from libretto.corpus.statistics import Estimate
from libretto.errors import LibrettoError
from libretto.listen.kinds import Kind, kinds
from libretto.listen.records import load_json
from libretto.listen.reliability import BINS, reliability_cells, reliability_line
from libretto.listen.running import BASELINES, ListeningRun
from libretto.listen.scoring import TaskScore, score
from libretto.listen.trial import Outcome

__all__ = [
    "HEAD",
    "NOTES",
    "SURE_HEAD",
    "Row",
    "Section",
    "cells",
    "load_run",
    "recall_cells",
    "sections",
    "summary_lines",
    "sure_cells",
    "tables_data",
    "to_markdown",
]

#: The columns of a table.
HEAD = (
    "ear",
    "condition",
    "right",
    "accuracy [95%]",
    "tolerant",
    "paper's solver",
    "solver before the answer turn",
    "undecidable",
    "unparsed",
    "faults at first (parse, structural, domain)",
    "repaired",
    "of form, of content",
    "refused",
    "failed (error, refused, timeout)",
    "calls",
    "tokens in, out",
    "money",
)
#: The columns of the table of confidence: right answers by how sure they were said to be.
SURE_HEAD = ("ear", "condition", *(f"given as {100 * low:.0f}-{100 * high:.0f}% sure" for low, high in BINS))
#: What must be known to read the tables.
NOTES = (
    "Intervals are 95%, drawn by item (what is played), seeded; where all items agree they are Wilson's.",
    "No answer is wrong: undecidable, unparsed, refused and failed trials count against an ear and are shown apart.",
    "constant: always the same answer. local: our ear, no model. oracle: the true transcription, and the solver.",
    "An ear that is no model hears the same in every condition: its lines are decided by the solver.",
    "tolerant: beside the strict figure, never in its place. paper's solver: what the published solver, mended, says.",
    "solver before the answer turn: how often the solver was right where the model then answered itself.",
    "given as so sure: right answers among those whose confidence lies there; honest where both shares agree.",
    "A score of an oracle below 100% is a fault of the table or of the solver, not of hearing.",
)

_NOT_RUN = "not run"


@dataclass(frozen=True)
class Row:
    """One ear in a table; where it could not be heard, ``missing`` says why."""

    ear: str
    condition: str
    score: TaskScore | None
    missing: str = ""


@dataclass(frozen=True)
class Section:
    """One task of one suite, with a row for every ear."""

    kind: Kind
    manifest: str
    digest: str
    rows: tuple[Row, ...]

    @property
    def reported(self) -> str:
        """What others measured, in a line that says who."""
        said = ", ".join(f"{who} {figure:g}%" for who, figure in self.kind.reported)
        return f"Reported by the benchmark's authors: {said}." if said else "Nobody reported this form of the task."


def load_run(folder: str | os.PathLike[str]) -> ListeningRun:
    """The run in a folder, once it is over."""
    place = Path(folder)
    if not (place / "run.json").is_file():
        raise LibrettoError(f"{place} holds no listening run")
    if not (place / "results.json").is_file():
        raise LibrettoError(f"the run in {place} is not over; start it again with the same words and it goes on")
    try:
        return ListeningRun.from_dict(load_json(place / "results.json"))
    except (KeyError, TypeError, AttributeError):
        raise LibrettoError(f"{place / 'results.json'} is damaged; remove it and run again") from None


def sections(runs: Sequence[ListeningRun]) -> list[Section]:
    """A section for every suite and task; runs of one ear and condition are taken together, item by item."""
    suites: dict[str, list[ListeningRun]] = {}
    for run in runs:
        suites.setdefault(str(run.asked["manifest_sha256"]), []).append(run)
    made = []
    for digest, group in suites.items():
        scored = [(pooled, score(pooled.outcomes)) for pooled in (*_baselines(group), *_ears(group))]
        for task in sorted({task for run in group for task in run.asked["order"]}):
            rows = tuple(Row(who.ear, who.condition, by_task.get(task), who.missing) for who, by_task in scored)
            made.append(Section(kinds[task], str(group[0].asked["manifest"]), digest, rows))
    return made


class _Pooled(NamedTuple):
    """What one ear heard in all runs of a suite; ``missing`` says why, where there is nothing."""

    ear: str
    condition: str
    outcomes: Sequence[Outcome]
    missing: str = _NOT_RUN


def _baselines(group: Sequence[ListeningRun]) -> list[_Pooled]:
    """The three baselines, each trial once."""
    rows: list[_Pooled] = []
    for name in BASELINES:
        trials: dict[str, Outcome] = {}
        missing = _NOT_RUN
        for run in group:
            heard = run.baselines.get(name)
            if isinstance(heard, str):
                missing = heard
            elif heard is not None:
                trials |= {outcome.trial: outcome for outcome in heard}
        rows.append(_Pooled(name, "-", list(trials.values()), missing))
    return rows


def _ears(group: Sequence[ListeningRun]) -> list[_Pooled]:
    """Every ear that is no baseline, by condition."""
    pooled: dict[tuple[str, str], list[Outcome]] = {}
    for run in group:
        if run.asked["ear"] not in BASELINES:
            pooled.setdefault((run.asked["ear"], run.asked["condition"]), []).extend(run.outcomes)
    return [_Pooled(who, condition, outcomes) for (who, condition), outcomes in sorted(pooled.items())]


def cells(row: Row) -> list[str]:
    """A row as text, one cell a column."""
    figures = row.score
    if figures is None:
        said = [row.ear, row.condition, _right(row)]
        return said + ["-"] * (len(HEAD) - len(said))
    return [
        row.ear,
        row.condition,
        _right(row),
        _share(figures.accuracy),
        "-" if figures.tolerant is None else f"{figures.tolerant_right}: {_share(figures.tolerant)}",
        "-" if figures.paper_right is None else f"{figures.paper_right}",
        "-" if figures.solver_right is None else f"{figures.solver_right}",
        _counted(figures, figures.undecidable),
        _counted(figures, figures.parse_errors),
        ", ".join(map(str, figures.first_faults.values())),
        _counted(figures, figures.repaired),
        f"{figures.form}, {figures.content}",
        str(figures.refusals),
        ", ".join(map(str, figures.failures.values())),
        str(figures.calls),
        f"{figures.tokens_in}, {figures.tokens_out}",
        f"{figures.money:.4f}" + (f" and {figures.unpriced} calls of unknown price" if figures.unpriced else ""),
    ]


def _right(row: Row) -> str:
    """How many were right of how many; or why nothing was heard."""
    if row.score is None:
        return row.missing or _NOT_RUN
    skipped = f" ({row.score.skipped} without a transcription)" if row.score.skipped else ""
    return f"{row.score.right} of {row.score.trials}{skipped}"


def _share(estimate: Estimate | None) -> str:
    return "-" if estimate is None else f"{estimate.value:.1%} [{100 * estimate.low:.0f}-{100 * estimate.high:.0f}]"


def _counted(figures: TaskScore, count: int) -> str:
    return f"{count} ({figures.rate(count):.0%})" if count else "0"


def recall_cells(row: Row, kind: Kind) -> list[str]:
    """The recall of every class as text, after the ear and the condition."""
    of = row.score.recall if row.score else {}
    shares = [f"{of[name][0]} of {of[name][1]}" if of.get(name, (0, 0))[1] else "-" for name in kind.choices]
    return [row.ear, row.condition, *shares]


def sure_cells(row: Row) -> list[str]:
    """Right answers by how sure they were said to be, as text, after the ear and the condition."""
    return [row.ear, row.condition, *reliability_cells(row.score.confidence if row.score else None)]


def to_markdown(runs: Sequence[ListeningRun]) -> str:
    """The tables as Markdown."""
    parts = ["# Listening\n"]
    for section in sections(runs):
        head = ("ear", "condition", *(f"recall {name}" for name in section.kind.choices))
        parts += [
            f"## {section.kind.title} (`{section.kind.name}`)\n",
            f"{_cell(section.manifest)}, sha256 {section.digest[:16]}. {section.reported}\n",
            _table(HEAD, [cells(row) for row in section.rows]),
            _table(head, [recall_cells(row, section.kind) for row in section.rows if row.score]),
            _table(SURE_HEAD, [sure_cells(row) for row in section.rows if row.score and row.score.confidence]),
        ]
    parts.append("\n".join(f"- {note}" for note in NOTES) + "\n")
    return "\n".join(parts)


def summary_lines(run: ListeningRun) -> list[str]:
    """A run in a few lines for a terminal: the ear, then the baselines that were heard, and what others report."""
    lines = []
    for section in sections([run]):
        lines.append(f"{section.kind.title} ({section.kind.name})")
        named = run.asked["ear"]
        for row in sorted(section.rows, key=lambda row: row.ear != named):
            figures = row.score
            if figures is None:
                lines.append(f"  {row.ear:<12} {_right(row)}")
                continue
            beside = f", tolerant {_share(figures.tolerant)}" if figures.tolerant else ""
            lines.append(
                f"  {row.ear:<12} {_right(row)}, {_share(figures.accuracy)}{beside}, "
                f"undecidable {figures.undecidable}, unparsed {figures.parse_errors}"
            )
            if row.ear == named and figures.confidence is not None:
                lines.append(f"  {'':<12} {reliability_line(figures.confidence)}")
        lines.append(f"  {section.reported}")
    return lines


def tables_data(runs: Sequence[ListeningRun]) -> dict[str, Any]:
    """The tables as plain data."""
    return {
        "sections": [
            {
                "task": section.kind.name,
                "manifest": section.manifest,
                "manifest_sha256": section.digest,
                "reported": {who: figure / 100 for who, figure in section.kind.reported},
                "rows": [
                    {"ear": row.ear, "condition": row.condition}
                    | ({"missing": row.missing} if row.score is None else row.score.to_dict())
                    for row in section.rows
                ],
            }
            for section in sections(runs)
        ]
    }


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "/").replace("\n", " ").replace("<", "&lt;")
