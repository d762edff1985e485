"""Drums that pile up: ``gradually layering the percussion until it becomes overwhelming``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.gathering import one_by_one
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["piling"]

_SLOWLY = r"(?:gradually|slowly|steadily|progressively|relentlessly|little by little|bit by bit)"
_BEATEN = r"(?:percussion|percussive|drums?|drumming|rhythms?)"
_PILING = re.compile(
    rf"\b{_SLOWLY} (?:layer|add|stack|pil|build|thicken|intensify)(?:s|es|e|ing|ed)?(?: up| in| on)? "
    rf"(?:the |more |and more |its )?(?:[a-z]+ )?{_BEATEN}\b|"
    rf"\b(?:layer|stack|pil)(?:s|es|ing) (?:up |on )?(?:the |more |and more )?{_BEATEN}\b|"
    rf"\b{_BEATEN} (?:(?:should|must|is|are|be|can|will|that|which) )*"
    rf"(?:{_SLOWLY} (?:layered|stacked|layers?|stacks?|piles? up|piled up|thickens?)|"
    rf"(?:layered|stacked|layers?|stacks?|piles? up|piled up|thickens?) {_SLOWLY})\b"
)
_UNTIL = re.compile(
    r"[^.;!?]{0,40}?\b(?:until|till|to|into|towards?)\b[^.;!?]{0,30}?\b"
    r"(?:overwhelm|frenz|deafen|thunder|ecsta|roar|fever|climax|unbearabl|explo|wild|trance|furious|overpower|massive)\w*"
)
_ROLES = ("percussion", "drums")
_FEWEST = 2  # who can come one after the other
_LONGEST = 200


@finders.register("piling")
def piling(scene: Scene) -> Iterator[Finding]:
    """Drummers who come in one after the other, in the order in which they are named, who grow where they are to be
    more than one can bear."""
    match = _PILING.search(scene.low)
    names = [name for name, role in scene.roles.items() if role in _ROLES]
    if match is None or next(one_by_one(scene), None) is not None:
        return
    until = _UNTIL.match(scene.low, match.end())
    start, end = match.start(), until.end() if until else match.end()
    words = scene.text[start:end][:_LONGEST]
    for number, name in enumerate(names[1:], _FEWEST):
        where = f"entry {number} of {len(names) + 1}"
        yield scene.finding("enter", f"{name} {where}", start, end, Ask("enter", "", name, where, words))
    if until:
        value = ask_value("dynamics", "growing", "", "")
        yield scene.finding("dynamics", value, start, end, Ask("dynamics", "growing", "", "", words))
