"""Lines that climb from beginning to end: ``the voice begins almost spoken and rises to a cry``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["arcs"]

_LOW = (
    r"(?:spoken|speech|speaking|talking|whisper(?:ed|ing|s)?|murmur(?:ed|ing|s)?|mutter(?:ed|ing|s)?|hum(?:med|ming)?|low|"
    r"hushed|mumbl(?:ed?|ing)|sigh(?:ed|ing)?|growl(?:ed|ing)?|deep|down)"
)
_CRY = (
    r"(?:cr(?:y|ies)|wail(?:s|ing)?|shout(?:s|ing)?|scream(?:s|ing)?|howl(?:s|ing)?|shriek|sob(?:s|bing)?|holler(?:s|ing)?|"
    r"belt(?:s|ed|ing)?|full voice|top of (?:its|her|his|the|their) (?:range|voice|register|lungs)|"
    r"high (?:note|register|cry))"
)
_ARC = re.compile(
    rf"\b(?:(?:begin|start|open|enter|sing|com)(?:s|es|e|ning|ting|ing)?(?: in| out| off)?\b[^.;!?]{{0,40}}?\b{_LOW}\b"
    rf"[^.;!?]{{0,60}}?\b)?"
    rf"(?:ris|climb|build|grow|soar|swell|mount|ascend|work|go|mov|rear|gather)(?:s|es|e|ing|ning)?\b[^.;!?,]{{0,30}}?"
    rf"\b(?:to|into|towards?|up to)\b[^.;!?,]{{0,24}}?\b{_CRY}\b"
    r"(?:,? (?:by|at|near|towards?|before|in) the (?:very )?end)?"
)

_ADJECTIVE = re.compile(r",? (?:[a-z]+ )?(?:ending|finish|finale|close|climax|chorus|end)\b")  # what a shouting end is


@finders.register("arcs")
def arcs(scene: Scene) -> Iterator[Finding]:
    """Who begins low and ends in a cry: its line climbs, and grows louder."""
    for match in list(_ARC.finditer(scene.low))[:4]:
        if _ADJECTIVE.match(scene.low, match.end()):
            continue
        before = [one for one in scene.players if one.name and not one.weak and one.end <= match.start() + 1]
        near = [one for one in before if not re.search(r"[.;!?]", scene.low[one.end : match.start()])]
        who = near[-1].name if near else "melody"
        start, end = match.span()
        words = scene.text[start:end][:200]
        ask = Ask("register", "rising", who, "", words)
        yield scene.finding("register", f"{who}: rising", start, end, ask)
        more = Ask("dynamics", "growing", who, "", words)
        yield scene.finding("dynamics", f"growing ({who})", start, end, more)
