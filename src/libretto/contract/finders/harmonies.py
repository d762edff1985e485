"""Harmonies that are sung: a vocal group, backing singers or a choir that is to sing in parts, not in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["harmonies"]

_IN_PARTS = re.compile(
    r"\bharmon(?:y|ies|i[sz](?:es?|ing|ed))\b(?! minor| rhythm)|\bs[iau]ng(?:s|ing)? (?:[\w-]+ ){0,2}?in "
    r"(?:two|three|four|close|several|[234])[- ]?(?:part|voice)s?\b|"
    r"\bpart[- ]singing\b|\bdoo[- ]?wop\b|\bin (?:close )?(?:thirds|sixths)\b|\bstacked\b|"
    r"\bbarbershop\b"
)
_AS_ONE = re.compile(r"\b(?:unison|one voice|single line|monophon\w+|plainchant|plainsong)\b")
_LONGEST = 200


@finders.register("harmonies")
def harmonies(scene: Scene) -> Iterator[Finding]:
    """Who are many and sing harmonies, all through or where that is told."""
    done: set[str] = set()
    for player in scene.players:
        clause = scene.clause(player.start)
        words = scene.low[player.start : max(clause.end, player.end)]
        match = _IN_PARTS.search(words)
        if player.name in done or not match or not _are_many(scene, player) or _AS_ONE.search(words):
            continue
        start, end = player.start, player.start + match.end()
        if any(end > one.start >= player.end and not one.weak and one.name != player.name for one in scene.players):
            continue  # the strings fill in harmony below the choir
        done.add(player.name)
        place = scene.where(player.start + match.start(), end)
        where = place.where if place else ""
        ask = Ask("texture", "harmonized", player.name, where, scene.text[start:end].strip()[:_LONGEST])
        yield scene.finding("texture", ask_value(ask.kind, ask.what, ask.who, where), start, end, ask)


def _are_many(scene: Scene, player: Player) -> bool:
    """Whether a name is that of singers, several of them."""
    known = instrument_named(scene.low[player.start : player.end]) or instrument_named(player.name.split(" #")[0])
    return not player.weak and known is not None and known.family == "voices" and known.polyphony > 1
