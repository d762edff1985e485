"""Sections that a brief lists with their lengths, in their order: ``intro 8, verse 16, chorus 16, breakdown 8``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from libretto.contract.places import SECTION_KINDS, section_kind
from libretto.contract.words import number_of

__all__ = ["Sized", "sizes_told"]

_NAMES = "|".join(
    re.escape(name)
    for name in sorted((name for names in SECTION_KINDS.values() for name in names), key=len, reverse=True)
)
_NUMBER = r"\d{1,3}|four|six|eight|ten|twelve|sixteen|twenty(?:-four)?|thirty-two"
_BARS = r"(?:bars?|measures?)"
_NTH = r"(?:the |a |an |first |second |third |last |final )?"
_ITEM = re.compile(  # at the head of what is told of it
    rf"(?:\A\s*|[.;:,(]\s|\band\s|\bthen\s)(?:and |then )?{_NTH}(?:"
    rf"(?P<count>{_NUMBER})[ -]{_BARS}[ -](?:of )?{_NTH}(?P<name>{_NAMES})s?\b|"
    rf"(?P<called>{_NAMES})(?: \d(?!\d))?\s?[:=(]?\s?(?:of )?(?P<size>{_NUMBER})"
    rf"(?:[ -]{_BARS}\b|(?=\s?(?:[,.;)]|\Z|with\b))))",
    re.I,
)
_REPEATED = re.compile(r"\b(?:repeat\w*|returns?|returning|com(?:es|ing) back|twice|\w+ times)\b", re.I)
_FEWEST, _LEAST, _MOST = 3, 2, 256  # sections of a list, and bars of one
_FIGURES = ("riff", "theme", "vamp", "head", "tag")  # which are played, and no sections where they are counted


class Sized(NamedTuple):
    """A section of a list: its kind, how many bars it has, and where its words stand."""

    kind: str
    bars: int
    start: int
    end: int


@lru_cache(maxsize=8)  # several readers ask of the same brief
def sizes_told(text: str) -> tuple[Sized, ...]:
    """The sections of a text that lists them with their lengths; none where fewer than three are.

    >>> [(one.kind, one.bars) for one in sizes_told("Intro 8, verse 16, chorus 16, breakdown 8 with bass only.")]
    [('intro', 8), ('verse', 16), ('chorus', 16), ('break', 8)]
    """
    made: list[Sized] = []
    if _REPEATED.search(text):
        return ()  # and more bars than are listed
    for match in _ITEM.finditer(text):
        kind = section_kind(match["name"] or match["called"])
        bars = number_of(match["count"] or match["size"]) or 0
        start = match.start("count" if match["count"] else "called")
        if kind not in _FIGURES and _LEAST <= bars <= _MOST:
            made.append(Sized(kind, bars, start, match.end()))
    return tuple(made) if len(made) >= _FEWEST else ()
