"""Syllables under notes as marks write them: the verse, hyphens at the ends, a line that holds them.

``2:-la-_`` is ``la`` in the middle of a word of the second verse, held on. What would be taken for one of those signs
and is part of the text stands behind a backslash. Two syllables sung on one note are joined by a bow (``‿``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["BOW", "Syllable", "read_syllable", "syllable_value"]

BOW = "\u203f"  #: joins what is sung on one note
_ESCAPE = "\\"
_VERSE = re.compile(r"(\d{1,3}):")
_SPECIAL = re.compile(f"([\\\\{BOW}])")
_LETTER = re.compile(r"\\.|.", re.S)
_LONGEST, _MOST_TEXTS = 200, 8  # letters under a note, and syllables there: a value has its limits


class Syllable(NamedTuple):
    """What is sung on a note: its verse, the text (in parts where several are sung), and how it goes on."""

    verse: int
    texts: list[str]
    before: bool  # the word began earlier
    after: bool  # the word goes on
    held: bool


def syllable_value(syllable: Syllable) -> str:
    """The value of a ``lyric`` mark."""
    room = _LONGEST // max(1, len(syllable.texts[:_MOST_TEXTS]))
    text = BOW.join(
        _SPECIAL.sub(r"\\\1", part if len(part) <= room else part[:room].strip())
        for part in syllable.texts[:_MOST_TEXTS]
    )
    if text.startswith("-") or _VERSE.match(text):
        text = _ESCAPE + text
    if text.endswith(("-", "_")) and not _is_escaped(text):
        text = f"{text[:-1]}{_ESCAPE}{text[-1]}"
    verse = f"{syllable.verse}:" if syllable.verse != 1 else ""
    value = f"{verse}{'-' * syllable.before}{text}{'-' * syllable.after}{'_' * syllable.held}"
    return value or _ESCAPE


def read_syllable(value: str) -> Syllable:
    """What the value of a ``lyric`` mark says."""
    numbered = _VERSE.match(value)
    verse, text = (int(numbered[1]), value[numbered.end() :]) if numbered else (1, value)
    held = text.endswith("_") and not _is_escaped(text)
    text = text[:-1] if held else text
    before = text.startswith("-")
    text = text[1:] if before else text
    after = text.endswith("-") and not _is_escaped(text)
    text = text[:-1] if after else text
    if text in ("", _ESCAPE):
        return Syllable(verse, [], before, after, held)
    if _ESCAPE not in text:
        return Syllable(verse, text.split(BOW), before, after, held)
    parts = [""]
    for letter in _LETTER.findall(text):
        if letter == BOW:
            parts.append("")
        else:
            parts[-1] += letter[-1]
    return Syllable(verse, parts, before, after, held)


def _is_escaped(text: str) -> bool:
    """Whether the last letter of a text is said to be only a letter."""
    before = text[:-1]
    return (len(before) - len(before.rstrip(_ESCAPE))) % 2 == 1
