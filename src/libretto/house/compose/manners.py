"""How players are to play: as a brief says of each, and as goes without saying beside what it says of others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract import Contract
from libretto.house.charts.casting import under_picking
from libretto.house.charts.skills import BIG_BELLS, CHORDS, SELDOM
from libretto.house.compose.band import Player

__all__ = ["manners_of"]

_TUNE = "melody"  # which has a manner that is asked of nobody
_STREAM = re.compile(r"\b(?:rippl|cascad|sparkl|glitter|glisten|shower|babbl|bubbl|trickl|running)", re.I)


def manners_of(contract: Contract, players: Sequence[Player]) -> dict[str, tuple[str, ...]]:
    """How every player, or part, is to be played that a brief says something of; who has chords under a picker holds
    them, unless it is to comp."""
    asked = [ask for ask in contract.asks if ask.kind == "manner"]
    ripples = {name: ("flows",) if _flows(contract, name) else ("ripples",) for name in _told(contract, "arpeggio")}
    comps = _told(contract, "comping")
    held = {player.name: ("sustained",) for player in under_picking(players) if player.name not in comps}
    said = {ask.who or _TUNE: tuple(other.what for other in asked if other.who == ask.who) for ask in asked}
    return {**ripples, **held, **_repeating(contract, players), **_seldom(contract, players), **said}


def _seldom(contract: Contract, players: Sequence[Player]) -> dict[str, tuple[str, ...]]:
    """Big bells that are to be heard now and then: they strike where sections begin, and have no line."""
    told = {ask.who for ask in contract.asks if (ask.kind, ask.what, ask.where) == ("density", "seldom", "")}
    return {one.name: (SELDOM,) for one in players if one.name in told and one.program == BIG_BELLS}


def _repeating(contract: Contract, players: Sequence[Player]) -> dict[str, tuple[str, ...]]:
    """Who has chords and was told to repeat one figure all through."""
    told = {ask.who for ask in contract.asks if (ask.kind, ask.what, ask.where) == ("role", "ostinato", "")}
    able = [one for one in players if one.name in told and not one.drums and one.polyphony >= CHORDS]
    return {one.name: ("riff",) for one in able if one.role not in ("lead", "bass")}


def _flows(contract: Contract, name: str) -> bool:
    """Whether the broken chords of somebody are told to be a stream of notes, however slow the piece is."""
    return any(line.startswith(f"role: {name}: arpeggio") and _STREAM.search(line) for line in contract.heard)


def _told(contract: Contract, role: str) -> list[str]:
    """Who does not lead and was told to do something in so many words."""
    others = [part.name for part in contract.parts if part.role != "lead"]
    return [name for name in others if any(line.startswith(f"role: {name}: {role}") for line in contract.heard)]
