"""Charts in a meter that has the strokes of theirs by another name: a hora in 3/4 is one in 3/8 too, twice as fast on
paper, and a compás of 6/4 one of 12/8."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from libretto.house.charts.chart import Chart
from libretto.score import Meter

__all__ = ["rebarred"]

# By the meter that is asked for, the one in which charts are written, and how many times shorter their notes become.
_KIN = {Meter(3, 8): (Meter(3, 4), 2), Meter(12, 8): (Meter(6, 4), 1), Meter(9, 8): (Meter(9, 4), 2)}


@cache
def rebarred(chart: Chart, asked: Meter | None) -> Chart:
    """A chart in the meter that a brief asks for, where it is the chart's own by another name; else as it is."""
    own, shorter = _KIN.get(asked, (None, 1)) if asked is not None else (None, 1)
    if own != chart.meter or asked is None:
        return chart
    slow, fast = chart.tempo
    return replace(chart, meter=asked, unit=chart.unit * shorter, tempo=(slow / shorter, fast / shorter))
