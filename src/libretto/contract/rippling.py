"""Arpeggios in a list of forces: ``pulsing bass, twinkling arpeggios and gated drums`` has a player for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.instruments import Mention, find_instruments

__all__ = ["with_arpeggios"]

_ARP = "synth arp"
_MACHINES = ("drum machine", "electronic drums")
_IN_LIST = re.compile(  # arpeggios that are nobody's, and of which nothing more is said
    r"(?P<after>,\s(?:and\s)?|\b(?:and|with|us(?:e|es|ing)|featur(?:e|es|ing)|includ(?:e|es|ing)|layer|combine|blend)\s)"
    r"(?:the\s|some\s)?(?P<what>(?:[a-z-]+,?\s){0,2}?(?:arpeggios|arps))(?=[,.;!]|\s(?:and|with)\b|\s*\Z)",
    re.I,
)
_ON = re.compile(r"\s*(?:,|,?\s*(?:and|with|plus)|&)\s+(?:(?:the|an?|some)\s)?(?:[a-z-]+\s){0,2}", re.I)
_JOINED = (",", "and", ", and")


def with_arpeggios(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Names, and with them arpeggios that stand among them as one of the forces, where the others are electronic."""
    if any(one.name == _ARP for one in mentions) or not any(map(_is_electronic, mentions)):
        return list(mentions)
    known = find_instruments(_ARP)[0]
    for match in _IN_LIST.finditer(text):
        start, end = match.span("what")
        if _is_listed(text, match, mentions):
            made = [*mentions, replace(known, text=text[start:end], start=start, end=end)]
            return sorted(made, key=lambda one: one.start)
    return list(mentions)


def _is_electronic(mention: Mention) -> bool:
    """Whether somebody named is a synthesizer or a drum machine."""
    return mention.instrument.family == "synth" or mention.name.startswith("synth") or mention.name in _MACHINES


def _is_listed(text: str, match: re.Match[str], mentions: Sequence[Mention]) -> bool:
    """Whether arpeggios follow a name with a comma or *and*, or begin a list of names."""
    start, end = match.span("what")
    if any(one.start < end and start < one.end for one in mentions):
        return False
    before = [one for one in mentions if one.end <= start]
    following = [one for one in mentions if one.start >= end]
    if match["after"].strip().lower() in _JOINED:
        return bool(before) and text[before[-1].end : match.start("after")].strip() == ""
    begins = not before or match["after"].strip().lower() != "with"
    return begins and bool(following) and _ON.fullmatch(text[end : following[0].start]) is not None
