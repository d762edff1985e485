"""Beginnings that are spoken rather than sung: ``begin almost like a speech``, ``a recitative before the dance``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["spoken_beginnings"]

_BEGIN = r"(?:begin|start|open|commenc)(?:s|ing|ning|e|es)?"
_INTRO = r"(?:opening|introduction|intro|beginning|start|prologue|prelude)"
_SPEECH = (
    r"(?:speech(?! (?:sample|bubble))|(?:someone |somebody |a (?:person|man|woman|voice) |"
    r"they were |one )?(?:were |was |is )?"
    r"(?:speaking|talking(?! drums?)|declaiming|"
    r"reciting|preaching|praying aloud|telling (?:a|the|its|his|her) (?:story|tale))|spoken(?! word)|speech[- ]like|"
    r"recitatives?|recitativo|recitation|declamat(?:ion|ory)|declaimed|recited|parlando|storyteller|story being told|"
    r"sermon|oration|narrat(?:or|ion))"
)
_LIKE = (
    r"(?:,? (?:slow(?:ly)?|free(?:ly)?|quiet(?:ly)?|soft(?:ly)?|out of time|and|in|with|as|"
    r"like|almost|nearly|half|rather|"
    r"very|if|though|an?|the|of|were|way|manner|style|instrumental|unaccompanied|long|"
    r"short|solo|bare|it|tempo|time|over|"
    r"held|chords|alone|by|[a-z]+ly|of|sort|kind)){0,9}"
)
_SPOKEN = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_BEGIN}{_LIKE},? {_SPEECH}\b(?: (?:style|manner|fashion|like|way))?",
        rf"\b(?:an? |the |its )?{_INTRO} (?:is |should be |must be |that is |sounds |feels )?"
        rf"{_LIKE}[, ]*{_SPEECH}\b(?: (?:style|manner|fashion|like|way))?",
        rf"\b(?:an? |the )?(?:[a-z]+ly |slow |free |short |long |quiet |unmeasured |rhapsodic ){{0,2}}"
        rf"(?:recitative|recitativo|declamatory|parlando|spoken(?! word)|speech[- ]like|"
        r"declaimed)(?:[- ](?:style|like))?,? "
        rf"(?:[a-z]+ )?{_INTRO}\b(?! word)",
        rf"\b{_SPEECH}(?:[- ]like)? at first\b",
        r"\b(?:an? )?(?:slow |free |short |brief )?recitative (?:before|that (?:leads|turns|"
        r"breaks) into|leading (?:in)?to)\b",
    )
)
_LONGEST = 200


@finders.register("spoken beginnings")
def spoken_beginnings(scene: Scene) -> Iterator[Finding]:
    """A beginning that goes as one speaks, over chords that are held."""
    for match in list(filter(None, (pattern.search(scene.low) for pattern in _SPOKEN)))[:1]:
        ask = Ask("texture", "spoken", "", "start", scene.text[match.start() : match.end()].strip()[:_LONGEST])
        yield scene.finding("texture", ask_value("texture", "spoken", "", "start"), *match.span(), ask)
