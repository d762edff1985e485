"""Lengths that have to be reckoned: so many sections of so many bars, and stretches of bars one after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from libretto.contract.words import number_of

__all__ = [
    "NUMBER",
    "Length",
    "bars_in_turn",
    "each_section",
    "equal_parts",
    "lasting",
    "lettered_parts",
    "reckoned",
    "succession",
]

_DIGIT = "one|two|three|four|five|six|seven|eight|nine"
_TEEN = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
#: A number in figures or words, as a regular expression.
NUMBER = (
    rf"(?:\d{{1,4}}|(?:a |one |two )?dozen|(?:(?:{_TENS})(?:[- ](?:{_DIGIT}))?"
    rf"|(?:a |one |two )?hundred(?:(?: and)? (?:{_TENS}))?(?:[- ](?:two|four|six|eight))?|{_DIGIT}|{_TEEN}))"
)
_PARTS = r"(?:parts|strains|sections|halves|verses|stanzas|strophes|variations|episodes|segments|rounds|passages)"
_COUNT = r"(?P<n>two|three|four|five|six|[2-6])"
_BARS = r"(?:bars?|measures?)"
_TWICE = (
    r"(?P<twice>,? (?:and |with |(?:that|which) (?:are|is) (?:to be )?)?"
    r"(?:each|both|all)(?: of (?:them|which))? (?:is |are |to be |one )?"
    r"(?:played twice|repeat\w*))?"
)
_OF_SO_MANY = re.compile(
    rf"\b{_COUNT} (?:[a-z]+ )?{_PARTS},? (?:(?:of|with|each|all|lasting|being|that are|spanning|of about) ){{1,2}}"
    rf"(?P<bars>{NUMBER})[ -]{_BARS}(?: each| long)?{_TWICE}",
    re.I,
)
_SO_LONG_PARTS = re.compile(
    rf"\b{_COUNT} (?P<bars>{NUMBER})[ -]bar (?:[a-z]+ )?(?:parts|strains|sections|halves|variations){_TWICE}(?=[^a-z]*"
    rf"(?:[.;!?]|\Z|played|\s(?:for|in|with|of|that|where)\b))",
    re.I,
)
_CHORUSES_OF = re.compile(
    rf"(?P<n>{NUMBER})\s(?:[a-z]+\s)?(?:choruses|times through) (?:of|at) (?P<bars>{NUMBER})[ -]bars?\b(?![ -]blues)"
    r"(?P<twice>)",
    re.I,
)
_IN_TURN = re.compile(
    rf"\b(?P<which>first|opening|next|second|following|third|fourth|last|final|closing|another)\s+(?P<bars>{NUMBER})\s+"
    rf"{_BARS}\b",
    re.I,
)
_GO_ON = frozenset({"next", "second", "following"})
_EACH = re.compile(
    rf"\b(?:each|every) (?:[a-z]+ )?(?:section|part|strain)s? (?:(?:should |to |of |be |is |lasts?|lasting|being|has|"
    rf"runs? for|spans?|spanning)\s?){{0,2}}(?P<bars>{NUMBER})[ -]{_BARS}\b|"
    rf"\b(?P<each>{NUMBER})[ -]{_BARS} (?:(?:for |in |to )?(?:each|every)|per) (?:section|part|strain)\b",
    re.I,
)
_OTHERS = re.compile(r"\b(?:chorus|choruses|refrain|bridge|intro|introduction|outro|coda)\b", re.I)  # beside verses
_VERSES = re.compile(r"verses|stanzas|strophes", re.I)
_FIRST_AGAIN = re.compile(
    r"[^.;!?]{0,30}\b(?:the )?first(?: (?:one|part|section|strain|half))? (?:is |being |to be |then )?"
    r"(?:repeated|repeats?|return(?:s|ing)|com(?:es|ing) back|heard again|again)\b",
    re.I,
)
_ROUNDS = re.compile(
    r"[ ,]+(?:and |the whole (?:thing|tune) )?(?:played|repeated|going|taken) "
    r"(?:(?P<n>two|three|four|[2-4]) times|twice)(?: through| around| over)?",
    re.I,
)
_CHARTED = 72  # bars up to which what goes round as a whole goes round as often as was told
_LETTERED = re.compile(
    rf"\b(?P<letter>[A-E])['′]?[ -](?:part|section|strain)\b[^.;!?,(]{{0,30}}?[ (](?:(?:of|for|is|lasts|has) )?"
    rf"(?P<bars>{NUMBER})[ -]{_BARS}\b"
)
_LETTER_AGAIN = re.compile(r"\b(?:repeat|return|reprise)(?:s|ing)?(?: of| to)?(?: the)? (?P<letter>[A-E])\b")
_STRETCH = re.compile(  # so many bars of something, or of somebody
    rf"(?<!every )(?<!each )(?<!after )(?<!before )(?<!first )(?<!last )(?<!final )(?<!next )(?<!second )(?<!another )"
    rf"(?<!following )\b(?P<bars>{NUMBER})[ -]{_BARS}(?= (?:of|alone|where|with|in which|by itself|solo|just)\b)",
    re.I,
)
_THEN = re.compile(  # and so many after it
    r"\b(?:then|after that|afterwards|finally|joins?|followed by|again|another)\b[^.;!?]{0,60}?"
    rf"(?<!every )(?<!each )(?<!after )(?<!before )(?<!first )(?<!last )(?<!bar )\b(?P<bars>{NUMBER})"
    rf"(?:[ -]{_BARS}\b|(?<=for \d)(?=[.,;])|(?<=for \d\d)(?=[.,;]))",
    re.I,
)
_SOME_MORE = re.compile(  # which adds as many as nobody says
    r"\b(?:repeat\w*|bring(?:ing)? (?:back|all|every)|return\w*|come back|together|final (?:chorus|section|part))\b",
    re.I,
)
_ANY = re.compile(
    rf"(?<!every )(?<!each )(?<!after )(?<!before )(?<!until )(?<!about )\b(?P<bars>{NUMBER})[ -]{_BARS}\b", re.I
)
_OF_A_SECTION = re.compile(
    rf"\b{NUMBER}[ -]{_BARS}\s(?:of )?(?:[a-z-]+ )?(?:intro|verse|chorus|bridge|outro|coda|pre-?chorus|drop)", re.I
)
_SEVERAL = 3  # stretches that make a piece, whatever stands between them
_FOR_SO_MANY = re.compile(r"\bfor (?P<bars>\d{2}|[a-z]+(?:-[a-z]+)?) (?:bars|measures)\b", re.I)
_FROM_THERE = re.compile(  # at bar 17, and sixteen more
    rf"\bat bar (?P<at>\d{{1,3}})\b[^!?]{{0,80}}?\banother (?P<bars>{NUMBER}) {_BARS}\b", re.I
)
_NUMBERED = re.compile(
    rf"\b{_BARS} (?P<one>\d{{1,3}})\s?(?:-|–|to|through|until)\s?(?:bar )?(?P<two>\d{{1,3}})\b", re.I
)
_UNTIL = re.compile(r"\b(?:until|till|through|end(?:s|ing)?(?: it)? (?:at|in|on|with)) bar (?P<bar>\d{1,3})\b", re.I)
_MOST_BARS, _MOST_TIMES = 2_000, 64


@dataclass(frozen=True, slots=True)
class Length:
    """How many bars a brief asks for, what had to be assumed for it, where the words stand, and whether they are
    ``rounds`` of which nobody says how many."""

    bars: int
    assumed: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    rounds: bool = False


class _Told(Protocol):
    @property
    def bars(self) -> int: ...


def reckoned(text: str) -> Length | None:
    """The length of so many sections of so many bars; None where nothing is told so.

    >>> reckoned("in three parts, each 8 bars long").bars
    24
    """
    match = next(
        (one for pattern in (_CHORUSES_OF, _OF_SO_MANY, _SO_LONG_PARTS) if (one := pattern.search(text))), None
    )
    if match is None or (_VERSES.search(match[0]) and _OTHERS.search(text)):
        return None
    count, bars = number_of(match["n"]) or 0, number_of(match["bars"]) or 0
    total = _gone_round(text, match.end(), count * bars * (2 if match["twice"] else 1), bars)
    if not 0 < total <= _MOST_BARS or count > _MOST_TIMES:
        return None
    often = ", each of them twice," if match["twice"] else ""
    return Length(total, f"{count} times {bars} bars{often} make {total}.", (match.span(),))


def equal_parts(text: str) -> tuple[int, int] | None:
    """How many parts of how many bars a piece has, those that are played twice counted so; None where none are told.

    >>> equal_parts("three strains of 16 bars each"), equal_parts("a tune of two 8-bar parts, each repeated.")
    ((3, 16), (2, 16))
    """
    match = next((one for pattern in (_OF_SO_MANY, _SO_LONG_PARTS) if (one := pattern.search(text))), None)
    size = (number_of(match["bars"]) or 0) * (2 if match["twice"] else 1) if match else 0
    return (number_of(match["n"]) or 0, size) if match and size else None


def _gone_round(text: str, end: int, total: int, once: int) -> int:
    """So many bars with the first part once more, or all as often as words after them tell."""
    rounds = _ROUNDS.match(text, end)
    total += once if _FIRST_AGAIN.match(text, end) else 0
    times = number_of(rounds["n"] or "two") or 1 if rounds else 1
    return total * next((fewer for fewer in range(times, 0, -1) if total * fewer <= _CHARTED), 1)


def bars_in_turn(text: str) -> Length | None:
    """The length of stretches that follow one another from the first on, or are told by the numbers of their bars; None
    where none are.

    >>> bars_in_turn("first 8 bars alone, next 8 bars with strings, last 8 bars all").bars
    24
    """
    told = list(_IN_TURN.finditer(text))
    which = [match["which"].lower() for match in told]
    if not told or which[0] not in ("first", "opening") or not _GO_ON & set(which[1:2]):
        return _by_numbers(text)
    total = sum(number_of(match["bars"]) or 0 for match in told)
    return Length(total, f"The bars named make {total}.", tuple(match.span() for match in told))


def _by_numbers(text: str) -> Length | None:
    """The length of a piece whose bars are told by their numbers from the first on: up to the last that is named."""
    spans = [(int(match["one"]), int(match["two"])) for match in _NUMBERED.finditer(text)]
    if len(spans) < len("AB") or min(spans)[0] != 1:
        return None
    last = max(max(two for _, two in spans), *(int(match["bar"]) for match in _UNTIL.finditer(text)), 0)
    return Length(last, f"The bars named go to {last}.") if last <= _MOST_BARS else None


def succession(text: str, told: Sequence[_Told] = ()) -> Length | None:
    """The length of stretches that are told one after the other, or of so many bars more; None where none are, or a
    length was ``told`` that is no shorter.

    >>> succession("16 bars of build-up with the lead in front, then 16 bars where the bass talks").bars
    32
    """
    more = _FROM_THERE.search(text)
    if more:
        total = int(more["at"]) - 1 + (number_of(more["bars"]) or 0)
        return Length(total, f"So many bars after bar {more['at']} make {total}.", (more.span(),))
    stretches = _stretches(text)
    if not stretches:
        return None
    open_ended = _SOME_MORE.search(text, stretches[-1].end())
    sizes = [number_of(match["bars"]) or 0 for match in stretches]
    if open_ended and len(stretches) < _SEVERAL:
        return None
    total = sum(sizes) + (sizes[-1] if open_ended else 0)
    spans = tuple(match.span() for match in stretches)
    return Length(total, f"The bars named make {total}.", spans) if all(total > one.bars for one in told) else None


def _stretches(text: str) -> list[re.Match[str]]:
    """Stretches of bars that follow one another: several in a row, or one and what comes then; none where none do."""
    every = list(_ANY.finditer(text))
    sizes = [number_of(match["bars"]) or 0 for match in every]
    whole = sum(sizes) <= 2 * max(sizes, default=0)  # one of them is all the others, and more
    if len(every) >= _SEVERAL and not whole and not _OF_A_SECTION.search(text):
        return every
    first = _STRETCH.search(text)
    later = list(_THEN.finditer(text, first.end())) if first and first.start() == every[0].start() else []
    return [first, *later] if first and later and not _all_told(text, [first, *later]) else []


def _all_told(text: str, stretches: Sequence[re.Match[str]]) -> bool:
    """Whether the last of some lengths is the whole: told by itself at the end of a sentence, and far longer."""
    *others, last = (number_of(match["bars"]) or 0 for match in stretches)
    bare = re.search(r",\s\Z", text[: stretches[-1].start("bars")]) and re.match(
        r"\s*(?:[.;!]|\Z)", text[stretches[-1].end() :]
    )
    return bool(bare) and last > 2 * sum(others)


def lasting(text: str, least: int) -> Length | None:
    """For how many bars something goes on, where these are at ``least`` so many; None where nothing does.

    >>> lasting("a groove that goes on for 32 bars", 24).bars
    32
    """
    found = [(number_of(match["bars"]) or 0, match) for match in _FOR_SO_MANY.finditer(text)]
    return next((Length(bars, "", (match.span(),)) for bars, match in found if least <= bars <= _MOST_BARS), None)


def each_section(text: str) -> int | None:
    """How many bars every section has, where that is told: ``each section eight bars``."""
    match = _EACH.search(text)
    return number_of(match["bars"] or match["each"]) if match else None


def lettered_parts(text: str) -> list[tuple[str, int]]:
    """Parts with letters and how many bars each has, one that is to return once more; none where there are not two.

    >>> lettered_parts("A part (16 bars), B part in E flat (8 bars), and repeat of A")
    [('A', 16), ('B', 8), ('A', 16)]
    """
    told = [(match["letter"], number_of(match["bars"]) or 0) for match in _LETTERED.finditer(text)]
    if len(told) < len("AB"):
        return []
    again = _LETTER_AGAIN.search(text)
    sizes = dict(told)
    return told + ([(again["letter"], sizes[again["letter"]])] if again and again["letter"] in sizes else [])
