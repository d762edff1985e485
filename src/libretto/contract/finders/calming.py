"""Pieces that grow fast and come to rest again: ``slow to fast before fading into calm``.

The tempo rises to somewhat after the middle and comes down from there, and what ends in calm is softer there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["calmed"]

_FAST = r"(?:fast|quick|rapid|frantic|frenzied|furious|wild|hectic|frenetic|racing|urgent)"
_GETS = (
    r"(?:(?:gets?|getting|grows?|growing|becom(?:es?|ing)|turns?|turning|builds?|building) "
    rf"(?:(?:[a-z]+ly|ever|more and more|more|very|into|to) )?(?:faster|quicker|{_FAST})"
    rf"(?: and (?:faster|quicker|{_FAST}))?|"
    r"(?:accelerat|quicken|speed)(?:s|es|e|ing)?(?: up)?|"
    r"(?:gathers?|gathering|picks? up|picking up|gains?|gaining|builds? up) (?:speed|pace|momentum|steam))"
)
_RISES = (
    r"(?:\b(?P<slow>slow)(?: and [a-z]+)?(?: tempo| pace| beginning| opening| start| rhythm)? to "
    rf"(?:an? )?(?:[a-z]+ )?{_FAST}\b|"
    rf"\b(?:begin|start|open)(?:s|ning|ing)? (?:off |out )?(?:very |quite |rather )?(?P<begun>slow(?:ly)?)\b"
    rf"[^.;!?]{{0,60}}?\b(?:{_GETS}|(?:in)?to (?:an? )?(?:[a-z]+ )?{_FAST})\b|"
    r"\b(?:tempo|pace|rhythm|music|piece|pulse|it|which|that)"
    r"(?: (?:should|must|will|can|then|first|slowly|gradually|steadily))* "
    rf"(?:{_GETS}|(?:rises?|increases?)(?: in (?:speed|tempo|pace))?)\b)"
)
_REST = (
    r"(?:calm(?:er|ly|ness)?|peace(?:ful(?:ly)?)?|stillness|serenity|tranquill?ity|tranquil|quiet|repose|rest|silence|"
    r"gentle (?:close|end|ending))"
)
_SINKS = (
    r"(?:(?:fad|calm|settl|subsid|eas|sink|return|com|fall|d(?:ie|y)|dissolv|melt|relax|drift|slow|wind|mellow|slip|ebb|quieten)"
    r"(?:es|s|e|ing)?(?: (?:gradually|slowly|gently|finally|back|down|away|out|again|off)){0,3} "
    rf"(?:in|in?to|to|towards?|at) (?:an? |the )?(?:[a-z]+ ){{0,2}}?{_REST}|"
    r"(?:calm|settl|relax)(?:s|es|e|ing)? (?:back )?(?:down|again)(?: again)?|"
    rf"(?:end|clos|finish|conclud)(?:s|es|e|ing)?(?: (?:in|on|with|at))?(?: an?| the)?(?: [a-z]+)? {_REST})"
)
_CALMED = re.compile(
    rf"{_RISES}(?P<then>[^.;!?]{{0,70}}?(?:\b(?:before|then|and|until|finally|but|only to)\b|,)[^.;!?]{{0,30}}?|"
    r"[^.;!?]{0,60}?[.;] [^.;!?]{0,30}?\b(?:finally|at last|(?:at|in|towards?|by|near) the (?:very )?end)\b"
    r"[^.;!?]{0,40}?)"
    rf"\b{_SINKS}\b"
)
_CLOSE = "last quarter"
_LONGEST = 200


@finders.register("calming")
def calmed(scene: Scene) -> Iterator[Finding]:
    """A tempo that goes from slow to fast and comes back to calm: up and down, and soft where it comes to rest."""
    for match in list(_CALMED.finditer(scene.low))[:1]:
        start = match.end("slow") if match["slow"] else match.end("begun") if match["begun"] else match.start()
        words = scene.text[match.start() : match.end()].strip()[:_LONGEST]
        ask = Ask("tempo_change", "slow to fast to calm", "", "", words)
        yield scene.finding("tempo_change", ask.what, start, match.end(), ask)
        softer = Ask("dynamics", "fading", "", _CLOSE, words)
        yield scene.finding("dynamics", f"fading, {_CLOSE}", match.start("then"), match.end(), softer)
