"""Table 3: what became of every row, the published figures beside ours; for a terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from libretto.bench.application import Application, OutcomeData
from libretto.bench.application.published import ablation_lines, discrimination_lines
from libretto.corpus.statistics import wilson

__all__ = ["Applied", "LoopCase", "Table", "applications_lines", "loop_cases", "table_json", "table_markdown"]

_DIGITS = 4  # of a mean that is kept as data
_MOST_REASONS = 5  # why cases had no answer, of one row


@dataclass(frozen=True)
class Applied:
    """What became of one row."""

    name: str
    row: Application
    outcomes: tuple[OutcomeData, ...]

    @property
    def single(self) -> int:
        """How many pass with the first draft."""
        return sum(bool(outcome["single"]) for outcome in self.outcomes)

    @property
    def passed(self) -> int:
        """How many pass within the rounds."""
        return sum(bool(outcome["passed"]) for outcome in self.outcomes)

    @property
    def improved(self) -> int:
        """In how many cases the best round stands better with the gates than the first."""
        pairs = [outcome.get("margin", ()) for outcome in self.outcomes]
        return sum(len(pair) == 2 and None not in pair and pair[1] > pair[0] for pair in pairs)

    @property
    def groups(self) -> dict[str, tuple[OutcomeData, ...]]:
        """The cases by where they lie, where they say so."""
        groups: dict[str, list[OutcomeData]] = {}
        for outcome in self.outcomes:
            if outcome.get("group"):
                groups.setdefault(str(outcome["group"]), []).append(outcome)
        return {name: tuple(outcomes) for name, outcomes in groups.items()} if len(groups) > 1 else {}

    @property
    def figures(self) -> dict[str, float]:
        """The means of what the cases measured beside, in the order in which they name it."""
        tables = [outcome.get("figures", {}) for outcome in self.outcomes]
        names = list(dict.fromkeys(name for table in tables for name in table))
        return {name: fmean(table[name] for table in tables if name in table) for name in names}

    @property
    def met(self) -> bool:
        """Whether enough of them do; nothing played is nothing missed."""
        return not self.outcomes or self.passed >= self.row.mark * len(self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data, with every outcome."""
        return {
            "row": self.name,
            "title": self.row.title,
            "published_single": self.row.single,
            "published": self.row.result,
            "cases": len(self.outcomes),
            "single": self.single,
            "pass": self.passed,
            "labels": list(self.row.labels),
            "improved": self.improved,
            "figures": {name: round(value, _DIGITS) for name, value in self.figures.items()},
            "mark": self.row.mark,
            "met": self.met,
            "outcomes": list(self.outcomes),
        }


@dataclass(frozen=True)
class Table:
    """Table 3 as measured here."""

    composer: str
    rounds: int
    applied: tuple[Applied, ...]
    gates: str = "ours"

    @property
    def spent(self) -> tuple[int, int, float]:
        """Tokens in, tokens out and money of all cases, as far as they are known."""
        outcomes = [outcome for applied in self.applied for outcome in applied.outcomes]
        tokens = [outcome.get("tokens", (0, 0)) for outcome in outcomes]
        money = sum(outcome.get("money", 0.0) for outcome in outcomes)
        return sum(sent for sent, _ in tokens), sum(back for _, back in tokens), money

    @property
    def passed(self) -> bool:
        """Whether every row meets its mark."""
        return all(applied.met for applied in self.applied)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "composer": self.composer,
            "rounds": self.rounds,
            "gates": self.gates,
            "passed": self.passed,
            "rows": [applied.to_dict() for applied in self.applied],
        }


def applications_lines(table: Table) -> list[str]:
    """The table for a terminal: published and ours side by side, then what failed."""
    by = "" if table.gates == "ours" else ", by the published gates"
    lines = [f"Table 3, {table.composer}, up to {table.rounds} rounds{by}"]
    for applied in table.applied:
        lines += _row_lines(applied)
    sent, back, money = table.spent
    if sent or back:
        lines.append(f"spent: {sent:,} tokens in, {back:,} out, ${money:.4f} where prices are known")
    return lines


def _row_lines(applied: Applied) -> list[str]:
    row, total = applied.row, len(applied.outcomes)
    one, two = row.labels
    lines = [row.title, f"  published  {one} {row.single:<22} {two} {row.result}"]
    if not total:
        return [*lines, "  ours       needs --music FOLDER"]
    missed = "" if applied.met else f"  MISSED (mark {row.mark:.0%})"
    lines.append(f"  ours       {one} {_rate(applied.single, total):<22} {two} {_rate(applied.passed, total)}{missed}")
    for name, outcomes in applied.groups.items():
        single, passed = _counts(outcomes)
        lines.append(f"    {name:<22} {one} {single}/{len(outcomes)}, {two} {passed}/{len(outcomes)}")
    return lines + _beside_lines(applied)


