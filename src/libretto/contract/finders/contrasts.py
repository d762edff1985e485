"""A section that is set apart: ``a short contrasting section, quiet and mysterious with harp and celesta``; and who is
added for one: ``add harp and celesta in the bridge``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders
from libretto.contract.places import SECTION_KINDS, section_kind

__all__ = ["added_there", "contrasts"]

_CONTRAST = "contrast"
_STOP = re.compile(r"[.;!?]|\b(?:before|until|and then|then|after which|and finally)\b")
_TOUCH = (
    ("soft", re.compile(r"\b(?:quiet|calm|soft|hushed|gentle|mysterious|delicate|dreamy|peaceful|tender|intimate)\b")),
    ("loud", re.compile(r"\b(?:loud|thunderous|fierce|explosive|stormy|furious|powerful|violent|epic)\b")),
)
_WITH = re.compile(r"\b(?:with|featuring|for|on|led by|played by|of)\s(?:the\s|an?\s)?(?:[a-z-]+\s){0,2}\Z")
_ADD = re.compile(
    r"\b(?:add|adding|bring in|feature|include|introduce|use)\s(?:the\s|an?\s|some\s)?(?:[a-z-]+\s){0,2}\Z"
)
_AND = re.compile(r"(?:,|,? and| &)\s(?:the\s|an?\s|some\s)?(?:[a-z-]+\s)?")
_IN = re.compile(r"(?:\s[a-z]+)?\s(?:in|for|during|only in)\s(?:the\s|each\s|every\s|that\s)?(?:[a-z]+\s)?")
_LATER = ("second half", "last third", "last quarter")
_LONGEST = 200


@finders.register("contrasts")
def contrasts(scene: Scene) -> Iterator[Finding]:
    """How a section that is set apart is played, and by whom where these are named first there."""
    for place in [one for one in scene.places if one.text == _CONTRAST][:1]:
        stop = _STOP.search(scene.low, place.end)
        last = stop.start() if stop else len(scene.low)
        for what, words in _TOUCH:
            told = words.search(scene.low, place.start, last)
            if told:
                yield _finding(scene, Ask("dynamics", what, "", place.text), place.start, told.end())
                break
        guests = [one for one in scene.players if place.end <= one.start < last and _carries(scene, one)]
        if guests and _WITH.search(scene.low, place.end, guests[0].start):
            names = " + ".join(dict.fromkeys(one.name for one in guests))
            yield _finding(scene, Ask("only", "", names, place.text), place.start, guests[-1].end)


@finders.register("added there")
def added_there(scene: Scene) -> Iterator[Finding]:
    """Who is added for some sections only, or from a counted one on, and is named first there."""
    for place in scene.places:
        guests = _guests(scene, place)
        if guests and place.text in _LATER and not place.how:
            for one in guests:
                yield _finding(scene, Ask("enter", "", one.name, place.text), one.start, place.end)
            continue
        if not guests or place.how or section_kind(re.sub(r"^last | \d$", "", place.text)) not in SECTION_KINDS:
            continue
        stays = re.search(r" \d$", place.text)  # who is added in the second verse goes on
        kind, where = ("enter", place.text) if stays else ("silent", f"outside {place.text}")
        for one in guests:
            yield _finding(scene, Ask(kind, "", one.name, where), one.start, place.end)


def _guests(scene: Scene, place: Place) -> list[Player]:
    """Those who are added right before a place, where all of them are named first there."""
    group: list[Player] = []
    for one in reversed([one for one in scene.players if one.end < place.start and one.name and not one.weak]):
        gap = scene.low[one.end : group[0].start if group else place.start]
        if not (_AND if group else _IN).fullmatch(gap) or not _first(scene, one):
            break
        group.insert(0, one)
    return group if group and _ADD.search(scene.low, 0, group[0].start) else []


def _carries(scene: Scene, player: Player) -> bool:
    """Whether somebody with tones is named first, and can carry a section."""
    return not player.weak and _first(scene, player) and scene.roles.get(player.name) not in BEATEN


def _first(scene: Scene, player: Player) -> bool:
    """Whether somebody was not named before, and others were."""
    before = {name for one in scene.players if one.start < player.start for name in (one.name, *one.others)}
    return bool(before - {""}) and bool(player.name) and player.name not in before


def _finding(scene: Scene, ask: Ask, start: int, end: int) -> Finding:
    """An ask with the words for it."""
    told = Ask(ask.kind, ask.what, ask.who, ask.where, scene.text[start:end][:_LONGEST])
    return scene.finding(ask.kind, ask_value(ask.kind, ask.what, ask.who, ask.where), start, end, told)
