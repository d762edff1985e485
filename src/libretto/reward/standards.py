"""What real music is like at a glance: learnt curves and quantiles, from ``standards.json``; nothing is set by hand.

``sense`` is what tells music from what only looks like it, ``ordering`` what tells a draft from the same made worse:
sums of curves, one for each number. Levels are quantiles of real music of artists that the curves had not met.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from math import nan
from typing import Any

import numpy as np

from libretto.merit.curves import Curves, curves_from
from libretto.score.table import Floats

__all__ = ["Level", "Standards", "standards_from", "the_standards"]


@dataclass(frozen=True)
class Level:
    """Where real music lies in one number: what nearly all of it reaches, the middle, what few exceed; its spread."""

    low: float
    middle: float
    high: float
    spread: float


class _Sum:
    """Curves as arrays, so that all numbers of a piece are weighed at once; several lots are added up."""

    def __init__(self, *lots: Curves) -> None:
        self.names = tuple(name for curves in lots for name in curves.knots)
        most = max((len(knots) for curves in lots for knots in curves.knots.values()), default=1)
        # Knots that a curve lacks repeat its last one; a tiny step keeps them in order.
        self.knots, self.values = (
            np.array([_filled(row, most) for curves in lots for row in getattr(curves, what).values()]).reshape(
                -1, most
            )
            for what in ("knots", "values")
        )

    def __call__(self, numbers: Mapping[str, float]) -> float:
        row = np.array([numbers.get(name, nan) for name in self.names])
        known = ~np.isnan(row)
        row, knots, values = row[known, None], self.knots[known], self.values[known]
        if not len(row):
            return 0.0
        at = np.clip((knots <= row).sum(axis=1) - 1, 0, knots.shape[1] - 2)
        rows = np.arange(len(row))
        left, right = knots[rows, at], knots[rows, at + 1]
        share = np.clip((row[:, 0] - left) / np.maximum(right - left, 1e-12), 0.0, 1.0)
        return float((values[rows, at] + share * (values[rows, at + 1] - values[rows, at])).sum())


def _filled(row: Floats, most: int) -> Floats:
    return np.concatenate([row, np.full(max(most, 2) - len(row), row[-1])])


@dataclass(frozen=True, eq=False)
class Standards:
    """Everything that was learnt: curves, levels by name, tails of every number, and how many may be extreme.

    ``excerpt_curves`` are more of ``sense``, from excerpts of other collections.
    """

    sense_curves: Curves = field(repr=False)
    excerpt_curves: Curves = field(repr=False)
    ordering_curves: Curves = field(repr=False)
    levels: Mapping[str, Level]
    tails: Mapping[str, tuple[float, float]] = field(repr=False)

    @cached_property
    def sense(self) -> _Sum:
        """What tells music from what only looks like it."""
        return _Sum(self.sense_curves, self.excerpt_curves)

    @cached_property
    def ordering(self) -> _Sum:
        """What tells a draft from the same made worse."""
        return _Sum(self.ordering_curves)

    def extremes(self, numbers: Mapping[str, float]) -> int:
        """How many numbers lie where hardly any real music does."""
        return sum(1 for name, (low, high) in self.tails.items() if not low <= numbers.get(name, low) <= high)


def standards_from(data: Mapping[str, Any]) -> Standards:
    """Standards from plain data."""
    return Standards(
        curves_from({"curves": data["sense"], "spread": {}}),
        curves_from({"curves": data.get("excerpts", {}), "spread": {}}),
        curves_from({"curves": data["ordering"], "spread": {}}),
        {name: Level(*map(float, row)) for name, row in data["levels"].items()},
        {name: (float(low), float(high)) for name, (low, high) in data["tails"].items()},
    )


@lru_cache(maxsize=1)
def the_standards() -> Standards:
    """The standards that the package ships."""
    return standards_from(json.loads(files("libretto.reward").joinpath("standards.json").read_text(encoding="utf-8")))
