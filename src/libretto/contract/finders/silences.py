"""Who is silent in a place: ``no drums in the verse``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["silences"]

_NO = re.compile(r"(?<!\w)(?:no|without|minus|not)\s(?:any\s|the\s|a\s|an\s){0,2}\Z")
_OPENS = re.compile(r"\s*(?:it |the (?:piece|song|tune|music) )?(?:should )?(?:begin|start|open)s?\b")
_REACH = 24
_LONGEST = 200
_GAP = re.compile(
    r"\s(?:playing\s)?(?:in|during|for|at|on|until|till|before|after|through)?\s?(?:the\s|that\s|all\s|both\s|a\s)?\Z"
)


@finders.register("silences")
def silences(scene: Scene) -> Iterator[Finding]:
    """Players that a brief keeps out of a place."""
    for player in scene.players:
        no = _NO.search(scene.low[max(0, player.start - _REACH) : player.start])
        if not no or not player.name:
            continue
        start = player.start - len(no[0])
        place = _after(scene, player) or _before(scene, start)
        if place:
            first, last = min(start, place.start), max(player.end, place.end)
            ask = Ask("silent", "", player.name, place.where, scene.text[first:last][:_LONGEST])
            yield scene.finding("silent", ask_value("silent", "", player.name, place.where), first, last, ask)


def _after(scene: Scene, player: Player) -> Place | None:
    near = (place for place in scene.places if 0 <= place.start - player.end < _REACH)
    return next((place for place in near if _GAP.match(scene.low[player.end : place.start])), None)


def _before(scene: Scene, start: int) -> Place | None:
    """The place that the clause has named already, ``in the bridge no drums``, or the start that it tells: ``begin with
    a slow tune without drums``."""
    clause = scene.clause(start)
    earlier = [place for place in scene.places if clause.start <= place.start and place.end <= start]
    opens = _OPENS.match(scene.low, clause.start)
    return earlier[-1] if earlier else Place("start", "", *opens.span()) if opens else None
