"""How a form ends whose last section is no close: with the last bar of the chart's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.house.charts.chart import PARTS, Chart
from libretto.house.charts.form import Passage

__all__ = ["brought_home"]

_GOES_ON = ("fade", "open")  # endings that need no last bar


def brought_home(chart: Chart, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The same passages; where the last is a strain that goes on, or a close that is cut short, its last bar is the one
    with which the chart ends, in all parts: a piece stops nowhere in the middle."""
    last = passages[-1]
    size = last.skipped + last.bars
    closes = {order[-1] for order in chart.forms.values()}
    if chart.ending in _GOES_ON or not closes or (last.scene.name in closes and size % last.scene.bars == 0):
        return tuple(passages)
    close = chart.scenes[chart.forms[max(chart.forms)][-1]]
    rows = {
        part: (*(last.scene.bar(part, number) for number in range(size - 1)), close.bar(part, close.bars - 1))
        for part in PARTS
        if part in last.scene.parts or part in close.parts
    }
    return (*passages[:-1], replace(last, scene=replace(last.scene, parts=rows)))
