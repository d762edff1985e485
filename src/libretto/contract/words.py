"""Words: a text as tokens that keep their place, and phrases found among them, the longest first.

Case, accents, apostrophes and hyphens do not matter; a comma or a full stop ends a phrase. Every step is linear in the
length of the text, whatever the text is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pkgutil import get_data
from typing import Generic, NamedTuple, TypeVar

__all__ = [
    "NUMBERS",
    "Found",
    "Phrases",
    "Token",
    "fold",
    "number_in_words",
    "number_of",
    "patterns_of",
    "rows_of",
    "tokens_of",
    "words_of",
]

T = TypeVar("T")

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
#: Numbers as words, one word each.
NUMBERS: Mapping[str, int] = {word: number for number, word in enumerate(_UNITS)} | _TENS | {"hundred": 100}
_TIMES = {"hundred": 100, "dozen": 12}  # words that multiply what stands before them
_MOST_DIGITS = 7  # of a number; more would take long to read and mean nothing
_DASHES = "-‐‑‒–—―−_"


class Token(NamedTuple):
    """A word in lower case without accents, where it stands, and whether it goes on from the word before it."""

    word: str
    start: int
    end: int
    joined: bool


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A phrase that was found: what it means, its words, and where it stands."""

    value: T
    start: int
    end: int
    first: int
    last: int


@cache
def _folded(character: str) -> str:
    if character in "’‘ʼ`´":
        return "'"
    base = unicodedata.normalize("NFKD", character)[:1].lower()
    return base if len(base) == 1 else " "


def fold(text: str) -> str:
    """The text in lower case without accents, letter for letter in the same places.

    >>> fold("Bodhrán & Zampoña")
    'bodhran & zampona'
    """
    return "".join(map(_folded, text))


def tokens_of(text: str) -> list[Token]:
    """The words of a text; hyphens and spaces join, anything else separates."""
    folded, tokens, at, joined = fold(text), [], 0, False
    while at < len(folded):
        if not folded[at].isalnum():
            joined = joined and (folded[at] in " \n\t\r" or text[at] in _DASHES)
            at += 1
            continue
        start = at
        while at < len(folded) and (folded[at].isalnum() or (folded[at] in "'&" and folded[at + 1 : at + 2].isalpha())):
            at += 1
        tokens.append(Token(folded[start:at].replace("'", ""), start, at, joined))
        joined = True
    return tokens


def number_of(words: str) -> int | None:
    """A whole number from digits or English words; None where it is neither.

    >>> number_of("thirty-two"), number_of("16"), number_of("many")
    (32, 16, None)
    """
    text = words.strip().lower()
    if text.isascii() and text.isdigit():
        return int(text[:_MOST_DIGITS])
    total = 0
    parts = [part for part in text.replace("-", " ").split() if part not in ("and", "a")]
    for part in parts:
        if part not in NUMBERS and part not in _TIMES:
            return None
        total = max(total, 1) * _TIMES[part] if part in _TIMES else total + NUMBERS[part]
    return total if parts else None


def number_in_words(number: int) -> str:
    """A small number as a word, another in digits.

    >>> number_in_words(12), number_in_words(24)
    ('twelve', '24')
    """
    return _UNITS[number] if 0 <= number < len(_UNITS) else str(number)


class Phrases(Generic[T]):
    """Phrases and what they mean; plurals of the last word are understood."""

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._table: dict[tuple[str, ...], T] = {}
        for phrase, value in entries:
            words = tuple(token.word for token in tokens_of(phrase))
            if words:
                self._table.setdefault(words, value)
        self._longest = max(map(len, self._table), default=0)
        self._starts = {words[0] for words in self._table} | {
            plural for words in self._table if len(words) == 1 for plural in _plurals(words[0])
        }

    def __len__(self) -> int:
        return len(self._table)

    def get(self, phrase: str) -> T | None:
        """What exactly that phrase means, or None."""
        return self._look(tuple(token.word for token in tokens_of(phrase)))

    def find(self, text: str, tokens: list[Token] | None = None, leaves: str = "") -> list[Found[T]]:
        """Every phrase in the text, from left to right, none overlapping, the longest first; one ``leaves`` its last
        word to a phrase that begins with it: *a soaring lead guitar* is a lead guitar."""
        tokens = tokens_of(text) if tokens is None else tokens
        phrases, at = [], 0
        while at < len(tokens):
            phrase = self._longest_at(tokens, at)
            if phrase and leaves and phrase.last > at and tokens[phrase.last].word == leaves:
                after = self._longest_at(tokens, phrase.last)
                phrase = None if after and after.last > phrase.last else phrase
            if phrase:
                phrases.append(phrase)
            at = phrase.last + 1 if phrase else at + 1
        return phrases

    def _longest_at(self, tokens: list[Token], at: int) -> Found[T] | None:
        """The longest phrase that begins with a token; None where none does."""
        if tokens[at].word not in self._starts:
            return None
        most = 1
        while most < self._longest and at + most < len(tokens) and tokens[at + most].joined:
            most += 1
        for last in range(at + most - 1, at - 1, -1):
            value = self._look(tuple(token.word for token in tokens[at : last + 1]))
            if value is not None:
                return Found(value, tokens[at].start, tokens[last].end, at, last)
        return None

    def _look(self, words: tuple[str, ...]) -> T | None:
        if not words:
            return None
        if words in self._table:
            return self._table[words]
        for last in _singulars(words[-1]):
            if (*words[:-1], last) in self._table:
                return self._table[(*words[:-1], last)]
        return None


def _singulars(word: str) -> Iterable[str]:
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        if word.endswith("es"):
            yield word[:-2]
        if word.endswith("ies"):
            yield word[:-3] + "y"


def _plurals(word: str) -> Iterable[str]:
    yield word + "s"
    yield word + "es"
    if word.endswith("y"):
        yield word[:-1] + "ies"


@cache
def patterns_of(name: str, cells: int) -> tuple[tuple[str, ...], ...]:
    """The rows of a table of this package whose last cell is a regular expression, with bars of its own.

    In it a space stands for one space or hyphen; it counts only as whole words.
    """
    rows = []
    for line in _lines(name):
        *first, pattern = (cell.strip() for cell in line.split(" | ", cells - 1))
        rows.append((*first, rf"(?<![\w'’])(?:{pattern.replace(' ', '[ -]')})(?!\w)"))
    return tuple(rows)


def _lines(name: str) -> list[str]:
    page = (get_data("libretto.contract", name) or b"").decode()
    return [line for line in page.splitlines() if line.strip() and not line.startswith("#")]


@cache
def rows_of(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table of this package, cell by cell; lines that begin with # are left out."""
    return tuple(tuple(cell.strip() for cell in line.split("|")) for line in _lines(name))


def words_of(name: str) -> frozenset[str]:
    """The words of that row of the table of cues."""
    return frozenset(word.strip() for row in rows_of("cues.txt") if row[0] == name for word in row[1].split(","))
