"""Places that are counted: *the third*, after a second chorus, *for four bars*, *after eight bars*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.finders.whereabouts import Place
from libretto.contract.layout import WHOLE
from libretto.contract.places import SECTION_KINDS, section_kind
from libretto.contract.words import number_of

__all__ = ["counted", "ordinals"]

_FOR_BARS = re.compile(
    r"\b(?:for|(?P<after>after)) (?:the )?(?P<some>first |opening )?(?P<count>\d{1,2}|"
    r"[a-z]+(?:-[a-z]+)?) (?:bars|measures)\b"
)
_SOMEBODY = re.compile(r"\b(?:rests?|silent|silence|waits?|alone|tacet|holds?|solos?)\b[^.;,]{0,12}\Z")
_FROM_A_BAR = re.compile(r"\b(?:at|in|from) bar \d+\b")
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_ORDINAL = re.compile(
    r"\b(?:in|on|at|for|from|during|tak(?:es?|ing)|has|have|gets?|leads?|plays?|sings?|carr(?:y|ies)|owns?)\sthe\s"
    r"(?P<nth>first|second|third|fourth|last|final)(?: one)?(?=\s*(?:[.,;!?]|\Z|and\b|with\b|in unison|together|alone))"
)
_STRAIN = re.compile(r"\b(?:first|second|third|fourth|opening) strain\b")
_LETTERS = {"first": "A", "second": "B", "third": "C", "fourth": "D"}
_SOLOS = re.compile(r"\b(?:solo(?:s|es|ing)?|improvis\w+)\b[^.;,!?]{0,20}\Z")
_IN = re.compile(r"\s(?:in|of|during|at)\s(?:the\s)?")
_WIDE = ("second half", "middle")  # places of which some bars may be meant


def ordinals(low: str, places: Sequence[Place]) -> list[Place]:
    """*The third*, after a second chorus."""
    more = []
    for match in _ORDINAL.finditer(low):
        before = [place for place in places if place.end <= match.start()]
        kind = section_kind(re.sub(r"^last ", "", before[-1].text)) if before else ""
        if _STRAIN.search(low, 0, match.start()):
            start = match.start("nth") - len("the ")
            more.append(Place(_LETTERS.get(match["nth"], "last strain"), "", start, match.end()))
        elif kind in SECTION_KINDS and not any(place.start <= match.start() < place.end for place in places):
            nth = match["nth"]
            text = f"last {kind}" if nth in ("last", "final") else f"{kind} {_NTH[nth]}"
            more.append(Place(text, "", match.start("nth") - len("the "), match.end()))
    return more


def counted(low: str, places: Sequence[Place]) -> list[Place]:
    """*For four bars*, which are the first, and *after eight bars*, where no other place belongs to them."""
    more = []
    for match in _FOR_BARS.finditer(low):
        count = number_of(match["count"])
        if not count or any(place.start - 1 <= match.end() and match.start() < place.end for place in places):
            continue
        if _the_whole(low, match, count):
            continue
        if not match["after"] and _FROM_A_BAR.search(re.split(r"[.;!?]", low[: match.start()])[-1]):
            continue
        place = (f"bar {count + 1}", "from") if match["after"] else (_begun(low, places, match.span(), count), "")
        more.append(Place(*place, *match.span()))
    return more


def _the_whole(low: str, match: re.Match[str], count: int) -> bool:
    """Whether so many bars are the whole piece, and not for how long somebody rests or is alone."""
    told = match["after"] or match["some"] or _SOMEBODY.search(low[: match.start()])
    return count >= WHOLE and not told


def _is_wide(place: str) -> bool:
    """Whether some bars of a place may be meant."""
    return place in _WIDE or section_kind(place.removeprefix("last ")) in SECTION_KINDS


def _begun(low: str, places: Sequence[Place], span: tuple[int, int], count: int) -> str:
    """Some bars from where a place begins that is told right after them, or before in the same sentence; else the first
    of the piece."""
    start, end = span
    after = [one for one in places if one.start >= end and _IN.fullmatch(low[end : one.start]) and _is_wide(one.text)]
    if after:
        return f"{count} bars in {after[0].text}"
    if _SOLOS.search(low[:start]):
        return f"{count} bars in middle"
    first = max(low.rfind(mark, 0, start) for mark in ".;!?")
    near = [one for one in places if first < one.start and one.end <= start and not one.how and _is_wide(one.text)]
    return f"{count} bars in {near[-1].text}" if near else f"first {count} bars"
