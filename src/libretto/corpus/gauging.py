"""Gauges: the numbers that gates compare a piece, or a region of one, with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from libretto.corpus.cells import Cells
from libretto.corpus.copying import Copying
from libretto.score.packing import packed, unpacked
from libretto.score.table import Floats

__all__ = ["Gauge", "Gauges", "Order", "Regions"]


@dataclass(frozen=True)
class Gauge:
    """What a piece is held against: ``floor`` is the logarithm of the least share of the genre, None for any genre.

    ``budget`` is the most extreme axes, ``order`` the least of what tells real music from chance, ``ceiling`` the least
    originality score that fails, ``bars`` the shortest and longest usual length. The rest is what the gates do on
    artists that were held out: ``accepted`` and ``mistaken`` are the shares of the genre's own music and of other music
    that pass genre fit, ``together`` is the share of its own that passes all gates, and ``count`` is on how many songs
    or windows these rest.
    """

    budget: int
    floor: float | None
    order: float
    ceiling: float
    bars: tuple[int, int]
    accepted: float | None = None
    mistaken: float | None = None
    together: float | None = None
    count: int = 0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Gauge:
        """A gauge from plain data."""
        low, high = data["bars"]
        return cls(**{**data, "bars": (int(low), int(high))})


@dataclass(frozen=True, eq=False)
class Order:
    """How real music differs from notes drawn at random: a weight for every axis.

    ``fooled`` is the share of pieces with notes drawn at random that pass all gates.
    """

    weights: Floats = field(repr=False)
    fooled: float = 0.0

    def of(self, scores: Floats) -> Floats:
        """How much order rows of normal scores have."""
        return np.asarray(np.atleast_2d(scores) @ self.weights)

    def to_dict(self) -> dict[str, Any]:
        """The order as plain data."""
        return {"weights": self.weights.tolist(), "fooled": self.fooled}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Order:
        """An order from plain data."""
        return cls(np.array(data["weights"], dtype=np.float64), float(data["fooled"]))


@dataclass(frozen=True, eq=False)
class Regions:
    """Real windows of one length: the value of each axis (rows) at every percentile (columns), and their gauges."""

    bars: int
    percentiles: Floats = field(repr=False)
    gauges: Mapping[str, Gauge] = field(repr=False)
    order: Order = field(repr=False)

    def shares(self, values: Floats) -> Floats:
        """Which part of the windows lies below, for rows of values; between equal percentiles the middle is taken."""
        shares = np.full(values.shape, np.nan)
        for axis, points in enumerate(self.percentiles):
            known = ~np.isnan(values[:, axis])
            if np.isnan(points).any() or not known.any():
                continue
            low = np.searchsorted(points, values[known, axis], side="left")
            high = np.searchsorted(points, values[known, axis], side="right")
            between = np.interp(values[known, axis], points, np.arange(len(points)))
            shares[known, axis] = np.where(low < high, (low + high - 1) / 2, between) / (len(points) - 1)
        return shares

    def to_dict(self) -> dict[str, Any]:
        """The windows as plain data."""
        return {
            "bars": self.bars,
            "percentiles": packed(self.percentiles),
            "gauges": {name: asdict(gauge) for name, gauge in self.gauges.items()},
            "order": self.order.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Regions:
        """Windows from plain data."""
        gauges = {name: Gauge.from_dict(gauge) for name, gauge in data["gauges"].items()}
        return cls(int(data["bars"]), unpacked(data["percentiles"]), gauges, Order.from_dict(data["order"]))


@dataclass(frozen=True, eq=False)
class Gauges:
    """The gauges for whole pieces, by genre, for regions, by length, and for pieces by forces and length.

    ``copying`` says how much sharing is copying.
    """

    songs: Mapping[str, Gauge]
    order: Order
    regions: tuple[Regions, ...] = ()
    cells: Cells | None = None
    copying: Copying | None = None

    def to_dict(self) -> dict[str, Any]:
        """The gauges as plain data."""
        return {
            "songs": {name: asdict(gauge) for name, gauge in self.songs.items()},
            "order": self.order.to_dict(),
            "regions": [region.to_dict() for region in self.regions],
            **({"cells": self.cells.to_dict()} if self.cells else {}),
            **({"copying": self.copying.to_dict()} if self.copying else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Gauges:
        """Gauges from plain data."""
        songs = {name: Gauge.from_dict(gauge) for name, gauge in data["songs"].items()}
        regions = tuple(Regions.from_dict(region) for region in data["regions"])
        cells = Cells.from_dict(data["cells"]) if "cells" in data else None
        copying = Copying.from_dict(data["copying"]) if "copying" in data else None
        return cls(songs, Order.from_dict(data["order"]), regions, cells, copying)
