"""Rolls, crashes and fills: ``a timpani roll into the last section``, ``a cymbal crash at bar 16``, ``a drum fill``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.words import number_of

__all__ = ["rolls"]

_DRUM = (
    r"(?:timpani|kettle ?drums?|snare(?: drums?)?|side drums?|drums?|cymbals?|tom(?:[- ]toms?)?s?|taikos?|timbales?|"
    r"bass drum)"
)
_PLATE = r"(?:cymbals?|gong|tam[- ]tam)"
_BLOW = r"(?:crash(?:es)?|clash(?:es)?|strokes?)"
_OF = r"(?:on|of|in|from|by) (?:the |a )?"
_STRUCK = tuple(
    (what, re.compile(pattern))
    for what, pattern in (
        (
            "roll",
            rf"\b(?P<drum>{_DRUM}) rolls?(?:ing|s)?\b|"
            rf"\b(?:rolls? {_OF}|(?:rolling|rumbling) (?=timp|kettle|snare|side))(?P<on>{_DRUM})",
        ),
        ("crash", rf"\b(?P<drum>{_PLATE}) (?:{_BLOW}|strikes?|hits?)\b|\b{_BLOW} {_OF}(?P<on>{_PLATE})"),
        ("fill", rf"\b(?P<drum>{_DRUM}|kit|percussion) fills?\b|\bfills? {_OF}(?P<on>{_DRUM}|kit)"),
    )
)
_EACH_SECTION = re.compile(
    r"[^.;!?,]{0,24}?\b(?:in)?to (?:each|every|all)(?: the)? (?:new |next |big )?"
    r"(?:sections?|parts?|chorus(?:es)?|verses?|drops?|refrains?)\b"
)
_LAST_CHORD = re.compile(r"\b(?:last|final|closing) (?:chord|note|bar|hit)\b")
_EVERY = re.compile(r"[^.;!?,]{0,24}?\bevery (?P<count>\d+|[a-z]+) bars\b")
_INTO = re.compile(r"\b(?:in)?to (?:the |a |its )?(?:[a-z]+ )?\Z")
_BARS = re.compile(r"bars (?P<first>\d+)-(?P<last>\d+)")
_LONGEST = 200
_PHRASE = 4  # bars


@finders.register("rolls")
def rolls(scene: Scene) -> Iterator[Finding]:
    """What percussion is asked to roll, to crash or to fill, and where."""
    for what, pattern in _STRUCK:
        for match in pattern.finditer(scene.low):
            where = _where(scene, match)
            who = _who(scene, match)
            if where is None or who is None or (what == "fill" and not where):
                continue
            end = max(match.end(), where[1])
            ask = Ask("drums", what, who, where[0], scene.text[match.start() : end].strip()[:_LONGEST])
            yield scene.finding("drums", ask_value("drums", what, who, where[0]), match.start(), end, ask)


def _who(scene: Scene, match: re.Match[str]) -> str | None:
    """Who has the drum that is named, else who drums; None where nobody does."""
    start, end = match.span("drum" if match["drum"] else "on")
    named = [one for one in scene.players if one.start < end and start < one.end and one.name and not one.weak]
    word = re.sub(r"s\Z", "", (match["drum"] or match["on"]).split()[0])
    own = [name for name, role in scene.roles.items() if role in BEATEN and word in name.lower()]
    kit = [name for name, role in scene.roles.items() if role in BEATEN]
    return next(
        iter([*(one.name for one in named), *own, *sorted(kit, key=lambda one: scene.roles[one] != "drums")]), None
    )


def _is_long(where: str) -> bool:
    """Whether a place is so long that somebody rolls in it now and then only."""
    bars = _BARS.fullmatch(where)
    return bars is not None and int(bars["last"]) - int(bars["first"]) >= _PHRASE


def _where(scene: Scene, match: re.Match[str]) -> tuple[str, int] | None:
    """Where it is struck, and where the words for that end; at the ends of phrases where nothing says it."""
    every = _EACH_SECTION.match(scene.low, match.end())
    if every:
        return "section ends", every.end()
    often = _EVERY.match(scene.low, match.end())
    if often:
        return ("phrase ends" if (number_of(often["count"]) or 0) <= _PHRASE else "section ends"), often.end()
    clause = scene.clause(match.start())
    place = scene.where(match.start(), match.end())
    if place is not None and place.start >= match.end() and _INTO.search(scene.low[match.end() : place.start]):
        return f"1 bars before {place.text}", place.end
    if place is None and _LAST_CHORD.search(scene.low, clause.start, max(clause.end, match.end())):
        return "last 1 bars", match.end()
    if place is None:
        return "section ends", match.end()
    if place.how == "before":
        return f"1 bars before {place.text}", place.end
    where = "last 1 bars" if place.where == "end" else "section ends" if _is_long(place.text) else place.where
    return (where, place.end) if place.how in ("", "until") else None
