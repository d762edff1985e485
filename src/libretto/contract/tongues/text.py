"""Words of a text in any language: where they stand, and what they are without capitals and accents."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Word", "exact", "is_joint", "plain", "words_of_text"]

_WORD = re.compile(r"\d{1,4}\s?/\s?\d{1,3}(?!\d)|(?:[^\W_][\u0300-\u036f]*)+")
_JOINT = re.compile(r"(?:\s|[-‐‑–'’‘ʼ`´]){1,3}\Z")
_KEPT = 4096  # words whose plain form is remembered


class Word(NamedTuple):
    """A word in its plain form and in small letters with its accents, and where it stands."""

    plain: str
    exact: str
    start: int
    end: int


@lru_cache(maxsize=_KEPT)
def plain(word: str) -> str:
    """A word in small letters without accents.

    >>> plain("Größe"), plain("Refrão")
    ('grosse', 'refrao')
    """
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter) and not letter.isspace())


@lru_cache(maxsize=_KEPT)
def exact(word: str) -> str:
    """A word in small letters with its accents, each with its letter in one.

    >>> exact("MÁS")
    'más'
    """
    return "".join(unicodedata.normalize("NFC", word.casefold()).split())


def words_of_text(text: str) -> list[Word]:
    """The words of a text; ``3/4`` is one, and an apostrophe parts two."""
    return [Word(plain(match[0]), exact(match[0]), match.start(), match.end()) for match in _WORD.finditer(text)]


def is_joint(gap: str) -> bool:
    """Whether what stands between two words lets them be one phrase: spaces, a hyphen, an apostrophe."""
    return bool(_JOINT.match(gap))
