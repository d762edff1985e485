"""Tempi that become something else: ``starts heavy and becomes relentless``, ``from a lazy to a breathless pace``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.pace import paces

__all__ = ["becoming"]

_LAZY = (
    r"heavy|weighty|ponderous|lumbering|plodding|trudging|sluggish|brooding|dragging|crawling|languid|leisurely|lazy|"
    r"gentle|calm|hesitant|cautious|stately|solemn|sleepy|drowsy"
)
_EVEN = r"steady|measured|moderate|controlled|restrained|deliberate|patient|relaxed|easy|even|confident|walking"
_DRIVEN = (
    r"relentless|unrelenting|unstoppable|frantic|furious|frenzied|frenetic|urgent|driving|feverish|breathless|racing|"
    r"wild|manic|breakneck|headlong|galloping|ferocious|explosive|hectic|fast|quick|rapid|pounding"
)
_TEMPO = r"(?:tempo|pace|pulse|rhythm|beat|speed|groove|march)"
_SOME = r"(?:an? |the )?(?:[a-z]+,? (?:and |but )?){0,2}?"
_TURNS = (
    r"(?:becom(?:es?|ing)|turn(?:s|ing)?(?: in?to)?|grow(?:s|ing)?(?: in?to)?|get(?:s|ting)?|end(?:s|ing)?(?: up)?|"
    r"(?:build|swell|escalat|accelerat|shift|mov|work|press|ris|evolv|develop|intensif|surg)"
    r"(?:es|s|e|ing|ies|y)?(?: up| on)? (?:in?to|to|towards?))"
)
_THEN = (
    rf"(?:(?:,| {_TEMPO}| and| but| then| before| until| only| to| it| at first| gradually| slowly| steadily| suddenly|"
    rf" finally| soon| eventually| ever){{0,5}} {_TURNS}| to)"
)
_ALL_THROUGH = r"(?!(?: [a-z]+)? (?:in|at|for|during|on|from) (?!(?:the )?(?:very )?end))"  # and in no place only
_BECOMES = re.compile(
    rf"\b{_TEMPO}(?: that| which|,)?(?: (?:should|must|will|can|gradually|slowly|first|at first)){{0,2}} "
    rf"(?:(?:start|begin|open|set)(?:s|ning|ing)?(?: off| out)?(?: as)?|is|being|be|goes|go|mov\w+|shift\w*|grow\w*|"
    rf"build\w*|ris\w+|chang\w+)(?: from)? {_SOME}(?P<first>{_LAZY}|{_EVEN})\b(?:,? [a-z]+){{0,2}}?"
    rf"{_THEN} {_SOME}(?P<then>{_DRIVEN})\b{_ALL_THROUGH}|"
    rf"\bfrom an? (?P<from>{_LAZY}|{_EVEN})(?: [a-z]+)? to an? {_SOME}(?P<to>{_DRIVEN}) {_TEMPO}\b{_ALL_THROUGH}"
)
_SLOW_FIRST = re.compile(_LAZY)
_LONGEST = 200


@finders.register("becoming")
def becoming(scene: Scene) -> Iterator[Finding]:
    """A tempo that is one thing first and something faster in the end; a heavy or lazy one is slow first, a steady one
    as told."""
    for match in list(_BECOMES.finditer(scene.low))[:1]:
        first, then = ("first", "then") if match["first"] else ("from", "to")
        what = "slow to fast" if _SLOW_FIRST.fullmatch(match[first]) else "accelerando"
        speaks = paces(f"tempo {match[then]}")  # a word for a speed is none of the whole piece
        end = match.end() if speaks else match.start(then)
        ask = Ask("tempo_change", what, "", "", scene.text[match.start() : match.end()].strip()[:_LONGEST])
        yield scene.finding("tempo_change", what, match.start(), end, ask)
