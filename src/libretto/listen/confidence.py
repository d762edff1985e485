"""How sure the local ear may be of an answer: a share of right answers, taught on made trials whose answers are known.

What is looked at, for every task the same: how many of the other ears (a little stricter, a little laxer) come to the
same answer; how alike their lines are; whether the tolerant solver agrees; how clear the sound is. A logistic curve for
each kind of line, of one clip or of two, turns that into a chance of being right. The curves were taught on sounds,
seeds and noises of the lab and checked on others (``docs/hearing.md``); a line without a curve has no confidence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from libretto.hearing.reading import Reading
from libretto.listen.kinds import Kind

__all__ = ["FEATURES", "Curve", "confidence", "curve_name", "curves", "features"]

#: What confidence is taught from, in order.
FEATURES = ("agreeing", "alike", "tolerant", "clear", "chosen")
_LEAST, _MOST = 0.02, 0.98  # no answer is called surer than teaching on some hundred trials can show
_DIGITS = 3


class Curve(NamedTuple):
    """A logistic curve: where it stands, and how much each feature counts."""

    base: float
    weights: tuple[float, ...]

    def at(self, values: Sequence[float]) -> float:
        """The chance at these features, within what can be known."""
        total = self.base + sum(weight * value for weight, value in zip(self.weights, values, strict=True))
        return min(_MOST, max(_LEAST, 1 / (1 + math.exp(-total))))


@cache
def curves() -> Mapping[str, Curve]:
    """The curves that were taught, by name."""
    data = json.loads(files("libretto.listen").joinpath("confidence.json").read_text(encoding="utf-8"))
    return {name: Curve(curve["base"], tuple(curve["weights"])) for name, curve in data["curves"].items()}


def curve_name(kind: Kind) -> str:
    """Which curve a task goes by: that of its line, for as many clips.

    >>> from libretto.listen.kinds import kinds
    >>> curve_name(kinds["oddball"]), curve_name(kinds["contour"])
    ('melody 2', 'melody 1')
    """
    return f"{kind.functor} {kind.clips}"


def confidence(kind: Kind, readings: Sequence[Reading]) -> float | None:
    """How likely the answer that follows from these readings is right; None where none follows, or nothing is known."""
    values = features(kind, readings)
    curve = curves().get(curve_name(kind))
    return None if values is None or curve is None else round(curve.at(values), _DIGITS)


def features(kind: Kind, readings: Sequence[Reading]) -> tuple[float, ...] | None:
    """What confidence is taught from; None where the readings decide nothing.

    ``chosen`` is 1 for the first choice: where a question is whether two things are the same, the two answers are not
    equally easy to get wrong.
    """
    lines = [reading.values for reading in readings]
    answer = kind.solve(*lines).answer
    if answer is None:
        return None
    ways = list(zip(*(reading.others for reading in readings), strict=False))
    agreeing = sum(kind.solve(*way).answer == answer for way in ways) / len(ways) if ways else 1.0
    alike = min(_alike(way, lines) for way in ways) if ways else 1.0
    tolerant = kind.tolerant(*lines).answer == answer if kind.tolerant else True
    clear = min(reading.clear for reading in readings)
    return (agreeing, alike, float(tolerant), clear, float(answer == kind.choices[0]))


def _alike(way: Sequence[Sequence[int]], lines: Sequence[Sequence[int]]) -> float:
    """How much the lines of another ear have in common with these, from 0 to 1."""
    shares = [
        SequenceMatcher(None, list(one), list(two), autojunk=False).ratio() for one, two in zip(way, lines, strict=True)
    ]
    return min(shares)
