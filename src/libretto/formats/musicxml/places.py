"""On which of the tied notes that make one note a sign stands: on the first, some on the last, else it is said.

A note tied over is one note of a Score, with one place for its signs. Where a page has a sign on another of the tied
notes than usual, its value ends in ``@`` and the ticks from the beginning of the note.
"""

from __future__ import annotations

import re

__all__ = ["place_of", "placed_value"]

_AT_THE_END = frozenset({"slur-stop", "fermata", "breath-mark", "caesura", "let-ring"})
_PLACE = re.compile(r"@(\d{1,15})\Z")


def placed_value(kind: str, value: str, offset: int, last: int) -> str:
    """The value of a sign that stands so many ticks into its note, whose last tied part begins at ``last``."""
    usual = last if kind in _AT_THE_END else 0
    return f"{value}@{offset}" if offset != usual or _PLACE.search(value) else value


def place_of(kind: str, value: str, last: int) -> tuple[str, int]:
    """The value itself, and how many ticks into its note the sign stands."""
    said = _PLACE.search(value)
    if said:
        return value[: said.start()], int(said[1])
    return value, last if kind in _AT_THE_END else 0
