"""A piece told stretch by stretch in counted bars: ``eight bars of drums alone, then the bass for sixteen``.

Every stretch begins where the one before it ends, unless words place it: the first so many bars, the last, at bar 17.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from libretto.contract.reckoning import NUMBER
from libretto.contract.sized import sizes_told
from libretto.contract.words import number_of

__all__ = ["Stretch", "length_of", "timeline"]

_BARS = r"(?:bars?|measures?)"
_STOPS = r"(?=\s*(?:[.,;!?]|\Z))"
_NOUN = (
    r"(?:intro|introduction|prelude|solo|break|breakdown|interlude|outro|coda|postlude|ending|melody|tune|theme|opening|"
    r"passage|section|build-?up|cadenza|vamp)"
)
_PATTERNS = {
    "first": rf"\b(?:first|opening|initial) (?P<n>{NUMBER}) {_BARS}\b",
    "last": rf"\b(?:last|final|closing|remaining) (?P<n>{NUMBER})(?: {_BARS}\b|{_STOPS})",
    "next": rf"\b(?:next|following|second|third|fourth|another) (?P<n>{NUMBER})(?: {_BARS}\b|{_STOPS})",
    "for": rf"\bfor (?:about |around |just |only |exactly |some |a full |a further )?(?P<n>{NUMBER})"
    rf"(?:[ -]{_BARS}\b(?! each)|{_STOPS})",
    "over": rf"\b(?:over|across) (?P<n>{NUMBER}) {_BARS}(?=,? (?:and )?(?:then|followed by)\b)",
    "bars of": r"(?<!every )(?<!each )(?<!over )(?<!after )(?<!within )(?<!across )(?<!the )"
    rf"\b(?P<n>{NUMBER})[ -]{_BARS}"
    r"(?= (?:of|alone|where|with|in which|by|solo|just|on|from|before|together)\b)",
    "of so many": rf"\b{_NOUN} (?:of|for|lasting|that lasts) (?P<n>{NUMBER}) {_BARS}\b",
    "so many": rf"(?<!every )(?<!each )\b(?P<n>{NUMBER})[ -]bar (?:[a-z-]+ ){{0,3}}?{_NOUN}\b",
    "takes": r"\b(?:plays?|takes?|has|have|gets?|solos|sings?|leads?|improvises?) (?:an? |its |about )?"
    rf"(?P<n>{NUMBER}) {_BARS}\b",
    "at": r"\b(?:at|in|from|by|on|around) (?:bar|measure) (?P<n>\d{1,3})\b(?!\s?(?:-|–|to|and|through|until)\s?\d)",
}  # fmt: skip
_TOKENS = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS.items())
_WHOLE = re.compile(  # before a number of bars that is the length of a piece
    r"\b(?:write|compose|create|make|produce|want|need|give me|of|in|over|spanning|about|around)\s"
    r"(?:me |us )?(?:an? )?\Z"
)
_OPENS = re.compile(r"\b(?:begin|start|open|kick)|\bintro|\bfirst\b|\balone\b|\bby (?:itself|themselves)\b|\bonly\b")
_GOES_ON = re.compile(
    r"\b(?:then|next|following|follow(?:s|ed)|after (?:that|which|this)|second|another|last|final|joins?|enters?|"
    r"comes? in|bring|takes? over|answers?|returns?|before)\b"
)
_IN_TURN = re.compile(r"\b(?:then|next|following|followed by|after that|second)\b")
_SOLO = re.compile(r"\b(?:solo|improvis)")
_CLOSES = re.compile(
    r"\b(?:end|finish|clos|conclud)(?:s|e|es|ing)?(?: it| the piece)? with (?:an? |the )?(?:[a-z-]+ )?\Z"
)
_SECTIONS = re.compile(
    r"\b(?:verses?|chorus|pre-?chorus|refrain|middle eight|halfway|in the middle)\b|\b(?:the|a|big|first|second) drop\b"
)
_LAST_CHORUS = re.compile(r"\b(?:last|final) chorus\b")
_STOP = re.compile(r"[.;!?](?=\s|\Z)")
_MORE = re.compile(
    r"\b(?:bring(?:ing)? (?:back|all|every)|(?:final|last) (?:chorus|section|part)|everyone|all (?:the )?instruments|"
    r"together|tutti|return\w*|come back)\b"
)
_RETURNS = re.compile(  # of what comes after the last bars that are counted
    r"[^.;!?]{0,60}\b(?:before|until|then|and) (?:the |both )?(?:[a-z]+ ){1,4}"
    r"(?:returns?|comes? back|(?:is|are) back|re-?enters?)\b"
)
_ON = re.compile(r"[^.;!?]{0,80}?[.;,]? (?:and )?(?P<on>then|finally|after that)\b(?! (?:re|back))")
_FEWEST, _SURE = 2, 3  # stretches
_LEAST = 4  # bars of a stretch of which nobody says that they are bars
_MOST = 512


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some bars that a text counts: the first and the last, counted from 1 (from the end of the piece where ``closes``
    says so), how its words count them, and where these stand."""

    first: int
    last: int
    how: str
    start: int
    end: int
    closes: bool = False

    @property
    def bars(self) -> int:
        """How many bars."""
        return self.last - self.first + 1

    @property
    def where(self) -> str:
        """The stretch as a place."""
        if self.closes:
            return f"last {self.bars} bars"
        if self.how == "on":
            return f"from bar {self.first}"
        return f"bar {self.first}" if self.how == "at" else f"bars {self.first}-{self.last}"


