"""The places of a text as it means them, with *from* and *after*; words that only sound like places are left out."""

from __future__ import annotations

import re

from libretto.contract.finders.counting import counted, ordinals
from libretto.contract.finders.whereabouts import Place, related
from libretto.contract.places import find_places
from libretto.contract.sized import sizes_told
from libretto.contract.timeline import timeline
from libretto.contract.words import Found

__all__ = ["places_told"]

_BEFORE_PLACE = re.compile(
    r"(?:\b(?P<how>from|after|until|till|before|starting (?:in|at|with|from)|since|right after|just before)|"
    r"\b(?:in|at|on|for|during|through|throughout|over|into|to|near|towards?|by|with|of|only in|around|comes?|"
    r"within|under|beneath|behind))?"
    r"\s*(?:the|that|this|a|an|each|every|all|both|my|its)?\s*(?:very|whole|entire|big|huge|short|long|quiet|loud|"
    r"whole of the|guitar|sax|piano|drum|trumpet|organ|violin|bass|\d{1,2}[ -]bars?)?\s*\Z"
)
_SHY = frozenset({"theme", "head", "drop", "break", "build", "tag", "vamp", "riff", "trio", "solo", "end", "start"})
_OF_CLUBS = ("drop", "break", "build")
_NEXT = re.compile(
    r"\b(?:then|followed by|and|carr(?:y|ies)|leads?|sings?|plays?)\s(?:comes?\s)?(?:an?|the)\s(?:[a-z-]+,?\s){0,2}\Z"
)  # then a massive drop
_DROPS = re.compile(r"s (?:an?|out|to|down|by|away|off|from|into|back|up)\b")  # what somebody does
_HAS_THE = re.compile(r"(?:\b(?:takes?|has|have|gets?|leads?|plays?)\s|[.;!?]\s)the\s\Z")
_MARCH = re.compile(r"\b(?:march|marches|strains?|minuet|scherzo|polka|rag|ragtime)\b")
_A_TRIO = re.compile(
    r"(?:\A|[.,;:!?]\s|\band\s|\bthen\s)(?:and |then )?(?:(?:the|an?) )?"
    r"(?:(?!brass|piano|string|jazz|wind|horn|vocal|guitar|folk|organ)[a-z-]+,? ){0,2}\Z"
)
_HOWS = {"till": "until", "since": "from", "right after": "after", "just before": "before"}
_CUED = re.compile(
    r"\b(?:in|at|on|for|during|through|throughout|over|into|to|near|towards?|by|from|after|until|till|before|last|"
    r"under|beneath|first|second|third|final|starting|with)"
    r"(?:\s(?:the|that|this|a|an|each|every|all|both|its))?(?:\s(?:very|whole|entire|big|huge|short|long|loud|soft|quiet|gentle|powerful|hushed))?\s\Z"
)
_OF_FEW = re.compile(  # ``a breakdown with just bass``
    r"\s(?:(?:with|of|for|featuring)\s(?:only|just|nothing but)|where|in which)\b"
)
_BETWEEN = re.compile(r"\b(?:between|in between) (?:the |its |two |both )*\Z")  # the verses: in the middle
_BACK = 40  # characters before a place that say how it is meant


def _of_a_march(low: str, before: str) -> bool:
    """Whether a trio is the middle of a dance or march, and not who plays it: ``a march with a soft trio``."""
    return bool(_MARCH.search(low) and _A_TRIO.search(before))


def _is_cued(low: str, before: str, one: Found[str]) -> bool:
    """Whether the words around a shy name say that it is a place."""
    trio = one.value == "trio" and (_HAS_THE.search(before) or _of_a_march(low, before))
    told = re.match(r"(?:the|last|final|a|at|to)\s", low[one.start :])
    club = one.value in _OF_CLUBS and _NEXT.search(before) and not _DROPS.match(low, one.end - 1)
    return bool(trio or told or club or _CUED.search(before) or _OF_FEW.match(low, one.end))


def places_told(text: str, low: str) -> list[Place]:
    """The places of a text, with *from*, *after* and such, without words that only sound like places."""
    places = []
    sized = {one.start for one in sizes_told(low)}
    for one in find_places(text):
        before = low[max(0, one.start - _BACK) : one.start]
        if one.value in _SHY and one.start not in sized and not _is_cued(low, before, one):
            continue
        if _BETWEEN.search(before) and low[one.start : one.end].endswith("s"):
            places.append(Place("middle", "", one.start, one.end))
            continue
        how = _BEFORE_PLACE.search(before)
        word = (how["how"] if how else "") or ""
        word = "from" if word.startswith("starting") else _HOWS.get(word, word)
        word = "" if word == "from" and one.value.startswith("bars ") else word  # from bar 9 to bar 16
        places.append(Place(one.value, word, one.start - (len(how[0]) if how and word else 0), one.end))
    places += ordinals(low, places)
    places += counted(low, places)
    return _counted_on(related(low, places), low)


def _counted_on(places: list[Place], low: str) -> list[Place]:
    """The places, with the stretches of a piece that is told so in place of what their words would mean alone."""
    for one in timeline(low):
        if one.how != "at":
            places = [place for place in places if place.end <= one.start or one.end <= place.start]
            places.append(Place(one.where, "", one.start, one.end))
    return sorted(places, key=lambda place: place.start)
