"""Seating: who plays a piece from a chart, from those asked for to chairs, racks, roles and doublings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.instruments import instrument_named
from libretto.house.charts.chart import Chart
from libretto.house.charts.skills import CHORDS, RATTLES, SUNG
from libretto.house.compose.asking import with_doubling, with_roles, with_voices
from libretto.house.compose.band import Player, player_of_program, seat_band, singer_of_name
from libretto.house.compose.company import with_company
from libretto.house.compose.hosted import sounding
from libretto.house.compose.rack import with_rack
from libretto.house.compose.sections import in_chairs

__all__ = ["charted_band", "expects_a_band"]

_HANDS = 2  # of one drummer
_BETWEEN = "between lines"  # what is asked of who answers
_FIRST = 2  # instruments for which a tune was written first of all
_DOUBLE_BASS = (32, 43)  # plucked, and bowed
_CALLED_BOWED = re.compile(r"\b(?:bowed|arco)\b", re.I)
_STRUMMED = frozenset((*range(24, 32), 105))  # programs of guitars and banjos
_ORCHESTRAL = frozenset((*range(40, 45), *range(47, 52), *range(56, 62), *range(68, 75)))  # and of an orchestra
_BOWED_TOO = re.compile(r"\b(?:double|contra) ?bass(?:es)?\b", re.I)
_LEAD_SYNTHS, _ARPEGGIATED = frozenset(range(80, 88)), (84, 98, 80, 81)  # pluck, crystal, square, saw


def charted_band(contract: Contract, chart: Chart) -> list[Player]:
    """The players of a piece from a chart: those asked for, and of the chart's own band those who are missing."""
    own = [singer_of_name(player_of_program(name, role, program)) for name, role, program in chart.band]
    own = [_on_its_own(player) for player in own] if chart.hands > _HANDS else own
    players = with_rack(seat_band(contract.parts, contract.drums, expects_a_band(contract), own), own, contract)
    players = [sounding(player, contract, _heard(chart, player)) for player in players]
    players = [_bowed(player, chart) for player in players]
    players = with_company(in_chairs(players, contract, _in_voices(chart)), own, contract)
    players = [_plucked(player, players) for player in _as_written(_with_own_rattles(players), contract, chart)]
    players = _led(with_roles(with_voices(players, contract.asks, len(contract.parts)), contract.asks))
    return with_doubling(_answering(_apart(players), contract), contract.asks)


def _apart(players: Sequence[Player]) -> list[Player]:
    """The same players, of whom who breaks chords on the very synthesizer of who leads has another sound of its own."""
    led = {player.program for player in players if player.role == "lead" and player.program in _LEAD_SYNTHS}
    there = {player.program for player in players}
    other = next((program for program in _ARPEGGIATED if program not in there), _ARPEGGIATED[0])
    return [
        replace(player, program=other) if player.role == "arpeggio" and player.program in led else player
        for player in players
    ]


def _answering(players: Sequence[Player], contract: Contract) -> list[Player]:
    """The same players, of whom those who are to play between the lines of another have hands for no chords, where
    somebody else has."""
    told = {ask.who for ask in contract.asks if ask.what == _BETWEEN and not ask.where}
    if not any(player.polyphony >= CHORDS and player.name not in told for player in players if not player.drums):
        return list(players)
    return [
        replace(player, polyphony=min(player.polyphony, CHORDS - 1)) if player.name in told else player
        for player in players
    ]


def _bowed(player: Player, chart: Chart) -> Player:
    """A double bass that is bowed or plucked as the chart wants it."""
    wanted = next((program for program in chart.wants.get("bass", ()) if program in _DOUBLE_BASS), None)
    able = player.role == "bass" and player.program in _DOUBLE_BASS and _BOWED_TOO.search(player.name)
    return replace(player, program=wanted) if able and wanted is not None else player


def _plucked(player: Player, players: Sequence[Player]) -> Player:
    """A double bass that is plucked in a band: where somebody has a guitar, a banjo or a kit and nobody else bows,
    unless it is called bowed."""
    able = player.role == "bass" and player.program == _DOUBLE_BASS[1] and not _CALLED_BOWED.search(player.name)
    others = [other for other in players if other is not player]
    band = any(other.program in _STRUMMED or other.role == "drums" for other in others)
    return replace(player, program=_DOUBLE_BASS[0]) if able and band and not _bows(others) else player


