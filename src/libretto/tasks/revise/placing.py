"""Places that are said by counting or by their neighbours: choruses two and three, the four bars before that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from libretto.contract.places import SECTION_KINDS, find_places, section_kind
from libretto.contract.stretches import bars_of_place, sections_of_score
from libretto.contract.words import number_of
from libretto.score import Score

__all__ = ["Said", "said_places"]


class Said(NamedTuple):
    """A place as a text, and where the words stand that say it."""

    value: str
    start: int
    end: int


_NAMES = "|".join(
    re.escape(name) for name in sorted((n for names in SECTION_KINDS.values() for n in names), key=len, reverse=True)
)
_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}
_LAST = ("last", "final", "closing")
_ORDINAL = "|".join((*_NTH, *_LAST))
_NUMBER = r"(?:\d{1,2}|one|two|three|four|five|six)"
_COUNT = r"(?:\d{1,3}|a|one|two|three|four|five|six|seven|eight|twelve|sixteen|couple(?:\s+of)?)"
_AND = r"\s*(?:,|and|&|,\s*and|plus|or)\s*(?:the\s+)?"
_HERE = r"(?:it|that|then|this|there)"
_SOON = r"(?:straight|right|directly|immediately|just)"
_LISTED = re.compile(rf"\b(?P<name>{_NAMES})s?\s+(?P<numbers>{_NUMBER}(?:{_AND}(?:number\s+)?{_NUMBER}\b)+)", re.I)
_SHARED = re.compile(rf"\b(?P<nths>(?:{_ORDINAL})(?:{_AND}(?:{_ORDINAL}))+)\s+(?P<name>{_NAMES})s?\b", re.I)
_TIME = re.compile(
    rf"\b(?:the\s+)?(?P<nth>{_ORDINAL})\s+time\b(?!\s+i\b)(?:\s*,?\s*(?:that\s+|when\s+)?(?:we\s+(?:hear|get|reach)\s+)?"
    rf"(?:the\s+)?(?P<name>{_NAMES})\b)?(?:\s+(?:it\s+)?(?:comes|is|plays|goes|arrives|appears|returns)\b)?"
    r"(?:\s+(?:round|back|again|around|along|up)\b)?", re.I
)  # fmt: skip
_BARS_BY = re.compile(
    rf"\b(?:the\s+)?(?:last\s+|first\s+)?(?P<count>{_COUNT})\s+(?:bars?|measures?)\s+(?:{_SOON}\s+|leading\s+up\s+)?"
    rf"(?P<side>before|after|to)\b(?:\s+(?P<here>{_HERE})\b|\s+(?:the\s+)?(?=(?P<named>\w)))?", re.I
)  # fmt: skip
_BARS_OF = re.compile(
    rf"\b(?:the\s+)?(?:very\s+)?(?P<edge>first|last|final|opening|closing)\s+(?:(?P<count>{_COUNT})\s+)?(?:bars?|measures?)\s+"
    rf"(?:of|in)\s+(?:the\s+|each\s+|every\s+|both\s+|all\s+)*(?=(?P<named>\w))", re.I
)  # fmt: skip
_HALF_OF = re.compile(
    r"\b(?:the\s+)?(?P<edge>first|second|last|latter)\s+half\s+of\s+(?:the\s+|each\s+|every\s+)?(?=(?P<named>\w))", re.I
)
_ONE_BAR = re.compile(r"\b(?:the\s+)?(?:very\s+)?(?P<edge>first|last|final|opening|closing)\s+(?:bar|measure)\b", re.I)
_NEXT = re.compile(
    rf"\b(?:(?:the\s+)?(?P<one>{_NAMES})\s+(?:{_SOON}\s+(?:after(?:wards?)?|behind)(?:\s+{_HERE})?\b(?!\s+(?:the|a|verse|bar|that))|"
    rf"(?:after|behind)\s+{_HERE}\b|that\s+follows|following\s+{_HERE}|afterwards?)|"
    rf"(?:the\s+)?(?:following|next)\s+(?P<two>{_NAMES})\b)", re.I
)  # fmt: skip
_TO_END = re.compile(r"\bto\s+(?:finish|end|close|wrap\s+up)(?:\s+(?:on|with|it|things|off))?\b(?!\s+of)", re.I)


def said_places(text: str, score: Score) -> list[Said]:
    """The places that a text says by counting or by their neighbours; none overlap, the earlier kinds go first."""
    found: list[Said] = []
    for finder in _FINDERS:
        for said in finder(text, score):
            if not any(other.start < said.end and said.start < other.end for other in found):
                found.append(said)
    return sorted(found, key=lambda said: said.start)


def _listed(text: str, score: Score) -> Iterator[Said]:
    for match in _LISTED.finditer(text):
        kind = section_kind(match["name"])
        numbers = [number_of(word) for word in re.findall(_NUMBER, match["numbers"], re.I)]
        yield Said(" + ".join(f"{kind} {number}" for number in numbers), match.start(), match.end())


def _shared(text: str, score: Score) -> Iterator[Said]:
    for match in _SHARED.finditer(text):
        kind = section_kind(match["name"])
        yield Said(" + ".join(_counted(nth, kind) for nth in re.findall(_ORDINAL, match["nths"], re.I)), *match.span())


def _counted(nth: str, kind: str) -> str:
    return f"last {kind}" if nth.lower() in _LAST else f"{kind} {_NTH[nth.lower()]}"


def _times(text: str, score: Score) -> Iterator[Said]:
    """The second time the chorus comes round; the third time."""
    for match in _TIME.finditer(text):
        kind = section_kind(match["name"]) if match["name"] else _kind_before(text[: match.start()])
        if kind:
            yield Said(_counted(match["nth"], kind), *match.span())


def _kind_before(text: str) -> str:
    """The kind of section that was named last."""
    named = [section_kind(match[1]) for match in re.finditer(rf"\b({_NAMES})s?\b", text, re.I)]
    return named[-1] if named else ""


def _spans_before(text: str, score: Score) -> tuple[tuple[int, int], ...]:
    """The bars of the place that was named last."""
    named = [spans for place in find_places(text) if (spans := bars_of_place(place.value, score))]
    return named[-1] if named else ()


def _by(text: str, score: Score) -> Iterator[Said]:
    """So many bars before or after a place, or before what was named last."""
    for match in _BARS_BY.finditer(text):
        side = match["side"].lower()
        if side == "to" and not re.search("leading", match[0], re.I):
            continue
        spans, end = _anchor(text, match, score)
        count = _how_many(match["count"])
        if spans and count:
            first, last = spans[0][0], spans[-1][1]
            low, high = (last + 1, last + count) if side == "after" else (first - count, first - 1)
            yield from _within(low, high, score, match.start(), end)


def _anchor(text: str, match: re.Match[str], score: Score) -> tuple[tuple[tuple[int, int], ...], int]:
    """The bars that a match counts from, and where its words end: the place right after it, else the last one named."""
    after = find_places(text[match.end() :]) if match["named"] else []
    if after and after[0].start == 0:
        return bars_of_place(after[0].value, score), match.end() + after[0].end
    return _spans_before(text[: match.start()], score), match.end()


def _of(text: str, score: Score) -> Iterator[Said]:
    """The last two bars of a section, the second half of one."""
    for pattern in (_BARS_OF, _HALF_OF):
        for match in pattern.finditer(text):
            spans, end = _anchor(text, match, score)
            if not spans or end == match.end():
                continue
            early = match["edge"].lower() in ("first", "opening")
            count = 0 if pattern is _HALF_OF else _how_many(match["count"] or "one")
            edges = [_edge(first, last, early, count or max(1, (last - first + 1) // 2)) for first, last in spans]
            yield Said(" + ".join(f"bars {low}-{high}" for low, high in edges), match.start(), end)


def _edge(first: int, last: int, early: bool, count: int) -> tuple[int, int]:
    """So many of the first or the last bars of a stretch, and no more than it has."""
    return (first, min(last, first + count - 1)) if early else (max(first, last - count + 1), last)


def _within(low: int, high: int, score: Score, start: int, end: int) -> Iterator[Said]:
    if score.numbers[0] <= low <= high <= score.numbers[-1]:
        yield Said(f"bars {low}-{high}" if low < high else f"bar {low}", start, end)


def _how_many(words: str) -> int:
    plain = words.lower().split()[0]
    return {"a": 1, "couple": 2}.get(plain) or number_of(plain) or 0


def _one_bar(text: str, score: Score) -> Iterator[Said]:
    for match in _ONE_BAR.finditer(text):
        early = match["edge"].lower() in ("first", "opening")
        yield Said(f"bar {score.numbers[0 if early else -1]}", *match.span())


def _next(text: str, score: Score) -> Iterator[Said]:
    """The chorus right after what was named last."""
    for match in _NEXT.finditer(text):
        kind = section_kind(match["one"] or match["two"])
        before = _spans_before(text[: match.start()], score)
        rows = [(first, last) for name, first, last in sections_of_score(score) if name == kind]
        after = [row for row in rows if before and row[0] > before[0][0]]
        if after:
            yield Said(f"{kind} {rows.index(after[0]) + 1}", *match.span())


def _closing(text: str, score: Score) -> Iterator[Said]:
    for match in _TO_END.finditer(text):
        yield Said("end", *match.span())


_FINDERS: tuple[Callable[[str, Score], Iterator[Said]], ...] = (
    _listed, _shared, _times, _of, _by, _one_bar, _next, _closing,
)  # fmt: skip
