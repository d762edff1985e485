"""Lines that creep by half tones: ``a creeping chromatic motif``, ``a bass line that slinks down in half steps``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.character import is_denied
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["creeps"]

_LINE = (
    r"(?:motifs?|motives?|lines?|figures?|phrases?|ostinatos?|ostinati|riffs?|themes?|melod(?:y|ies)|tunes?|"
    r"bass ?lines?|bass|basses|walk|descents?|hooks?|patterns?|passages|undercurrent|vamps?|leads?)"
)
_BY = r"(?:chromatic|half[- ]?(?:step|tone)|semitone)"
_MOVES = r"(?:creep|crawl|slither|slink|sneak|climb|descend|mov|sink|ris|fall|slid|prowl|tiptoe|walk|inch|stalk)"
_STEALTHY = r"(?:creeping|crawling|slithering|slinking|prowling|skulking|stalking|sneaking)"
_CREEPS = re.compile(
    rf"\b(?:{_STEALTHY},? )?{_BY}(?:,? (?:and )?(?!harmon|chord)[a-z-]+){{0,2}}? {_LINE}\b|"
    rf"\bchromatically [a-z]+ing (?:[a-z-]+ )?{_LINE}\b|"
    rf"\b{_MOVES}\w* (?:[a-z]+ ){{0,3}}?(?:chromatically|(?:by|in) (?:half[- ](?:steps|tones)|semitones))\b|"
    rf"\b{_STEALTHY},? (?:and )?(?:[a-z-]+ )?(?:motifs?|figures?|ostinatos?|(?:bass ?)?lines?|riffs?|melod(?:y|ies))\b"
)
_LOW = re.compile(r"bass|ostinat|riff|vamp|undercurrent")  # what lies under a tune
_BEATEN = ("drums", "percussion")


@finders.register("creeps")
def creeps(scene: Scene) -> Iterator[Finding]:
    """Who has a line creeps where that is said of it; else the bass does, or somebody."""
    for match in list(_CREEPS.finditer(scene.low))[:2]:
        start, end = match.span()
        if is_denied(scene.low, start):
            continue
        name = _whose(scene, start, end)
        ask = Ask("manner", "creep", name, "", scene.text[start:end])
        yield scene.finding("manner", f"{name or 'somebody'}: creep", start, end, ask)


def _whose(scene: Scene, start: int, end: int) -> str:
    """Whose line creeps: of who is named in its clause the nearest, else the bass; nobody's where any line may."""
    low = bool(_LOW.search(scene.low, start, end))
    named = [one.name for one in scene.who(start, end, alone=True) if one.name and not one.weak]
    pitched = [name for name in named if scene.roles.get(name) not in _BEATEN]
    return pitched[0] if pitched and not (low and "bass" in scene.roles.values()) else "bass" if low else ""
