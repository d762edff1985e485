"""Soloists: who has the tune of a concerto, and of whom only a hint is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.claims import LEADS, LIKELY, SETTLED, Claim
from libretto.contract.instruments import Mention

__all__ = ["called_solo", "hinted", "of_concerto"]

_FOR_SOLO = re.compile(r"\b(?:solo|concerto for(?: an?| the| solo)?)\s(?:[a-z-]+\s){0,2}\Z", re.I)
_AND_ORCHESTRA = re.compile(
    r"\s(?:concerto\b|(?:and|with|against|before|over)\s(?:(?:an?|the|full|small|large|symphony|chamber|string)\s)*orchestra\b)",
    re.I,
)
_HINT = re.compile(
    r"\b(?:hint|touch|trace|suggestion|dash|splash)(?:es|s)? of\s"
    r"(?:(?!(?:before|until|when|as|then|and|with|in|from|while|for|to)\s)[a-z-]+\s){0,3}\Z|"
    r"\bsprinkl\w*\s(?:in\s)?(?:an?\s|some\s)?(?:[a-z-]+\s){0,2}\Z",
    re.I,
)
_BROAD = re.compile(r"\b(?:sweeping|soaring|singing|songful|yearning),?\s(?:and\s)?(?:[a-z-]+,?\s){0,2}\Z", re.I)
_ENDS_LIST = re.compile(r"\bsolo [a-z]+(?:,| and|, and) \Z", re.I)
_STRINGS = "strings"
_CALLED_SOLO = "solo "  # a part of a name: solo violin
_BEFORE = 60  # characters before a name in which a sentence says what it does


def called_solo(mention: Mention, before: str) -> str:
    """*Solo*, where it is a part of a name that ends no list of soloists."""
    return _CALLED_SOLO * (mention.text.lower().startswith(_CALLED_SOLO) and not _ENDS_LIST.search(before))


def hinted(mention: Mention, before: str, claim: Claim) -> Claim:
    """What somebody claims; no tune where only a hint of it is asked for, and one for strings that sweep or soar, where
    nobody else has it."""
    if not claim.role and mention.name == _STRINGS and _BROAD.search(before + mention.text.partition(_STRINGS)[0]):
        return Claim(LIKELY, "lead")
    if claim.role or not _HINT.search(before):
        return claim
    return Claim(SETTLED, "pad" if mention.instrument.role == "pad" else "counter")


def of_concerto(text: str, mention: Mention, mentions: Sequence[Mention]) -> list[Claim]:
    """What the soloist of a concerto does."""
    if mention.ensemble or not any(other.ensemble and "orchestra" in other.name for other in mentions):
        return []
    before = text[max(0, mention.start - _BEFORE) : mention.start]
    return [LEADS] if _FOR_SOLO.search(before) or _AND_ORCHESTRA.match(text, mention.end) else []
