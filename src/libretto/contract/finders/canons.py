"""Canons and rounds with their distance, and entries so many bars apart: ``a canon at the octave two bars later``, ``a
round in three voices``, ``each player enters four bars after the last``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.following import BEHIND, behind_told, interval_told

__all__ = ["canons"]

_CANON = re.compile(r"\b(?:canons?|canonic(?:al)?)\b(?! progression)")
_ROUND = re.compile(
    r"\b(?:as|like|in|an?|the) (?:[a-z-]+ ){0,2}?round(?=(?: [a-z]+){0,2} (?:in|for|of|with|by) (?:[a-z]+ )?"
    r"(?:two|three|four|five|six|\d)(?: [a-z]+)?[ -](?:voices|parts|singers|players|instruments|[a-z]+s)\b|"
    r"[,;.]? (?:[a-z ]{0,24})?(?:entries|entering|each (?:voice|part|singer)))(?! of (?:applause|solos|drinks))|"
    r"\b(?:two|three|four|2|3|4)[ -](?:part|voice) round\b|\b(?:sung|played|sing|play)s? (?:as|in) (?:an? )?rounds?\b"
)
_SAME = re.compile(r"\bwith (?:exactly )?the same (?:tune|melody|theme|line|subject|music)\b")
_ENTRIES = re.compile(
    r"\b(?:entries|entrances)\b|"
    r"\b(?:each|every)(?: (?:new|next|other|named))?(?: (?:player|instrument|voice|part|one|singer))?,? "
    r"(?:then |should )?(?:enter|com|join|start|begin)(?:s|es|e|ing|ning)?(?: in)?\b|"
    r"\b(?:players|instruments|voices|parts|they|others)(?: all| then)? (?:enter|come in|join|are added)\b"
)
_EACH = re.compile(
    r"\b(?:each|every|entries|entrances|entering|apart|intervals|one before|last|previous|voices|parts)\b"
)
_AT_AN = re.compile(r"\bat (?:the|an?) [a-z]+(?: [a-z]+)?(?: (?:below|above|higher|lower))?")
_LINES = ("lead", "counter", "bass")
_NEAR, _LONGEST = 90, 200  # characters


@finders.register("canons")
def canons(scene: Scene) -> Iterator[Finding]:
    """A canon with how far behind it is followed, or players who come in so many bars apart."""
    told = _CANON.search(scene.low) or _ROUND.search(scene.low)
    behind = _behind(scene, told)
    same = _near(scene.low, behind, _SAME) if behind else None
    if told or same:
        yield from _followed(scene, [one for one in (told, same, behind) if one])
    elif behind and (entries := _near(scene.low, behind, _ENTRIES)):
        yield from _comings(scene, behind, entries)


def _followed(scene: Scene, marks: list[re.Match[str]]) -> Iterator[Finding]:
    """A canon by the words that tell of it, where they tell more than that it is one, and who follows in it."""
    first = marks[0]
    interval = _AT_AN.search(scene.low, first.start())
    known = interval is not None and interval_told(interval[0]) is not None
    if not known and len(marks) == 1 and not _ROUND.match(scene.low, first.start()):
        return
    start, end = min(one.start() for one in marks), max(one.end() for one in marks)
    end = max(end, interval.end()) if interval and known else end
    words = scene.text[start:end][:_LONGEST]
    yield scene.finding("texture", "canon", start, end, Ask("texture", "canon", "", "", words))
    bars = behind_told(words)
    for name, bar in _followers(scene, bars, scene.low[start : end + _NEAR]) if bars else ():
        ask = Ask("enter", "", name, f"from bar {bar}", words)
        yield scene.finding("enter", ask_value("enter", "", name, ask.where), start, end, ask)


def _behind(scene: Scene, told: re.Match[str] | None) -> re.Match[str] | None:
    """The words that tell how many bars apart entries are: near those for a canon, or for entries."""
    for match in BEHIND.finditer(scene.low):
        near = told and abs(match.start() - told.start()) <= 2 * _NEAR
        if near or _near(scene.low, match, _ENTRIES) or _near(scene.low, match, _SAME):
            return match
    return None


def _near(low: str, match: re.Match[str], pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Words of a pattern in the sentence of others, near them."""
    first = max(low.rfind(mark, 0, match.start()) for mark in ".;!?") + 1
    stop = re.compile(r"[.;!?]").search(low, match.end())
    end = min(stop.start() if stop else len(low), match.end() + _NEAR)
    return pattern.search(low, max(first, match.start() - _NEAR), end)


def _order(scene: Scene, names: Sequence[str]) -> list[str]:
    """Players in the order in which they are named; who is said to begin comes first."""
    begins = re.search(r"\b(?:start|begin|open|lead)(?:s|ing|ning)?\b", scene.low)
    first = [one.name for one in scene.players if begins and one.name in names and 0 <= begins.start() - one.end <= 1]
    return sorted(names, key=lambda name: name not in first[:1])


def _followers(scene: Scene, bars: int, words: str) -> list[tuple[str, int]]:
    """Who follows in a canon, each with its bar: all with lines where each is spoken of, else the second of them."""
    lines = [name for name, role in scene.roles.items() if role in _LINES]
    lines = lines if len(lines) > 1 else [name for name, role in scene.roles.items() if role not in BEATEN]
    ordered = _order(scene, lines)
    most = len(ordered) if _EACH.search(words.lower()) else 2
    return [(name, 1 + bars * place) for place, name in enumerate(ordered[:most]) if place]


def _comings(scene: Scene, behind: re.Match[str], entries: re.Match[str]) -> Iterator[Finding]:
    """Players who come in one after the other, so many bars apart."""
    bars = behind_told(behind[0])
    ordered = _order(scene, list(scene.roles))
    start, end = min(behind.start(), entries.start()), max(behind.end(), entries.end())
    words = scene.text[start:end][:_LONGEST]
    if not bars or behind[0].lower().startswith("after") or len(ordered) < 2:
        return
    for place, name in enumerate(ordered):
        where = f"bar {1 + bars * place}"
        if place:
            ask = Ask("enter", "", name, where, words)
            yield scene.finding("enter", ask_value("enter", "", name, where), start, end, ask)
