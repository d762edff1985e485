"""How many play under one name: ``two violins``, a cello duet, trumpets of which nobody says how many."""

from __future__ import annotations

import re

from libretto.contract.instruments import Mention, instrument_named
from libretto.contract.words import number_of

__all__ = ["count_of", "together_of"]

_COUNT = re.compile(  # no time: after four bars trumpets join
    r"(?<![/–-])(?<!bars )\b(two|three|four|five|six|2|3|4|5|6|twin|dual|pair of|duo of)\s+"
    r"(?!(?:bar|measure|beat|time|minute|second|octave|chorus|verse)(?:s|es)?\b)(?:[a-z]+\s+)?\Z",
    re.I,
)
_PAIRS = {"twin": 2, "dual": 2, "pair of": 2, "duo of": 2}
_GROUP = re.compile(r"s?\s(duet|duo|trio|quartet)s?\b", re.I)
_SECTION = re.compile(r"\ssection\b", re.I)
_FOR = re.compile(r"\b(?:for|of|by)\s(?:[a-z]+\s)?\Z", re.I)
_GROUPS = {"duet": 2, "duo": 2, "trio": 3, "quartet": 4}
_LINED, _LINES = ("winds", "brass", "strings"), 2  # families whose players have a line each, and notes at once of such
_AMPLIFIED = range(26, 31)  # programs of electric guitars
_BLOWN = ("winds", "brass")
_VOICES = re.compile(
    r"\b(?:\w+)[- ](?:voices|parts|instruments|players|musicians)\b|\b(?:duo|duet|trio|quartet|quintet)\b", re.I
)
_SEVERAL, _SHORT = 3, 120  # players where nobody says how many, and characters of a text that says little
_COUNT_REACH = 24  # characters before a name that may count it


def together_of(text: str, mention: Mention) -> int:
    """How many of one kind a short text means that names nobody else: a cello duet, a march for trombones."""
    group = _GROUP.match(text, mention.end)
    if group:
        return _GROUPS[group[1].lower()]
    lined = mention.instrument.family in _LINED and mention.instrument.polyphony <= _LINES
    several = lined and mention.text.lower().endswith("s") and _FOR.search(text[: mention.start])
    return _SEVERAL if several and len(text) <= _SHORT else 1


def count_of(text: str, mention: Mention, *, pairs: bool = True) -> int:
    """How many of them: ``two violins``."""
    match = _COUNT.search(text[max(0, mention.start - _COUNT_REACH) : mention.start])
    said = mention.text.lower()
    plural = said.endswith(("s", "i")) and not said.endswith(("bass", "brass"))
    plural = plural or bool(_SECTION.match(text, mention.end))
    if plural and pairs and not match and _a_pair(text, mention):
        return 2
    if not match or not plural:
        return 1
    return _PAIRS.get(match[1].lower(), number_of(match[1]) or 1)


def _a_pair(text: str, mention: Mention) -> bool:
    """Whether winds in the plural, or a section of them, or guitars of a band are two, as nobody says how many: one
    leads, one joins."""
    if mention.text.lower().endswith("guitars") and mention.instrument.programs[0] in _AMPLIFIED:
        return not _VOICES.search(text)
    lined = mention.instrument.family in _BLOWN and mention.instrument.polyphony <= _LINES
    one = mention.text.lower() if _SECTION.match(text, mention.end) else mention.text.lower()[:-1]
    itself = instrument_named(one) is mention.instrument  # of which one is called so
    return lined and itself and " " not in mention.text and not _VOICES.search(text)
