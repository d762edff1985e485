"""What a request for a drill says beside its concept: for whom, in which key and meter, how many bars, how hard.

"Arpeggios in C# for trumpet beginners" asks for arpeggios. What the concept itself has among its words stays with it
(a twelve-bar blues, a meter that is practised).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from libretto.contract.instruments import instrument_named
from libretto.errors import LibrettoError
from libretto.score import Meter
from libretto.tasks.drill.finding import MATTER, concept_words, is_concept_name, ranked_concepts, words_of

__all__ = ["Framed", "framed"]


@dataclass(frozen=True)
class Framed:
    """A request without its frame, and the frame; empty where nothing was said."""

    words: str
    key: str = ""
    meter: str = ""
    bars: int | None = None
    level: int | None = None
    clef: str = ""
    tempo: float | None = None
    instrument: str = ""

    def under(self, given: Framed) -> Framed:
        """The same, but for what was given beside the words: that goes before them."""
        said = {name: value for name, value in asdict(given).items() if name != "words" and value not in ("", None)}
        return replace(self, **said)


_PLAYER = re.compile(
    r"\b(?:for|on|with)\s+(?:(?:the|a|an|my|our|solo)\s+)*(?P<name>[\w'’-]+(?:\s+[\w'’-]+){0,2})", re.I
)
_AFTER_PLAYER = re.compile(
    r"\s*(?:$|[,.;:()]|(?:in|at|with|for|and|of|level|grade|beginners?|beginning|intermediate|advanced|easy|hard|"
    r"players?|students?|pupils?|learners?|class(?:es)?|lessons?|exercises?|drills?|stud(?:y|ies)|\d+)\b)",
    re.I,
)
_KEY = re.compile(
    r"\bin\s+(?:the\s+)?(?:key\s+of\s+)?(?P<letter>[A-Gb-g])(?P<sign>#|b|♯|♭|[\s-]sharp|[\s-]flat)?"
    r"(?![\w#♯♭]|[\s-](?:sharp|flat))"
)
_MODE = re.compile(r" (?:major|minor)\b")
_METER = re.compile(r"\b(?:in\s+(?:a\s+)?)?(?P<value>\d{1,2}/\d{1,2})(?:[\s-](?:time|meter|metre))?\b", re.I)
_BARS = re.compile(r"\b(?:of\s+|over\s+|in\s+)?(?P<value>\d{1,2})[\s-](?:bars?|measures?)\b", re.I)
_CLEF = re.compile(r"\b(?:in\s+)?(?:the\s+)?(?P<value>treble|bass|alto|tenor)\s+clef\b", re.I)
_TEMPO = re.compile(r"\b(?:at\s+|tempo\s+)?(?P<value>\d{2,3})\s*bpm\b", re.I)
_LEVELS: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.I), level)
    for words, level in (
        (r"level\s+one|grades?\s+[12]|(?:an?\s+)?(?:absolute\s+)?beginners?|easy|for\s+beginning", 1),
        (r"level\s+two|grades?\s+[345]|intermediates?", 2),
        (r"level\s+three|grades?\s+[678]|advanced|hard|difficult|virtuoso", 3),
    )
)
_NUMBERED = re.compile(r"\blevel\s+(?P<value>\d{1,2})\b", re.I)
_SIGNS = {"♯": "#", "♭": "b", "sharp": "#", "flat": "b"}
_NOTHING = "zzz"  # a word that no concept has: beside it, words that only frame a request are none
_LONGEST = 400  # characters of a request that are read


def framed(words: str) -> Framed:
    """A request taken apart; the name of a concept is all concept.

    >>> framed("arpeggios in Eb for trumpet beginners, 12 bars")
    Framed(words='arpeggios', key='Eb', meter='', bars=12, level=1, clef='', tempo=None, instrument='trumpet')
    >>> framed("twelve-bar blues").words, framed("6/8 time").words
    ('twelve-bar blues', '6/8 time')
    """
    if len(words) > _LONGEST or is_concept_name(words):
        return Framed(words)
    read = _with_player(Framed(words))
    for take in (_key, _meter, _bars, _clef, _tempo, _level):
        read = take(read)
    return replace(read, words=" ".join(read.words.split()).strip(" ,.;:"))


def _cut(read: Framed, match: re.Match[str]) -> str | None:
    """The words without some of them; None where the concept that is meant has them, or nothing would be left."""
    rest = f"{read.words[: match.start()]} {read.words[match.end() :]}"
    taken = words_of(match[0]).keys()
    said = words_of(f"{rest} {_NOTHING}").keys() - {_NOTHING} - MATTER
    if not said or not ranked_concepts(rest):
        return None
    ranked = ranked_concepts(read.words)
    own = concept_words()[ranked[0][1]] if ranked else frozenset()
    return None if taken & own and said & own else rest


def _with_player(read: Framed) -> Framed:
    """The instrument that is named after "for" or "on": the longest name that ends where the naming does."""
    for match in _PLAYER.finditer(read.words):
        parts = match["name"].split()
        for count in range(len(parts), 0, -1):
            name = " ".join(parts[:count])
            end = match.start("name") + re.match(r"\s+".join(map(re.escape, parts[:count])), match["name"]).end()  # type: ignore[union-attr]
            player = instrument_named(name)
            if player is not None and not player.percussion and _AFTER_PLAYER.match(read.words, end):
                rest = f"{read.words[: match.start()]} {read.words[end:]}"
                return replace(read, words=rest, instrument=player.name) if words_of(rest) else read
    return read


def _key(read: Framed) -> Framed:
    match = _KEY.search(read.words)
    if match is None:
        return read
    sign = (match["sign"] or "").strip(" -")
    rest = f"{read.words[: match.start()]} {read.words[match.end() :]}"
    mode = _MODE.match(read.words, match.end())  # stays among the words: arpeggios in A minor are minor ones
    return replace(read, words=rest, key=match["letter"].upper() + _SIGNS.get(sign, sign) + (mode[0] if mode else ""))


def _meter(read: Framed) -> Framed:
    match = _METER.search(read.words)
    rest = _cut(read, match) if match else None
    if match is None or rest is None:
        return read
    try:
        Meter.parse(match["value"])
    except LibrettoError:
        return read
    return replace(read, words=rest, meter=match["value"])


def _value(read: Framed, pattern: re.Pattern[str], change: Callable[[str], dict[str, object]]) -> Framed:
    match = pattern.search(read.words)
    rest = _cut(read, match) if match else None
    return read if match is None or rest is None else replace(read, words=rest, **change(match["value"]))  # type: ignore[arg-type]


def _bars(read: Framed) -> Framed:
    return _value(read, _BARS, lambda value: {"bars": int(value)})


def _clef(read: Framed) -> Framed:
    return _value(read, _CLEF, lambda value: {"clef": value.lower()})


def _tempo(read: Framed) -> Framed:
    return _value(read, _TEMPO, lambda value: {"tempo": float(value)})


def _level(read: Framed) -> Framed:
    numbered = _value(read, _NUMBERED, lambda value: {"level": int(value)})
    if numbered.level is not None:
        return numbered
    for pattern, level in _LEVELS:
        match = pattern.search(read.words)
        rest = _cut(read, match) if match else None
        if rest is not None:
            return replace(read, words=rest, level=level)
    return read
