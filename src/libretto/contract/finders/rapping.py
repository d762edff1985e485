"""Room for words that others will bring: ``leave plenty of room for a rapper``, space for vocals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["room_for_words"]

_WORDS = (
    r"(?:rappers?|raps?|rapping|mcs?|emcees?|vocals?|vocalists?|singers?|voices?|voice[- "
    r"]?over|lyrics|lyricist|rhymes?|"
    r"flows?|spoken word|toasting|toasters?|bars to be rapped|narrator|narration)"
)
_ROOM = re.compile(
    rf"\b(?:(?:leav|mak|giv|keep|allow|hold)(?:e|es|ing|s)?|with|and|plus|has|have)? "
    rf"?(?:plenty of |lots of |enough |a lot of |some |ample |"
    rf"much |loads of |the |open )*(?:room|space|gaps)(?: (?:open|free|left))? (?:for|to fit|to let) "
    rf"(?:an? |the |some |your |my |any |future |lead |male |female |good )*{_WORDS}\b(?: "
    rf"(?:on top|to (?:rap|sing|flow|"
    rf"breathe|speak)(?: over)?))?"
)
_LONGEST = 200


@finders.register("room for words")
def room_for_words(scene: Scene) -> Iterator[Finding]:
    """Who has the tune plays little, where somebody is to rap or sing over it who is none of the players."""
    match = _ROOM.search(scene.low)
    if match is None:
        return
    leads = [name for name, role in scene.roles.items() if role == "lead"]
    who = leads[0] if leads else "melody"
    ask = Ask("density", "room", who, "", scene.text[match.start() : match.end()].strip()[:_LONGEST])
    yield scene.finding("density", ask_value("density", "room", who, ""), *match.span(), ask)
