"""Glissandi, and those who swell by themselves: ``glissandi on the harp``, ``swelling strings``.

Harps, keys and bars run through their scale; whoever can bend a note slides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["glissandi"]

_GLISS = re.compile(
    r"\b(?:(?:sweeping|shimmering|cascading|dramatic|quick|long|soft|gentle|occasional|rising|falling|sparkling|"
    r"magical),? "
    r"(?:and )?){0,2}gliss(?:and[oi]s?|es)?\b"
)
_ON = re.compile(r"\s(?:[a-z]+\s)?(?:on|in|by|from|for|of)\s(?:(?:the|an?|its|solo|lone)\s){0,2}")
_OF = re.compile(r"(?:['’]s)?\s(?:(?:with|and|in|plays?|adds?|has|its)\s)?\Z")
_NOT = re.compile(r"\b(?:no|without|avoid|not)\s(?:any\s)?\Z")
_RUN, _BEATEN = ("plucked", "keys", "bells"), ("drums", "percussion")
_HARP = "plucked"


@finders.register("glissandi")
def glissandi(scene: Scene) -> Iterator[Finding]:
    """Who is told to play glissandi: in runs where a scale lies under its hands, else in slides."""
    for match in list(_GLISS.finditer(scene.low))[:2]:
        who = _who(scene, match) if not _NOT.search(scene.low[: match.start()]) else None
        own = instrument_named(who.name) if who is not None else None
        if who is None or own is None:
            continue
        what = "glissandi" if own.family in _RUN else "slides"
        ask = Ask("articulation", what, who.name, "", match[0])
        yield scene.finding("articulation", f"{what}: {who.name}", *match.span(), ask)


def _who(scene: Scene, match: re.Match[str]) -> Player | None:
    """Who plays them: named right behind or before, else around; else a harp, keys or bars that are there."""
    named = _pitched(scene)
    behind = [one for one in named if one.start >= match.end()][:1]
    before = [one for one in named if one.end <= match.start()][-1:]
    if behind and _ON.fullmatch(scene.low, match.end(), behind[0].start):
        return behind[0]
    if before and _OF.fullmatch(scene.low, before[0].end, match.start()):
        return before[0]
    around = [one for one in scene.who(match.start(), match.end(), alone=True) if one in named]
    return next(iter([*around, *_able(named)]), None)


def _able(named: list[Player]) -> list[Player]:
    """Those of some players under whose hands a scale lies, harps first."""
    families = {one.name: own.family for one in named if (own := instrument_named(one.name))}
    able = [one for one in named if families.get(one.name) in _RUN]
    return sorted(able, key=lambda one: families[one.name] != _HARP)


def _pitched(scene: Scene) -> list[Player]:
    """Everybody who is named and has tones."""
    return [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in _BEATEN]
