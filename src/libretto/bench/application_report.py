"""Table 3 and figure 6 as files: a page of Markdown, everything as JSON, and the plot's data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from libretto.bench.applications import Applied, Table
from libretto.corpus.intervals import wilson

__all__ = ["loop_cases", "table_json", "table_markdown"]


def loop_cases(applied: Applied) -> list[tuple[str, float, float, bool]]:
    """Figure 6: every case with the margin of its first and of its best round and whether it passes, worst first."""
    found = [
        (str(each["case"]), float(pair[0]), float(pair[1]), bool(each["passed"]))
        for each in applied.outcomes
        if len(pair := each.get("margin", ())) == 2 and None not in pair
    ]
    return sorted(found, key=lambda case: (case[1], case[0]))


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
    for each in table.applied:
        one, two = each.row.labels
        total = len(each.outcomes)
        ours = [_rate(count, total) for count in (each.single, each.passed)]
        mark = f"{each.row.mark:.0%} {'met' if each.met else 'missed'}" if total else "needs music"
        cells = [each.row.title, f"{one}, {two}", each.row.single, each.row.result, *ours, mark]
        lines.append(f"| {' | '.join(cells)} |")
        for name, mine in each.groups.items():
            single, passed = (sum(bool(case[what]) for case in mine) for what in ("single", "passed"))
            lines.append(f"| - {name} | | | | {single}/{len(mine)} | {passed}/{len(mine)} | |")
    lines += ["", "These are our gates on our cases: the published figures stand beside, they are not beaten by this."]
    for each in table.applied:
        lines += _section(each)
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
    cases = loop_cases(applied)
    if cases:
        one, two = applied.row.labels
        lines += ["", f"| case | margin, {one} | {two} | distance | | passes |", "|---|---|---|---|---|---|"]
        by_name: dict[str, Any] = {str(each["case"]): each for each in applied.outcomes}
        for name, first, best, passed in cases:
            away = [f"{d:.2f}" if d is not None else "" for d in by_name[name].get("distance", (None, None))]
            lines.append(f"| {name} | {first:.2f} | {best:.2f} | {away[0]} | {away[1]} | {'yes' if passed else 'no'} |")
    return lines
