"""Songs that are told by the number of their verses: ``three verses of eight bars``, each with a refrain after it."""

from __future__ import annotations

import re

from libretto.contract.words import Found, number_of

__all__ = ["is_strophic", "verses_told"]

_COUNT = r"two|three|four|five|six|seven|eight|[2-8]"
_SIZE = r"(?:[\w-]+[- ]bar )?"
_VERSES = re.compile(
    rf"(?<!first )(?<!last )(?<!final )(?<!other )(?<!these )(?<!those )(?<!the )(?<!between )(?<!\bin all )"
    rf"\b(?P<n>{_COUNT}) {_SIZE}(?:(?!of\b|or\b|and\b)[a-z]+ )?{_SIZE}(?:verses|stanzas|strophes)\b",
    re.I,
)
_REFRAIN = re.compile(
    r"\b(?:with|and|plus|each|followed by)\b[^.;!?]{0,16}?\b(?:refrain|chorus)\b(?! of (?:singers|voices))", re.I
)
_ALSO = re.compile(r"\b(?:refrains?|chorus(?:es)?|hook|drop|pre-?chorus|solos?)\b", re.I)
_BRIDGE = re.compile(r"\b(?:bridge|middle eight)\b", re.I)
_LAST = re.compile(r"\b(?:last|final|third|fourth|closing|another|one more) (?:[\w-]+ )?verse\b", re.I)
_TOGETHER = 80  # characters after verses in which a refrain is told of them


def verses_told(text: str) -> Found[tuple[str, ...]] | None:
    """The sections of a song of which so many verses are told: each with a refrain where that is told of them, a bridge
    before the last; None where no number is.

    >>> verses_told("a hymn of three eight-bar verses").value, verses_told("two verses and a chorus").value
    (('verse', 'verse', 'verse'), ('verse', 'chorus', 'verse', 'chorus'))
    """
    match = _VERSES.search(text)
    if match is None:
        return None
    count = number_of(match["n"].lower()) or 2
    refrain = _REFRAIN.search(text, match.end(), match.end() + _TOGETHER)
    bridge = _BRIDGE.search(text)
    if refrain is None and _ALSO.search(text):
        return None  # of which it is told elsewhere in what order they come
    verses = ("verse", "chorus") * count if refrain else ("verse",) * count
    if bridge:
        last = ("verse",) if not refrain and _LAST.search(text, bridge.end()) else ()
        verses = (*verses, "bridge", *(last or verses[-2:])) if refrain or last else (*verses[:-1], "bridge", "verse")
    return Found(verses, match.start(), refrain.end() if refrain else match.end(), 0, 0)


def is_strophic(form: tuple[str, ...]) -> bool:
    """Whether a song is one strophe again and again."""
    return len(form) > 1 and set(form) == {"verse"}
