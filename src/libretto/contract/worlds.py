"""Naming: what names of instruments mean beside each other, and in a kind of music."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from libretto.contract.words import fold, rows_of, words_of

__all__ = [
    "ALL_THERE",
    "OF_LANDS",
    "SOUNDS",
    "apart",
    "band_of_kind",
    "bell_of",
    "in_jazz",
    "sounds_like_jazz",
    "whole_section",
]

#: Families of players in bands of whom nobody is lacking where *the full orchestra* is spoken of.
ALL_THERE = frozenset({"brass", "drums", "guitar", "bass"})
#: Families of what makes sounds, and no music: rain and birds, and a bell that tolls.
SOUNDS = frozenset({"effects", "tolling"})
#: Genres of the music of lands.
OF_LANDS = ("folk_country", "world")
_BLOWN = ("brass", "winds", "free reeds", "voices")
_SYNTH = "synth"
_PART_OF = {"low strings": "strings", "low brass": "brass"}  # names of some of a section
_TELLING = (
    re.compile(r"\bwalking (?:bass|line)|\bbass\b[^.;]{0,24}\bwalk(?:s|ing)?\b", re.I),
    re.compile(r"\bbrush(?:es|ed)\b", re.I),
    re.compile(r"\bswing(?:s|ing)?\b|\bswung\b", re.I),
)
_BELLS = frozenset({"bells", "tubular bells", "ship bells"})
_TOLLING = re.compile(r"\b(?:toll(?:s|ing)?|knell) (?:of )?(?:(?:an?|the|its|one) )?(?:[a-z-]+ ){0,2}\Z", re.I)
_TOLLS = re.compile(
    r"(?: (?:that|which|should|must|to|slowly|softly|once|is|are|keeps?|heard|far|away|in the distance)){0,3},?"
    r" (?:toll(?:s|ed|ing)?|strik(?:es?|ing)(?! (?:a |the |up ))|knell)\b",
    re.I,
)
_ONE_BELL = re.compile(
    r"\b(?:single|lone|lonely|solitary|distant|far-?off|low|slow|mournful|sombre|somber|old|cracked|heavy|dark) \Z",
    re.I,
)
_AFTER = 24  # characters by which music that is named after a band is farther from it than music before it
_JAZZ = re.compile(rf"\b(?:{'|'.join(sorted(words_of('words of jazz')))})\b", re.I)


def apart(before: str, after: str) -> bool:
    """Whether two names side by side, of these families, are of two players: ``trumpet guitar and whistling``."""
    return before in _BLOWN and after not in (_SYNTH, before)


def bell_of(text: str, start: int, end: int, name: str) -> str:
    """The instrument of a name of bells: one that tolls, or is alone and far away, is a church bell.

    >>> bell_of("a bell tolls", 2, 6, "bells"), bell_of("bright bells", 7, 12, "bells")
    ('church bell', 'bells')
    """
    if name not in _BELLS:
        return name
    single = text[start:end].lower().endswith("bell") and _ONE_BELL.search(text[:start])
    return "church bell" if single or _TOLLING.search(text[:start]) or _TOLLS.match(text, end) else name


def in_jazz(text: str) -> bool:
    """Whether a text is about jazz or its kin."""
    return _JAZZ.search(text) is not None


def sounds_like_jazz(text: str) -> bool:
    """Whether a text that names no style tells two of the things that jazz has: a bass that walks, brushes, swing."""
    return sum(bool(pattern.search(text)) for pattern in _TELLING) > 1


def whole_section(name: str, before: Sequence[str]) -> str:
    """Who is meant by the name of some of a section: the section, where it was named ``before``."""
    whole = _PART_OF.get(name, name)
    return whole if whole in before else name


@cache
def _kinds_of_band() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Ensembles, each with the words of the music for which a bare band is that one."""
    rows = (
        (name, "|".join(re.escape(word.strip()).replace(r"\ ", "[ -]") for word in words.split(",")))
        for name, words in rows_of("band_kinds.txt")
    )
    return tuple((name, re.compile(rf"\b(?:{words})\b")) for name, words in rows)


def band_of_kind(text: str, start: int, end: int) -> str:
    """Which band is meant where a text says no more than that: the one that plays the music which is named nearest to
    it, rather before it; of a jazz waltz one that plays jazz. Empty where no such music is named.

    >>> band_of_kind("A march for band", 12, 16), band_of_kind("Loud, for band", 10, 14)
    ('parade band', '')
    """
    low = fold(text)
    told = [(match.start(), match.end(), name) for name, words in _kinds_of_band() for match in words.finditer(low)]
    if not told:
        return ""
    near = min(told, key=lambda one: start - one[1] if one[1] <= start else one[0] - end + _AFTER)
    while before := next((one for one in told if one[1] + 1 == near[0]), None):
        near = before
    return near[2]
