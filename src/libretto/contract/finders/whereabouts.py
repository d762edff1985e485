"""Places that are told by others: *for two bars before the last chorus*, *the second time*, *at the end of each
phrase*, *later on*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from libretto.contract.words import number_of

__all__ = ["Place", "nearing", "parted", "related"]

_BARS = re.compile(
    r"\bfor (?:just |only |about )?(?P<count>\d{1,2}|an?|one|two|three|four|six|eight)[ -](?:full |whole |empty )?"
    r"(?:bars?|measures?)\s(?:right |just )?(?=before\s)"
)
_BEFORE = re.compile(r"\b(?:before|until|till)\s(?:the\s)?\Z")
_TIME = re.compile(
    r"\b(?:on |for )?(?:the )?(?P<which>first|second|next|last|final|third) "
    r"(?:time(?: (?:a?round|through))?|round|pass|return|reprise|statement)\b|"
    r"\b(?:on )?the repeats?\b|\bwhen it (?:repeats|comes back)\b"
)
_TIMES = {"first": "first third", "last": "last time", "final": "last time", "third": "last third"}
_AGAIN = re.compile(r"\b(?:second|next) (?:time|round|pass)\b|\bthe repeats?\b")
_ENDS = re.compile(
    r"\b(?:at |near |by |towards? )?(?:the )?ends? of "
    r"(?:(?:each|every|the|all(?: the)?) |(?=phrases\b))(?:[a-z]+[- ]bar )?"
    r"(?P<what>rounds?|verses?|sections?|strains?|parts?|choruses|phrases?|lines?)\b"
)
_LATER = re.compile(
    r"\b(?:only )?(?:a bit |a little |much )?"
    r"(?<!beat )(?<!beats )(?<!bar )(?<!note )(?<!moment )later(?: on)?\b(?! than)|"
    r"\bafter a while\b|\blate in the piece\b"
)
_STRAIN = re.compile(r"\b(?:in |on |for )?(?:the )?(?P<nth>first|second|third|fourth|last|final) strain\b")
_LETTERS = {"first": "A", "second": "B", "third": "C", "fourth": "D"}
_IN = re.compile(r"\s(?:in|at|from|during|,)?\s?")  # between a section and its bars
_BARS_LATER = re.compile(r"\b(?P<count>\d{1,2}|two|four|eight|sixteen) (?:bars|measures) later\b")
_IN_THE = re.compile(r"\s(?:right )?(?:in|at|around|near) (?:the )?")
_ASIDE = ("interlude", "break", "bridge", "solo", "trio")  # sections that stand in the middle of pieces
_OF_PHRASES = ("phrase", "line")
_ONE = ("a", "an")
_RETURNS = re.compile(r"\s(?:returns?|comes? back|re-?enters?|is (?:heard|played) again|kicks? back in|again)\b")


class Place(NamedTuple):
    """A place that a text names, with the words before it that say how it is meant."""

    text: str
    how: str
    start: int
    end: int

    @property
    def where(self) -> str:
        """The place as ``contract.places`` knows it."""
        return f"{self.how} {self.text}" if self.how else self.text


_NEARS = re.compile(r"\b(?:near|nearing|towards?|close to|shortly before|just before|as we near)\s\Z")
_LATE = "last quarter"


def nearing(low: str, place: Place) -> Place:
    """A place; the last quarter of a piece where it is near the end that something happens."""
    near = place.text == "end" and not place.how and _NEARS.search(low[: place.start])
    return place._replace(text=_LATE) if near else place


_LASTING = re.compile(
    r"\bfor (?:just |only |about |exactly )?(?P<count>\d{1,2}|[a-z]+) (?:bars|measures)\b"
    r"(?! before (?:the |a )?(?:last|final|first|second|chorus|verse|bridge|drop|solo|end|outro|"
    r"build|break|hook|head|bar))"
)
_A_BAR = re.compile(r"bar (\d+)")
_THERE = re.compile(r"\s(?:at|from|in|starting (?:at|in|from)|around)?\s?")  # between some bars and where they begin


def _lasting(low: str, places: Sequence[Place]) -> list[Place]:
    """*At bar 17 the cello plays alone for four bars*: the bars from there on."""
    made = []
    for match in _LASTING.finditer(low):
        count = number_of(match["count"]) or 0
        near = [
            one for one in places if one.end <= match.start() and not re.search(r"[.;!?]", low[one.end : match.start()])
        ]
        near = [one for one in places if _THERE.fullmatch(low, match.end(), max(match.end(), one.start))] or near[-1:]
        bar = _A_BAR.fullmatch(near[0].text) if near and near[0].how in ("", "from") else None
        if bar and count > 1:
            made.append(Place(f"bars {bar[1]}-{int(bar[1]) + count - 1}", "", near[0].start, near[0].end))
    return made


def related(low: str, places: Sequence[Place]) -> list[Place]:
    """The places of a text with those that are told by others in place of what they hold."""
    made = list(places)
    for fresh in (
        *_ends(low),
        *_times(low),
        *_strains(low),
        *_counted(low, places),
        *_told_twice(low, places),
        *_lasting(low, places),
    ):
        made = [place for place in made if place.end <= fresh.start or fresh.end <= place.start]
        made.append(fresh)
    return sorted(made, key=lambda place: place.start)


def _strains(low: str) -> list[Place]:
    return [Place(_LETTERS.get(match["nth"], "last strain"), "", *match.span()) for match in _STRAIN.finditer(low)]


def _told_twice(low: str, places: Sequence[Place]) -> list[Place]:
    """A section whose bars are told besides, ``the breakdown in bars 17 to 24``, or that lies in the middle."""
    return [
        Place(two.text, one.how or two.how, one.start, two.end)
        for one, two in pairwise(places)
        if re.fullmatch(r"bars? \d+(?:-\d+)?", two.text) and _IN.fullmatch(low[one.end : two.start])
    ] + [
        one._replace(end=two.end)
        for one, two in pairwise(places)
        if (two.text, two.how) == ("middle", "") and one.text in _ASIDE and _IN_THE.fullmatch(low[one.end : two.start])
    ]


def _ends(low: str) -> list[Place]:
    return [
        Place("phrase ends" if match["what"].startswith(_OF_PHRASES) else "section ends", "", *match.span())
        for match in _ENDS.finditer(low)
        if not match["what"].startswith(("verse", "chorus", "part")) or "the" not in match[0].split()[-2:-1]
    ]


def _times(low: str) -> list[Place]:
    counted = list(_BARS_LATER.finditer(low))
    made = [Place(f"bar {(number_of(one['count']) or 0) + 1}", "from", *one.span()) for one in counted]
    inside = [match for match in _LATER.finditer(low) if not any(match.end() == one.end() for one in counted)]
    made += [Place("later", "", *match.span()) for match in inside]
    for match in _TIME.finditer(low):
        text = _TIMES.get(match["which"] or "", "second time")
        text = "first half" if match["which"] == "first" and _AGAIN.search(low) else text
        before = _BEFORE.search(low[: match.start()]) or _BEFORE.search(low[: match.start() + len("the ")])
        start = before.start() if before else match.start()
        how = "" if before is None else "before" if before[0].startswith("before") else "until"
        made.append(Place(text, how, start, match.end()))
    return made


def _counted(low: str, places: Sequence[Place]) -> list[Place]:
    """*For two bars before the last chorus*: the bars that lead there."""
    made = []
    for match in _BARS.finditer(low):
        count = 1 if match["count"] in _ONE else number_of(match["count"]) or 0
        near = (place for place in (*_times(low), *places) if place.how == "before")
        goal = next((place for place in near if match.end() <= place.start + 1 and place.start - match.end() < 2), None)
        if count and goal:
            again = "last " * bool(_RETURNS.match(low, goal.end) and " " not in goal.text)
            made.append(Place(f"{count} bars before {again}{goal.text}", "", match.start(), goal.end))
    return made


def parted(blocks: Iterable[tuple[int, int]], place: Place, end: int) -> bool:
    """Whether other words that ask for something stand between the end of some words and a place."""
    return any(end <= first and last <= place.start for first, last in blocks)
