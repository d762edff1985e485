"""What a clause asks of sections: where to start, what to move, repeat, make longer or shorter."""

from __future__ import annotations

import re

from libretto.tasks.revise.clause import Asked, Clause, flat
from libretto.tasks.revise.meanings import bars_said
from libretto.tasks.revise.scope import Place, spans_of_place

__all__ = ["length_meaning", "move_meaning", "repeat_meaning", "sections_in", "start_meaning"]


def sections_in(clause: Clause) -> list[Place]:
    """The places that a clause names and does not leave out."""
    return [place for place in clause.places if place.value not in ("", "there") and not place.excluded]


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
    score, how = clause.score, match[0].lower()
    first = next(
        (place for place in places if place.start <= match.start() < place.end or place.start > match.end() - 1),
        places[-1],
    )
    what = next((place for place in places if place is not first), places[0])
    spans = spans_of_place(first.bare or first.value, score)
    if how.startswith("to the"):
        number = score.numbers[-1] + 1 if how.endswith(("end", "back")) else score.numbers[0]
        told = "at the end" if how.endswith(("end", "back")) else "at the start"
    else:
        late = how in ("after", "behind")
        number = (spans[-1][1] + 1 if late else spans[0][0]) if spans else 0
        told = f"{'after' if late else 'before'} {first.bare or first.value}"
    clause.take((*flat(cues), *clause.take_cues("add", "instrument")))
    words = clause.take_between(match.start(), match.end())
    bare = Place(what.bare or what.value, what.start, what.end)
    missing = "" if number else (first.bare or first.value)
    return [Asked("move", target=str(number), words=(*cues[0].words, *words), places=[bare], everyone=True,
                  value=f"move {bare.value} {told}", missing=missing)]  # fmt: skip


def length_meaning(clause: Clause) -> list[Asked]:
    """A section, or the piece, longer or shorter; nobody's notes are meant."""
    cues = clause.has("lengthen", "shorten")
    if not cues or [who for who in clause.who if who.label not in ("melody",)]:
        return []
    places = sections_in(clause)
    words = " ".join(word.text for word in clause.words[clause.first : clause.stop])
    if "note" in words or "chord" in words:
        return []
    spans = spans_of_place(places[0].bare or places[0].value, clause.score) if places else ()
    length = sum(b - a + 1 for a, b in spans[-1:]) or clause.score.bars
    count, told = bars_said(clause, length)
    longer = cues[0].kind == "lengthen"
    if not count:
        count, told = max(1, length // 2 if places else length // 4), ""
    if not longer:
        count = min(count, length - 1)
    clause.take((*flat(cues), *clause.take_cues("repeat", "remove", "busy", "add", "double", "instrument")))
    kind = cues[0].kind
    place = [Place(p.value if p.how == "until" else p.bare or p.value, p.start, p.end) for p in places[:1]]
    where = place[0].value if place else "the piece"
    value = f"{kind} {where}" + (f" by {told}" if told else "")
    return [Asked(kind, target=str(count), words=cues[0].words, places=place, everyone=True, value=value)]


def repeat_meaning(clause: Clause) -> list[Asked]:
    """What is to be said again."""
    cues, places = clause.has("repeat"), sections_in(clause)
    if not cues or not places or clause.who:
        return []
    clause.take((*flat(cues), *clause.take_cues("add", "move", "variety")))
    place = Place(places[0].bare or places[0].value, places[0].start, places[0].end)
    return [
        Asked("repeat", target="1", words=cues[0].words, places=[place], everyone=True, value=f"repeat {place.value}")
    ]
