"""Sounds: what words before an instrument's name, or the style, say of how it sounds: warm synthesizers, surf
guitars."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from libretto.contract.asks import Ask
from libretto.contract.cast import Cast, Part
from libretto.contract.words import fold, rows_of

__all__ = ["voiced"]

_WORDS = 3  # before a name that may say how it sounds
_BACK = 48  # characters before a name
_STYLE = "style"
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_FOLLOWING = {
    "mute": re.compile(r",? \(?(?:with (?:a |its |the )?(?:[a-z]+ )?mute|muted|through a mute)\b(?! (?:in|at|for)\b)"),
    "pizzicato": re.compile(
        r",? (?:\(?pizzicato\b(?! (?:in|at)\b)|"
        r"(?:should |will |must |only |just )?pluck(?:s|ing)? (?:a|an|the|its|out)\b)"
    ),
}
_PLUCKED = re.compile(  # the others: ``the violin sings over a gentle plucked accompaniment``
    r"\b(?:over|above|with|to) (?:an? |the )?(?:[a-z-]+ ){0,2}(?:plucked|pizzicato|pizz) "
    r"(?:[a-z]+ )?(?:accompaniment|backing|chords|harmon(?:y|ies)|off-?beats)\b"
)
_STOP = re.compile(r"[.;!?]")
_CUT = re.compile(r"[.,;:!?()]|\b(?:and|with|over|for|the|by|plus|of)\b")


@cache
def _table() -> tuple[Mapping[tuple[str, str], int], Mapping[tuple[str, str], int]]:
    """The programs by instrument and word, and by instrument and style."""
    words: dict[tuple[str, str], int] = {}
    styles: dict[tuple[str, str], int] = {}
    for names, said, program in rows_of("sounds.txt"):
        first, *others = (word.strip() for word in said.split(","))
        into, told = (styles, others) if first == _STYLE else (words, [first, *others])
        into.update({(name.strip(), word): int(program) for name in names.split(",") for word in told})
    return words, styles


def voiced(text: str, cast: Cast, style: str, asks: Sequence[Ask]) -> Cast:
    """The cast with the sounds that the text or the style gives its instruments."""
    words, styles = _table()
    low = fold(text)
    plucked = {ask.who for ask in asks if ask.kind == "articulation" and "pizz" in ask.words.lower() and not ask.where}
    plucked |= _accompanying(low, cast)
    parts = []
    for part in cast.parts:
        said = [*_said_of(low, cast, part), *(["pizzicato"] if part.name in plucked else [])]
        told = next((words[part.instrument, word] for word in said if (part.instrument, word) in words), None)
        bare = part.instrument == part.name.lower().partition(" #")[0]
        usual = styles.get((part.instrument, style)) if bare else None
        parts.append(_sounding(part, told if told is not None else usual))
    return replace(cast, parts=tuple(parts))


def _accompanying(low: str, cast: Cast) -> set[str]:
    """Who plucks what somebody plays over: all whom its sentence does not name before it."""
    match = _PLUCKED.search(low)
    if match is None:
        return set()
    begin = max((stop.end() for stop in _STOP.finditer(low, 0, match.start())), default=0)
    named = [one for one in cast.spoken if begin <= one.start < match.start()]
    several = {name for one in named if low[: one.end].endswith("s") for name in one.names}
    return {part.name for part in cast.parts} - several - {one.names[0] for one in named if one.names}


def _said_of(low: str, cast: Cast, part: Part) -> list[str]:
    """The words for sounds before and after the names of a part."""
    mine = [one for one in cast.spoken if part.name in one.names]
    before = [word for one in mine for word in _before(low, one.start)]
    return [*before, *(word for one in mine for word in _after(low, one.end))]


def _after(low: str, end: int) -> list[str]:
    """The words for a sound that follow a name: ``with a harmon mute``, ``should pluck``."""
    return [word for word, pattern in _FOLLOWING.items() if pattern.match(low, end)]


def _sounding(part: Part, program: int | None) -> Part:
    return part if program is None or part.program is None else replace(part, program=program)


def _before(low: str, start: int) -> list[str]:
    """The words right before a name, in its own phrase."""
    phrase = _CUT.split(low[max(0, start - _BACK) : start])[-1]
    return _WORD.findall(phrase)[-_WORDS:]
