"""What is left of a brief when everything understood and every word that asks for nothing is taken away.

It is given back word for word, a phrase a clause, from the first to the last word that said something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from libretto.contract.heard import Heard, Rendering
from libretto.contract.words import NUMBERS, Token, fold, tokens_of

__all__ = ["fillers", "left_over"]

_BREAK = re.compile(r"[.!?](?=\s|\Z)|[;,:()\[\]\n\"“”]|\s[-–—]+\s|—|\b(?:but|while|then|so that)\b")
_MOST = 60
_LONGEST = 160  # characters of a phrase that is given back
_BEFORE = 24  # characters before a phrase that belong to it: ``with that``
_LEAD_IN = re.compile(
    r"(?:(?:with|like|in|at|on|of|that|the|a|an|some|no|not|without|as|from|to|for|very|more|less|only)\s)+\Z", re.I
)


@cache
def fillers() -> frozenset[str]:
    """Words that ask for nothing."""
    page = files("libretto.contract").joinpath("fillers.txt").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if not line.startswith("#")]
    return frozenset(fold(word).replace("'", "") for line in lines for word in line.split())


def left_over(text: str, body: int, heard: Iterable[Heard], rendered: Rendering | None = None) -> tuple[str, ...]:
    """The phrases of a text, after its title, of which nothing was understood, as they were written."""
    covered = bytearray(len(text) + 1)
    for one in heard:
        covered[one.start : one.end] = b"\x01" * (one.end - one.start)
    tokens = [token for token in tokens_of(text) if token.start >= body]
    content = [token for token in tokens if not any(covered[token.start : token.end]) and _says(token)]
    phrases: list[str] = []
    for first, last in _clauses(fold(text), body):
        inside = [token for token in content if first <= token.start < last]
        if inside:
            start, end = _span(text, first, inside, covered)
            source, start, end = (rendered.original, *rendered.source(start, end)) if rendered else (text, start, end)
            phrases.append(source[start:end][:_LONGEST])
    return tuple(dict.fromkeys(phrases))[:_MOST]


def _says(token: Token) -> bool:
    """Whether a word can ask for something."""
    word = token.word
    if word in fillers() or word in NUMBERS:
        return False
    return len(word) > 1 or word.isdigit()


def _clauses(low: str, body: int) -> list[tuple[int, int]]:
    ends = [match.start() for match in _BREAK.finditer(low, body)] + [len(low)]
    return list(zip([body, *ends], ends, strict=False))


def _span(text: str, first: int, tokens: Sequence[Token], covered: bytearray) -> tuple[int, int]:
    """Where the words stand from the first to the last that said something, with the small words before them."""
    start, end = tokens[0].start, tokens[-1].end
    lead = _LEAD_IN.search(text[max(first, start - _BEFORE) : start])
    if lead and not any(covered[start - len(lead[0]) : start]):
        start -= len(lead[0])
    return start, end
