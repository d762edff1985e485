"""A line with one peak: it comes near its highest note, turns away from it, and reaches it once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["peaks"]

_NOTE = (
    r"(?:(?:own |very |single |one |sole |true ){0,2}(?:highest|top|topmost|peak|summit|climactic|uppermost) "
    r"(?:notes?|tones?|pitch|point)|(?:melodic |single |one |own ){0,2}(?:peak|summit|climax note|high point)|"
    r"(?:one |single )?high(?:est)? note)"
)
_TOP = rf"(?:its|the|her|his|their|a|one|that) {_NOTE}"
_NEARS = (
    r"(?:approach|near|circl|edg|inch|climb|rise|rising|rises|reach|strain|striv|creep|press|strik|com|get|lean|aim|"
    r"grop|yearn|build)(?:e|es|s|ing|ting)?(?: up)?(?: close| closer| near)?(?: to| towards?| at| for| around)?"
)
_AWAY = (
    r"(?:turn|fall|sink|shy|shi|back|draw|retreat|pull|slip|drop|veer|flinch|recoil|shrink|bend|mov|stop)"
    r"(?:e|es|ies|s|ing|ping|ping)?(?: (?:away|back|short|off|down|aside))?"
)
_HITS = (
    r"(?:reach|touch|hit|attain|arriv|sing|play|sound|strik|get|climb|ris|find|grasp|allow|gain)(?:e|es|s|ing|ting|ed)?"
    r"(?: (?:at|to))?"
)
_ONCE = (
    r"(?:only|just|exactly|but|no more than) (?:once|one time|a single time|one single time)|a single time|once only"
)
_ENDED = rf"(?:[^.;!?]{{0,60}}?\b(?:it |that |{_TOP} )?(?:{_ONCE}))?(?: {_HITS} (?:it|{_TOP}))?"
_PEAKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_NEARS} {_TOP}\b[^.;!?]{{0,60}}?\b{_AWAY}\b{_ENDED}",
        rf"\b{_HITS} {_TOP}[^.;!?]{{0,24}}?\b(?:{_ONCE})\b",
        rf"\b(?:only|just) once[^.;!?]{{0,24}}?\b{_HITS} {_TOP}\b",
        rf"\b{_TOP} (?:(?:that )?(?:is|should be|must be|comes|appears|sounds|"
        rf"occurs) )?(?:heard |reached |touched |sung |"
        rf"played |sounded |hit )?(?:{_ONCE})\b",
        rf"\b(?:sav|hold|keep|reserv|withhold|delay)(?:e|es|ing|"
        rf"s)?(?: back)? {_TOP}[^.;!?]{{0,15}}? (?:for|until|till|to) "
        rf"(?:the )?(?:very )?(?:end|last|final|climax|closing)",
        rf"\b(?:almost|nearly|never quite|not quite) {_HITS} {_TOP}[^.;!?]{{0,50}}?\b(?:finally|"
        rf"at last|once|until|before|"
        rf"again and again|several times|over and over)\b{_ENDED}",
        r"\b(?:a |one |with one |with a )(?:single|lone|solitary|"
        r"unique) (?:melodic )?(?:climax|peak|high point|summit|high note)"
        r"(?: (?:near|towards?|late|close to|at) [a-z]+(?: [a-z]+)?)?",
    )
)
_LEADS = re.compile(r"\bkeep(?:s|ing)? \Z")
_LONGEST = 200


@finders.register("peaks")
def peaks(scene: Scene) -> Iterator[Finding]:
    """A line that reaches its highest note once, late, after it came near it."""
    for match in list(filter(None, (pattern.search(scene.low) for pattern in _PEAKS)))[:1]:
        lead = _LEADS.search(scene.low, 0, match.start())
        start = lead.start() if lead else match.start()
        near = [one for one in scene.who(start, match.end(), alone=True) if one.name]
        known = near[0].name if near and near[0].name in scene.roles else ""
        who = known if scene.roles.get(known) not in ("drums", "percussion", None) else "melody"
        ask = Ask("register", "one peak", who, "", scene.text[start : match.end()].strip()[:_LONGEST])
        yield scene.finding("register", ask_value("register", "one peak", who, ""), start, match.end(), ask)
