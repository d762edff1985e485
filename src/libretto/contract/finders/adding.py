"""Who is added to those who begin, one after the other: ``start with bass and drums, add guitar, then strings``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.words import number_of

__all__ = ["added"]

_BEGINS = re.compile(
    r"\b(?:start|begin|open)(?:s|ing)?(?: off| out)? (?:with|from|on)\b|"
    r"\b(?:start|begin|open|(?:lead|kick)(?=s? (?:it )?off))s?(?: it| things)?(?: off| out)?"
    r"(?: alone| on its own| by itself| together| unaccompanied)?(?=,)|\bfirst(?=, (?:and )?then )"
)
_ADDS = re.compile(
    r"\b(?:add(?:s|ing)?|bring(?:s|ing)? in|layer(?:s|ing)? in|introduc(?:e|es|ing)|followed by|joined by)\s|"
    r"\bthen\s(?=(?:the |an? )?(?:[a-z-]+ ){1,2}(?:joins?|enters?|comes? in|follows?)\b)"
)
_AT_ONCE = re.compile(r", (?:and )?then\s")  # after who begins
_BARS = re.compile(r"\b(?P<count>\d{1,2}|[a-z]+)[ -](?:bars|measures)\b")
_AND = re.compile(r"\s(?:and|&|with|plus)\s(?:the |a |an |some )?(?:(?!then|later|finally|next)[a-z-]+ )?")
_THEN = re.compile(
    r"(?: joins?| enters?| comes? in| follows?)?,?\s?(?:and )?"
    r"(?:then |finally |later |next |after that |followed by |adds? |adding ){0,2}(?:by )?"
    r"(?:the |a |an |some )?(?:[a-z-]+ )?"
)
_IN = re.compile(r"(?: (?:groove|beat|part|line))? (?:in|at|for|during|on) (?:the )?")
_SOLO = re.compile(r"\s(?:[a-z]+\s)?(?:solo|break|fill|lick|cadenza)s?\b")  # what somebody plays who is there
_STOP = re.compile(r"[.;!?]")
_LONGEST = 200


@finders.register("added")
def added(scene: Scene) -> Iterator[Finding]:
    """When each of those comes in who are added to a beginning: after as many bars as it has, else one by one."""
    for begins in list(_BEGINS.finditer(scene.low))[:1]:
        stop = _STOP.search(scene.low, begins.end())
        end = stop.start() if stop else len(scene.low)
        adds = _ADDS.search(scene.low, begins.end(), end) or _AT_ONCE.match(scene.low, begins.end(), end)
        groups = _groups(scene, adds.end(), end) if adds else []
        told = _BARS.search(scene.low, begins.end(), adds.start()) if adds else None
        bars = number_of(told["count"]) if told else None
        for number, group in enumerate(groups, 1):
            usual = f"bar {bars * number + 1}" if bars else f"entry {number + 1} of {len(groups) + 1}"
            where = _told(scene, group[-1]) or usual
            for player, name in [(one, name) for one in group for name in (one.name, *one.others)]:
                ask = Ask("enter", "", name, where, scene.text[begins.start() : player.end][:_LONGEST])
                value = ask_value("enter", "", name, where)
                yield scene.finding("enter", value, player.start, player.end, ask)


def _told(scene: Scene, player: Player) -> str:
    """The place that is told right after who is added: ``add a quiet drum groove in the second verse``."""
    near = (one for one in scene.places if _IN.fullmatch(scene.low, player.end, one.start) and not one.how)
    return next((one.text for one in near), "")


def _groups(scene: Scene, start: int, end: int) -> list[list[Player]]:
    """Who comes in together, in the order in which they are named; a list ends where anything else is said."""
    groups: list[list[Player]] = []
    for player in (one for one in scene.players if start <= one.start and one.end <= end):
        gap = scene.low[groups[-1][-1].end if groups else start - 1 : player.start]
        if player.weak or not player.name or _SOLO.match(scene.low, player.end):
            break
        if groups and _AND.fullmatch(gap):
            groups[-1].append(player)
        elif _THEN.fullmatch(gap):
            groups.append([player])
        else:
            break
    return groups