def _beside_lines(applied: Applied) -> list[str]:
    """What was measured beside, what must be known of a row, and what failed and why."""
    lines = []
    if applied.row.labels == Application.labels and any("margin" in outcome for outcome in applied.outcomes):
        lines.append(f"  loop       {applied.improved}/{len(applied.outcomes)} improve on their first round")
    lines += [f"  {name:<48} {value:.2f}" for name, value in applied.figures.items()]
    lines += discrimination_lines(applied.outcomes) + ablation_lines(applied.outcomes)
    lines += [f"  {applied.row.about}"] if applied.row.about else []
    failed = Counter(gate for outcome in applied.outcomes for gate in outcome.get("failed", ()))
    if failed:
        lines.append("  fails      " + ", ".join(f"{name} {count}" for name, count in failed.most_common()))
    reasons = dict.fromkeys(outcome["why"] for outcome in applied.outcomes if outcome.get("why"))
    return lines + [f"  because    {why}" for why in reasons][:_MOST_REASONS]


def _counts(outcomes: Sequence[OutcomeData]) -> tuple[int, int]:
    """How many pass at once, and how many within the rounds."""
    return sum(bool(case["single"]) for case in outcomes), sum(bool(case["passed"]) for case in outcomes)


class LoopCase(NamedTuple):
    """A case of figure 6: its name, the margins of its first and its best round, and whether it passes."""

    name: str
    first: float
    best: float
    passed: bool


def loop_cases(applied: Applied) -> list[LoopCase]:
    """Figure 6: every case whose rounds could be read, the one with the worst first round first."""
    cases = [
        LoopCase(str(outcome["case"]), float(pair[0]), float(pair[1]), bool(outcome["passed"]))
        for outcome in applied.outcomes
        if len(pair := outcome.get("margin", ())) == 2 and None not in pair
    ]
    return sorted(cases, key=lambda case: (case.first, case.name))


def table_json(table: Table) -> bytes:
    """Everything that was measured."""
    return (json.dumps(table.to_dict(), ensure_ascii=True, indent=1) + "\n").encode()


def table_markdown(table: Table, plots: Sequence[str] = ()) -> str:
    """Table 3 with the published figures beside ours, what was measured beside, and every case of figure 6."""
    lines = [
        f"# Applications: {table.composer}, up to {table.rounds} rounds",
        "",
        "| application | compared | published | | ours | | mark |",
        "|---|---|---|---|---|---|---|",
    ]
    for applied in table.applied:
        row, total = applied.row, len(applied.outcomes)
        ours = [_rate(count, total) for count in (applied.single, applied.passed)]
        mark = f"{row.mark:.0%} {'met' if applied.met else 'missed'}" if total else "needs music"
        cells = [row.title, ", ".join(row.labels), row.single, row.result, *ours, mark]
        lines.append(f"| {' | '.join(cells)} |")
        for name, outcomes in applied.groups.items():
            single, passed = _counts(outcomes)
            lines.append(f"| - {name} | | | | {single}/{len(outcomes)} | {passed}/{len(outcomes)} | |")
    lines += ["", "These are our gates on our cases: the published figures stand beside, they are not beaten by this."]
    for applied in table.applied:
        lines += _section(applied)
    lines += [part for plot in plots for part in ("", f"![{plot}]({plot})")]
    return "\n".join(lines) + "\n"


def _rate(count: int, total: int) -> str:
    return f"{count}/{total} {wilson(count / total, total).percent}" if total else "-"


def _section(applied: Applied) -> list[str]:
    if not applied.outcomes:
        return []
    lines = ["", f"## {applied.row.title}: {', '.join(applied.row.labels)}", ""]
    lines += [applied.row.about, ""] if applied.row.about else []
    if applied.figures:
        lines += ["| mean over the cases | |", "|---|---|"]
        lines += [f"| {name} | {value:.2f} |" for name, value in applied.figures.items()]
    said = [*discrimination_lines(applied.outcomes), *ablation_lines(applied.outcomes)]
    lines += ["", *(f"- {line.strip()}" for line in said)] if said else []
    cases = loop_cases(applied)
    if cases:
        one, two = applied.row.labels
        lines += ["", f"| case | margin, {one} | {two} | distance | | passes |", "|---|---|---|---|---|---|"]
        by_name: dict[str, Any] = {str(outcome["case"]): outcome for outcome in applied.outcomes}
        for name, first, best, passed in cases:
            away = [f"{d:.2f}" if d is not None else "" for d in by_name[name].get("distance", (None, None))]
            lines.append(f"| {name} | {first:.2f} | {best:.2f} | {away[0]} | {away[1]} | {'yes' if passed else 'no'} |")
    return lines
