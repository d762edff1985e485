"""What is usual of real tunes: by kind, between which values the middle 80 in 100 lie, and how many a real tune keeps.

The numbers are shipped (``bench/tunes.json``); ``python -m lab.tune_figures FOLDER`` measures them anew. Ranges are
measured on most of the tunes, and tried on those held back: a figure of theirs lies within for about 80 in 100, but a
tune with every figure within is rare. What real tunes reach is all that can be asked of ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from libretto.bench.tunes.collections import KINDS, real_tunes
from libretto.bench.tunes.figures import FIGURES, LAST, figures_of, stretches
from libretto.errors import LibrettoError
from libretto.house.core.style import load_style

__all__ = ["Usual", "kind_of_style", "measured", "shipped_usual", "usual_of"]

_MIDDLE = (10, 90)  # percentiles
_SHARE = 0.80  # what the middle holds
_SONG = "song"  # the kind of whatever is no other
_FEWEST = 20  # tunes, fewer say nothing of a figure

Figures = Mapping[str, float | None]


@dataclass(frozen=True)
class Usual:
    """What is usual of one kind: ranges by figure (of the last note: its degrees), and what tunes held back reach.

    ``inside`` is by figure the share of held tunes that lie within, ``every`` the share with all figures within, and
    ``most`` the number of figures outside that 80 in 100 of them do not exceed.
    """

    tunes: int
    ranges: Mapping[str, tuple[float, ...]]
    held: int = 0
    inside: Mapping[str, float] = field(default_factory=dict)
    every: float = 0.0
    most: int = 0

    def within(self, figures: Figures) -> dict[str, bool]:
        """By figure whether it lies within; figures that do not apply, to the tune or to the kind, are left out."""
        there = {name: value for name, value in figures.items() if value is not None and name in self.ranges}
        return {name: self._holds(name, value) for name, value in there.items()}

    def _holds(self, name: str, value: float) -> bool:
        bounds = self.ranges[name]
        return value in bounds if name == LAST else bounds[0] <= value <= bounds[1]

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {
            "tunes": self.tunes,
            "ranges": {name: [round(value, 4) for value in values] for name, values in self.ranges.items()},
            "held": self.held,
            "inside": {name: round(value, 4) for name, value in self.inside.items()},
            "every": round(self.every, 4),
            "most": self.most,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Usual:
        """The inverse of ``to_dict``."""
        ranges = {name: tuple(values) for name, values in data["ranges"].items()}
        return cls(data["tunes"], ranges, data["held"], data["inside"], data["every"], data["most"])


def usual_of(taught: Sequence[Figures], held: Sequence[Figures]) -> Usual:
    """Ranges measured on some tunes and tried on others."""
    ranges: dict[str, tuple[float, ...]] = {}
    for name in FIGURES:
        values = np.asarray([value for one in taught if (value := one[name]) is not None], dtype=np.float64)
        if len(values) >= _FEWEST:
            ranges[name] = _commonest(values) if name == LAST else tuple(np.percentile(values, _MIDDLE).tolist())
    usual = Usual(len(taught), ranges)
    tried = [usual.within(one) for one in held]
    shares = {
        name: float(np.mean([one[name] for one in tried if name in one]))
        for name in ranges
        if any(name in one for one in tried)
    }
    outside = [sum(not met for met in one.values()) for one in tried]
    every = float(np.mean([not count for count in outside])) if outside else 0.0
    most = int(np.percentile(outside, 100 * _SHARE, method="higher")) if outside else 0
    return Usual(len(taught), ranges, len(held), shares, every, most)


def _commonest(values: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """The fewest values that together make up the middle's share."""
    there, counts = np.unique(values, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    needed = int(np.searchsorted(np.cumsum(counts[order]) / len(values), _SHARE)) + 1
    return tuple(sorted(there[order[:needed]].tolist()))


def measured(folder: Path) -> dict[str, Usual]:
    """What is usual by kind, measured on the collections of a folder."""
    return {kind: usual_of(*_figures(folder, kind)) for kind in KINDS}


def _figures(folder: Path, kind: str) -> tuple[list[Figures], list[Figures]]:
    """The figures of all stretches of a kind's tunes: those measured on, and those held back."""
    parted: tuple[list[Figures], list[Figures]] = ([], [])
    for collection in KINDS[kind]:
        for tune in real_tunes(folder, collection):
            parted[tune.held].extend(figures_of(part) for part in stretches(tune.tune))
    return parted


@cache
def shipped_usual() -> dict[str, Usual]:
    """What is usual by kind, as shipped."""
    data = json.loads(files("libretto.bench").joinpath("tunes.json").read_text(encoding="utf-8"))
    return {kind: Usual.from_dict(one) for kind, one in data.items()}


@cache
def _kinds() -> dict[str, str]:
    lines = files("libretto.bench").joinpath("tune_kinds.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {pair[0]: pair[1] for pair in pairs}


def kind_of_style(name: str) -> str:
    """The kind of real tunes that a style's are held against: as listed for it or for a parent, else songs."""
    kinds, seen = _kinds(), set[str]()
    while name and name not in seen:
        if name in kinds:
            return kinds[name]
        seen.add(name)
        try:
            name = str(load_style(name).data.get("parent", ""))
        except LibrettoError:
            return _SONG
    return _SONG
