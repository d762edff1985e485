"""Who leads a section that is spoken of by itself: ``the middle section is led by the cello``, ``a second theme in the
viola``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["led_by", "sections"]

_BE = r",?\s(?:(?:that|which|is|are|should|must|will|to|be|being|gets|then|now|mostly|entirely)\s){0,3}"
_WHO = r"\s(?:(?:the|an?|our|solo|lone|single|soft|warm|gentle|first|second)\s){0,3}"
_LED = re.compile(
    rf"{_BE}(?:(?:led|carried|taken(?:\sover|\sup)?|sung|played|headed|fronted|dominated|introduced|presented|stated|"
    rf"announced|delivered)\sby|(?:given|handed|belongs?|goes|falls)\s(?:over\s)?to){_WHO}"
)
_IN = re.compile(rf"\s(?:in|on|for|from){_WHO}")
_HAS = re.compile(
    r"\s(?:(?:should|must|will|then|also)\s){0,2}(?:leads?|sings?|plays?|takes?(?:\sover|\sup)?|has|have|gets?|carr(?:y|ies)|"
    r"states?|introduces?|presents?|announces?|delivers?|brings?(?:\sin)?|enters?\swith|answers?\swith)"
    r"\s(?:the|an?|its)\s(?:(?!(?:in|at|of|for|with|on|to|under|over|during|and|through)\s)[a-z-]+,?\s){0,3}"
)
_SECTION = re.compile(  # something between, that somebody has: ``a tender ballad section on the piano``
    r"\b(?P<slow>slow(?:s|ing)? (?:down )?(?:in)?to |slow(?:s|ing)? down for )?(?:an?|one) (?:[a-z-]+,? ){1,3}"
    r"(?<!string )(?<!horn )(?<!brass )(?<!rhythm )(?<!wind )(?<!solo )(?<!opening )(?<!first )(?<!closing )(?<!final )"
    r"(?:section|passage|interlude|episode) (?:on|by|for|from|featuring|led by|carried by|played by)"
    rf"(?={_WHO})"
)
_BETWEEN = "contrast"
_THEME = "B"  # a second theme
_EDGES = ("start", "end")
_LONGEST = 200


@finders.register("subjects")
def led_by(scene: Scene) -> Iterator[Finding]:
    """A lead for each place that is said to be led by somebody, and for who has a second theme."""
    named = [one for one in scene.players if one.name and not one.weak]
    for place in scene.places:
        if place.how or place.text in _EDGES or place.text.startswith("solo"):
            continue
        player = next((one for one in named if _has_it(scene, place, one)), None)
        if player is not None:
            start, end = min(place.start, player.start), max(place.end, player.end)
            ask = Ask("lead", "", player.name, place.text, scene.text[start:end].strip()[:_LONGEST])
            yield scene.finding("lead", ask_value("lead", "", player.name, place.text), start, end, ask)


@finders.register("sections of somebody")
def sections(scene: Scene) -> Iterator[Finding]:
    """A lead for who has a section between others, and its slower tempo where that is told."""
    named = [one for one in scene.players if one.name and not one.weak]
    for match in list(_SECTION.finditer(scene.low))[:1]:
        who = re.compile(_WHO).match(scene.low, match.end())
        player = next((one for one in named if who and one.start == who.end()), None)
        if player is None or any(match.start() <= one.start < player.start for one in scene.places):
            continue
        words = scene.text[match.start() : player.end].strip()[:_LONGEST]
        ask = Ask("lead", "", player.name, _BETWEEN, words)
        yield scene.finding("lead", ask_value("lead", "", player.name, _BETWEEN), match.start(), player.end, ask)
        if match["slow"]:
            slower = Ask("tempo_change", "slower", "", _BETWEEN, words)
            yield scene.finding("tempo_change", f"slower at {_BETWEEN}", match.start(), player.end, slower)


def _has_it(scene: Scene, place: Place, player: Player) -> bool:
    """Whether a place is somebody's: it is led by that player, or is a theme that the player has."""
    if place.end <= player.start:
        gap = scene.low[place.end : player.start]
        return bool(_LED.fullmatch(gap) or (place.text == _THEME and _IN.fullmatch(gap)))
    return place.text in (_THEME, "middle") and bool(_HAS.fullmatch(scene.low[player.end : place.start]))
