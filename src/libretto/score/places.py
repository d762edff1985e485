"""Where a tick lies, as a person counts: bar and beat."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from libretto.score.model import Score
from libretto.score.time import WHOLE

__all__ = ["place"]


def place(score: Score, tick: int) -> tuple[int, float]:
    """The bar number and the beat, counted from 1 in the meter's unit, where a tick lies.

    >>> place(Score.build([], bars=4), 161280 + 60480)
    (2, 2.5)
    """
    bar = min(max(bisect_right(score.bar_lines, tick) - 1, 0), score.bars - 1)
    meter = score.meters[bisect_right(score.meters, score.bar_lines[bar], key=_tick) - 1][1]
    return bar + score.first_bar, 1 + (tick - score.bar_lines[bar]) * meter.unit / WHOLE


def _tick(change: tuple[int, Any]) -> int:
    return change[0]
