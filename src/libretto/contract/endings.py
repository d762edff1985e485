"""How a piece ends, in one word: the table beside this file says which words ask for which ending."""

from __future__ import annotations

import re
from functools import cache

from libretto.contract.words import Found, patterns_of

__all__ = ["find_ending"]

_NOT = re.compile(
    r"(?<!\w)(?:don['’]?t|do not|doesn['’]?t|does not|not|no|never|without|instead of|avoid|rather than)\s"
    r"(?:(?:any|a|an|the|ever|just|it|too|of)\s){0,2}\Z",
    re.I,
)
_OF_A_PART = re.compile(r"\sof\s(?:each|every|all|the (?:phrases?|lines?|verses?|chorus|bridge|intro))\b", re.I)
_OF_A_TONE = re.compile(r"\b(?:that|which)\b[^.,;]{0,30}\Z", re.I)  # ``a tone that swells and dies away``
_AT_THE_END = re.compile(r"[^.;!?]{0,24}\b(?:end|close|finish)\b", re.I)
_FADE = "fade"
_FAR = 40  # characters before it that may say of what it is said
_BACK = 24  # characters before an ending that may deny it


@cache
def _endings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern, re.I)) for name, pattern in patterns_of("endings.txt", 2))


def find_ending(text: str) -> Found[str] | None:
    """How the piece should end, and where the text says so; None where nothing does.

    >>> find_ending("it dies away at the end").value
    'fade'
    """
    for name, pattern in _endings():
        match = next((one for one in pattern.finditer(text) if not _denied(text, one.start(), one.end(), name)), None)
        if match:
            return Found(name, match.start(), match.end(), 0, 0)
    return None


def _denied(text: str, start: int, end: int, name: str) -> bool:
    """Whether the words before an ending say that it is not wanted, ``don't slow down at the end``, or those after it
    that it is the end of something else: ``slows at the end of each verse``."""
    tone = (
        name == _FADE and _OF_A_TONE.search(text[max(0, start - _FAR) : start]) and not _AT_THE_END.match(text, start)
    )
    return bool(_NOT.search(text[max(0, start - _BACK) : start]) or _OF_A_PART.match(text, end) or tone)
