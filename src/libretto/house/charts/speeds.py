"""Speeds: whether a chart is played as fast as a brief asks for."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract import Contract
from libretto.contract.asks import share_of
from libretto.contract.checks.speeds import CALMED, SLOW_TO_FAST
from libretto.house.charts.chart import Chart

__all__ = ["is_at_speed", "is_away"]

_OFF_TEMPO = 0.15  # how far beyond its speeds a chart may be played
_DRIVEN = 1.8  # how much faster what goes from slow to fast becomes, about


def is_away(chart: Chart, contract: Contract) -> bool:
    """Whether the middle of the speeds asked for, or of those to which it hastens, is none of the chart's."""
    asked = _beats(chart, contract.tempo_bpm, contract) if contract.tempo_bpm else None
    return asked is not None and not chart.tempo[0] <= sum(asked) / 2 * _hastens(contract) <= chart.tempo[1]


def _beats(chart: Chart, asked: tuple[float, float], contract: Contract) -> tuple[float, float]:
    """Speeds that a brief asks for, as a chart counts them."""
    return asked if contract.dotted else chart.beats(asked)


def _hastens(contract: Contract) -> float:
    """How much faster a piece becomes than it begins."""
    told = [ask.what for ask in contract.asks if ask.kind == "tempo_change"]
    driven = _DRIVEN if {SLOW_TO_FAST, CALMED} & set(told) else 1.0
    return max((driven, *(share_of(one) or 1.0 for one in told if one.startswith("to x"))))


def is_at_speed(chart: Chart, contract: Contract) -> bool:
    """Whether a chart is played about as fast as a brief asks for."""
    asked = _beats(chart, contract.tempo_bpm, contract) if contract.tempo_bpm else None
    return asked is None or _meets((asked[0], asked[1] * _hastens(contract)), chart.tempo)


def _meets(asked: Sequence[float], own: tuple[float, float]) -> bool:
    """Whether two ranges of speed meet, a little stretched."""
    return asked[0] <= own[1] * (1 + _OFF_TEMPO) and asked[1] >= own[0] * (1 - _OFF_TEMPO)
