"""What a MusicXML file writes, bar by bar, before anything is played: notes, signs, marks, and how numbers are read.

Times are ticks from the start of the written bar; they stay fractions until a note is placed, so that
divisions which do not fit our clock add no drift.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from libretto.errors import FormatError
from libretto.score import Meter
from libretto.score.repeats import Signs

__all__ = [
    "OWN",
    "RINGING",
    "SOFTWARE",
    "Bar",
    "ListedInstrument",
    "Moment",
    "Sign",
    "Time",
    "WrittenNote",
    "number",
    "plain",
]

Time = int | Fraction

RINGING = "X"  #: our own bars of this number only let the last notes ring, and are no bars of the piece
OWN = "libretto"  #: under this name our own files say what in them marks said
SOFTWARE = "Libretto"  #: how our own files name their maker
_NUMBER = re.compile(r"\s*([+-]?(?:\d{1,12}(?:\.\d{0,9})?|\.\d{1,9}))(?:(?<=\.\d{9})\d*)?\s*\Z")
_MOST_DIGITS = 12  # of a whole number, as in the pattern
_UNSAYABLE = re.compile(r"[\s\x00-\x1f\x7f\x85\u2028\u2029]+")
_LONGEST = 400  # letters of a text that a mark keeps
_SHOWN = 40  # letters of a wrong number that a message repeats


#: A sign of a note while it is read: its kind and value, and where its note came to stand.
Sign = list[Any]


class WrittenNote(NamedTuple):
    """A note as written: where in its bar, how long, what, in which layer and staff, its ties and its signs."""

    at: int
    length: int
    pitch: int
    velocity: int
    spelling: int
    layer: str
    tied_from: bool
    tied_to: bool
    staff: int = 1
    signs: Sequence[Sign] = ()
    grace: bool = False
    cut: bool = False  # tied to what comes before only because no one sign says the length


class Moment:
    """Something over the notes of a part: in which bar and when there, and where it ends if it lasts."""

    __slots__ = ("at", "bar", "changes", "kind", "staff", "stop", "value")

    def __init__(self, bar: int, at: Time, kind: str, value: str = "", staff: int = 0) -> None:
        self.bar, self.at, self.kind, self.value, self.staff = bar, at, kind, value, staff
        self.stop: tuple[int, Time] | None = None
        self.changes: list[tuple[str, int, Time]] = []  # of a pedal on its way


class ListedInstrument(NamedTuple):
    """What a part list says of one instrument: its drum key, and the spelling that our own writer noted."""

    key: int | None
    spelling: int | None


@dataclass
class Bar:
    """One written bar of the whole piece; every part adds to it."""

    number: str = ""
    implicit: bool = False
    index: int = 0
    signs: Signs = field(default_factory=Signs)
    meter: Meter | None = None
    tempos: dict[int, int] = field(default_factory=dict)
    keys: dict[int, dict[int, tuple[int, str]]] = field(default_factory=dict)  # part -> time -> (fifths, mode)
    sections: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)  # words that name a section where no mark does
    chords: list[tuple[Time, str]] = field(default_factory=list)
    notes: dict[int, list[WrittenNote]] = field(default_factory=dict)
    words: list[tuple[Time, str]] = field(default_factory=list)  # that go with the tempo
    swings: list[tuple[Time, str]] = field(default_factory=list)
    style: str = ""  # of the line that closes it
    extent: Time = 0
    rest: Time = 0


def number(text: str | None, what: str) -> int | Fraction:
    """A number as written, exactly; a FormatError where it is none or is absurdly long."""
    if text and text.isdigit() and text.isascii() and len(text) <= _MOST_DIGITS:  # nearly every number there is
        return int(text)
    match = _NUMBER.match(text or "")
    if not match:
        raise FormatError(f"{(text or '').strip()[:_SHOWN]!r} is not a number ({what})")
    value = Fraction(match[1])
    return value.numerator if value.denominator == 1 else value


def plain(text: str | None) -> str:
    """A text on one line, as a mark can hold it."""
    return _UNSAYABLE.sub(" ", text or "").strip()[:_LONGEST].strip()
