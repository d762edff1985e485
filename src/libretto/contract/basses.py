"""Basses: whether one that is named is somebody, or the low line of a player who is there."""

from __future__ import annotations

import re

from libretto.contract.instruments import Mention, instrument_named

__all__ = ["is_of_another", "low_notes"]

_NEXT_OF_LIST = re.compile(  # a steady drum beat, bass and organ
    r"\b(?:beats?|grooves?|rhythms?|pulse|riffs?|kit|drums?|lines?|backbeat|chords|keys|pads?|leads?|vocals?|organ|"
    r"guitars?|piano),\s(?:[a-z-]+\s)?\Z",
    re.I,
)
_OWN_BASS = re.compile(  # what somebody else is said to play
    r"\bwith (?:running|walking|rolling|bubbling|nimble|deep|low|quick|fast) \Z|"
    r"\b(?:should|provid(?:e|es|ing)|play(?:s|ing)?|suppl(?:y|ies)|with|lay(?:s|ing)? down)\s+"
    r"(?:(?:provide|play|supply|add|hold|offer)\s+)?(?:an?|its|his|her|their)\s+(?:(?!the\b)[a-z\-]+,?\s+){0,3}\Z|"
    r"\b(?:pluck|pick|thump|keep|outlin|bow|slid|puff|giv|pump|stomp|honk|blow|pound|tread|hold|rumbl|bounc|walk|slap|driv|"
    r"stamp|mark|drop|stride|grunt|anchor|hammer|weav|offer|lend|contribut|serv(?:e|es|ing) as|"
    r"act(?:s|ing)? as)(?:e?s|e|ing)?\s+"
    r"(?:out\s+|up\s+)?(?:an?|its|his|her|their|the)\s+(?:(?!the\b)[a-z\-]+,?\s+){0,3}\Z",
    re.I,
)
_OF_THE_PIECE = re.compile(  # what a piece has, and no player of it
    r"\b(?:it|this|piece|track|song|composition|music|arrangement|mix|groove|recording|number)\s"
    r"(?:(?:should|must|will|can)\s)?[a-z]+\s(?:an?|its)\s(?:[a-z-]+,?\s){0,3}\Z",
    re.I,
)
_TAKES_BASS = re.compile(
    r"\b(?P<who>(?:[a-z]+ )?[a-z]+) (?:play|provide|cover|carrie|take|handle|supplie)s the (?:[a-z-]+ )?\Z", re.I
)
_LOW = re.compile(
    r"(?:(?:low|deep|walking|striding|pulsing|steady)[ -])?(?:bass(?:[ -](?:line|part))?|bassline)s?", re.I
)


def low_notes(words: str) -> bool:
    """Whether words for a bass may mean what somebody else plays low down: ``a walking bass``, no ``double bass``."""
    return bool(_LOW.fullmatch(words))


def _takes_bass(before: str) -> bool:
    """Whether a player is said to have the bass: ``the bassoon plays the bass``."""
    takes = _TAKES_BASS.search(before)
    names = (takes["who"], takes["who"].split()[-1]) if takes else ()
    return any(instrument_named(name) for name in names)


def is_of_another(mention: Mention, before: str) -> bool:
    """Whether a bass is what somebody who is there plays: ``the cello plucks the bass``."""
    own = _OWN_BASS.search(before) and not (_NEXT_OF_LIST.search(before) or _OF_THE_PIECE.search(before))
    own = own or _takes_bass(before)
    return low_notes(mention.text) and mention.name == "bass" and bool(own)
