"""A piece that is told bar by bar, or section by section: ``bars 1-8 organ alone; bars 9-16 the sopranos; hats from bar
17``. Who is named in such a stretch plays there, and who was not heard of before it comes in there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.places import SECTION_KINDS, section_kind

__all__ = ["numbered"]

_BARS = re.compile(r"bars (?P<first>\d+)-\d+|bar (?P<one>\d+)")
_NUMBERS = re.compile(r"\b(?:(?:bars?|measures?) )?\d{1,3}\b(?! (?:bars|measures))")
_STOP = re.compile(r"[.!?;](?=\s|\Z)")
_CHUNK = re.compile(r"[.!?;:,(](?=\s|\Z)|\bthen\b|\(")
_HEAD = re.compile(  # what may stand before a place that heads what is told of it
    r"[\s(]*(?:(?:and|then|finally|but|next|lastly|in|for|during|over|at|on|from|the|an?|its|"
    r"(?:\d{1,2}|[a-z]+)[ -]bars?)\s)*\Z"
)
_LENGTH = r"\s*(?:\(?(?:of )?\d{1,3}(?: bars?| measures?)?\)?)?"
_AFTER_HEAD = re.compile(rf"{_LENGTH}\s*(?:[:,]|\b(?:is|are|has|features?|belongs? to|goes to)\b)?\s*")
_ALONE_BEFORE = re.compile(
    r"\b(?:(?:just|only|nothing but)\s(?:with\s)?|(?:unaccompanied|lone|solitary|solo)\s)(?:the\s|an?\s|one\s|some\s)?"
    r"(?:(?!and\b|with\b)[a-z-]+,?\s){0,2}\Z"
)
_STRUCK = re.compile(r"\s(?:rolls?|crash(?:es)?|fills?|hits?|strokes?)\b")  # what is struck there, and not who comes in
_ALONE_NAME = re.compile(r"(?:solo|lone|unaccompanied)\s")  # as a part of a name
_ALONE_AFTER = re.compile(
    r"(?:\s(?:is|are|plays?|sings?|holds?|chords?|notes?|pulse|beat))?,?\s"
    r"(?:all\s|completely\s|quite\s|now\s|again\s)?"
    r"(?:alone|only|by (?:itself|themselves|himself|herself)|unaccompanied|"
    r"a cappella|on (?:its|their|his|her) own)\b"
    r"(?!,? (?:on|in) (?:the |beats? )?(?:down|off|one|two|first|strong|weak))"
)
_SUNG_ALONE = re.compile(r"\b(?:unaccompanied|a cappella)\b")
_EVERYBODY = re.compile(
    r"\b(?:everyone|everybody|everything|tutti|all (?:together|join|play|in|of them|two|three|four|five|six|voices|"
    r"parts|instruments|players|back|return)|(?:full|whole|entire) (?:band|ensemble|orchestra|choir|group|texture|"
    r"forces?|quartet|quintet|trio|sextet))\b"
)
_WITHOUT = re.compile(r"\b(?:without|no|not|minus|except|but|like|as if|as)\s(?:the\s|any\s|an?\s)?(?:[a-z]+\s)?\Z")
_ONLY_NAMES = re.compile(
    r"(?:[\s,+&():]|\b(?:and|with|plus|the|an?|solo|lone|full|soft|softly|only|just|alone|in|of|by|together|both|again|now|"
    r"still|quiet|gentle|low|high|muted|held|long|sustained|melody|tune|theme|chords|line|over|above|then|section)\b)*"
)
_FEWEST, _SECTIONS = 2, 3  # places of bars, and of sections, by which a piece is told
_NO_HEADS = ("theme", "head", "riff", "drop", "vamp", "tag", "solo")
_LONGEST = 200


class _Told(NamedTuple):
    """A place with the words that tell of it."""

    place: Place
    start: int
    end: int


@finders.register("numbered")
def numbered(scene: Scene) -> Iterator[Finding]:
    """Who plays alone, and who comes in, in each of the places by which a piece is told."""
    rows = _rows(scene)
    lists = bool(rows) and all(row.start >= row.place.end and _is_list(scene, row) for row in rows)
    known: set[str] = set()
    begun = False
    for row, after in zip(rows, [*rows[1:], None], strict=False):
        players = _players(scene, row)
        names = _names(players)
        listed = lists and not _EVERYBODY.search(scene.low, row.start, row.end)
        alone = _alone(scene, row, players) or (names if listed else [])
        asks = [Ask("only", "", " + ".join(alone), _lasting(row, after))] if alone else []
        if begun and not alone and not _first(row.place):
            asks = [Ask("enter", "", name, _begins(row.place)) for name in _fresh(scene, row, names, known)]
        yield from _findings(scene, row, players, asks)
        begun = begun or _begins_there(row.place, alone, names)
        known |= {*names, *(ask.who for ask in asks)}


def _lasting(row: _Told, after: _Told | None) -> str:
    """For how long somebody is alone from one bar on: until the next place that is told."""
    bars = _BARS.fullmatch(row.place.text)
    if bars is None or not bars["one"] or row.place.how == "until":
        return row.place.where
    follows = _BARS.fullmatch(after.place.text) if after is not None else None
    last = int(follows["first"] or follows["one"]) - 1 if follows else 0
    return f"bars {bars['one']}-{last}" if last > int(bars["one"]) else f"from bar {bars['one']}"


def _begins_there(place: Place, alone: list[str], names: list[str]) -> bool:
    """Whether others come in who are named after a place: where somebody is alone, or bars say who plays in them."""
    return bool(alone or (names and _BARS.fullmatch(place.text)))


def _fresh(scene: Scene, row: _Told, names: list[str], known: set[str]) -> list[str]:
    """Who is heard of for the first time in a place; all others where everybody plays."""
    everybody = [*scene.roles] if _EVERYBODY.search(scene.low, row.start, row.end) else []
    return [name for name in dict.fromkeys([*names, *everybody]) if name not in known]


def _findings(scene: Scene, row: _Told, players: list[Player], asks: list[Ask]) -> Iterator[Finding]:
    """What is heard in the words of a place."""
    words = scene.text[row.start : row.end].strip(" ,.;:")[:_LONGEST]
    told = _span(scene, row, players) if asks or players else (row.place.start, row.place.end)
    yield scene.finding("bars", row.place.where, *told)
    for ask in asks:
        value = ask_value(ask.kind, "", ask.who, ask.where)
        yield scene.finding(ask.kind, value, *told, replace(ask, words=words))


def _names(players: list[Player]) -> list[str]:
    """The names of some players, each once."""
    return list(dict.fromkeys(name for one in players for name in (one.name, *one.others)))


def _span(scene: Scene, row: _Told, players: list[Player]) -> tuple[int, int]:
    """From a place to the last of its players, with the words for who is alone, or for everybody, right after them."""
    first = min([row.place.start, *(one.start for one in players)])
    last = max([row.place.end, *(one.end for one in players)])
    after = _ALONE_AFTER.match(scene.low, last, max(last, row.end))
    everybody = _EVERYBODY.search(scene.low, row.start, row.end)
    return first, max(after.end() if after else last, everybody.end() if everybody else last)


def _rows(scene: Scene) -> list[_Told]:
    """The places by which a piece is told, with their words; none where it is not told so."""
    headed, trailing = _places(scene)
    rows: list[_Told] = []
    for place in sorted([*headed, *trailing], key=lambda one: one.start):
        first = max(_chunk(scene.low, place.start), rows[-1].place.end if rows else 0)
        if place in headed:
            rows.append(_Told(place, place.end, _end(scene.low, place, headed, trailing)))
        else:
            rows.append(_Told(place, first, place.start))
    return rows


def _places(scene: Scene) -> tuple[list[Place], list[Place]]:
    """The places by which a piece is told: those that stand before their words, and those after them."""
    bars = [place for place in scene.places if _is_bars(scene, place)]
    heads = [place for place in scene.places if _heads(scene, place, bars)]
    if len(_sure(bars, heads)) >= _FEWEST:
        return heads, [place for place in bars if place not in heads]
    sections = [place for place in heads if place not in bars]
    return sections if len(sections) >= _SECTIONS else [], []


def _sure(bars: list[Place], heads: list[Place]) -> list[Place]:
    """The bars that surely tell a piece: those that head their words, *from* one on, or three and more ranges."""
    ranges = [place for place in bars if place.text.startswith("bars ")]
    return ranges if len(ranges) >= _SECTIONS else [one for one in bars if one in heads or one.how == "from"]


def _heads(scene: Scene, place: Place, bars: list[Place]) -> bool:
    """Whether a place, one of some bars or a section, stands before the words that tell of it."""
    told = place in bars or _is_section(place)
    return told and bool(_HEAD.fullmatch(scene.low, _chunk(scene.low, place.start), place.start))


def _is_bars(scene: Scene, place: Place) -> bool:
    """Whether a place is told by the numbers of its bars."""
    told = _NUMBERS.search(scene.low, place.start, place.end)
    return bool(told and _BARS.fullmatch(place.text)) and place.how in ("", "from", "until")


def _is_section(place: Place) -> bool:
    kind = section_kind(place.text)
    named = kind in SECTION_KINDS and kind not in _NO_HEADS
    return place.how == "" and named


def _chunk(low: str, at: int) -> int:
    """Where the words begin, after the last mark, in which a place stands."""
    return max((mark.end() for mark in _CHUNK.finditer(low, 0, at)), default=0)


def _end(low: str, place: Place, headed: list[Place], trailing: list[Place]) -> int:
    """Where the words end that a place heads: at the next place, or with the sentence."""
    stop = _STOP.search(low, place.end)
    after = [stop.start() if stop else len(low)]
    after += [other.start for other in headed if other.start > place.start]
    after += [max(place.end, _chunk(low, other.start)) for other in trailing if other.start > place.start]
    return min(after)


def _first(place: Place) -> bool:
    """Whether a place is where the piece begins."""
    bars = _BARS.fullmatch(place.text)
    if place.how == "until":
        return True
    return int(bars["first"] or bars["one"]) == 1 if bars else place.text in ("intro", "verse 1", "chorus 1", "start")


def _begins(place: Place) -> str:
    """From where on somebody plays who comes in in a place."""
    bars = _BARS.fullmatch(place.text)
    return f"bar {bars['first'] or bars['one']}" if bars else place.text


def _players(scene: Scene, row: _Told) -> list[Player]:
    """Who plays in the words of a place."""
    named = [one for one in scene.players if row.start <= one.start < row.end and one.name and not one.weak]
    named = [one for one in named if not _STRUCK.match(scene.low, one.end)]
    return [one for one in named if not _WITHOUT.search(scene.low, row.start, one.start)]


def _alone(scene: Scene, row: _Told, players: list[Player]) -> list[str] | None:
    """Who plays alone in a place; None where nobody is said to."""
    for one in players:
        first = max(row.start, scene.clause(one.start).start)
        named = _ALONE_NAME.match(scene.low, one.start, one.end)
        before = _ALONE_BEFORE.search(scene.low, first, named.end() if named else one.start)
        if not before and not _ALONE_AFTER.match(scene.low, one.end, row.end):
            continue
        beside = [other for other in players if scene.clause(other.start) == scene.clause(one.start)]
        if before and before[0].startswith("solo") and len(beside) > 1:
            continue
        return _names(beside)
    sung = _SUNG_ALONE.search(scene.low, row.start, row.end)
    singers = [one for one in players if sung and one.end <= sung.start()]
    return _names(singers[-1:]) or None


def _is_list(scene: Scene, row: _Told) -> bool:
    """Whether the words of a place only say who plays."""
    words = scene.low[row.start : row.end]
    named = [one for one in scene.players if row.start <= one.start < row.end]
    for one in reversed(named):
        words = words[: one.start - row.start] + words[max(0, one.end - row.start) :]
    return bool(named or _EVERYBODY.search(words)) and bool(_ONLY_NAMES.fullmatch(_EVERYBODY.sub("", words)))
