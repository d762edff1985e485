"""What the lenient reading makes of words that are no bare notes: repeats, controls, other marks, notes with marks.

They follow the notes: where slots are counted from 0 theirs are, too, and where a bar gets finer slots they stand at
the same times.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from libretto.grammar.shorthand import references_of
from libretto.grammar.signs import read_marked, read_moment
from libretto.score.time import Grid

__all__ = ["is_sign", "tidy_sign"]

_CONTROLS = re.compile(r"(cc\d{1,3}|bend|press)(:\d{1,6})?(@\d[\d+/=,-]*+)[;.]*+\Z", re.ASCII | re.IGNORECASE)
_REPEAT = re.compile(r"((?:notes|controls)?=\d[\d+-]*+d?)[,;.]*+\Z", re.ASCII | re.IGNORECASE)
_POINT = re.compile(r"(?<=[@,])(\d{1,9})(?:\+(\d{1,8})/([1-9]\d{0,7}))?(?==)", re.ASCII)
_MOMENT = re.compile(
    r"(?P<name>[^@\s]++)@(?P<at>\d{1,9}(?:\+\d{1,8}/[1-9]\d{0,7})?)(?:>(?P<long>\d{1,9}(?:\+\d{1,8}/[1-9]\d{0,7})?))?\Z",
    re.ASCII,
)
_SPLIT = re.compile(r"(?<='~)\d{1,8}(?:\+\d{1,8}/[1-9]\d{0,7})?", re.ASCII)
_SOME_GRID = Grid(1, False)  # whatever stands on any grid stands on this one


def is_sign(word: str) -> bool:
    """Whether a word says something to a voice that is neither a note nor a rest: marks, controls, or a repeat."""
    word = tidy_sign(word, 0, 1)
    return bool(references_of([word])) or read_moment(word, _SOME_GRID) is not None


def tidy_sign(word: str, shift: int, finer: int, note: Callable[[str], str] = str) -> str:
    """Such a word in strict form, in slots that are finer; ``note`` tidies the note that bears marks.

    >>> tidy_sign("CC7:96@0=100,12=90,80,", 1, 1), tidy_sign("mf@3", 0, 2), tidy_sign("Notes=9,", 0, 1)
    ('cc7:96@1=100,13=90,80', 'mf@5', 'notes=9')
    """
    if controls := _CONTROLS.match(word):
        name, own, points = controls[1].lower(), controls[2] or "", controls[3].rstrip(",")
        scale = 1 if own else finer
        if shift or scale > 1:
            points = _POINT.sub(lambda point: _slots((_number(point[0]) + shift - 1) * scale + 1), points)
        return f"{name}{own}{points}"
    if repeat := _REPEAT.match(word):
        return repeat[1].lower()
    if not shift and finer == 1:
        return word
    if (moment := _MOMENT.match(word)) and (moved := _moved(moment, shift, finer)):
        return moved
    stop = min((place for place in (word.find("'"), word.find('"')) if place > 0), default=0)
    if not stop:
        return word
    moved = note(word[:stop]) + _SPLIT.sub(lambda long: _slots(_number(long[0]) * finer), word[stop:])
    return moved if read_marked(moved, _SOME_GRID) else word


def _moved(moment: re.Match[str], shift: int, finer: int) -> str:
    """A mark between notes at its new place; nothing where it is none."""
    length = f">{_slots(_number(moment['long']) * finer)}" if moment["long"] else ""
    moved = f"{moment['name']}@{_slots((_number(moment['at']) + shift - 1) * finer + 1)}{length}"
    return moved if read_moment(moved, _SOME_GRID) is not None else ""


def _number(text: str) -> Fraction:
    """So many slots, and perhaps a part of one, as written."""
    whole, _, part = text.partition("+")
    return int(whole) + (Fraction(part) if part else Fraction(0))


def _slots(number: Fraction) -> str:
    whole, rest = divmod(number, 1)
    return f"{whole}+{rest.numerator}/{rest.denominator}" if rest else str(whole)
