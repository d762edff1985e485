"""Places: where in a piece something is wanted, as words that a person would use, and the bars that they mean.

A place is a text: "" is the whole piece; "start", "middle", "end", "first half", "second half"; a kind of section
("chorus": all of them; "verse 2", "last chorus": one); "bars 9-12", "bar 9"; "from", "after", "until" or "before" in
front of any of these ("from last chorus"; "before" is the section that leads there); several joined by " + ". Beside
these there are "2 bars before last chorus", "2 bars in middle", "from bar 5 until bar 9", "outside chorus", "section
ends", "phrase ends", "later", "second time", "last time", and "entry 2 of 4" and "exit 2 of 4" for those who come in or
go one after the other.
``find_places`` reads them from plain English, ``contract.stretches`` says which bars of a piece they are.
"""

from __future__ import annotations

import re
from functools import cache

from libretto.contract.words import Found, number_of

__all__ = ["SECTION_KINDS", "find_places", "section_kind"]

#: What sections are called, with the other words for each.
SECTION_KINDS: dict[str, tuple[str, ...]] = {
    "intro": ("introduction", "intro", "prelude"),
    "verse": ("verse", "strophe", "stanza"),
    "pre-chorus": ("pre-chorus", "pre chorus", "prechorus"),
    "chorus": ("chorus", "choruses", "refrain", "hook"),
    "bridge": ("bridge", "middle eight", "middle 8"),
    "solo": ("solo section", "solo"),
    "break": ("breakdown", "break"),
    "build": ("build-up", "build up", "buildup", "build"),
    "drop": ("drop",),
    "interlude": ("interlude", "instrumental"),
    "head": ("head",),
    "theme": ("theme",),
    "riff": ("riff",),
    "trio": ("trio",),
    "exposition": ("exposition",),
    "development": ("development",),
    "recapitulation": ("recapitulation", "recap"),
    "vamp": ("vamp",),
    "tag": ("tag",),
    "outro": ("outro", "coda"),
}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5}
_LAST = ("last", "final", "closing")
_MOST_DIGITS = 5
_MOST_PLACES = 16
_KIND_OF = {name: kind for kind, names in SECTION_KINDS.items() for name in names}
_NAMES = "|".join(re.escape(name) for name in sorted(_KIND_OF, key=len, reverse=True))
_COUNTED = "|".join((*_ORDINALS, *_LAST))
_WHOLE = r"instrumental (?:in|for|with|at|that|featuring|using|over)\b"  # what calls a whole piece so


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    number = rf"\d{{1,{_MOST_DIGITS}}}"
    sources = (
        ("bars", rf"\b(?:bars?|measures?)\s+(?P<one>{number})"
                 rf"(?:\s*(?:-|–|—|to|through|until|and)\s*(?P<two>{number}))?"),
        ("edge bars", r"\b(?P<which>first|last|final|opening|closing)\s+"
                      r"(?P<count>(?:[a-z]+(?:-[a-z]+)?|\d{1,3})(?=\s+(?:bars|measures)\b)|"
                      r"(?:four|eight|sixteen|4|8|16)(?=\s*(?:[,.;!?]|\Z|up\b|down\b|is\b|are\b|should\b)))"
                      r"(?:\s+(?:bars|measures)\b)?"),
        ("middle bars", r"\b(?:the\s+)?(?:middle|central)\s+(?P<count>[a-z]+|\d{1,2})(?=\s+(?:bars|measures)\b)"
                        r"\s+(?:bars|measures)\b"),
        ("half", r"\b(?P<which>first|second|last|final|latter)\s+(?:half|part|section)\b|"
                 r"\b(?:half|mid)\s?-?way(?: through)?\b"),
        ("nth bars", r"\b(?P<nth>second|third|fourth)\s+(?:set of\s+)?"
                     r"(?P<count>four|eight|sixteen|4|8|16)(?:\s+(?:bars|measures)\b)"),
        ("section", rf"\b(?:(?P<nth>{_COUNTED})\s+)?(?!{_WHOLE})(?P<name>{_NAMES})s?"
                    rf"(?:\s+(?P<number>\d{{1,2}}|one|two|three|four))?\b"),
        ("nth letter", rf"\b(?P<nth>{_COUNTED}|First|Second|Third|Last|Final)\s+(?P<letter>[A-H])\b(?!\s?[#b]|"
                       rf"\s(?:major|minor|chord))"),
        ("letter", r"\b(?:the\s+)?(?P<letter>[A-H])(?:\s+|-)(?:section|part)s?\b|"
                   r"\b(?:section|part)\s+(?P<after>[A-H])\b"),
        ("start", r"\b(?:the\s+)?(?:beginning|start|opening)\b|\bat first\b|\bto (?:begin|start) with\b"),
        ("end", r"\b(?:the\s+)?(?:very\s+)?(?:end|ending|close|finish)\b"),
        ("middle", r"\b(?:the\s+)?(?:middle|central)(?:\s+(?:section|part|bit))\b|\b(?:the\s+)?(?:part|"
                   r"section)\s+(?:central|middle)\b|"
                   r"\b(?:the\s+)?middle\b(?!\s+[A-Ga-g]\b)"),
    )  # fmt: skip
    return tuple((name, re.compile(source, 0 if name.endswith("letter") else re.I)) for name, source in sources)


