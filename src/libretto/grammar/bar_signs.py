"""Marks of the piece on its bar lines, both ways: ``(|:)``, ``(:|)``, ``(ending:1)``, ``(words:Allegro@5)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from libretto.errors import ScoreError
from libretto.grammar.signs import unpacked
from libretto.grammar.tokens import parse_place, place_text
from libretto.score.marks import CREDITS, REPEAT_MARKS, Mark
from libretto.score.time import Grid

__all__ = ["BarSign", "bar_sign_text", "placed_signs", "read_bar_sign"]

_ENDING = re.compile(r"(\d{1,2}(?:,\d{1,2})*)(?:>(\d{1,5}))?\Z", re.ASCII)
_TIMES = re.compile(r"[1-9]\d{0,2}\Z", re.ASCII)
_PACKED = {"%": "%25", "(": "%28", ")": "%29", "@": "%40", "~": "%7E"}


class BarSign(NamedTuple):
    """A mark of the piece before all bar lines are known: its bar, the ticks into it, and the bars that it covers."""

    bar: int
    at: int
    kind: str
    value: str
    bars: int


def read_bar_sign(kind: str, text: str, bar: int, grid: Grid) -> BarSign:
    """What stands in the parentheses, or a ScoreError."""
    if kind == "ending":
        ending = _ENDING.match(text)
        if not ending:
            raise ScoreError("an ending is written (ending:1), or (ending:1>2) where it has two bars")
        return BarSign(bar, 0, kind, ending[1], int(ending[2] or 1))
    if kind == "repeat-end":
        if text and not _TIMES.match(text):
            raise ScoreError("a repeat is written (:|), or (:|3) where the passage is played three times")
        return BarSign(bar, 0, kind, text, 0)
    if kind in REPEAT_MARKS:
        if text:
            raise ScoreError(f"({kind}) stands alone")
        return BarSign(bar, 0, kind, "", 0)
    words, place = parse_place(text, grid)
    if kind in CREDITS and (bar or place or not words):
        raise ScoreError(f"whose the piece is stands in its first bar: ({kind}:A. Name)")
    return BarSign(bar, place, kind, unpacked(words), 0)


def placed_signs(signs: Sequence[BarSign], lines: Sequence[int]) -> list[Mark]:
    """The marks, now that the bar lines are known; an ending that is too long ends with the piece."""
    marks = []
    for sign in signs:
        start = lines[sign.bar]
        length = lines[min(sign.bar + sign.bars, len(lines) - 1)] - start if sign.bars else 0
        marks.append(Mark(start + sign.at, sign.kind, sign.value, length))
    return marks


def bar_sign_text(mark: Mark, bar: int, lines: Sequence[int], grid: Grid) -> str:
    """The mark as it stands on the line of its bar."""
    if mark.kind == "repeat-start":
        return " (|:)"
    if mark.kind == "repeat-end":
        return f" (:|{mark.value})"
    if mark.kind == "ending":
        count = sum(1 for line in lines[bar:-1] if line < mark.tick + mark.length)
        return f" (ending:{mark.value}{f'>{count}' if count != 1 else ''})"
    value = "".join(_PACKED.get(letter, letter) for letter in mark.value)
    place = place_text(mark.tick - lines[bar], grid)
    return f" ({mark.kind}:{value}{place})" if value or place else f" ({mark.kind})"
