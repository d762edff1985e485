"""Murmurs: who has an accompaniment that rocks softly below a tune, and whether it grows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["murmuring"]

_FIGURE = r"(?:accompaniments?|figures?|figurations?|background|patterns?|texture|undercurrent|(?:six|eigh)teen?ths?)"
_MURMURS = re.compile(
    r"\b(?:(?:suppl|provid|play|keep|offer|add|giv|form|lay|weav|maintain|begin|start|with|hav|has)"
    r"(?:y|ies|es|e|s|ing)?(?: with)? )?"
    r"(?:an?|the|their|soft|quiet|gentle|constant|low|of|,| )*"
    rf"\b(?:murmuring|murmurous|undulating|rocking) {_FIGURE}\b|"
    r"\bmurmur(?:s|ing)? (?:softly |quietly |gently |away )?(?:below|beneath|underneath|under|behind)\b"
)
_GROWS = re.compile(
    r"[^.;!?]{0,30}?\b(?:grow|build|ris|increas|gather|quicken|intensif|swell|gain)(?:e|es|s|ing|ies|ying)?"
    r"(?: (?:gradually|slowly|steadily))?"
    r"(?: in)? (?:motion|movement|activity|speed|agitation|momentum|intensity|restlessness|urgency)"
    r"(?: and (?:motion|movement|activity|speed|agitation|momentum|intensity|restlessness|urgency))?\b"
)
_NO_STRINGS = ("drums", "percussion")
_LONGEST = 200


@finders.register("murmuring")
def murmuring(scene: Scene) -> Iterator[Finding]:
    """Who murmurs below a tune, all in one ask, and whether that grows in motion."""
    for match in list(_MURMURS.finditer(scene.low))[:1]:
        players = [one for one in scene.who(match.start(), match.start() + 1) if one.name and not one.weak]
        names = list(dict.fromkeys(name for one in players for name in (one.name, *one.others)))
        names = [name for name in names if scene.roles.get(name) not in _NO_STRINGS]
        if not names:
            return
        grows = _GROWS.match(scene.low, match.end())
        end = grows.end() if grows else match.end()
        what, who = "murmur growing" if grows else "murmur", " + ".join(names)
        place = scene.where(*match.span())
        where = place.where if place else ""
        ask = Ask("texture", what, who, where, scene.text[match.start() : end].strip()[:_LONGEST])
        yield scene.finding("texture", ask_value("texture", what, who, where), match.start(), end, ask)
