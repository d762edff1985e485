"""A curve of progress: how far a morph has come from its source to its target, segment by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from zlib import crc32

from libretto.errors import ScoreError
from libretto.roll.draw import SMALL, Theme, document, fitted, letters, line, number
from libretto.roll.roll import headline

__all__ = ["morph_curve"]

_LEFT, _RIGHT, _HEIGHT = 44.0, 104.0, 190.0
_ABOVE, _BELOW = 22, 42  # room for the names of both ends
_RISE, _HALF_LETTER, _NUMBER_FALL, _NAME_FALL = 9, 3, 14, 28  # of letters above and below what they name
_LEVEL_GAP, _SIDE_GAP, _SIDE_AIR, _MIDDLE = 7, 10, 14, 30  # beside the curve, and around the middle name
_LEVELS = 4  # quarters of the way are marked
_MOST_VALUES = 2_000
_MOST_SAID = 60  # values that are read out to those who do not see the curve
_MOST_LABELS = 24


def morph_curve(
    values: Sequence[float],
    *,
    source: str = "source",
    target: str = "target",
    bars: Sequence[int] | None = None,
    near_source: Sequence[float] | None = None,
    near_target: Sequence[float] | None = None,
    ceiling: float | None = None,
    title: str = "",
    theme: Theme = "auto",
    width: float = 640.0,
) -> str:
    """Progress from 0 (all source) to 1 (all target) over the segments of a piece, its steepest step marked.

    ``bars`` are the numbers at which segments begin; ``near_source`` and ``near_target`` say how much each segment
    shares with either end; a step above ``ceiling`` is called abrupt.
    """
    _check(values, near_source, near_target, bars)
    steps = [abs(later - earlier) for earlier, later in pairwise(values)]
    steepest = steps.index(max(steps))
    verdict = "" if ceiling is None else f" ({'above' if steps[steepest] > ceiling else 'within'} {ceiling:g})"
    facts = f"from {values[0]:.2f} to {values[-1]:.2f}; largest step {steps[steepest]:.2f}{verdict}"
    top, head = headline(title or f"From {source} to {target}", facts, width)
    chart = _Chart(top + _ABOVE, width - _RIGHT, len(values))
    body = [head, chart.grid(bars, source, target)]
    for kind, name, shares in (("side0", source, near_source), ("side1", target, near_target)):
        if shares is not None:
            body.append(line(chart.path(shares), kind))
            x, y = chart.at(len(values) - 1, shares[-1])
            said = fitted(f"shared with {name}", _RIGHT - _SIDE_AIR, SMALL)
            body.append(letters(x + _SIDE_GAP, y + _HALF_LETTER, said, "soft", "small"))
    body.append(line(chart.path(values), "curve"))
    body.append(line(chart.path(values[steepest : steepest + 2], steepest), "steep"))
    body.append(chart.dots(values))
    about = f"Progress {', '.join(f'{value:.2f}' for value in values[:_MOST_SAID])}: {facts}."
    identity = f"lm{crc32(repr((list(values), source, target)).encode()):08x}"
    name = f"From {source} to {target}"
    return document(width, chart.top + _HEIGHT + _BELOW, theme, identity, name, about, "".join(body))


def _check(
    values: Sequence[float],
    near_source: Sequence[float] | None,
    near_target: Sequence[float] | None,
    bars: Sequence[int] | None,
) -> None:
    if not 2 <= len(values) <= _MOST_VALUES:
        raise ScoreError(f"a curve has from 2 to {_MOST_VALUES:,} values, not {len(values)}")
    for name, row in (("values", values), ("near_source", near_source), ("near_target", near_target)):
        if row is not None and (len(row) != len(values) or not all(0 <= value <= 1 for value in row)):
            raise ScoreError(f"{name} must hold one number from 0 to 1 for every segment")
    if bars is not None and len(bars) != len(values):
        raise ScoreError("there must be one bar number for every segment")


@dataclass(frozen=True)
class _Chart:
    """The field of a curve: from 0 below to 1 above, one place for every segment."""

    top: float
    right: float
    count: int

    def at(self, index: int, value: float) -> tuple[float, float]:
        return _LEFT + (self.right - _LEFT) * index / (self.count - 1), self.top + _HEIGHT * (1 - value)

    def path(self, values: Sequence[float], first: int = 0) -> str:
        points = (self.at(index, value) for index, value in enumerate(values, first))
        return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)

    def dots(self, values: Sequence[float]) -> str:
        """A dot for every value, and the value over it where there is room."""
        few = len(values) <= _MOST_LABELS
        out = []
        for index, value in enumerate(values):
            x, y = self.at(index, value)
            out.append(f'<circle class="dot" cx="{number(x)}" cy="{number(y)}" r="{4 if few else 2}"/>')
            if few:
                out.append(letters(x, y - _RISE, f"{value:.2f}", "mid", "small"))
        return "".join(out)

    def grid(self, bars: Sequence[int] | None, source: str, target: str) -> str:
        """Levels, bar numbers, and the names of both ends."""
        out, levels = [], ""
        for quarter in range(_LEVELS + 1):
            _, y = self.at(0, quarter / _LEVELS)
            levels += f"M{number(_LEFT)} {number(y)}H{number(self.right)}"
            out.append(letters(_LEFT - _LEVEL_GAP, y + _HALF_LETTER, f"{quarter / _LEVELS:g}", "soft", "end", "small"))
        step = -(-self.count // _MOST_LABELS)
        for index in range(0, self.count, step):
            x, y = self.at(index, 0)
            shown = str(bars[index] if bars is not None else index + 1)
            out.append(letters(x, y + _NUMBER_FALL, shown, "soft", "mid", "small"))
        middle, base = (_LEFT + self.right) / 2, self.at(0, 0)[1]
        out.append(letters(middle, base + _NAME_FALL, "bar" if bars is not None else "segment", "soft", "mid", "small"))
        room = (self.right - _LEFT) / 2 - _MIDDLE
        out.append(letters(_LEFT, base + _NAME_FALL, fitted(f"0 is {source}", room), "bold"))
        out.append(letters(_LEFT, self.top - _RISE, fitted(f"1 is {target}", room), "bold"))
        return line(levels, "beat") + "".join(out)
