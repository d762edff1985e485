"""Arpeggios of synthesizers that shimmer or sparkle lie high: ``sparkling synth arpeggios over a warm pad``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["sparkling"]

_LIGHT = r"(?:shimmer|sparkl|glitter|twinkl|glisten|glimmer|scintillat)(?:ing|y)|crystalline|glassy"
_BEFORE = re.compile(rf"\b(?:{_LIGHT}),? (?:and )?(?:[a-z-]+,? ){{0,3}}\Z|\b(?:{_LIGHT})\b[a-z -]*\Z")
_AFTER = re.compile(
    r",? (?:that |which |should |must |will |softly |gently ){0,3}"
    r"(?:shimmer|sparkle|glitter|twinkle|glisten|glimmer)s?\b"
)
_DEEP = re.compile(
    r"[a-z ]{0,24}\b(?:beneath|underneath|below|under|behind|low|deep)\b"
)  # who is told to stay down there stays
_REACH = 40  # characters before a name that say how it is
_HIGH = "high"


@finders.register("sparkling")
def sparkling(scene: Scene) -> Iterator[Finding]:
    """Whose broken chords on a synthesizer are said to shimmer or sparkle plays them high."""
    told: set[str] = set()
    for one in scene.players:
        own = instrument_named(one.name) if one.name and not one.weak else None
        if own is None or own.family != "synth" or scene.roles.get(one.name) != "arpeggio" or one.name in told:
            continue
        first = max(scene.clause(one.start).start, one.start - _REACH)
        light = _BEFORE.search(scene.low[first : one.start]) or re.search(_LIGHT, scene.low[one.start : one.end])
        if (light or _AFTER.match(scene.low, one.end)) and not _DEEP.match(scene.low, one.end):
            told.add(one.name)
            ask = Ask("register", _HIGH, one.name, "", scene.text[one.start : one.end])
            yield scene.finding("register", f"{one.name}: {_HIGH}", one.start, one.end, ask)
