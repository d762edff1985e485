"""Who comes back after another had a place: ``a middle part for the whistle before the pipes return``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Place, Player, Scene, finders

__all__ = ["returning"]

_THEN = re.compile(
    r"\b(?:before|until|till|then|when|and|after which|finally)\s(?:the\s|both\s|all\s)?(?:[a-z-]+\s)?\Z|"
    r"(?:\A|[.;!?]\s)(?:then |finally |at the end,? |at last )?the (?:[a-z-]+\s)?\Z"
)
_RETURNS = re.compile(
    r"\s(?:then\s|finally\s|all\s|proudly\s|triumphantly\s|should\s|must\s|will\s)*(?:returns?|comes? back|re-?enters?|"
    r"(?:is|are) back|strikes? up again|takes? (?:it |over |the \w+ )?(?:back|again))\b(?! to (?:silence|rest))"
)
_AT_LAST = re.compile(
    r"\s(?:again )?(?:at|near|towards?|for) (?:the|its|a) (?:very )?(?:end|close|last|final|finale|finish)\b"
)
_STOP = re.compile(r"[.;!?](?=\s|\Z)")
_BETWEEN = re.compile(r"middle|bridge|contrast|interlude|break|trio|B|bars \d+-\d+|solo")
_LONGEST = 200


@finders.register("returning")
def returning(scene: Scene) -> Iterator[Finding]:
    """Who rests while another has a place between, and leads again after it; at the end where that is told."""
    for player in scene.players:
        if not player.name or player.weak or scene.roles.get(player.name) != "lead":
            continue
        again = _RETURNS.match(scene.low, player.end)
        if again is None or not _THEN.search(scene.low[: player.start]):
            continue
        place = _held_by_another(scene, player)
        if place is not None:
            yield _asked(scene, "silent", player, place.text, place.start, again.end())
            yield _asked(scene, "lead", player, f"after {place.text}", place.start, again.end())
        elif _AT_LAST.match(scene.low, again.end()):
            yield _asked(scene, "lead", player, "last quarter", player.start, again.end())


def _asked(scene: Scene, kind: str, player: Player, where: str, start: int, end: int) -> Finding:
    """What is asked of who comes back."""
    ask = Ask(kind, "", player.name, where, scene.text[start:end].strip()[:_LONGEST])
    return scene.finding(kind, ask_value(kind, "", player.name, where), start, end, ask)


def _held_by_another(scene: Scene, player: Player) -> Place | None:
    """The place between that another has in the sentence in which somebody comes back, or the one before it."""
    first = max((stop.end() for stop in _STOP.finditer(scene.low, 0, player.start - 1)), default=0)
    if not scene.low[first : player.start].strip(" ").removeprefix("then ").removeprefix("the "):
        first = max((stop.end() for stop in _STOP.finditer(scene.low, 0, max(0, first - 2))), default=0)
    places = [one for one in scene.places if first <= one.start < player.start and not one.how]
    places = [one for one in places if _BETWEEN.fullmatch(one.text)]
    others = [one for one in scene.players if first <= one.start < player.start and one.name not in ("", player.name)]
    return places[-1] if places and any(not one.weak for one in others) else None
