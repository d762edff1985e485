"""Consorts: sections whose players are named right after them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.instruments import Mention

__all__ = ["told_by_name"]

_SECTIONS, _SEVERAL = ("winds", "brass", "strings"), 2  # families of a section, and names that tell who is in it
_A_SECTION = re.compile(r"\b(?:ensemble|section|group|band|choir|consort|trio|quartet|quintet)\Z", re.I)
_MADE_OF = re.compile(r",?\s(?:with|of|featuring|made (?:up )?of|consisting of|comprising|composed of)\s", re.I)
_GOES_ON = re.compile(r"(?:[\s,]|and|plus|two|three|four|an?|the|first|second|solo)*", re.I)


def told_by_name(text: str, kind: Mention, others: Sequence[Mention]) -> bool:
    """Whether the players of a section are named right after it, and nobody besides: ``a woodwind ensemble with piccolo
    and bassoon``, ``a brass section of trumpet and trombone``."""
    told = _MADE_OF.match(text, kind.end) if kind.instrument.family in _SECTIONS else None
    if told is None or not _A_SECTION.search(kind.text):
        return False
    last, mine = told.end(), 0
    for other in sorted((one for one in others if one.start >= last), key=lambda one: one.start):
        if not _GOES_ON.fullmatch(text, last, other.start):
            break
        last, mine = other.end, mine + (other.instrument.family in _SECTIONS and not other.ensemble)
    return mine >= _SEVERAL
