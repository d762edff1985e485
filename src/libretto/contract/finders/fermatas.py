"""Pauses at the ends of phrases, on which everybody waits: ``a pause at the end of every phrase``, fermatas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["fermatas"]

_PAUSE = r"(?:pauses?|fermatas?|fermate|coronas?|holds|(?:long[- ])?held chords?|long holds?|moments? of stillness)"
_PHRASES = r"(?:[a-z]+(?:[- ]bar)? )?(?:phrases?|lines?|verse lines?|sentences?|periods?)"
_EACH = r"(?:each|every|all(?: the)?|the)"
_WHICH = r"(?:an? |the |with |brief |short |long |little |slight |gentle |small |clear |expressive |full |and ){0,6}"
_FERMATAS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_WHICH}{_PAUSE} (?:at|on|over|closing|to close|to end) (?:the )?(?:very "
        rf")?(?:ends? of |last (?:chords?|notes?) of |"
        rf"final (?:chords?|notes?) of )?{_EACH} {_PHRASES}(?: ends?| endings?)?\b",
        rf"\b{_WHICH}{_PAUSE} (?:at|on|over) (?:the )?(?:ends of phrases|phrase[- "
        rf"](?:ends|endings)|line[- ](?:ends|endings))\b",
        rf"\b{_PHRASES} (?:should |must |all |each |that |which "
        rf")*(?:end|close|finish|stop|rest|come to rest)(?:e?s|ing)? "
        rf"(?:with|on|in) {_WHICH}(?:pause|fermata|hold|held chord)s?\b",
        rf"\b(?:paus|halt|wait)(?:es?|s|ing)? (?:[a-z]+ )?(?:at|on|after) (?:the )?(?:ends? of "
        rf")?{_EACH} {_PHRASES}(?: ends?)?\b",
        rf"\b(?:every|each) {_PHRASES} (?:paus|halt|wait)(?:es|s|ing)?(?: at its end)?\b",
        r"\bfermatas? (?:throughout|between (?:the )?(?:phrases|lines))\b",
    )
)
_LONGEST = 200


@finders.register("fermatas")
def fermatas(scene: Scene) -> Iterator[Finding]:
    """Everybody waits on the last chord of every phrase."""
    for match in list(filter(None, (pattern.search(scene.low) for pattern in _FERMATAS)))[:1]:
        ask = Ask("texture", "fermatas", "", "phrase ends", scene.text[match.start() : match.end()].strip()[:_LONGEST])
        yield scene.finding("texture", ask_value("texture", "fermatas", "", "phrase ends"), *match.span(), ask)
