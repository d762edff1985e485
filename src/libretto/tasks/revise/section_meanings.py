"""What a clause asks of sections: where to start, what to move, repeat, make longer or shorter."""

from __future__ import annotations

import re

from libretto.contract.stretches import sections_of_score
from libretto.score import Score
from libretto.tasks.revise.clause import Asked, Clause, flat
from libretto.tasks.revise.meanings import bars_said
from libretto.tasks.revise.scope import Place
from libretto.tasks.revise.spots import spans_of_place

__all__ = [
    "exchange_meaning",
    "length_meaning",
    "move_meaning",
    "plain_section",
    "repeat_meaning",
    "sections_in",
    "start_meaning",
]

_NOTES = re.compile(r"note|chord", re.I)  # of these, not of bars, somebody wants longer or shorter ones


def sections_in(clause: Clause) -> list[Place]:
    """The places that a clause names and does not leave out."""
    return [place for place in clause.places if place.value not in ("", "there") and not place.excluded]


def _whole_section(value: str, score: Score) -> str:
    """The section that a beginning or an ending is, where the piece has one; else the place itself."""
    named = {"start": "intro", "end": "outro"}.get(value, "")
    return named if named and spans_of_place(named, score) and _has(named, score) else value


def _has(kind: str, score: Score) -> bool:
    return any(name == kind for name, _, _ in sections_of_score(score))


def plain_section(place: Place, score: Score) -> Place:
    """A place as the section that it is, without the little words before it."""
    return Place(_whole_section(place.bare or place.value, score), place.start, place.end)


def exchange_meaning(clause: Clause) -> list[Asked]:
    """Two sections that change places: nobody else is named, and no side of one of them."""
    cues = clause.has("exchange")
    places = [place for place in sections_in(clause) if place.how not in ("after", "until", "from")]
    if not cues or clause.who or len(places) != 2:
        return []
    one, two = (plain_section(place, clause.score) for place in places)
    spans = [spans_of_place(place.value, clause.score) for place in (one, two)]
    missing = next((place.value for place, there in zip((one, two), spans, strict=True) if not there), "")
    clause.take((*flat(cues), *clause.take_cues("move", "instrument")))
    target = "-".join(map(str, spans[1][-1])) if spans[1] else ""
    value = f"swap {one.value} and {two.value}"
    return [
        Asked("exchange", target=target, words=flat(cues), places=[one], everyone=True, value=value, missing=missing)
    ]


def start_meaning(clause: Clause) -> list[Asked]:
    """What the piece is to begin with."""
    cues, places = clause.has("start"), sections_in(clause)
    if not cues or not places or clause.who:
        return []
    clause.take(cues[0].words)
    clause.take_cues("syncopation", "straight")
    place = Place(places[0].bare or places[0].value, places[0].start, places[0].end)
    return [Asked("start", words=cues[0].words, places=[place], everyone=True, value=f"start with {place.value}")]


def move_meaning(clause: Clause) -> list[Asked]:
    """Which section is to stand elsewhere."""
    cues, places = clause.has("move"), sections_in(clause)
    if not cues or clause.who or not places:
        return []
    side = re.compile(r"\b(before|after|in front of|behind|to the (?:end|start|beginning|front|back)|between)\b", re.I)
    match = clause.search(side)
    if match is None or (len(places) < 2 and not match[0].lower().startswith("to the")):
        return []
    target = next((place for place in places if place.end > match.start()), places[-1])
    what = next((place for place in places if place is not target), places[0])
    number, told = _target_bar(clause, match[0].lower(), target.bare or target.value)
    clause.take((*flat(cues), *clause.take_cues("add", "instrument")))
    words = (*cues[0].words, *clause.take_between(match.start(), match.end()))
    bare = Place(what.bare or what.value, what.start, what.end)
    missing = "" if number else (target.bare or target.value)
    value = f"move {bare.value} {told}"
    return [Asked("move", target=str(number), words=words, places=[bare], everyone=True, value=value, missing=missing)]


def _target_bar(clause: Clause, how: str, place: str) -> tuple[int, str]:
    """The number of the bar before which something is put, none where there is no such place; and that in words."""
    numbers = clause.score.numbers
    if how.startswith("to the"):
        late = how.endswith(("end", "back"))
        return (numbers[-1] + 1, "at the end") if late else (numbers[0], "at the start")
    spans, late = spans_of_place(place, clause.score), how in ("after", "behind")
    number = 0 if not spans else spans[-1][1] + 1 if late else spans[0][0]
    return number, f"{'after' if late else 'before'} {place}"


def length_meaning(clause: Clause) -> list[Asked]:
    """A section, or the piece, longer or shorter; nobody's notes are meant."""
    cues = clause.has("lengthen", "shorten")
    if not cues or _NOTES.search(clause.said) or any(who.label != "melody" for who in clause.who):
        return []
    kind, places = cues[0].kind, sections_in(clause)[:1]
    spans = spans_of_place(places[0].bare or places[0].value, clause.score) if places else ()
    length = spans[-1][1] - spans[-1][0] + 1 if spans else clause.score.bars
    count, told = bars_said(clause, length)
    count = count or max(1, length // (2 if places else 4))
    count = min(count, length - 1) if kind == "shorten" else count
    clause.take((*flat(cues), *clause.take_cues("repeat", "remove", "busy", "add", "double", "instrument")))
    place = [_plain_place(place, clause) for place in places]
    value = f"{kind} {place[0].value if place else 'the piece'}" + (f" by {told}" if told else "")
    return [Asked(kind, target=str(count), words=cues[0].words, places=place, everyone=True, value=value)]


def _plain_place(place: Place, clause: Clause) -> Place:
    """The section itself that a place is in; what comes before one stays that."""
    return place if place.how == "until" else plain_section(place, clause.score)


def repeat_meaning(clause: Clause) -> list[Asked]:
    """What is to be said again."""
    cues, places = clause.has("repeat"), sections_in(clause)
    if not cues or not places or clause.who:
        return []
    clause.take((*flat(cues), *clause.take_cues("add", "move", "variety")))
    place = plain_section(places[0], clause.score)
    return [
        Asked("repeat", target="1", words=cues[0].words, places=[place], everyone=True, value=f"repeat {place.value}")
    ]
