"""Da capo: the first part of a piece comes back at its end: ``D.C. al fine``, ``then da capo``, a minuet and trio."""

from __future__ import annotations

import re

from libretto.contract.places import section_kind
from libretto.contract.words import Found

__all__ = ["DA_CAPO", "with_da_capo"]

#: The words for it, as a regular expression.
DA_CAPO = re.compile(
    r"(?<!no )(?<!without )(?<!without a )(?<!not )\bda[- ]capo"
    r"(?:[- ](?:aria|form|structure|repeat|repetition|return))?"
    r"(?: (?:to|of) the (?:first|opening) (?:part|section|strain))?(?: al (?P<to>fine|coda))?\b|"
    r"\bd\.? ?c\.? al (?P<al>fine|coda)\b|(?:\bthen|\band|,|;) d\. ?c\.(?=\s|\Z|,)(?! al)|"
    r"\b(?:minuet(?:to)?|menuet(?:to)?|scherzo)s?(?: and| with(?: an?| its)?|[- ]and)(?: [a-z]+)?"
    r"[- ]trio\b(?! of\b)|"
    r"\b(?:back|return(?:s|ing)?) to the (?:top|beginning|(?:first|opening) (?:part|section|strain))"
    r",? (?:and (?:it )?(?:then )?(?:end|finish|clos|stop)(?:s|es|ing)?|to (?:end|finish|close)|until the fine)"
    r"(?: (?:there|with it|it|the piece|as it began))?|"
    r"\b(?:the )?(?:first|opening) (?:part|section|strain)(?: then| is)? (?:returns|comes back|repeated|played again|"
    r"again)(?: at the end)? (?:and (?:it )?(?:then )?(?:ends|closes|finishes)|to (?:end|close|finish))"
    r"(?: there| with it| it| the piece)?",
    re.I,
)
_TRIO, _OF_THE_TRIO = re.compile(r"\btrio\Z", re.I), re.compile(r"\b(?:the|its) trio\b", re.I)
_USUAL = ("A", "B")
_BEFORE, _AFTER = ("intro",), ("outro", "tag", "coda", "ending")


def with_da_capo(text: str, form: Found[tuple[str, ...]] | None, whole: str = "") -> Found[tuple[str, ...]] | None:
    """A form with its first section once more at the end, where a text says da capo; a form in three parts where it
    names no other, and with a coda where it goes on to one. A trio of which the ``whole`` brief speaks besides has its
    place by that name.

    >>> with_da_capo("an aria for oboe, da capo", None).value
    ('A', 'B', 'A')
    """
    match = DA_CAPO.search(text)
    if match is None or (form is None and _is_spoken_of(match[0], whole)):
        return form
    names = form.value if form else _USUAL
    first = next((place for place, name in enumerate(names) if section_kind(name) not in _BEFORE), 0)
    body = [name for name in names if section_kind(name) not in _AFTER]
    back = () if len(body) > 1 and body[-1] == names[first] else (names[first],)
    coda = ("coda",) if (match["to"] or match["al"] or "").lower() == "coda" else ()
    start, end = (form.start, form.end) if form else match.span()
    return Found((*body, *back, *coda), start, end, 0, 0)


def _is_spoken_of(words: str, whole: str) -> bool:
    """Whether words name a trio of which a brief says more."""
    return bool(_TRIO.search(words) and _OF_THE_TRIO.search(whole))
