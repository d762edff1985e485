"""How numbers become worth: one curve for every number, learnt from pairs of pieces whose order is known.

Conventions: a curve is a value at each of a few knots, straight in between and level beyond; 0 is what real music has
on average, and a number that does not apply is worth 0. Worths add up. Everything here was learnt (``lab.merit``) and
is kept in ``curves.json``; nothing is written by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import isnan
from pkgutil import get_data
from typing import Any

import numpy as np

from libretto.score.table import Floats

__all__ = ["Curves", "curves_from", "the_curves"]


@dataclass(frozen=True, eq=False)
class Curves:
    """A curve for every number: knots and values; and how far real pieces differ in each topic."""

    knots: Mapping[str, Floats]
    values: Mapping[str, Floats]
    spread: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def floor(self) -> float:
        """Less than any piece can be worth."""
        return float(sum(min(float(values.min()), 0.0) for values in self.values.values()))

    def worth(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """What every number of a piece is worth; numbers that nothing was learnt of are left out."""
        worth = {}
        for name, knots in self.knots.items():
            number = numbers.get(name, float("nan"))
            worth[name] = 0.0 if isnan(number) else float(np.interp(number, knots, self.values[name]))
        return worth


def curves_from(data: Mapping[str, Any]) -> Curves:
    """Curves from plain numbers: for each name its knots, then its values; and the spread of each topic."""
    curves = data["curves"]
    knots = {name: np.array(pair[0], dtype=np.float64) for name, pair in curves.items()}
    values = {name: np.array(pair[1], dtype=np.float64) for name, pair in curves.items()}
    return Curves(knots, values, {name: float(value) for name, value in data["spread"].items()})


@lru_cache(maxsize=1)
def the_curves() -> Curves:
    """The curves that the package ships."""
    text = (get_data("libretto.merit", "curves.json") or b"").decode()
    return curves_from(json.loads(text))
