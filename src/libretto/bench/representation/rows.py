"""The rows of the tables that stand beside the published ones: what each cell says, and the marks it is held to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from libretto.axes import published_axes
from libretto.corpus import Cloud

__all__ = [
    "DIGITS",
    "HERE",
    "UNCALIBRATED",
    "Cell",
    "Check",
    "Entry",
    "Mark",
    "TableRow",
    "held_to_marks",
    "merge",
    "of_axes",
    "row_lines",
]

DIGITS = 5  #: of a figure that is kept as data
HERE = ""  #: the column of what is measured on music and not on a cloud
UNCALIBRATED = "not calibrated"  #: what a cloud without gauges says of its gates
_NARROWEST = 8  # characters of the column that says what was measured


class Check(StrEnum):
    """What the paper's table 1 checks, in its order."""

    PITCH = "Pitch and voice"
    TIMING = "Timing fidelity"
    READING = "Timing readability"
    EDITS = "Edit locality"
    KEPT = "Intentional abstractions"
    CONSTRUCTION = "Axis construction"
    INDEPENDENCE = "Axis independence"
    SIGNAL = "Genre signal"


@dataclass(frozen=True)
class Mark:
    """A figure and the bound it must hold: at least the mark, or at most."""

    name: str
    where: str
    figure: float
    bound: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the figure holds the mark."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    def __str__(self) -> str:
        bound = f"{'>=' if self.at_least else '<='} {self.bound:g} " if self.bound else ""
        return f"{bound}{'met' if self.met else 'missed'}"

    def to_dict(self) -> dict[str, Any]:
        """The mark as plain data."""
        bound = {"at_least" if self.at_least else "at_most": self.bound}
        return {"name": self.name, "where": self.where, "figure": round(self.figure, DIGITS), **bound, "met": self.met}


@dataclass(frozen=True)
class Cell:
    """What was found, for a person and as data, and the mark it is held to, if any."""

    text: str
    data: Any = None
    mark: Mark | None = None


class Entry(NamedTuple):
    """One finding on its way into a table: the paper's check, what was measured, the published figure, ours."""

    check: str
    what: str
    published: str
    cell: Cell


@dataclass(frozen=True)
class TableRow:
    """One line of a table: the published figure and ours, by column."""

    check: str
    what: str
    published: str
    cells: Mapping[str, Cell] = field(default_factory=dict)

    @property
    def marks(self) -> list[Mark]:
        """The marks that this row is held to."""
        return [cell.mark for cell in self.cells.values() if cell.mark is not None]

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        ours = {name or "music": {"text": cell.text, "data": cell.data} for name, cell in self.cells.items()}
        met = all(mark.met for mark in self.marks) if self.marks else None
        return {"check": self.check, "what": self.what, "published": self.published, "ours": ours, "met": met}


def held_to_marks(cloud: Cloud) -> bool:
    """Whether a cloud is meant to do better than the paper: it is calibrated and has axes beyond the published."""
    return cloud.gauges is not None and bool(set(cloud.axes) - {axis.name for axis in published_axes()})


def of_axes(cloud: Cloud, names: Sequence[str]) -> Cloud:
    """The cloud with only those of its axes, uncalibrated."""
    columns = [cloud.axes.index(name) for name in names]
    return Cloud(
        cloud.name,
        cloud.version,
        tuple(names),
        cloud.genres,
        cloud.values[:, columns].copy(),
        cloud.rule,
        groups=cloud.groups,
    )


def merge(columns: Mapping[str, Sequence[Entry]]) -> tuple[TableRow, ...]:
    """Entries of several columns as rows, in the order in which they come first."""
    rows: dict[tuple[str, str], TableRow] = {}
    for name, entries in columns.items():
        for check, what, published, cell in entries:
            row = rows.setdefault((check, what), TableRow(check, what, published, {}))
            rows[check, what] = TableRow(check, what, row.published, {**row.cells, name: cell})
    return tuple(rows.values())


def row_lines(title: str, rows: Sequence[TableRow], clouds: Sequence[str]) -> list[str]:
    """A table for a terminal: a heading a check, and every row with its marks."""
    what = max([len(row.what) for row in rows] + [_NARROWEST]) + 4
    published = max([len(row.published) for row in rows] + [len("published")]) + 2
    widths = {name: max([len(name), *(len(_text(row, name)) for row in rows)]) + 2 for name in clouds}
    head = f"{'':<{what}}{'published':<{published}}" + "".join(f"{name:<{widths[name]}}" for name in clouds)
    lines, check = [title, head.rstrip()], ""
    for row in rows:
        if row.check != check:
            lines.append(row.check)
            check = row.check
        ours = "".join(f"{_text(row, name):<{widths[name]}}" for name in clouds)
        if HERE in row.cells:
            ours = f"{row.cells[HERE].text + '  ':<{sum(widths.values())}}"
        marks = "; ".join(str(mark) for mark in row.marks)
        lines.append(f"  {row.what:<{what - 2}}{row.published:<{published}}{ours}{marks}".rstrip())
    return lines


def _text(row: TableRow, column: str) -> str:
    return row.cells[column].text if column in row.cells else "" if HERE in row.cells else "-"
