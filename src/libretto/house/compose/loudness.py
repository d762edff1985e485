"""How loud a piece from a chart is on the whole."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.form import Passage
from libretto.house.core.style import Style

__all__ = ["loudness_of"]

_CHART_LOUD = 76  # the velocity around which a chart is played
_LEVEL = 78  # and the level that its sections have on the whole
_MARKED = 0.4  # a leaning this strong decides how loud a piece is


def loudness_of(style: Style, passages: Sequence[Passage], asked: float) -> int:
    """The velocity around which a chart is played; what is to be soft or strong is so on the whole, however loud its
    sections are among each other."""
    usual = _CHART_LOUD + (float(style.setting("touch", "loudness", 84)) - 84) / 2 + 12 * asked
    if abs(asked) < _MARKED:
        return round(usual)
    bars = sum(passage.bars for passage in passages)
    mean = sum(sum(passage.scene.levels) / 2 * passage.bars for passage in passages) / max(1, bars)
    return round(usual + max(0.0, (_LEVEL - mean) * (1 if asked > 0 else -1)) * (1 if asked > 0 else -1))