@lru_cache(maxsize=16)  # places, asks and the length of a brief all look here
def timeline(low: str) -> tuple[Stretch, ...]:
    """The stretches of a folded text that tells a piece one after the other; none where it does not.

    >>> [one.where for one in timeline("eight bars of piano alone, then the flute for 16 bars, last 4 bars together")]
    ['bars 1-8', 'bars 9-24', 'last 4 bars']
    """
    tokens = _without_total(low, _tokens(low))
    counted = [one for one in tokens if one.how != "at"]
    if len(counted) < _FEWEST and not (counted and len(tokens) >= _SURE):
        return ()
    if any(_SECTIONS.search(_LAST_CHORUS.sub("", _sentence(low, one))) for one in tokens):
        return ()
    opens = _OPENS.search(_sentence(low, tokens[0]))
    goes_on = _GOES_ON.search(low, tokens[0].end, _end_of(low, tokens[-1]))
    at_once = opens or tokens[0].how == "over" or not _SOLO.search(_sentence(low, tokens[0])[: tokens[0].end])
    in_turn = at_once and _IN_TURN.search(low, tokens[0].end, tokens[1].end)
    return _laid_out(low, tokens) if len(counted) >= _SURE or (opens and goes_on) or in_turn else ()


def length_of(low: str, told: int = 0) -> int:
    """How many bars such a piece has, at least as many as were ``told``; 0 where a text does not tell it so.

    >>> length_of("the oboe alone for 8 bars, then strings join for 8 bars")
    16
    """
    told_on = timeline(low)
    stretches = [one for one in told_on if one.how != "at"]
    if not stretches or _goes_on_unsaid(told_on):
        return told
    closing = sum(one.bars for one in stretches if one.closes)
    if closing and len(stretches) < _SURE:
        return told  # the first and the last bars, and nobody says how many there are between them
    total = max((one.last for one in stretches if not one.closes), default=0) + closing
    last = stretches[-1]
    again = _RETURNS.match(low, last.end) or _MORE.search(low, _end_of(low, last))
    more = not closing and last.how != "on" and again
    return max(told, total + (stretches[-1].bars if more else 0))


def _goes_on_unsaid(stretches: Sequence[Stretch]) -> bool:
    """Whether nobody says how long some stretch is, or the last one."""
    return stretches[-1].how == "at" or any(_is_open(one, two) for one, two in pairwise(stretches))


def _is_open(one: Stretch, two: Stretch) -> bool:
    """Whether nobody says how long the first of two stretches is."""
    return one.how == "at" and (two.how != "at" and two.closes)


def _tokens(low: str) -> list[Stretch]:
    """Every number of bars that may be a stretch, in order, none within another."""
    found: list[Stretch] = []
    for how, pattern in () if sizes_told(low) else _TOKENS:
        for match in pattern.finditer(low):
            count = number_of(match["n"]) or 0
            bare = how in ("last", "next", "for") and not re.search(rf"{_BARS}\Z", match[0])
            if not 0 < count <= _MOST or (bare and count < _LEAST):
                continue
            if not any(one.start < match.end() and match.start() < one.end for one in found):
                found.append(Stretch(count if how == "at" else 1, count, how, *match.span()))
    return sorted(found, key=lambda one: one.start)


def _without_total(low: str, tokens: list[Stretch]) -> list[Stretch]:
    """The stretches without one that is the length of the whole piece."""
    if len(tokens) < _FEWEST or tokens[0].how not in ("bars of", "for"):
        return tokens
    first, others = tokens[0], [one.bars for one in tokens[1:] if one.how != "at"]
    whole = first.bars >= sum(others) and _WHOLE.search(low[: first.start + (4 if first.how == "for" else 0)])
    return tokens[1:] if whole else tokens


def _laid_out(low: str, tokens: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """The stretches one after the other."""
    made: list[Stretch] = []
    at = 1
    for token in tokens:
        if token.how == "at":
            at = token.first
            made.append(token)
            continue
        if token.how == "first":
            at = 1
        elif made and _meanwhile(low, made[-1], token):
            at = made[-1].first
        closes = token.how == "last" or bool(_CLOSES.search(low[: token.start]))
        made.append(replace(token, first=at, last=at + token.bars - 1, closes=closes))
        at += 0 if closes else token.bars
    return (*made, *_going_on(low, made[-1], at))


def _going_on(low: str, last: Stretch, at: int) -> tuple[Stretch, ...]:
    """What comes after all bars that are counted, where words go on: ``the bass for 16 bars, then the piano sings``."""
    on = _ON.match(low, last.end) if not last.closes and last.how != "at" else None
    return (Stretch(at, at + last.bars - 1, "on", on.start("on"), on.end()),) if on else ()


def _meanwhile(low: str, one: Stretch, other: Stretch) -> bool:
    """Whether words say that two stretches are the same bars."""
    gap = low[one.end : other.start]
    return bool(re.search(r"\b(?:while|as)\b", gap)) and not _STOP.search(gap)


def _sentence(low: str, token: Stretch) -> str:
    first = max((stop.end() for stop in _STOP.finditer(low, 0, token.start)), default=0)
    return low[first : _end_of(low, token)]


def _end_of(low: str, token: Stretch) -> int:
    stop = _STOP.search(low, token.end)
    return stop.start() if stop else len(low)
