"""The problems of one reading, and where the reader stands."""

from __future__ import annotations

from libretto.errors import Problem

__all__ = ["MAX_PROBLEMS", "Problems"]

MAX_PROBLEMS = 1_000
_MOST_SHOWN = 200  # characters of what was found that a problem keeps


class Problems:
    """Collects problems instead of stopping at the first; knows the line and bar being read."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.number = 0  # of the line being read, from 1
        self.bar: int | None = None
        self.found: list[Problem] = []
        self.full = False  # nothing more is worth reading

    @property
    def line(self) -> str:
        """The line being read."""
        return self.lines[self.number - 1] if 0 < self.number <= len(self.lines) else ""

    def add(self, found: str, expected: str, hint: str = "", voice: str | None = None, start: int = 0) -> None:
        """Note a problem where ``found`` stands in the line being read, at or after index ``start``."""
        column = max(self.line.find(found, start), 0) + 1
        shown, hint = found[:_MOST_SHOWN], hint[:_MOST_SHOWN]
        self.found.append(Problem(max(self.number, 1), column, shown, expected, hint, self.bar, voice))
        self.full |= len(self.found) >= MAX_PROBLEMS

    def stop(self, found: str, expected: str) -> None:
        """Note a problem after which nothing more is worth reading."""
        self.add(found, expected)
        self.full = True

    def sorted(self) -> list[Problem]:
        """The problems in order of place."""
        return sorted(self.found, key=lambda problem: (problem.line, problem.column))
