"""Naming: what names of instruments mean beside each other, and in a kind of music."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.words import words_of

__all__ = ["ALL_THERE", "apart", "in_jazz", "sounds_like_jazz", "whole_section"]

#: Families of players in bands of whom nobody is lacking where *the full orchestra* is spoken of.
ALL_THERE = frozenset({"brass", "drums", "guitar", "bass"})
_BLOWN = ("brass", "winds", "free reeds", "voices")
_SYNTH = "synth"
_PART_OF = {"low strings": "strings", "low brass": "brass"}  # names of some of a section
_TELLING = (
    re.compile(r"\bwalking (?:bass|line)|\bbass\b[^.;]{0,24}\bwalk(?:s|ing)?\b", re.I),
    re.compile(r"\bbrush(?:es|ed)\b", re.I),
    re.compile(r"\bswing(?:s|ing)?\b|\bswung\b", re.I),
)
_JAZZ = re.compile(rf"\b(?:{'|'.join(sorted(words_of('words of jazz')))})\b", re.I)


def apart(before: str, after: str) -> bool:
    """Whether two names side by side, of these families, are of two players: ``trumpet guitar and whistling``."""
    return before in _BLOWN and after not in (_SYNTH, before)


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
