"""How a piece ends, in one word: the table beside this file says which words ask for which ending."""

from __future__ import annotations

import re
from functools import cache

from libretto.contract.words import Found, patterns_of

__all__ = ["find_ending"]


@cache
def _endings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern, re.I)) for name, pattern in patterns_of("endings.txt", 2))


def find_ending(text: str) -> Found[str] | None:
    """How the piece should end, and where the text says so; None where nothing does.

    >>> find_ending("it dies away at the end").value
    'fade'
    """
    for name, pattern in _endings():
        match = pattern.search(text)
        if match:
            return Found(name, match.start(), match.end(), 0, 0)
    return None
