"""Pieces in a meter for which only charts of other music are there: a house track in 5/4 has the band of house, and a
kick on every beat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.contract.asks import Ask
from libretto.house.charts.catalogue import charts_of, suited_chart
from libretto.house.charts.chart import Chart
from libretto.house.charts.habits import habits_of_style
from libretto.house.core.style import Style, load_style, style_names

__all__ = ["suited_at_home", "with_floor"]

_FLOOR = "floor"  # the habit of a kick on every beat


def suited_at_home(contract: Contract, style: Style, bars: int, seed: int) -> tuple[Chart, int] | None:
    """A chart that suits a brief, with the band of the music that is asked for, and its turn; None where none is."""
    suited = suited_chart(contract, style, bars, seed)
    return (_at_home(suited[0], contract), suited[1]) if suited is not None else None


def _at_home(chart: Chart, contract: Contract) -> Chart:
    """A chart with the band of the music that is asked for, where it was written for other music and is played for its
    meter, and nobody is named who plays."""
    style = contract.style
    if contract.meter is None or contract.parts or style not in style_names() or not _is_abroad(chart, style):
        return chart
    own = [one for one in charts_of(frozenset((style,))) if one.styles[0] == style]
    return replace(chart, band=max(own, key=lambda one: _usual(one, own)).band) if own else chart


def _usual(chart: Chart, others: Sequence[Chart]) -> float:
    """How much of the band of a chart others of its style have, too."""
    mine = {name for name, _, _ in chart.band}
    return sum(len(mine & {name for name, _, _ in other.band}) for other in others) / len(mine)


def with_floor(contract: Contract, style: str, chart: Chart | None) -> Contract:
    """A contract with a kick on every beat, where the style that is asked for has that and the chart is of another."""
    strange = chart is not None and contract.meter is not None and _is_abroad(chart, style)
    told = contract.drums is False or any(ask.kind == "drums" for ask in contract.asks)
    if not strange or told or _FLOOR not in habits_of_style(style):
        return contract
    return replace(contract, asks=(*contract.asks, Ask("drums", "four on the floor")))


def _is_abroad(chart: Chart, style: str) -> bool:
    """Whether a chart knows a style not at all, or was first of all written for music of another genre."""
    first = next((one for one in chart.styles if one in style_names()), style)
    return style not in chart.styles or load_style(first).genre != load_style(style).genre
