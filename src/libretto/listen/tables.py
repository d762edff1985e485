"""Runs as tables: for every task the three baselines, every ear, and the published figures beside."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.listen.hearing import Outcome
from libretto.listen.kinds import Kind, kinds
from libretto.listen.records import load_json
from libretto.listen.running import BASELINES, ListeningRun
from libretto.listen.scoring import TaskScore, score

__all__ = [
    "HEAD",
    "NOTES",
    "Row",
    "Section",
    "cells",
    "load_run",
    "recall_cells",
    "sections",
    "summary_lines",
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
#: What must be known to read the tables.
NOTES = (
    "Intervals are 95%, drawn by item (what is played), seeded; where all items agree they are Wilson's.",
    "No answer is wrong: undecidable, unparsed, refused and failed trials count against an ear and are shown apart.",
    "constant: always the same answer. local: our ear, no model. oracle: the true transcription, and the solver.",
    "An ear that is no model hears the same in every condition: its lines are decided by the solver.",
    "tolerant: beside the strict figure, never in its place. paper's solver: what the published solver, mended, says.",
    "A score of an oracle below 100% is a fault of the table or of the solver, not of hearing.",
)


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
    def published(self) -> str:
        """The published figures in a line."""
        said = ", ".join(f"{who} {figure:g}%" for who, figure in self.kind.published)
        return f"Published: {said}." if said else "Published: nothing for this form of the task."


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
    found = []
    for digest, group in suites.items():
        rows = [*_baselines(group), *_ears(group)]
        scored = [(who, condition, score(outcomes), missing) for who, condition, outcomes, missing in rows]
        for task in sorted({task for run in group for task in run.asked["order"]}):
            cut = tuple(Row(who, condition, of.get(task), missing) for who, condition, of, missing in scored)
            found.append(Section(kinds[task], str(group[0].asked["manifest"]), digest, cut))
    return found


_Heard = tuple[str, str, Sequence[Outcome], str]


def _baselines(group: Sequence[ListeningRun]) -> list[_Heard]:
    """The three baselines, each trial once."""
    rows: list[_Heard] = []
    for name in BASELINES:
        trials: dict[str, Outcome] = {}
        missing = "not run"
        for run in group:
            found = run.baselines.get(name)
            if isinstance(found, str):
                missing = found
            elif found is not None:
                trials |= {each.trial: each for each in found}
        rows.append((name, "-", list(trials.values()), missing))
    return rows


def _ears(group: Sequence[ListeningRun]) -> list[_Heard]:
    """Every ear that is no baseline, by condition."""
    pooled: dict[tuple[str, str], list[Outcome]] = {}
    for run in group:
        if run.asked["ear"] not in BASELINES:
            pooled.setdefault((run.asked["ear"], run.asked["condition"]), []).extend(run.outcomes)
    return [(who, condition, outcomes, "not run") for (who, condition), outcomes in sorted(pooled.items())]


def cells(row: Row) -> list[str]:
    """A row as text, one cell a column."""
    found = row.score
    if found is None:
        return [row.ear, row.condition, row.missing or "not run", *["-"] * (len(HEAD) - 3)]
    skipped = f" ({found.skipped} without a transcription)" if found.skipped else ""
    return [
        row.ear,
        row.condition,
        f"{found.right} of {found.trials}{skipped}",
        str(found.accuracy or "-"),
        "-" if found.tolerant is None else f"{found.tolerant_right}: {found.tolerant}",
        "-" if found.paper_right is None else f"{found.paper_right}",
        _counted(found, found.undecidable),
        _counted(found, found.parse_errors),
        ", ".join(map(str, found.first_faults.values())),
        _counted(found, found.repaired),
        f"{found.form}, {found.content}",
        str(found.refusals),
        ", ".join(map(str, found.failures.values())),
        str(found.calls),
        f"{found.tokens_in}, {found.tokens_out}",
        f"{found.money:.4f}" + (f" and {found.unpriced} calls of unknown price" if found.unpriced else ""),
    ]


def _counted(found: TaskScore, count: int) -> str:
    return f"{count} ({found.rate(count):.0%})" if count else "0"


def recall_cells(row: Row, kind: Kind) -> list[str]:
    """The recall of every class as text, after the ear and the condition."""
    of = row.score.recall if row.score else {}
    shares = [f"{of[name][0]} of {of[name][1]}" if of.get(name, (0, 0))[1] else "-" for name in kind.choices]
    return [row.ear, row.condition, *shares]


def to_markdown(runs: Sequence[ListeningRun]) -> str:
    """The tables as Markdown."""
    parts = ["# Listening\n"]
    for section in sections(runs):
        head = ("ear", "condition", *(f"recall {name}" for name in section.kind.choices))
        parts += [
            f"## {section.kind.title} (`{section.kind.name}`)\n",
            f"{_cell(section.manifest)}, sha256 {section.digest[:16]}. {section.published}\n",
            _table(HEAD, [cells(row) for row in section.rows]),
            _table(head, [recall_cells(row, section.kind) for row in section.rows if row.score]),
        ]
    parts.append("\n".join(f"- {note}" for note in NOTES) + "\n")
    return "\n".join(parts)


def summary_lines(run: ListeningRun) -> list[str]:
    """A run in a few lines for a terminal: the ear, then the baselines that were heard, and what is published."""
    lines = []
    for section in sections([run]):
        lines.append(f"{section.kind.title} ({section.kind.name})")
        named = run.asked["ear"]
        for row in sorted(section.rows, key=lambda row: row.ear != named):
            cut = cells(row)
            if row.score is None:
                lines.append(f"  {row.ear:<12} {cut[2]}")
                continue
            found = row.score
            beside = f", tolerant {found.tolerant}" if found.tolerant else ""
            lines.append(
                f"  {row.ear:<12} {cut[2]}, {cut[3]}{beside}, undecidable {found.undecidable}, "
                f"unparsed {found.parse_errors}"
            )
        lines.append(f"  {section.published}")
    return lines


def tables_data(runs: Sequence[ListeningRun]) -> dict[str, Any]:
    """The tables as plain data."""
    return {
        "sections": [
            {
                "task": section.kind.name,
                "manifest": section.manifest,
                "manifest_sha256": section.digest,
                "published": {who: figure / 100 for who, figure in section.kind.published},
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
