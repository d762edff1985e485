"""Spelling: slips that people often make, names of instruments with a letter left out, doubled or swapped, and sizes
that share one name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from libretto.contract.leftover import fillers
from libretto.contract.tongues import Rendered
from libretto.contract.tongues.order import Piece
from libretto.contract.tongues.tables import ENGLISH
from libretto.contract.words import fold, rows_of, tokens_of

__all__ = ["spelled"]

_WORD = re.compile(r"[A-Za-z]{3,20}")
_SIZE = "soprano|alto|tenor|baritone|bass"
_SIZED = re.compile(  # sizes before one name: soprano, alto and tenor saxophones; a bass before one sax is a band's
    rf"\b(?!bass\b(?:,? and |, |/)(?:{_SIZE}) \w+[^s\W]\b)({_SIZE})(?=(?:(?:,? and |, |/)(?:{_SIZE}))+ "
    r"((?:saxe?|saxophone|recorder|clarinet|trombone|flute|viol)s?)\b)",
    re.I,
)
_SHORTEST = 7  # letters of an instrument's name that is known with one of them wrong
_NAMES = (("instruments.txt", 2), ("styles.txt", 2), ("moods.txt", 1))  # tables, and in how many cells their names are
_PLAIN, _GROUP = "gap", "spelling"


def spelled(rendered: Rendered) -> Rendered:
    """A text in English with its slips put right, and where its words come from; other texts as they are.

    >>> from libretto.contract.tongues import in_english
    >>> spelled(in_english("a walz for guitr")).text
    'a waltz for guitar'
    """
    if rendered.language != ENGLISH or rendered.pieces:
        return rendered
    text, pieces, at = rendered.text, [], 0
    sized = {match.start(): f"{match[1]} {match[2]}" for match in _SIZED.finditer(text)}
    for match in _WORD.finditer(text):
        right = sized.get(match.start()) or _right(fold(match[0]))
        if right:
            pieces += [
                Piece(text[at : match.start()], at, match.start(), _PLAIN, same=True),
                Piece(right, match.start(), match.end(), _GROUP),
            ]
            at = match.end()
    if not pieces:
        return rendered
    pieces = [piece for piece in (*pieces, Piece(text[at:], at, len(text), _PLAIN, same=True)) if piece.text]
    starts = [sum(len(piece.text) for piece in pieces[:index]) for index in range(len(pieces))]
    return Rendered("".join(piece.text for piece in pieces), ENGLISH, text, tuple(pieces), tuple(starts))


def _right(word: str) -> str:
    """The word that is meant by one that is no word; empty where that is not plain."""
    if word in _slips():
        return _slips()[word]
    if word in _known() or word in fillers() or len(word) < _SHORTEST - 1:
        return ""
    many = "s" if word.endswith("s") else ""
    meant = next((near for near in _near(word.removesuffix("s")) if near in _long_names()), "")
    return meant + many if meant else ""


def _near(word: str) -> Iterator[str]:
    """A word with two letters swapped, with one left out, or with one more."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
    for at in range(1, len(word)):
        for letter in "abcdefghijklmnopqrstuvwxyz":
            yield word[:at] + letter + word[at:]


@cache
def _slips() -> dict[str, str]:
    return {slip.strip(): right for right, slips in rows_of("spelling.txt") for slip in slips.split(",")}


@cache
def _known() -> frozenset[str]:
    """Every word of the tables, in one and in many."""
    cells = [cell for name, count in _NAMES for row in rows_of(name) for cell in row[:count]]
    words = {token.word for cell in cells for token in tokens_of(cell)}
    return frozenset(words | {word + "s" for word in words})


@cache
def _long_names() -> frozenset[str]:
    """The names of instruments in one word that are long enough."""
    names = [name.strip() for row in rows_of(_NAMES[0][0]) for cell in row[:2] for name in cell.split(",")]
    return frozenset(
        fold(name) for name in names if len(name) >= _SHORTEST and name.isalpha() and not name.endswith("ing")
    )
