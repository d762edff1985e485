"""What a cloud needs to know of one song: its profile, the profiles of some of its windows, and its place in a corpus.

Windows are what regions are judged by: stretches of a few bars, taken evenly over the song, measured as pieces of their
own. The song and each window are also measured *shaken*, with their notes drawn at random, in one of three ways in
turn: what real music is told apart from. Percussion, instruments, lengths and loudness stay as they are, so that only
the choice of notes tells the two apart. The same piece is always shaken the same way.

Beside them stand its excerpts (``libretto.corpus.forces``), for few players and of few bars: what pieces are held
against, cell by cell. All of it is measured on the paper grid: the song is put onto it first, then cut and shaken.

The numbers that gates compare with (gauges) are here, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from libretto.axes import Profile, measure_all
from libretto.corpus.cells import Cells
from libretto.corpus.copying import Copying
from libretto.corpus.excerpts import Excerpts, excerpts_of
from libretto.corpus.shaking import WAYS, plain_spellings, shaken
from libretto.score import Score, played, take_bars
from libretto.score.facts import Facts
from libretto.score.packing import packed, unpacked
from libretto.score.table import Floats

__all__ = [
    "GRID",
    "WAYS",
    "WINDOW_BARS",
    "Gauge",
    "Gauges",
    "Order",
    "Regions",
    "SongRow",
    "Window",
    "plain_spellings",
    "row_of",
    "shaken",
    "window_starts",
]

#: The grid on which songs are measured.
GRID = "paper"
#: The lengths for which windows are measured.
WINDOW_BARS = (4, 8, 16)
_WINDOWS = 2  # of one length in a song
_DIGEST = 8  # digits of a piece's digest that choose how it is shaken


@dataclass(frozen=True)
class Window:
    """Some bars of a song: their profile, and what it would be if the notes were drawn at random."""

    bars: int
    profile: Profile
    shaken: Profile


@dataclass(frozen=True)
class SongRow:
    """One song of a corpus: genre and group (artist) as it was labelled, and what was measured."""

    genre: str
    group: str
    bars: int
    profile: Profile = field(repr=False)
    shaken: Profile = field(repr=False)
    windows: tuple[Window, ...] = field(repr=False, default=())
    excerpts: Excerpts | None = field(repr=False, default=None)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**asdict(replace(self, excerpts=None)), "excerpts": self.excerpts.to_dict() if self.excerpts else None}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SongRow:
        """A row from plain data."""
        windows = tuple(Window(int(w["bars"]), dict(w["profile"]), dict(w["shaken"])) for w in data["windows"])
        profile, shaken = dict(data["profile"]), dict(data["shaken"])
        excerpts = Excerpts.from_dict(data["excerpts"]) if data["excerpts"] else None
        return cls(data["genre"], data["group"], int(data["bars"]), profile, shaken, windows, excerpts)


def row_of(score: Score, genre: str = "", group: str = "") -> SongRow:
    """Measure a song, its windows and its excerpts, the published axes on the paper grid."""
    score = played(score)
    way = int(score.digest[:_DIGEST], 16)
    parts = []
    for bars in WINDOW_BARS:
        for start in window_starts(score, bars):
            first = start + score.first_bar
            part = take_bars(score, first, first + bars - 1)
            way += 1
            parts.append((bars, part, shaken(part, WAYS[way % len(WAYS)])))
    whole, noise = measure_all([score, shaken(score, WAYS[way % len(WAYS)])])
    real, random = measure_all([part for _, part, _ in parts]), measure_all([drawn for _, _, drawn in parts])
    windows = tuple(Window(bars, *pair) for (bars, _, _), *pair in zip(parts, real, random, strict=True))
    return SongRow(genre, group, score.bars, whole, noise, windows, excerpts_of(score))


def window_starts(score: Score, bars: int) -> list[int]:
    """Where windows of that many bars begin, as bar indices: up to two, spread over the song, none mostly silent."""
    sounding = np.bincount(Facts(score).bar, minlength=score.bars) > 0
    full = np.convolve(sounding, np.ones(bars, dtype=np.int64), "valid") if score.bars >= 2 * bars else np.zeros(0)
    fitting = np.flatnonzero(full >= max(1, bars - bars // 4))
    if not len(fitting):
        return []
    wanted = (np.arange(_WINDOWS) + 0.5) / _WINDOWS
    return sorted({int(fitting[int(share * len(fitting))]) for share in wanted})


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
