"""The problems of one reading, and where the reader stands."""

from __future__ import annotations

from libretto.errors import Problem
from libretto.score.limits import MAX_CHARACTERS, MAX_LINE, MAX_LINES

__all__ = ["MAX_PROBLEMS", "Problems"]

MAX_PROBLEMS = 1_000
_MOST_SHOWN = 200  # characters of what was found that a problem keeps


class Problems:
    """Collects problems instead of stopping at the first; knows the line and bar being read."""

    def __init__(self, text: str) -> None:
        self.lines: list[str] = []
        self.number = 0  # of the line being read, from 1
        self.bar: int | None = None
        self.found: list[Problem] = []
        self.full = False  # nothing more is worth reading
        self._begin(text)

    def _begin(self, text: str) -> None:
        """Take the lines of a text that is not too large to be read."""
        count = text.count("\n") + 1
        if len(text) > MAX_CHARACTERS:
            self.stop(f"{len(text):,} characters", f"at most {MAX_CHARACTERS:,} characters")
        elif count > MAX_LINES:
            self.stop(f"{count:,} lines", f"at most {MAX_LINES:,} lines")
        else:
            self.lines = text.split("\n")
            longest = max(map(len, self.lines))
            if longest > MAX_LINE:
                self.lines = []
                self.stop(f"a line of {longest:,} characters", f"at most {MAX_LINE:,} characters in a line")

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
