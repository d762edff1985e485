"""Syllables under notes as marks write them: the verse, hyphens at the ends, a line that holds them.

``2:-la-_`` is ``la`` in the middle of a word of the second verse, held on. What would be taken for one of those signs
and is part of the text stands beside a backslash. Two syllables sung on one note are joined by a bow (``‿``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Syllable", "read_syllable", "syllable_value"]

_BOW, _ESCAPE = "\u203f", "\\"
_VERSE = re.compile(r"(\d{1,3}):")
_LONGEST = 450  # letters


class Syllable(NamedTuple):
    """What is sung on a note: its verse, the text (in parts where several are sung), and how it goes on."""

    verse: int
    texts: list[str]
    before: bool  # the word began earlier
    after: bool  # the word goes on
    held: bool


def syllable_value(syllable: Syllable) -> str:
    """The value of a ``lyric`` mark."""
    text = _BOW.join(part.replace(_BOW, _ESCAPE + _BOW) for part in syllable.texts)[:_LONGEST]
    if text.startswith(("-", _ESCAPE)) or _VERSE.match(text):
        text = _ESCAPE + text
    if text.endswith(("-", "_", _ESCAPE)):
        text += _ESCAPE
    verse = f"{syllable.verse}:" if syllable.verse != 1 else ""
    value = f"{verse}{'-' * syllable.before}{text}{'-' * syllable.after}{'_' * syllable.held}"
    return value or _ESCAPE


def read_syllable(value: str) -> Syllable:
    """What the value of a ``lyric`` mark says."""
    numbered = _VERSE.match(value)
    verse, text = (int(numbered[1]), value[numbered.end() :]) if numbered else (1, value)
    held = text.endswith("_")
    text = text[:-1] if held else text
    before = text.startswith("-")
    text = text[1:] if before else text
    after = text.endswith("-")
    text = text[:-1] if after else text
    if text.startswith(_ESCAPE):
        text = text[1:]
    if text.endswith(_ESCAPE):
        text = text[:-1]
    parts = re.split(r"(?<!\\)\u203f", text)
    texts = [part.replace(_ESCAPE + _BOW, _BOW) for part in parts]
    return Syllable(verse, texts if text else [], before, after, held)
