"""Calls that frame a piece: ``begin with a call from the trumpets ... and return to the call at the close``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.da_capo import DA_CAPO
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["framing_calls"]

_WHAT = r"(?:calls?|fanfares?|signals?|flourish(?:es)?|mottos?|tattoos?|salutes?|chants?|bells?|blasts?|tolling)"
_CLOSE = r"(?:at|for|near|in|before|by) (?:the|its) (?:very )?(?:close|end|ending|finish|last|final)"
_OPENS = re.compile(
    rf"\b(?:begin|open|start)(?:s|ning|ing)?\b[^.;!?]{{0,60}}?\b(?P<what>{_WHAT})\b|"
    rf"\b(?P<named>{_WHAT})\b[^.;!?]{{0,30}}?\b(?:begins?|opens?|starts?)\b"
)
_BACK = re.compile(
    rf"\b(?:return|go|com|circl)(?:s|es|e|ing)?(?: back)? to (?:the|that|this|its) (?:[a-z-]+ ){{0,2}}?"
    rf"(?P<what>{_WHAT})(?: {_CLOSE})?\b|"
    rf"\bthe (?:[a-z-]+ ){{0,2}}?(?P<named>{_WHAT}) (?:should |must |will |then |finally )*"
    rf"(?:returns?|comes? back|sounds? again|is heard again|recurs?) {_CLOSE}\b"
)
_WHERE, _FRAME = "last 4 bars", "frame"
_LONGEST = 200


@finders.register("framing calls")
def framing_calls(scene: Scene) -> Iterator[Finding]:
    """A call with which a piece begins, and with which it is to end."""
    first = _OPENS.search(scene.low)
    back = _BACK.search(scene.low, first.end()) if first else None
    if first is None or back is None or DA_CAPO.search(scene.text):
        return
    words = [(one["what"] or one["named"]).removesuffix("s") for one in (first, back)]
    if words[0] != words[1]:
        return
    ask = Ask("reprise", _FRAME, "", _WHERE, scene.text[back.start() : back.end()][:_LONGEST])
    yield scene.finding("reprise", f"the {words[0]} comes back", back.start(), back.end(), ask)
