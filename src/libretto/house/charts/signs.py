"""The signs of a chart: what stands in one bar of one part, written so that it can be played over any chord.

A bar is a row of words, ``SIGN[/UNDER][MARKS][:LENGTH]``; lengths count the chart's unit and are 1 where none is said.

- ``@5`` the tone of the chord nearest the fifth degree of the key (``c5`` in passing as well), ``k5`` that degree
  itself (``kb3``, ``k#4``);
- ``u`` ``d`` the next tone of the chord above and below (``u2`` the one after), ``+`` ``-`` the next step of the scale
  (``+2`` two), ``=`` the same note again;
- ``x`` the half tone below the note that follows, ``y`` the step of the scale above it;
- ``~3`` the third of the chord nearest the note before, ``~1@8`` its root nearest the eighth degree of the key;
- ``1`` to ``9`` a degree above the root of the chord where the part is at home, ``'`` an octave up, ``,`` down;
- ``n`` the root of the next chord before its time, ``w`` a step of the way to it;
- ``C`` the chord, ``N`` the next one before its time, ``H`` the upper half, ``P`` root and fifth, ``D`` tonic and
  fifth of the key, ``A`` its amen (the chord a fourth higher over the same root), ``T`` the chord with its top note a
  step higher (a pad holds the others where ``C`` comes next to it), ``v1`` to ``v8`` the notes of the chord from below;
- ``z`` a rest, ``_`` the note before goes on.

``/t`` adds a tone of the chord below, ``/C`` two, ``/6`` one about a sixth below, ``/3`` the third of the scale below,
``/P`` that and the fifth (parallel chords), ``/8`` the octave below, ``/S`` a choir in four parts, ``/A`` the same over
the amen. Marks: ``!`` accent, ``?`` ghost, ``.`` short, ``*`` trill, ``^`` a grace note from below, ``%`` tremolo.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from libretto.errors import LibrettoError

__all__ = ["Placed", "Sign", "height_of", "read_bar", "sounds"]

_WORD = re.compile(
    r"(?P<head>[@c]-?\d+|k[b#]?-?\d+|[ud]\d?|[+-]\d?|~[b#]?\d(?:@-?\d+)?|[b#]?[1-9][',]*|v[1-8]|[=xynwCHNPDATz_])"
    r"(?P<under>(?:/[tCP368SA])?)(?P<marks>[!?.*^%]*)(?::(?P<length>\d+(?:[./]\d+)?))?"
)
_MOST_WORDS = 64  # a bar


class Sign(NamedTuple):
    """One word of a bar: where it begins and how long it is in units, and what it asks for."""

    start: Fraction
    length: Fraction
    head: str
    under: str = ""
    marks: str = ""


@lru_cache(maxsize=8192)
def read_bar(text: str, units: Fraction) -> tuple[Sign, ...]:
    """The words of a bar that is so many units long; one line where they do not fill it or are none of ours."""
    words = text.split()
    if len(words) > _MOST_WORDS:
        raise LibrettoError(f"a bar of a chart has more than {_MOST_WORDS} words")
    made, at = [], Fraction(0)
    for word in words:
        found = _WORD.fullmatch(word)
        if found is None:
            raise LibrettoError(f"{word!r} is no sign of a chart (bar {text!r})")
        length = Fraction(found["length"] or 1)
        made.append(Sign(at, length, found["head"], found["under"][1:], found["marks"]))
        at += length
    if at != units:
        raise LibrettoError(f"a bar of a chart is {float(at):g} units long in place of {float(units):g}: {text!r}")
    return tuple(made)


class Placed(NamedTuple):
    """A sign in its time: the ticks at which it begins and ends."""

    start: int
    end: int
    sign: Sign


def height_of(sign: Sign) -> int | None:
    """The degree of the key at which a sign wants to lie; None where it says none."""
    head = sign.head
    height = head.partition("@")[2] if head[0] == "~" else head.lstrip("@ck#b") if head[0] in "@ck" else ""
    return int(height) if height else None


def sounds(bar: str) -> bool:
    """Whether a bar of signs has notes.

    >>> sounds("z:4 @5:4"), sounds("z:8"), sounds("")
    (True, False, False)
    """
    return any(word[0] != "z" for word in bar.split())
