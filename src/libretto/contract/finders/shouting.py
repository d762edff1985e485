"""Brass that shouts: ``the trumpets answer with bright, brassy shouts`` is high and loud."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["shouts"]

_SHOUT = r"(?:shouts?|screams?|shrieks?|blasts?|blares?|hollers?)"
_DOES = re.compile(
    r"(?: section| players?)?(?: (?:should|must|will|can|to|then|all|that|which|and)){0,2}"
    r"(?: (?:answer|respond|repl|retort|punctuat|interject|interrupt|shout|scream|blast|blare|holler|punch|burst|cut|"
    r"kick|stab|add|throw|hurl|fire|play|contribut|suppl)(?:y|ies|e|s|es|ing|ting)?)"
    rf"(?P<with>(?:[ ,]+(?!softly|quietly|gently)[a-z'-]+){{0,7}}?[ ,]+{_SHOUT})?(?![\w-])(?! chorus)"
)
_SHOUTS = re.compile(r" (?:[a-z]+ )?(?:shout|scream|shriek|blast|blare|holler)(?:s|ing)?(?![\w-])(?! chorus| out the)")
_QUIET = re.compile(r"\b(?:mut(?:ed|es)|soft\w*|quiet\w*|distant|gentle|far|hushed|mellow|low|deep|growl\w*)\b")
_LONGEST = 200


@finders.register("shouts")
def shouts(scene: Scene) -> Iterator[Finding]:
    """Brass that plays shouts, high and loud."""
    told: set[str] = set()
    for player in scene.players:
        kind = instrument_named(player.name.split(" #")[0]) if player.name and not player.weak else None
        match = _shouting(scene, player.end) if kind is not None and kind.family == "brass" else None
        if match is None or _QUIET.search(scene.low, player.start - 12, match.end()):
            continue
        place = scene.where(player.start, match.end())
        where = place.where if place else ""
        words = scene.text[player.start : match.end()].strip()[:_LONGEST]
        for name in (player.name, *player.others):
            if name not in told:
                ask = Ask("register", "shouting", name, where, words)
                value = ask_value("register", "shouting", name, where)
                yield scene.finding("register", value, player.start, match.end(), ask)
            told.add(name)


def _shouting(scene: Scene, end: int) -> re.Match[str] | None:
    """The words after a player that say that it shouts."""
    plain = _SHOUTS.match(scene.low, end)
    does = _DOES.match(scene.low, end)
    return does if does and does["with"] else plain
