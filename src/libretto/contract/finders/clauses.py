"""Clauses: a text cut at its marks, and at words that begin a new thought."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Clause", "clauses_of"]

_BREAK = re.compile(
    r"[.!?](?=\s|\Z)|[;,:()\[\]\n\"“”]|\s[-–—]+\s|—|"
    r"\b(?:and then|then|and (?=every(?:one|body|thing)\b)|"
    r"(?<!everything )(?<!everyone )(?<!nothing )(?<!anything )(?<!all )but|"
    r"while|whereas|although|because|so that)\b|"
    r"\b(?P<link>which|that|where|who)\b"
)
_BETWEEN_ADJECTIVES = (  # a small, sparse hook
    re.compile(r"\b(?:an?|its)\s[a-z-]+\Z"),
    re.compile(
        r",\s(?!(?:the|an?|and|or|with|in|on|at|over|for|from|while|then|but|each|all|both|using|as|to|its|of|by|plus)\b)"
        r"[a-z-]+\s(?!(?:and|or|with|in|on|at|for|plus|should|will|is|are)\b)[a-z]"
    ),
)
_ALL = re.compile(r"\b(?:everything|everyone|everybody|all|nothing|nobody)(?: [a-z]+){0,3} \Z")
_BACK = 24  # characters before a comma
_MOST_CLAUSES = 3_000


class Clause(NamedTuple):
    """A stretch of text between marks, and whether it hangs on the one before (*which*, *that*)."""

    start: int
    end: int
    linked: bool = False


def _excepts(low: str, match: re.Match[str]) -> bool:
    """Whether *but* only says who is left: ``drop everything but the piano``."""
    return match[0] == "but" and bool(_ALL.search(low[max(0, match.start() - _BACK * 2) : match.start()]))


def _joins(low: str, at: int) -> bool:
    """Whether a comma only stands between two adjectives."""
    before, after = _BETWEEN_ADJECTIVES
    return low[at] == "," and bool(after.match(low, at) and before.search(low[max(0, at - _BACK) : at]))


def clauses_of(low: str) -> list[Clause]:
    """The clauses of a folded text, from left to right."""
    clauses: list[Clause] = []
    start, linked = 0, False
    for match in _BREAK.finditer(low):
        if len(clauses) < _MOST_CLAUSES and not _joins(low, match.start()) and not _excepts(low, match):
            clauses.append(Clause(start, match.start(), linked))
            start, linked = match.end(), bool(match["link"])
    clauses.append(Clause(start, len(low), linked))
    return clauses
