"""How long a piece lasts in minutes and seconds."""

from __future__ import annotations

import re

from libretto.contract.heard import Notes
from libretto.contract.reckoning import NUMBER, Length
from libretto.contract.words import Found, number_of
from libretto.score.time import QUARTER, Meter

__all__ = ["ANY_TEMPO", "ONCE", "ROUND", "as_told", "find_seconds", "in_rounds"]

#: Quarters a minute, for a length in seconds of which the tempo is left open.
ANY_TEMPO = (100.0, 110.0)

_SECONDS = re.compile(
    rf"(?<![\w.])(?<!bars )(?<!beats )(?<!measures )(?P<n>\d{{1,3}}(?:\.\d)?|{NUMBER}|half an?|an?(?=[ -]min))[ \-]"
    rf"(?P<half>and a half )?(?P<unit>minutes?|min|seconds?|secs?)\b"
    r"(?P<more>,? and a half|(?:,? and)? thirty(?! ?sec)|(?:,? and)? (?:15|30|45)(?! ?sec|\d|/))?(?! (?:mark|in))",
    re.I,
)
_CLOCK = re.compile(
    r"(?<![\w:./])(?P<minutes>\d{1,2})(?::|['’′]\s?|\s?m\s?)(?P<seconds>[0-5]\d)(?:s|\"|''|”|″)?(?![\w:/])"
    r"(?:\s(?:min\w*|long))?",
    re.I,
)
_SHORTEST, _LONGEST = 5, 3_600  # seconds that a piece may last
_A_MINUTE = 60  # seconds
ONCE = "A twelve-bar form is played once, as nothing says how often."
ROUND = "A twelve-bar form goes round, as nothing says how often."
_ANOTHER = re.compile(r"\b(?:for )?another (?P<count>\d{1,2}|[a-z]+) (?:bars|measures)\b", re.I)
_CHORUS = 12  # bars
_ONCE = 22  # seconds that a form lasts at least that is played once
_LASTING = 45  # seconds that two rounds of a form last at least


def find_seconds(text: str) -> Found[float] | None:
    """How long the piece should last, in seconds, where the brief says so."""
    total, start, end = 0.0, -1, 0
    for match in _SECONDS.finditer(text):
        unit = _A_MINUTE if match["unit"].lower().startswith("min") else 1
        number = _amount(match["n"].lower()) + (0.5 if match["half"] else 0)
        total += number * unit + _and_more(match["more"], unit)
        start, end = match.start() if start < 0 else start, match.end()
        if not re.match(r"(?: and)? \d", text[match.end() : match.end() + 8]):
            break
    clock = None if total else _CLOCK.search(text)
    if clock:
        total, start, end = int(clock["minutes"]) * _A_MINUTE + float(clock["seconds"]), *clock.span()
    return Found(total, start, end, 0, 0) if _SHORTEST <= total <= _LONGEST else None


def _and_more(words: str | None, unit: int) -> float:
    """The seconds of what follows a length: *and a half* of its unit, or seconds after minutes."""
    said = re.sub(r"[\s,]*(?:and)?\s*", "", words or "", count=1).lower()
    if "half" in said:
        return unit / 2
    return float(number_of(said) or 0) if unit > 1 else 0.0


def _amount(word: str) -> float:
    """``a``, ``half a``, ``2.5`` or ``three`` as a number."""
    if word in ("a", "an"):
        return 1.0
    if word.startswith("half"):
        return 0.5
    return float(word) if word[0].isdigit() else float(number_of(word) or 0)


def in_rounds(told: int, meter: Meter | None, tempo: tuple[float, float] | None) -> int:
    """How many bars a form of choruses has of which nobody says how often it goes round, where ``told`` are those of
    one chorus, once, or of two: one that is not soon over, two, or three where two are soon over."""
    seconds = told * (meter or Meter(4, 4)).ticks / QUARTER / (sum(tempo or ANY_TEMPO) / 2) * 60
    if told == _CHORUS:
        return told if seconds >= _ONCE else in_rounds(2 * told, meter, tempo)
    return told if seconds >= _LASTING else told // 2 * 3


def as_told(said: str, length: Length, speed: tuple[Meter | None, tuple[float, float] | None], notes: Notes) -> int:
    """The bars of a length that is told, as often as it goes round, and those that are added to it."""
    bars = in_rounds(length.bars, *speed) if length.rounds else length.bars
    notes.assumed += [assumed] if (assumed := ROUND if bars > length.bars else length.assumed) else []
    for start, end in length.spans:
        notes.hear("bars", length.bars, start, end)
    more = None if length.assumed else _ANOTHER.search(said)
    return bars + (number_of(more["count"]) or 0 if more else 0)
