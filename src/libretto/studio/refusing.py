"""Errors as the page reads them: a status, one line, and what belongs to it; never a traceback."""

from __future__ import annotations

from typing import Any

from libretto.errors import GrammarError, LibrettoError, StaleWrite

__all__ = ["refused"]

_LONGEST_ERROR = 1_000
_MOST_PROBLEMS = 50


def refused(error: LibrettoError) -> tuple[int, dict[str, Any]]:
    """An error as the page reads it: the status, and one line with what belongs to it."""
    line = " ".join(str(error).split())[:_LONGEST_ERROR]
    if isinstance(error, StaleWrite):
        return 409, {"error": line, "stale": True, "piece": error.piece, "newest": error.newest}
    if isinstance(error, GrammarError):
        problems = [problem.to_dict() for problem in error.problems[:_MOST_PROBLEMS]]
        return 400, {"error": line, "problems": problems}
    return 400, {"error": line}
