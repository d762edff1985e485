"""Who plays the solos of a long piece: everybody who can, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.casting import cast
from libretto.house.charts.skills import BASSES, BEATEN, CHORDS, HANDS, PADS, SUNG
from libretto.house.compose.band import Player

__all__ = ["solo_leads"]

_LINES = ("lead", "second", "chords", "third")  # whose players have a solo, in this order
_HOLDING = frozenset((*PADS, *range(48, 53)))  # programs of who holds chords
_STRUMMED = frozenset(range(24, 32))  # programs of guitars
_FEWEST = 2


def solo_leads(
    players: Sequence[Player],
    wants: Mapping[str, tuple[int, ...]],
    solos: Sequence[range],
    others: Sequence[range],
) -> dict[int, str]:
    """Who has the tune in the bars of solos, and of sections that are played by others: a band in turn; a singer has
    none of them."""
    parts = cast(players, wants)
    able = [player for player in players if _may_lead(player, parts.get(player.name, ()))]
    able.sort(key=lambda player: _LINES.index(parts[player.name][0]))
    leader = next((player for player in able if parts[player.name] == ("lead",)), None)
    free = [player for player in able if player.program not in SUNG]
    if len(able) < _FEWEST and leader is not None:
        return {}
    return {**_in_turn(free, solos), **_in_turn(_beside(free, leader, parts), others)}


def _beside(free: Sequence[Player], leader: Player | None, parts: Mapping[str, tuple[str, ...]]) -> list[Player]:
    """Who may have a tune of who leads: those with a line, else those with chords; words stay with who sings."""
    if leader is None or leader.program in SUNG:
        return []
    others = [player for player in free if player is not leader]
    return [player for player in others if parts[player.name] != ("chords",)] or others


def _in_turn(players: Sequence[Player], spans: Sequence[range]) -> dict[int, str]:
    """Stretches of bars for some players, one after the other."""
    return {bar: players[number % len(players)].name for number, bars in enumerate(spans) for bar in bars if players}


def _may_lead(player: Player, parts: Sequence[str]) -> bool:
    """Whether somebody can have the tune: no drums, no bass, nobody who only holds chords."""
    aside = player.drums or player.program is None or player.program in BASSES | BEATEN | _HOLDING
    if aside or not parts or parts[0] not in _LINES:
        return False
    return parts[0] != "chords" or player.polyphony < CHORDS or player.program in HANDS | _STRUMMED
