"""What is left of a brief when everything understood and every word that asks for nothing is taken away.

It is given back word for word, a phrase a clause, from the first to the last word that said something.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from libretto.contract.finders.clauses import clauses_of
from libretto.contract.heard import Heard, Rendering
from libretto.contract.words import NUMBERS, Token, fold, tokens_of

__all__ = ["fillers", "left_over"]

_MOST = 60
_HALF = "~"  # before words that ask for nothing only beside others
_SHORTEST = 2  # words of a clause that can ask for something
_NO_COUNTS = ("zero", "one")  # numbers that people say without counting
_LONGEST = 160  # characters of a phrase that is given back
_BEFORE = 24  # characters before a phrase that belong to it: ``with that``
_LEAD_IN = re.compile(
    r"(?:(?:with|like|in|at|on|of|that|the|a|an|some|no|not|without|as|from|to|for|very|more|less|only)\s)+\Z", re.I
)


@cache
def _table() -> tuple[frozenset[str], frozenset[str]]:
    page = files("libretto.contract").joinpath("fillers.txt").read_text(encoding="utf-8")
    lines = [fold(line).replace("'", "") for line in page.splitlines() if not line.startswith("#")]
    plain = frozenset(word for line in lines if not line.startswith(_HALF) for word in line.split())
    return plain, frozenset(word for line in lines if line.startswith(_HALF) for word in line[1:].split())


def fillers() -> frozenset[str]:
    """Words that ask for nothing, or for nothing beside others."""
    return _table()[0] | _table()[1]


def left_over(text: str, body: int, heard: Iterable[Heard], rendered: Rendering | None = None) -> tuple[str, ...]:
    """The phrases of a text, after its title, of which nothing was understood, as they were written."""
    covered = bytearray(len(text) + 1)
    for one in heard:
        covered[one.start : one.end] = b"\x01" * (one.end - one.start)
    tokens = [token for token in tokens_of(text) if token.start >= body]
    phrases: list[str] = []
    at = 0
    for first, last, _ in clauses_of(fold(text)):
        inside = []
        while at < len(tokens) and tokens[at].start < last:
            inside.append(tokens[at])
            at += 1
        said = _said(inside, covered)
        if said:
            start, end = _span(text, first, said, covered)
            source, start, end = (rendered.original, *rendered.source(start, end)) if rendered else (text, start, end)
            phrases.append(source[start:end][:_LONGEST])
    return tuple(dict.fromkeys(phrases))[:_MOST]


def _said(tokens: Sequence[Token], covered: bytearray) -> list[Token]:
    """The words of a clause that were not understood and may have asked for something."""
    free = [token for token in tokens if not any(covered[token.start : token.end])]
    content = [token for token in free if _says(token)]
    half = [token for token in free if token.word in _table()[1]]
    counted = [token for token in free if _counts(token)]
    untouched = len(free) == len(tokens) >= _SHORTEST
    if content or counted or untouched or _any_denied(tokens, half, free):
        return sorted({*content, *half, *(counted if half or untouched else ())}, key=lambda token: token.start)
    return []


def _counts(token: Token) -> bool:
    """Whether a word is a number that counts something."""
    return token.word in NUMBERS and token.word not in _NO_COUNTS


def _any_denied(tokens: Sequence[Token], half: Sequence[Token], free: Sequence[Token]) -> bool:
    """Whether a word that may ask for something stands after *no*."""
    pairs = itertools.pairwise(tokens)
    return any(token in half and before in free and before.word in ("no", "without") for before, token in pairs)


def _says(token: Token) -> bool:
    """Whether a word can ask for something."""
    word = token.word
    if word in fillers() or word in NUMBERS:
        return False
    return len(word) > 1 or word.isdigit()


def _span(text: str, first: int, tokens: Sequence[Token], covered: bytearray) -> tuple[int, int]:
    """Where the words stand from the first to the last that said something, with the small words before them."""
    start, end = tokens[0].start, tokens[-1].end
    lead = _LEAD_IN.search(text[max(first, start - _BEFORE) : start])
    if lead and not any(covered[start - len(lead[0]) : start]):
        start -= len(lead[0])
    return start, end
