"""How players are to play: as a brief says of each, and as goes without saying beside what it says of others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract import Contract
from libretto.house.charts.casting import under_picking
from libretto.house.charts.skills import BIG_BELLS, CHORDS, SELDOM
from libretto.house.compose.band import Player

__all__ = ["backing_of", "manners_of"]

_PAIR, _BACKING = 2, ("comping", "arpeggio", "pad")  # players, and what one of them does under the other
_TURNS = frozenset(("lead", "solo", "only", "texture", "form"))  # kinds of asks by which others have the tune, too
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


def backing_of(contract: Contract, players: Sequence[Player]) -> frozenset[str]:
    """Who accompanies the only other player with tones, whom a brief tells to lead, and who joined players that are
    named, one of whom leads: they have the tune nowhere. It is another matter for the one who is named where
    something else than how it accompanies is asked of it, or of nobody by name."""
    pitched = [player for player in players if not player.drums]
    if joined := _joined(contract, pitched):
        return joined
    leads, others = ([one for one in pitched if (one.role == "lead") is led] for led in (True, False))
    if len(pitched) != _PAIR or len(leads) != 1 or contract.lead_guessed or others[0].role not in _BACKING:
        return frozenset()
    asked = {ask.kind for ask in contract.asks if ask.who != leads[0].name}
    return frozenset() if asked & _TURNS else frozenset((others[0].name,))


def _joined(contract: Contract, pitched: Sequence[Player]) -> frozenset[str]:
    """Who plays chords in a band whose other players a brief names, and was not named, where one of these leads."""
    named = [part.name for part in contract.parts]
    if not any(player.role == "lead" and player.name in named for player in pitched):
        return frozenset()
    guests = (player for player in pitched if player.role in _BACKING and not player.name.startswith(tuple(named)))
    return frozenset(player.name for player in guests)


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
