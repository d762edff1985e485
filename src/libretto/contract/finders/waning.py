"""Ends that wane with what they picture: ``slowing toward the end as the memory fades``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["waning"]

_GOES = (
    r"(?:fad|dim|dissolv|disappear|vanish|reced|wan|evaporat|dwindl)(?:e|es|s|ing|ming)\b|"
    r"(?:slip|drift|melt|ebb|burn|di|trail|sink)(?:e|es|s|ing|ping|ying)? (?:away|out|off|from (?:view|sight))\b"
)
_CLOSES = (
    r"\b(?:slow(?:s|ing|er)?|end(?:s|ing)?|clos(?:e|es|ing)|finish(?:es|ing)?|conclud(?:es?|ing)|final(?:ly)?|last|outro|"
    r"wind(?:s|ing)? down|calm(?:s|ing)?|quiet(?:er|ens?|ening)?|softer|settl(?:es?|ing)|com(?:es?|ing) to rest)\b"
)
_PICTURED = re.compile(
    rf"{_CLOSES}[^.;!?]{{0,60}}?\b(?:as|while|until|till|when|like)\b (?:[a-z']+ ){{1,5}}?(?:{_GOES})"
)
_TRAILING = re.compile(
    r"(?:,| and) (?:(?:slowly|gradually|gently|softly|finally|then|quietly) )?(?:fading|dimming|waning|receding)"
    r"(?: (?:gently|slowly|softly|gradually))? (?:like|as|with|over)\b[^.;!?]{0,60}[.!]?\s*\Z"
)
_CLOSE, _LONGEST = "last quarter", 200


@finders.register("waning")
def waning(scene: Scene) -> Iterator[Finding]:
    """A piece that ends while something fades is softer there."""
    for match in [*_PICTURED.finditer(scene.low), *_TRAILING.finditer(scene.low)][:1]:
        words = scene.text[match.start() : match.end()].strip(" ,")[:_LONGEST]
        ask = Ask("dynamics", "fading", "", _CLOSE, words)
        yield scene.finding("dynamics", f"fading, {_CLOSE}", match.start(), match.end(), ask)
