"""How the second strain of a tune lies beside the first: ``two strains, the second sitting higher``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.reckoning import equal_parts
from libretto.contract.words import number_of

__all__ = ["place_of_strain", "second_strain"]

_STRAINS = re.compile(r"\b(?:strains|halves|sections|parts|tunes|periods)\b")
_SECOND = re.compile(
    r"\b(?:the |its )?(?:second|other|latter|b)(?: (?:one|strain|half|section|part|tune|of them|of the two))?,? "
    r"(?:(?:should|must|will|to|is|be|being|that|which) ){0,2}"
    r"(?:sit|l[iy]|set|go|pitch|climb|ris|reach|mov|play|sound|written|tak|lift|soar|hover)"
    r"(?:s|e|es|ed|ing|ting|en)? (?:(?:a|an|it|up|the|tune|little|bit|third|fourth|fifth|octave|much|noticeably) ){0,4}"
    r"(?P<what>higher|high|up|lower|low|down)\b"
)
_LETTERS = re.compile(r"\bstrain|\brepeated\b|\bbinary\b|\baabb\b")
_SEVERAL = re.compile(
    r"\b(?P<n>two|three|four|five|[2-5]) (?:[a-z0-9-]+ ){0,2}?(?:strains|parts|sections|themes|tunes)\b"
)
_NTH = re.compile(
    r"\b(?P<nth>first|second|third|fourth|fifth|last|final)"
    r"(?: (?:one|strain|part|section|theme|tune|of (?:them|which)))?"
    r"(?:,? (?!the\b|and\b)[a-z'-]+){0,6}\s\Z"
)
_NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_SHARES = {
    2: ("first half", "second half"),
    3: ("first third", "middle", "last third"),
}  # of which nobody says how long
_LOW = ("lower", "low", "down")


@finders.register("second strain")
def second_strain(scene: Scene) -> Iterator[Finding]:
    """The register of a second strain, where a brief speaks of two."""
    for match in list(_SECOND.finditer(scene.low))[:2]:
        strains = _STRAINS.search(scene.low, 0, match.end()) or "strain" in match[0]
        if strains:
            where = "B" if _LETTERS.search(scene.low) else "second half"
            what = "low" if match["what"] in _LOW else "high"
            ask = Ask("register", what, "melody", where, scene.text[match.start() : match.end()][:200])
            yield scene.finding("register", f"melody {what} at {where}", match.start(), match.end(), ask)


def place_of_strain(scene: Scene, start: int) -> str:
    """The place of the strain of which some words speak that stand behind its number: ``three strains of 16 bars, the
    third in F``; empty where there is none."""
    first = max(scene.low.rfind(mark, 0, start) for mark in ".;!?") + 1
    told = _NTH.search(scene.low, first, start)
    several = _SEVERAL.search(scene.low, 0, told.start()) if told else None
    if told is None or several is None:
        return ""
    count, size = equal_parts(scene.low) or (number_of(several["n"]) or 0, 0)
    number = _NUMBERS.get(told["nth"], count)
    if size and 1 <= number <= count:
        return f"bars {(number - 1) * size + 1}-{number * size}"
    return _SHARES[count][number - 1] if count in _SHARES and 1 <= number <= count else ""
