"""Who leads is said to have a tune, with whatever verb: ``floats a clear, birdlike melody``, ``tells the story``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["tunes"]

_OTHERS = (  # what is done to somebody else's tune
    r"support|accompan|follow|doubl|harmoni|answer|decorat|shadow|echo|frame|surround|underpin|under|back|cushion|"
    r"complement|enhanc|colou?r|ornament|embellish|respond|imitat|mirror|cop|join|repeat|punctuat|lift|carr(?=y over)|"
    r"tak|pass|hand|give|gave|leav|let|allow|is|are|be|interrupt|cradle|hold up|reinforc|thicken|match|track|evok"
)
_TUNE = re.compile(
    rf"\b(?:should|must|will|can|to) (?:[a-z]+ly )?(?!(?:{_OTHERS})[a-z]*\b)[a-z]+"
    r"(?: (?:out|through|up|down|along|forth|over|to))? (?:the|an?|its|his|her|their) "
    r"(?:(?!counter|second|inner|bass|of\b|harmony)[\w'’-]+,? (?:and )?){0,4}?"
    r"(?:melody|melodies|tune|theme|hook|story|song|refrain)\b"
    r"(?! (?:of|behind|in (?:thirds|sixths|octaves|harmony|canon)))"
)
_LONGEST = 200


@finders.register("tunes")
def tunes(scene: Scene) -> Iterator[Finding]:
    """That somebody leads who does, where nothing else says where."""
    told: set[str] = set()
    for match in _TUNE.finditer(scene.low):
        clause = scene.clause(match.start())
        near = [one for one in scene.players if clause.start <= one.start and one.end <= match.start()]
        near = [one for one in near if one.name and not one.weak]
        if len(near) != 1 or scene.roles.get(near[0].name) != "lead" or near[0].others or near[0].name in told:
            continue
        if any(clause.start <= place.start < max(clause.end, match.end()) for place in scene.places):
            continue  # who has it there is told elsewhere
        told.add(near[0].name)
        words = scene.text[near[0].start : match.end()][:_LONGEST]
        ask = Ask("lead", "", near[0].name, "", words)
        yield scene.finding("lead", ask_value("lead", "", ask.who, ""), near[0].start, match.end(), ask)
