"""How many bars a piece has.

A number of bars counts for the whole piece unless its words speak of a part of it: a four-bar intro, every eight bars,
the last two bars. Where only lengths of sections are given they add up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from libretto.contract.lasting import ONCE, ROUND
from libretto.contract.reckoning import NUMBER, Length, lasting, succession
from libretto.contract.repeats import TIMES, chords_only, how_often
from libretto.contract.words import number_of

__all__ = ["WHOLE", "find_bars"]

#: Bars from which on what goes on for them is the whole piece.
WHOLE = 24

_BARS = re.compile(
    rf"(?<![\w./])(?P<first>{NUMBER})(?:\s?(?:-|–|to|or)\s?(?P<second>{NUMBER}))?[ \-‑–]{{0,2}}(?:bars?|measures?)\b"
    r"(?! (?:per|a) minute| \d)",
    re.I,
)
_FIELD = re.compile(
    r"(?<!\d )(?<!\d-)\b(?:bars|measures|length)\s{0,2}[:=]\s{0,2}(\d{1,4})\b(?!\s?(?:s|min|sec))", re.I
)
_TOTAL_AFTER = re.compile(
    r"\s(?:or (?:so|thereabouts)|in total|in all|total|long|overall|altogether|in length)\b", re.I
)
_CHORUSES = re.compile(rf"(?P<n>{NUMBER})\s(?:[a-z]+\s)?choruses", re.I)
_PART_BEFORE = re.compile(
    r"(?:every|each|first|(?<!should )(?<!must )(?<!will )(?<!can )(?<!to )last|final|"
    r"opening|closing|another|after|then|per|next|in the|for the|previous|in bar|within|"
    r"\b[A-G](?:[#b]|m|7|maj7|m7){0,2} for|groups of|units of|phrases of|"
    r"\b(?:begin|start|open|end|finish|clos|conclud)(?:s|e|es|ning|ing)? with)"
    r"\s+(?:an? |about |around |roughly |some |just |exactly )?\Z|"
    r"\b(?:each|every|both|either) (?:[a-z]+ ){0,2}(?:part|section|half|strain|verse|phrase|theme|chord)s? "
    r"(?:(?:(?:should |to )?lasts?|lasting|of|spanning|being|is|are|runs?|running|has|with) )?(?:for )?\Z|"
    r"\b(?:theme|subject|ground|phrase|motif|loop|riff|figure|pattern|ostinato|cycle|intro|introduction|outro|coda) "
    r"(?:is|of|lasts|spans|being|with) \Z",
    re.I,
)
_PART_AFTER = re.compile(
    r"(?:[ \-](?:(?!that|which|with\b|and\b|plus\b|has\b|in (?:two|three)\b)[a-z\-]+ ){0,2}?)"
    r"(?:parts?\b(?! (?:of|for|in)\b)|phrases?|"
    r"intro(?:duction)?|outro|verses?|chorus(?:es)?|bridge|solos?|loops?|riffs?|sections?|breaks?|"
    r"breakdown|build(?:[- ]?up)?|fills?|motifs?|drop|coda|pre-?chorus|interlude|vamp|tag|turnaround|patterns?|hook|"
    r"ostinato|trade|trades|progression|cycle|groove|refrain|ending|strains?|themes?|periods?|units?|"
    r"segments?|melody|blocks?|lines?|ideas?)\b", re.I
)  # fmt: skip
_OF_THAT = re.compile(  # what is one stretch of a piece
    r"\s(?:of (?:that|this|it|just|solo)\b|(?:just |only )?(?:piano|bass|guitars?|drums?|strings|horns|percussion|"
    r"synths?)\b)",
    re.I,
)
_LONG_AFTER = re.compile(r"[ \-](?:[a-z\-]+ ){0,2}?(?:melody|theme|progression|groove|pattern|tune|piece)\b", re.I)
_SECTION_AFTER = re.compile(
    r"(?:[ \-](?:(?!with\b|and\b|plus\b|has\b|in (?:two|three)\b)[a-z\-]+ ){0,2}?)"
    r"(?:intro(?:duction)?|outro|verses?|chorus(?:es)?|bridge|solo|interlude|breakdown|"
    r"drop|coda|pre-?chorus|trio|variations?|strains?|refrain|build(?:[- ]?up)?|ending|hook)\b", re.I
)  # fmt: skip
_SEVERAL = re.compile(r"\b(two|three|four|[2-4])\s\Z", re.I)  # two 16-bar strains
_STATED = re.compile(  # a theme that others come after
    r"[ \-](?:[a-z\-]+ ){0,2}?(?:theme|melody|tune|statement|subject)\b[^.;!?]{0,40}?\b(?:followed by|then|before)\b",
    re.I,
)
_TWELVE = re.compile(
    r"[ \-](?:[a-z\-]+ ){0,2}?(?:blues|pattern|structure|form|shuffle|sequence|progression|cycle)", re.I
)
_SOME_OF = re.compile(r"\b(?:the|its)\s(?:first|opening|second|third|fourth)\s\Z", re.I)  # before bars of a part of it
_MAKING = re.compile(  # words before a length that what is repeated comes to
    r"(?:for|to (?:fill|make|give|span|last|cover)|making|filling|giving|in|over|across|until|so)\s"
    r"(?:up\s|the\s|a\s|total\s|of\s|full\s|all\s){0,3}\Z",
    re.I,
)
_COMES_ROUND = re.compile(r"\bloop(?:s|ing|ed)?\s(?:[a-z]+\s)?(?:after|every)\s\Z", re.I)  # a piece that is a loop
_TOTAL_BEFORE = re.compile(
    r"(?:over|spanning|spans?|across|lasting|lasts?|total(?:ing)?(?: of)?|length of|long|length:|in|within|"
    r"throughout|about|around|exactly|be)\s*"
    r"(?:an? |about |around |exactly |roughly |approximately |the course of )?\Z",
    re.I,
)
_PASSING = re.compile(  # words before and after bars in which somebody rests, or that lead somewhere
    r"(?:stops?|stopping|drop(?:s|ping)? out|dropped|silent|silence|rest(?:s|ing)?|out|alone|paus(?:es?|ing)|away|"
    r"unaccompanied|by (?:itself|themselves)|on (?:its|their) own) "
    r"for (?:just |only |about |exactly )?\Z",
    re.I,
)
_FOR = re.compile(r"\bfor (?:just |only |about |exactly )?\Z", re.I)
_LEADING = re.compile(
    r"\s(?:right |just )?(?:before|into|leading|later|behind|apart|after|(?:for |to )?each|for every|"
    r"apiece|at a time|per chord)\b|"
    r"\s(?:of|in) (?:silence|rest)\b",
    re.I,
)
_SHORT_PIECE, _LONG_STRETCH, _MOST_BARS = 8, 16, 2_000  # bars: fewer with a hyphen are a part of a piece
_CHORUS = 12  # bars of a chorus where nothing but "twelve-bar" is said; anything that long can be a whole piece
_ROUNDS = 2  # choruses of a piece that is called a twelve-bar blues
_AS_FORM = re.compile(  # a whole piece that is laid out so: ``structured as a 12-bar blues``
    r"\b(?:structured|arranged|organi[sz]ed|laid out)\s(?:as|in|into|over|on)\s(?:an?|the)\s(?:[a-z-]+\s){0,3}\Z",
    re.I,
)
_THEN_FOR = re.compile(r"\b(?:then|after (?:this|that|which|it))\b[^.;!?]{0,80}\bfor (?:about |around )?\Z", re.I)
_OPENS = re.compile(r"\b(?:begin|start|open)(?:s|ning|ing)?\b(?! (?:at|in) \d)|\bintro(?:duction)?\b", re.I)
_CLOSING = re.compile(
    rf"\b(?:end|finish|clos|conclud)(?:s|e|es|ing)? with (?:an? )?(?:[a-z]+,? ){{0,2}}(?P<bars>{NUMBER})[ -]bars?\b",
    re.I,
)
_MIDDLE = re.compile(  # a section between two others: ``with a brighter 8-bar section in the middle``
    rf"\b(?P<bars>{NUMBER})[ -]bars?\b,? (?:[a-z-]+ ){{0,2}}?(?:(?:section|part|passage|episode|strain|interlude)\b"
    r"[^.;!?]{0,50}?\b(?:in the (?:middle|centre|center)|halfway|in between)\b|(?:middle|central|contrasting) "
    r"(?:section|part|passage|episode|strain)\b)",
    re.I,
)
_NEAR = 40  # characters before and after a number of bars that say what it counts


class _Counts(IntEnum):
    """What a number of bars counts; the first four count a whole piece, the surest first."""

    TOTAL = 0  # the words around it say so
    PIECE = 1  # nothing says otherwise
    CHORUSES = 2  # twelve bars, as often as there are choruses
    THEME = 3  # a melody or groove so long that it is the piece
    SECTION = 4
    LOOP = 5  # a phrase, a riff, every so many bars


_WHOLE = (_Counts.TOTAL, _Counts.PIECE, _Counts.CHORUSES, _Counts.THEME)


class _Bars(NamedTuple):
    counts: _Counts
    bars: int
    assumed: str
    span: tuple[int, int] = (0, 0)


def find_bars(text: str, told_sections: Sequence[int] = (), whole_text: str = "") -> Length | None:
    """The number of bars of the whole piece, or None where nothing says it; ``told_sections`` are lengths of sections
    that were read elsewhere, ``whole_text`` is the text with what was.

    >>> find_bars("a four-bar intro, thirty-two bars in all").bars, find_bars("every 4 bars")
    (32, None)
    """
    everything = whole_text or text
    outright = _outright(text)
    if outright is not None:
        return outright
    told = [match for match in _BARS.finditer(text) if not _SOME_OF.search(text[: match.start()])]
    numbers = [number for match in told if (number := _bars(text, match, everything))]
    whole = _of_kinds(numbers, *_WHOLE)
    several = _several_times(text, _of_kinds(numbers, _Counts.LOOP), whole)
    if several := several or succession(everything, whole):
        return several
    if whole:
        return _length(everything, whole)
    sections = _of_kinds(numbers, _Counts.SECTION)
    total = sum(section.bars for section in sections) + sum(told_sections)
    if not sections or len(sections) + len(told_sections) < 2:
        return lasting(text, WHOLE)
    return Length(total, f"The sections named add up to {total} bars.", tuple(section.span for section in sections))


def _length(text: str, whole: Sequence[_Bars]) -> Length:
    """The length of a piece by the surest of some numbers of bars, with a middle section that has no room in it."""
    told = min(whole, key=lambda number: (number.counts, -number.bars * (whole[0].bars < _CHORUS)))
    rounds = told.counts is _Counts.CHORUSES and told.bars in (_CHORUS, _ROUNDS * _CHORUS) and bool(told.assumed)
    return _between(text, told.bars) or Length(told.bars, told.assumed, (told.span,), rounds=rounds)


def _between(text: str, told: int) -> Length | None:
    """The length of a piece with a middle section that is so long that it has no room within the bars that were told;
    None where it has, or there is none."""
    middle = _MIDDLE.search(text)
    bars = number_of(middle["bars"]) or 0 if middle else 0
    listed = middle and text.startswith(" bars,", middle.end("bars"))  # 32 bars, middle section in E
    if not middle or listed or not told <= 2 * bars <= 2 * told:
        return None
    total = told + bars
    return Length(total, f"With the {bars} bars in the middle, {told} bars make {total}.", (middle.span("bars"),))


def _outright(text: str) -> Length | None:
    """A length that is told as such: in a field, or as that of a loop."""
    field = _FIELD.search(text)
    if field and 0 < int(field[1]) <= _MOST_BARS:
        return Length(int(field[1]), "", (field.span(),))
    rounds = [match for match in _BARS.finditer(text) if _COMES_ROUND.search(text[: match.start()])]
    loop = number_of(rounds[0]["first"]) or 0 if rounds else 0
    return Length(loop, "", (rounds[0].span(),)) if loop >= _SHORT_PIECE else None


def _several_times(text: str, loops: list[_Bars], whole: list[_Bars]) -> Length | None:
    """The length of what is played several times; None where nothing is, or the number already counts all of it."""
    times = how_often(text)
    if not times or bool(loops) == bool(whole) or (whole and _comes_to(text, whole[0])):
        return None
    first = (loops or whole)[0]
    again = TIMES.search(text)
    if not loops and again and chords_only(text, first.span, again):
        return None
    once = _CHORUS if first.counts is _Counts.CHORUSES and not _CHORUSES.search(text) else first.bars
    spans = (first.span, *([again.span()] if again else []))
    return Length(once * times, f"{once} bars played {times} times make {once * times}.", spans)


def _of_kinds(numbers: list[_Bars], *kinds: _Counts) -> list[_Bars]:
    return [number for number in numbers if number.counts in kinds]


def _bars(text: str, match: re.Match[str], whole_text: str) -> _Bars | None:
    """How many bars a match names and what they count; None where it is no number of bars."""
    first = number_of(match["first"])
    if not first or first > _MOST_BARS:
        return None
    second = (number_of(match["second"]) or 0) if match["second"] else 0
    bars = max(first, second)
    assumed = f"Between {min(first, second)} and {bars} bars: the longer is taken." if second else ""
    counts = _counted(text, match, bars, whole_text)
    if counts is _Counts.PIECE and _of_somebody(whole_text, match, bars):
        counts = _Counts.LOOP
    if counts is _Counts.SECTION:
        several = _SEVERAL.search(text[: match.start()])
        return _Bars(counts, bars * (number_of(several[1] if several else "1") or 1), assumed, match.span())
    if counts is _Counts.CHORUSES:
        return _in_choruses(text, match, bars)
    more = _beside_it(whole_text, match) if counts in (_Counts.PIECE, _Counts.TOTAL) and bars >= _LONG_STRETCH else 0
    assumed = f"With what comes before and after, {bars} bars make {bars + more}." if more else assumed
    return _Bars(counts, bars + more, assumed, match.span())


def _of_somebody(whole_text: str, match: re.Match[str], bars: int) -> bool:
    """Whether bars are those of somebody who rests or plays alone, of whom it was read elsewhere."""
    told = whole_text[max(0, match.start() - _NEAR) : match.start()]
    return bool(_PASSING.search(told) or (bars < _SHORT_PIECE and _FOR.search(told)))


def _in_choruses(text: str, match: re.Match[str], bars: int) -> _Bars:
    """Twelve bars as often as there are choruses."""
    choruses = _CHORUSES.search(text)
    if choruses:
        return _Bars(_Counts.CHORUSES, bars * (number_of(choruses["n"]) or 1), "", match.span())
    times = 1 if _AS_FORM.search(text[max(0, match.start() - _NEAR) : match.start()]) else _ROUNDS
    return _Bars(_Counts.CHORUSES, bars * times, ROUND if times > 1 else ONCE, match.span())


def _beside_it(text: str, match: re.Match[str]) -> int:
    """Bars of what comes before and after a stretch that goes on for so many: ``opens freely, then grooves for 24``."""
    before = text[: match.start()]
    if not (_THEN_FOR.search(before) and _OPENS.search(before)):
        return 0
    closing = _CLOSING.search(text, match.end())
    return _SHORT_PIECE + (number_of(closing["bars"]) or 0 if closing else 0)


def _counted(text: str, match: re.Match[str], bars: int, whole_text: str) -> _Counts:
    """What a number of bars counts, by the words before and after it, of a few by all that is said."""
    before, after = text[max(0, match.start() - _NEAR) : match.start()], text[match.end() : match.end() + _NEAR]
    if bars <= _SHORT_PIECE:
        before, after = whole_text[max(0, match.start() - _NEAR) : match.start()], whole_text[match.end() :][:_NEAR]
    in_all, of_a_part = _TOTAL_BEFORE.search(before), _PART_BEFORE.search(before)
    if not in_all and _is_section(bars, after, of_a_part=bool(of_a_part)):
        return _Counts.SECTION
    if bars == _CHORUS and _TWELVE.match(after):
        return _Counts.CHORUSES
    if bars >= _CHORUS and _LONG_AFTER.match(after) and not of_a_part:
        return _Counts.THEME
    if of_a_part or _PART_AFTER.match(after) or _passing(match, bars, before, after):
        return _Counts.LOOP
    return _Counts.TOTAL if in_all or _TOTAL_AFTER.match(after) else _Counts.PIECE


def _is_section(bars: int, after: str, *, of_a_part: bool) -> bool:
    """Whether bars are those of a section, or of a theme that others come after."""
    stated = not of_a_part and bars < _CHORUS and _STATED.match(after)
    return bool(_SECTION_AFTER.match(after) or stated)


def _passing(match: re.Match[str], bars: int, before: str, after: str) -> bool:
    """Whether bars are only some of a piece: in which somebody rests, that lead somewhere, or a two-bar anything."""
    short = bars < _SHORT_PIECE and "-" in match[0] and not _LONG_AFTER.match(after)
    on = _FOR.search(before) and re.match(r"[^.;!?]{0,30} then\b", after)  # for eight bars without a beat, then
    return short or bool(on or _PASSING.search(before) or _LEADING.match(after) or _OF_THAT.match(after))


def _comes_to(text: str, whole: _Bars) -> bool:
    """Whether a length is what something comes to that is repeated: ``played twice for 16 bars``."""
    start, end = whole.span
    times = TIMES.search(text)
    before = text[max(0, start - _NEAR) : start]
    again = times is not None and bool(times["form"]) and times.start() >= end  # 16 bars long, and repeat it
    told = whole.counts is _Counts.TOTAL and bool(_TOTAL_AFTER.match(text, end)) and not again
    return told or (times is not None and times.end() <= start and bool(_MAKING.search(before)))
