"""Who waits for so many bars: ``four bars of solo piano before the drums enter``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.words import number_of

__all__ = ["waiting"]

_BEFORE = re.compile(
    r"\b(?P<count>\d{1,2}|[a-z]+)[ -](?:bars?|measures?)(?:\s[\w-]+){0,5}?\s(?:before|until|till)\s(?:the |a |an )?\Z"
)
_ENTERS = re.compile(r"\s(?:then )?(?:enters?|joins?|comes? in|kicks? in|begins?|starts?|drops? in|appears?)\b")
_REACH = 70  # characters before a player that may say how long it waits
_LONGEST = 200


@finders.register("waiting")
def waiting(scene: Scene) -> Iterator[Finding]:
    """Players who enter after a counted number of bars."""
    for player in scene.players:
        before = scene.low[max(0, player.start - _REACH) : player.start]
        told, enters = _BEFORE.search(before), _ENTERS.match(scene.low, player.end)
        count = number_of(told["count"]) if told and enters and player.name else None
        if told and enters and count:
            start = player.start - len(before) + told.start()
            where = f"bar {count + 1}"
            for name in (player.name, *player.others):
                ask = Ask("enter", "", name, where, scene.text[start : enters.end()][:_LONGEST])
                yield scene.finding("enter", ask_value("enter", "", name, where), start, enters.end(), ask)
