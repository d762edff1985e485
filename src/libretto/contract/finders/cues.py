"""Cues: rows of the table of what words ask for, and where a text has them."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["BEATEN", "CLOSE_KINDS", "MANNER", "NEEDED", "NEVER", "OF_SOMEBODY", "PERHAPS", "Cue", "Row"]

#: Whether a row of the table needs somebody or some place, may have one, or has none.
NEEDED, PERHAPS, NEVER = "!", "?", "-"
#: Kinds that speak of who is nearest.
CLOSE_KINDS = frozenset({"role", "articulation", "register"})
#: A kind of pitched players, and roles that have no pitches.
MANNER, BEATEN = "manner", ("drums", "percussion")
#: Kinds that say of somebody where it plays.
OF_SOMEBODY = frozenset({"lead", "solo", "enter", "leave", "silent", "only"})


class Row(NamedTuple):
    """A row of the table of cues: a kind of ask, what, who and where, and the words that say it."""

    kind: str
    what: str
    who: str
    where: str
    pattern: re.Pattern[str]


class Cue(NamedTuple):
    """Where a text has the words of a row."""

    row: Row
    start: int
    end: int
