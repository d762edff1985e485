"""Who is kept for a place, and who has the last word: ``save the horns for the last chorus``, ``finish quietly on the
piano``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.places import SECTION_KINDS

__all__ = ["kept", "last_words"]

_KEEP = re.compile(r"\b(?:sav|keep|reserv|hold|withhold)(?:e|es|s|ing)?(?: back)? (?:the |all the |that )?\Z")
_UNTIL = re.compile(
    r"(?: back| out(?: of it)?| silent| quiet| waiting| in reserve)*(?: just)? (?:for|until|till) (?:the )?"
)
_IS_KEPT = re.compile(
    r" (?:is |are |should be |must be )?(?:saved|kept|reserved|held|withheld)"
    r"(?: back| out| silent| in reserve)* (?:for|until|till) (?:the )?"
)
_ENDS_ON = re.compile(
    r"\b(?:end|finish|clos|conclud)(?:s|es|e|ing)?(?: (?:it|the (?:piece|song|tune|track)))?"
    r"(?:,? (?:very |and )?(?:[a-z]+ly|soft|back))*,? on (?:the |an? |that )?(?:lone |solo |single |quiet |soft )?\Z"
)
_WORD = re.compile(
    r"\b(?:last|final) (?:words?|say|notes?|bars?|phrase|line) (?:goes|go|belongs?|is left|is given|falls?) to "
    r"(?:the |an? )?\Z"
)
_HAS_WORD = re.compile(
    r"(?: [a-z-]+){0,8}? (?:ha(?:s|ve|ving)|gets?|getting|tak(?:es?|ing)) the (?:last|final) (?:word|say)\b"
)
_STOPS = re.compile(r"(?: alone| only| by itself)?\s*(?:[.;!?]|\Z|, (?:as|like|with) )")
_BACK = 60  # characters before a name
_LONGEST = 200


@finders.register("kept")
def kept(scene: Scene) -> Iterator[Finding]:
    """Players who are kept for a place: silent before it, or outside of sections of that kind."""
    for player in scene.players:
        place = _kept_for(scene, player) if player.name and not player.weak else None
        if place is None:
            continue
        kind, where = ("silent", f"outside {place.text}") if _sections(place) else ("enter", place.text)
        for one in scene.list_back([player]):
            for name in (one.name, *one.others):
                ask = Ask(kind, "", name, where, scene.text[place.start : place.end][:_LONGEST])
                yield scene.finding(kind, ask_value(kind, "", name, where), player.start, place.end, ask)


def _kept_for(scene: Scene, player: Player) -> Place | None:
    """The place for which somebody is kept; None for who is not."""
    first = scene.list_back([player])[0]
    keeps = _KEEP.search(scene.low[max(0, first.start - _BACK) : first.start])
    until = (_UNTIL if keeps else _IS_KEPT).match(scene.low, player.end)
    goals = [one for one in scene.places if until and player.end <= one.start <= until.end() and until.end() <= one.end]
    return goals[0] if goals and goals[0].text not in ("start", "") else None


def _sections(place: Place) -> bool:
    """Whether all sections of a kind are meant."""
    return place.how != "until" and place.text in SECTION_KINDS


@finders.register("last words")
def last_words(scene: Scene) -> Iterator[Finding]:
    """Who alone plays at the end, as the piece ends on that player or leaves it the last word."""
    for player in scene.players:
        if not player.name or player.weak:
            continue
        before = scene.low[max(0, player.start - _BACK) : player.start]
        ends = _ENDS_ON.search(before) and _STOPS.match(scene.low, player.end)
        word = _WORD.search(before) or _has_word(scene, player)
        if ends or word:
            where = "end" if ends else "last 2 bars"
            ask = Ask("only", "", player.name, where, scene.text[player.start : player.end][:_LONGEST])
            yield scene.finding("only", ask_value("only", "", player.name, where), player.start, player.end, ask)


def _has_word(scene: Scene, player: Player) -> bool:
    """Whether somebody is said to have the last word, and nobody else is named before it."""
    has = _HAS_WORD.match(scene.low, player.end)
    return bool(has) and not any(player.end <= one.start < has.end() for one in scene.players if has and not one.weak)
