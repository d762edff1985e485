"""Two who change places: ``the fiddle leads, the steel answers; in the second half they trade places``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Player, Scene, finders

__all__ = ["swapping"]

_SWAP = re.compile(
    r"\b(?:trad(?:e|es|ing)|swap(?:s|ping)?|switch(?:es|ing)?|exchang(?:e|es|ing)|revers(?:e|es|ing)|chang(?:e|es|ing))"
    r" (?:their )?(?:places|roles|parts)\b"
)
_LEADS = re.compile(
    r"\s(?:should |will |must |first )*(?:leads?|carr(?:y|ies)|sings?|has|have|takes?|plays?|states?)\b"
)
_LONGEST = 200


@finders.register("swapping")
def swapping(scene: Scene) -> Iterator[Finding]:
    """Who leads after two have changed places; the second half where no place is told."""
    for match in list(_SWAP.finditer(scene.low))[:2]:
        leader, other = _pair(scene, match.start())
        if leader is None or other is None:
            continue
        place = scene.where(*match.span())
        where = place.where if place else "second half"
        ask = Ask("lead", "", other.name, where, scene.text[leader.start : match.end()][:_LONGEST])
        yield scene.finding("lead", ask_value("lead", "", other.name, where), *match.span(), ask)


def _pair(scene: Scene, start: int) -> tuple[Player | None, Player | None]:
    """Who leads before two change places, and who does not."""
    first = max(scene.low.rfind(mark, 0, start) for mark in ".!?")
    pair = [one for one in _pitched(scene) if first < one.start and one.end <= start]
    leader = next((one for one in pair if _LEADS.match(scene.low, one.end)), None)
    leader = leader or next((one for one in pair if scene.roles.get(one.name) == "lead"), None)
    return leader, next((one for one in reversed(pair) if leader is not None and one.name != leader.name), None)


def _pitched(scene: Scene) -> list[Player]:
    """Players with pitches, wherever they are named."""
    return [one for one in scene.players if one.name and not one.weak and scene.roles.get(one.name) not in BEATEN]
