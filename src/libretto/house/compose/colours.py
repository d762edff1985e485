"""Colours: who joins a chart's band where a brief names nobody, for the second line that its band leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract import Contract
from libretto.contract.instruments import instrument_of_program
from libretto.house.charts.casting import cast
from libretto.house.charts.chart import Chart
from libretto.house.charts.form import Passage
from libretto.house.charts.signs import sounds
from libretto.house.compose.band import Player, player_of_program

__all__ = ["colours_away", "with_colours"]

_LINE = ("second",)
_BAND = 4  # players from which on a band is none of a room
_WRITTEN = 0.15  # of its bars in which a chart has the line, for somebody to come for it


def with_colours(players: Sequence[Player], contract: Contract, chart: Chart) -> list[Player]:
    """The band of a chart, where a brief leaves that to the house, joined by who answers the tune if the chart has that
    written and nobody plays it: a band with bass and drums only, since others are small on purpose."""
    own = cast(players, chart.wants)
    joined = _joining(chart, players) if _is_free(contract, chart) and _LINE not in own.values() else None
    if joined is None or cast([*players, joined], chart.wants) != {**own, joined.name: _LINE}:
        return list(players)  # everybody else plays what they would play alone
    return [*players, joined]


def colours_away(
    contract: Contract, chart: Chart, players: Sequence[Player], passages: Sequence[Passage]
) -> dict[str, frozenset[int]]:
    """The bars in which who joined a band rests: the quieter half of a piece, but for sections whose tune it has."""
    own = {name for name, _, _ in chart.band}
    joined = [player.name for player in players if player.name not in own] if _is_free(contract, chart) else []
    return {name: frozenset(_quiet(passages)) for name in joined}


def _quiet(passages: Sequence[Passage]) -> set[int]:
    """The bars of the sections with the least energy that are together no more than half of a piece."""
    rests: set[int] = set()
    most = sum(passage.bars for passage in passages) / 2
    for passage in sorted(passages, key=lambda passage: passage.scene.energy):
        if passage.scene.tune in _LINE:
            continue
        if len(rests) + passage.bars > most:
            break
        rests.update(range(passage.first, passage.first + passage.bars))
    return rests


def _is_free(contract: Contract, chart: Chart) -> bool:
    """Whether a brief says nothing of who plays, and the chart's band has a bass and drums."""
    roles = {role for _, role, _ in chart.band}
    driven = {"bass", "drums"} <= roles and len(chart.band) >= _BAND
    return driven and not (contract.parts or contract.drums is False or chart.lines)


def _joining(chart: Chart, players: Sequence[Player]) -> Player | None:
    """Who plays the line, on the first of the instruments for which it was written that nobody has."""
    bars = [sounds(scene.bar(_LINE[0], bar)) for scene in chart.scenes.values() for bar in range(scene.bars)]
    taken = {player.program for player in players}
    program = next((one for one in chart.wants.get(_LINE[0], ()) if one not in taken), None)
    if program is None or sum(bars) < _WRITTEN * len(bars):
        return None
    name = instrument_of_program(program).name.title()
    return None if any(name == player.name for player in players) else player_of_program(name, "counter", program)
