"""Unaccompanied: a soloist whose bass is its own, so that nobody else plays."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.basses import low_notes
from libretto.contract.instruments import Mention
from libretto.contract.roles import LISTED, Seat

__all__ = ["alone"]

_SOLO = re.compile(
    r"\b(?P<for>for |by |on )?(?:an? |one |the )?(?:solo|unaccompanied|lone|solitary)\s(?:[a-z-]+\s){0,2}\Z|"
    r"\b(?:entirely|wholly|solely|exclusively) (?:on|for|by|with) (?:an? |one |the )?(?:single )?(?:[a-z-]+\s){0,2}\Z|"
    r"\b(?:us(?:e|es|ing)|featur(?:e|es|ing)|on|for|by) (?:just|only|nothing but) (?:one|an?|the) (?:[a-z-]+\s){0,2}\Z",
    re.I,
)
_COMES = re.compile(r"\s(?:[a-z]+\s)?(?:enter|join|com|appear|arriv|follow|drop|kick)(?:s|es|e|ing)?\b", re.I)
_FOR_A_WHILE = re.compile(
    r"\s(?:(?:at|in|for|during) (?:the |its |an? )?(?:start|begin\w*|opening|intro\w*|first|second|last|end\w*|middle|"
    r"verse|chorus|bridge|few|\d+|one|two|four|eight|twelve|sixteen)\b|until|till|before|to (?:start|begin|open))\b",
    re.I,
)
_ONE = r"(?:sole|only|single|lone) (?:instrument|player|performer|musician|voice|part)\b"
_ALONE = re.compile(
    r"\s(?:alone|solo|unaccompanied|on its own|by itself)\b(?! (?:at|in|for|during))|"
    rf"(?:,|\s(?:as|is|being|(?:should|must|will) be)) (?:the|its|our|my|your) {_ONE}"
    r"(?! (?:at|in|for|during|until|to)\b)",
    re.I,
)
_THE_ONLY = re.compile(rf"\b(?:the|its|our) {_ONE} (?:is|being|(?:should|must|will) be|plays) (?:an? |the )?\Z", re.I)
_CHORDS = 2  # notes at once of who can play its own bass
_BEFORE = 60  # characters before a name

Spoken = Sequence[tuple[Mention, list[Seat]]]


def alone(text: str, seats: list[Seat], spoken: list[tuple[Mention, list[Seat]]]) -> list[Seat]:
    """The parts of a brief for a soloist, whose bass is its own: ``for solo lute, over a sparse walking bass``."""
    if not spoken or spoken[0][0].ensemble or len(spoken[0][1]) != 1:
        return seats
    first, soloist = spoken[0][0], spoken[0][1][0]
    solo = _told_alone(text, first)
    able = soloist.instrument.polyphony >= _CHORDS or (solo is not None and bool(solo.groupdict().get("for")))
    others = [(mention, own) for mention, own in spoken if soloist not in own]
    if solo is None or not able or not all(_own_bass(text, mention, spoken) for mention, _ in others):
        return seats
    spoken[:] = [(mention, own) for mention, own in spoken if soloist in own]
    return [soloist]


def _told_alone(text: str, first: Mention) -> re.Match[str] | None:
    """The words around a name that say that nobody else plays."""
    before = text[: first.start][-_BEFORE:]
    solo = None if _FOR_A_WHILE.match(text, first.end) else _SOLO.search(before)
    return solo or _ALONE.match(text, first.end) or _THE_ONLY.search(before)


def _own_bass(text: str, mention: Mention, spoken: Spoken) -> bool:
    """Whether a bass may be the lower line of a soloist: not where it goes on a list of players."""
    last = max((one.end for one, _ in spoken if one.end <= mention.start), default=0)
    comes = LISTED.match(text[last : mention.start]) or _COMES.match(text, mention.end)
    return low_notes(mention.text) and not comes