def find_places(text: str) -> list[Found[str]]:
    """The places that a text names, from left to right, none overlapping; a "from" before one is not part of it.

    >>> [place.value for place in find_places("softer in the last chorus and in bars 9 to 12, verse 2 louder")]
    ['last chorus', 'bars 9-12', 'verse 2']
    """
    places: list[Found[str]] = []
    for name, pattern in _patterns():
        for match in pattern.finditer(text):
            if any(place.start < match.end() and match.start() < place.end for place in places):
                continue
            value = "" if _names_a_player(text, match) else _meaning(name, match)
            if value:
                places.append(Found(value, match.start(), match.end(), 0, 0))
    return sorted(places, key=lambda place: place.start)[:_MOST_PLACES]


_SOLO = re.compile(r"solos?\Z", re.I)
_PLAYER = re.compile(r"(?:\A|\b(?:for|a|an|one|by|with|of|on|my|only|unaccompanied)\s|[,;:(]\s*)\Z", re.I)


def _names_a_player(text: str, match: re.Match[str]) -> bool:
    """Whether "solo" says how somebody plays ("for solo flute") and not where ("in the solo")."""
    return bool(_SOLO.search(match[0])) and bool(_PLAYER.search(text[: match.start()]))


def _meaning(name: str, match: re.Match[str]) -> str:
    """The place that a match of that pattern names; empty where it is none."""
    group = {key: value or "" for key, value in match.groupdict().items()}
    if name == "bars":
        return f"bars {group['one']}-{group['two']}" if group["two"] else f"bar {group['one']}"
    if name == "edge bars":
        return _edge_meant(group)
    if name == "middle bars":
        count = number_of(group["count"])
        return f"{count} bars in middle" if count else ""
    if name == "half":
        return "first half" if group["which"].lower() == "first" else "second half"
    if name == "nth bars":
        size, nth = number_of(group["count"]) or 0, _ORDINALS[group["nth"].lower()]
        return f"bars {size * (nth - 1) + 1}-{size * nth}"
    if name == "nth letter":
        nth = group["nth"].lower()
        return f"last {group['letter']}" if nth in _LAST else f"{group['letter']} {_ORDINALS[nth]}"
    if name == "letter":
        return group["letter"] or group["after"]
    return _section_meant(group) if name == "section" else name


def _edge_meant(group: dict[str, str]) -> str:
    count = number_of(group["count"])
    side = "first" if group["which"].lower() in ("first", "opening") else "last"
    return f"{side} {count} bars" if count else ""


def _section_meant(group: dict[str, str]) -> str:
    kind, nth = _KIND_OF[group["name"].lower()], group["nth"].lower()
    if nth in _LAST:
        return f"last {kind}"
    count = _ORDINALS.get(nth) or number_of(group["number"])
    return f"{kind} {count}" if count else kind


def section_kind(label: str) -> str:
    """What a section is by its label: a kind, or the label's own letter or words in lower case without a number.

    >>> section_kind("Verse 2"), section_kind("Refrain"), section_kind("A'"), section_kind("Storm 1")
    ('verse', 'chorus', 'A', 'storm')
    """
    plain = re.sub(r"[\s\d'′]+\Z", "", label.strip())
    if re.fullmatch(r"[A-Z]", plain):
        return plain
    low = plain.lower()
    return _KIND_OF.get(low) or next((_KIND_OF[name] for name in _KIND_OF if low.startswith(name)), low)
