"""Similes: what a word of strength says of a thing to which music is likened is no mood of the music.

``Like the sweeping beam of a lighthouse`` asks for no sweeping music, ``like a raging storm`` for a raging one.
"""

from __future__ import annotations

import re

from libretto.contract.words import Found

__all__ = ["is_of_a_thing"]

_LIKE = (
    r"\b(?:like|as if|as though|akin to|resembling|reminiscent of|mimic(?:s|king)?|imitat(?:es?|ing)|mirror(?:s|ing))"
)
_BEFORE = re.compile(rf"{_LIKE}\s(?:(?:an?|the|some|its|one|of|by)\s)*(?:[\w'-]+,?\s){{0,2}}\Z", re.I)
_OF_THINGS = frozenset(  # what is said of things that are not loud for it
    {"sweeping", "heavy", "powerful", "bold", "imposing", "monumental", "mighty", "driving", "raw", "cold", "dirty"}
)
_NOUN = re.compile(r",?\s(?!and\b|or\b|but\b|yet\b|as\b|in\b|with\b|to\b|for\b|that\b|which\b)[a-z]", re.I)
_LOUD = re.compile(  # which are
    r",?\s(?:[a-z'-]+\s){0,2}?(?:storms?|thunder\w*|arm(?:y|ies)|battles?|wars?|hammers?|drums?|anthems?|marches|march|"
    r"orchestras?|choirs?|rock|metal|music|songs?|tunes?|riffs?|beats?|hymns?|fanfares?)\b",
    re.I,
)
_AS_SOMETHING = re.compile(r"\sas (?:an?|the|any)\s", re.I)
_BACK = 60  # characters


def is_of_a_thing(text: str, mood: Found[tuple[float, ...]]) -> bool:
    """Whether a word for a mood is said of a thing in a simile: ``like heavy rain``, ``bold as a gull``."""
    if text[mood.start : mood.end].lower() not in _OF_THINGS:
        return False
    if _AS_SOMETHING.match(text, mood.end):
        return True
    likened = _BEFORE.search(text[max(0, mood.start - _BACK) : mood.start])
    return bool(likened and _NOUN.match(text, mood.end) and not _LOUD.match(text, mood.end))
