"""How loud a piece from a chart is on the whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from libretto.contract import Contract
from libretto.house.charts.chart import Scene
from libretto.house.charts.form import Passage
from libretto.house.core.style import Style

__all__ = ["calmed", "loudness_of"]

_CHART_LOUD = 76  # the velocity around which a chart is played
_LEVEL = 78  # and the level that its sections have on the whole
_MARKED = 0.4  # a leaning this strong decides how loud a piece is
_CALM = 0.4  # how far a climax stands out of a piece that is to be calm, as a part of what is written
_GROWS = frozenset(("growing", "loud", "louder"))  # what is asked of a piece that has a climax all the same


def loudness_of(style: Style, passages: Sequence[Passage], asked: float) -> int:
    """The velocity around which a chart is played; what is to be soft or strong is so on the whole, however loud its
    sections are among each other."""
    usual = _CHART_LOUD + (float(style.setting("touch", "loudness", 84)) - 84) / 2 + 12 * asked
    if abs(asked) < _MARKED:
        return round(usual)
    mean = _mean(passages, lambda scene: sum(scene.levels) / 2)
    return round(usual + max(0.0, (_LEVEL - mean) * (1 if asked > 0 else -1)) * (1 if asked > 0 else -1))


def calmed(passages: Sequence[Passage], contract: Contract) -> tuple[Passage, ...]:
    """The sections of a piece that is to be calm with a climax that is none beside the others, unless it is to grow."""
    grows = any(ask.kind == "dynamics" and ask.what in _GROWS for ask in contract.asks)
    if contract.dynamics > -_MARKED or grows or not passages:
        return tuple(passages)
    mean = _mean(passages, lambda scene: sum(scene.levels) / 2)
    full = _mean(passages, lambda scene: scene.energy)

    def nearer(value: float, middle: float) -> float:
        return middle + (value - middle) * _CALM if value > middle else value

    made = []
    for passage in passages:
        low, high = (round(nearer(level, mean)) for level in passage.scene.levels)
        scene = replace(passage.scene, levels=(low, high), energy=nearer(passage.scene.energy, full))
        made.append(replace(passage, scene=scene))
    return tuple(made)


def _mean(passages: Sequence[Passage], of: Callable[[Scene], float]) -> float:
    """The mean of something of sections over the bars of all of them."""
    bars = sum(passage.bars for passage in passages)
    return sum(of(passage.scene) * passage.bars for passage in passages) / max(1, bars)