def _bows(players: Sequence[Player]) -> bool:
    """Whether any of some players bows, or is an orchestra's wind or brass."""
    return any(player.program in _ORCHESTRAL for player in players)


def _as_written(players: Sequence[Player], contract: Contract, chart: Chart) -> list[Player]:
    """The same players; where a brief names nobody as the lead, and the tune was written for the instrument of
    somebody with a line rather than for who took it, these two change places; so does who would play chords, where the
    tune was written for that first of all, and not for who took it."""
    leads = [player for player in players if player.role == "lead"]
    wants = chart.wants.get("lead", ())
    fit = _fit_to_lead(players, leads, wants)
    if not contract.lead_guessed or len(leads) != 1 or not fit:
        return list(players)
    best = min(fit, key=lambda player: wants.index(player.program or 0))
    if leads[0].program in wants[: wants.index(best.program or 0) + 1]:
        return list(players)
    roles = {best.name: "lead", leads[0].name: _beside_tune(leads[0], players)}
    return [replace(player, role=roles.get(player.name, player.role)) for player in players]


def _fit_to_lead(players: Sequence[Player], leads: Sequence[Player], wants: Sequence[int]) -> list[Player]:
    """Who has an instrument for which a tune was written: who has a line, else who plays chords where a choir took the
    tune that was written for others first of all."""
    lines = [player for player in players if player.role == "counter" and player.program in wants]
    sung = any(player.program in SUNG and player.program not in wants for player in leads)
    if lines or not sung:
        return lines
    return [player for player in players if player.role == "comping" and player.program in wants[:_FIRST]]


def _beside_tune(player: Player, players: Sequence[Player]) -> str:
    """What somebody does who gives the tune away: the chords, where it can play them and nobody else does; a choir
    holds them."""
    if player.program in SUNG and player.polyphony >= CHORDS:
        return "pad"
    struck = any(other.role in ("comping", "arpeggio") for other in players)
    return "counter" if struck or player.polyphony < CHORDS else "comping"


def _in_voices(chart: Chart) -> bool:
    """Whether every line of a chart is written to be sung."""
    return all(SUNG.intersection(chart.wants.get(part, ())) for part in ("second", "third", "bass"))


def _on_its_own(player: Player) -> Player:
    """A player of a band of drummers, each of whom has the drums that its name says and no others."""
    known = instrument_named(player.name) if player.role == "percussion" and not player.keys else None
    return replace(player, keys=known.keys) if known else player


def _with_own_rattles(players: Sequence[Player]) -> list[Player]:
    """The players, of whom who only rattles, rings or claps has nothing else where nobody has a kit: sleigh bells have
    no kick and no snare."""
    drummers = [player for player in players if player.drums]
    alone = len(drummers) == 1 and drummers[0].role == "percussion"
    return [_on_its_own(one) if alone and one.drums and _only_rattles(one) else one for one in players]


def _only_rattles(player: Player) -> bool:
    """Whether the name of somebody is that of bells, shakers, claves or claps."""
    known = instrument_named(player.name)
    return known is not None and bool(known.keys) and RATTLES.issuperset(known.keys)


def expects_a_band(contract: Contract) -> bool:
    """Whether a brief says enough of its music to expect a band: a style, or chords that drums cannot play."""
    if contract.closed:
        return False
    return bool(contract.style) or (
        bool(contract.chords) and all(part.drums or not part.program or part.role == "pad" for part in contract.parts)
    )


def _heard(chart: Chart, player: Player) -> frozenset[int]:
    """The sounds of a chart for somebody: of who plays the chords those that its chords have, of who holds them its
    pad's."""
    own = frozenset(chart.wants.get({"comping": "chords", "pad": "pad"}.get(player.role, ""), ()))
    return own or chart.sounds


def _led(players: Sequence[Player]) -> list[Player]:
    """The same players, one of whom leads: where all others were asked to accompany, who answers them has the tune."""
    second = next((player for player in players if player.role == "counter"), None)
    if second is None or any(player.role == "lead" for player in players):
        return list(players)
    return [replace(player, role="lead") if player is second else player for player in players]
