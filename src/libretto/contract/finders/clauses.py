"""Clauses: a text cut at its marks, and at words that begin a new thought."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Clause", "clauses_of"]

_BREAK = re.compile(
    r"[.!?](?=\s|\Z)|[;,:()\[\]\n\"“”]|\s[-–—]+\s|—|\b(?:and then|then|but|while|whereas|although|because|so that)\b|"
    r"\b(?P<link>which|that|where|who)\b"
)
_MOST_CLAUSES = 3_000


class Clause(NamedTuple):
    """A stretch of text between marks, and whether it hangs on the one before (*which*, *that*)."""

    start: int
    end: int
    linked: bool = False


def clauses_of(low: str) -> list[Clause]:
    """The clauses of a folded text, from left to right."""
    clauses: list[Clause] = []
    start, linked = 0, False
    for match in _BREAK.finditer(low):
        if len(clauses) < _MOST_CLAUSES:
            clauses.append(Clause(start, match.start(), linked))
            start, linked = match.end(), bool(match["link"])
    clauses.append(Clause(start, len(low), linked))
    return clauses
