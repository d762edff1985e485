"""How far behind a line is followed, and by which interval: ``four bars later``, ``at the fifth below``."""

from __future__ import annotations

import re

from libretto.contract.reckoning import NUMBER
from libretto.contract.words import number_of

__all__ = ["BEHIND", "behind_told", "interval_told", "interval_words"]


def _n(name: str) -> str:
    """A number of bars, as a group of that name."""
    return rf"(?P<{name}>an?|a single|{NUMBER})"


_BARS = r"[ -](?:bars?|measures?)"
#: So many bars between who leads and who follows, as a regular expression.
BEHIND = re.compile(
    rf"\b{_n('later')}{_BARS} (?:later|apart|behind|afterwards?)\b|"
    rf"\b(?:at|in) (?:intervals|a distance|distances) of {_n('of')}{_BARS}\b|"
    rf"\b(?:at|in) {_n('at')}[ -]bars?[ -](?:intervals|distances?)\b|"
    rf"\bevery {_n('every')}{_BARS}\b|"
    rf"\b{_n('after')}{_BARS} after (?:the )?(?:one before(?: it)?|last(?: one)?|previous(?: one)?|first|leader|"
    rf"other|another|one another|one in front)\b|"
    rf"\bafter {_n('then')}{_BARS}(?: more)?\b",
    re.I,
)
_INTERVAL = re.compile(
    r"\bat (?:the|an?) (?P<other>upper |lower )?(?P<name>unison|octave|fifth|fourth|third|sixth|second|seventh|twelfth)"
    r"(?: (?P<way>below|lower|above|higher|under))?\b",
    re.I,
)
_SEMITONES = {"unison": 0, "octave": 12, "fifth": 7, "fourth": 5, "twelfth": 19}


def behind_told(words: str) -> int | None:
    """How many bars behind a line is followed by some words; None where they do not tell.

    >>> behind_told("a canon two bars later"), behind_told("entries at four-bar intervals"), behind_told("a canon")
    (2, 4, None)
    """
    match = BEHIND.search(words)
    if match is None:
        return None
    said = next(text for text in match.groupdict().values() if text).lower()
    return 1 if said in ("a", "an", "a single") else number_of(said)


def interval_told(words: str) -> int | None:
    """By how many semitones a line is followed by some words, below 0 where that is lower; an octave or a unison may
    be any octave; None where they tell no interval that a canon keeps note for note.

    >>> interval_told("a canon at the fifth below"), interval_told("at the fourth above"), interval_told("in canon")
    (-7, 5, None)
    """
    match = _INTERVAL.search(words)
    size = _SEMITONES.get(match["name"].lower()) if match else None
    if match is None or size is None:
        return None
    down = (match["way"] or "").lower() in ("below", "lower", "under") or (match["other"] or "").lower() == "lower "
    return -size if down else size


def interval_words(words: str) -> str:
    """The words that tell the interval of a canon; empty where none do."""
    match = _INTERVAL.search(words)
    return match[0].lower() if match else ""
