"""Roads between genres, calibrated on windows of real songs.

Songs of one genre differ more than windows of one song, so that the middle of a genre says little of where a window of
eight bars stands. Here a linear discriminant, taught on windows of real songs, tells the genres apart, and a ruler of
four points says what it means: half of the source's windows read below 0, most of them below ``NEAR``, most of the
target's above ``FAR``, half of them above 1. What is read between the points is drawn straight. ``Pair.read`` says how
many of 100 windows of artists that neither taught nor calibrated it read so: what a road can be trusted by. Pairs of
genres that windows do not tell apart have no such road.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from libretto.corpus import Cloud
from libretto.errors import LibrettoError
from libretto.score.table import Floats
from libretto.tasks.morph.road import End, Road, load_bounds

__all__ = ["FAR", "NEAR", "TRUSTED", "GenreTable", "Pair", "genre_road", "load_genres", "trust_in_words"]

#: A window of the source reads below the first, one of the target above the second.
NEAR, FAR = 0.35, 0.65
#: So many of 100 windows of unseen songs must read so on both sides before a road between genres is called reliable.
TRUSTED = 75
_READINGS = (0.0, NEAR, FAR, 1.0)  # what the four points of a ruler read
_HALF = 0.5  # a beginning is nearer to its source than to its target


@dataclass(frozen=True)
class Pair:
    """What windows of two genres do on the road between them.

    ``points`` are the four of the ruler, ``own`` how far nearly all windows of either end stray (as they are read),
    ``usual`` how far they usually lie from their middle, ``spread`` how much they vary, ``read`` how many of 100
    windows of unseen songs read below ``NEAR`` and above ``FAR``.
    """

    points: tuple[float, float, float, float]
    own: tuple[float, float]
    usual: tuple[float, float]
    spread: float
    read: tuple[int, int]

    @property
    def reliable(self) -> bool:
        """Whether windows of unseen songs read as they should on both sides."""
        return min(self.read) >= TRUSTED

    @property
    def reversed(self) -> Pair:
        """The same road the other way."""
        one, two, three, four = self.points
        return Pair(
            (1 - four, 1 - three, 1 - two, 1 - one),
            (1 - self.own[1], 1 - self.own[0]),
            (self.usual[1], self.usual[0]),
            self.spread,
            (self.read[1], self.read[0]),
        )


@dataclass(frozen=True, eq=False)
class GenreTable:
    """Where windows of every genre lie and what tells genres apart, for one cloud; and what is known of every pair."""

    cloud: str
    axes: tuple[str, ...]
    centres: Mapping[str, Floats] = field(repr=False)
    weights: Mapping[str, Floats] = field(repr=False)
    pairs: Mapping[tuple[str, str], Pair] = field(repr=False)

    def pair(self, source: str, target: str) -> Pair | None:
        """What is known of the road from one genre to another; None where nothing is."""
        if (source, target) in self.pairs:
            return self.pairs[source, target]
        other = self.pairs.get((target, source))
        return None if other is None else other.reversed

    def knows(self, source: str, target: str, cloud: Cloud) -> bool:
        """Whether there is a road from one genre to another among the songs of a cloud."""
        return (self.cloud, self.axes) == (cloud.full_name, cloud.axes) and self.pair(source, target) is not None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GenreTable:
        """A table from plain data, as it is shipped."""
        pairs = {}
        for name, (points, own, usual, spread, read) in data["pairs"].items():
            source, target = name.split()
            one, two, three, four = points
            ends = [(float(near), float(far)) for near, far in (own, usual)]
            right = int(read[0]), int(read[1])
            pairs[source, target] = Pair((one, two, three, four), ends[0], ends[1], float(spread), right)
        centres, weights = (
            {genre: np.asarray(row, dtype=np.float64) for genre, row in data[part].items()}
            for part in ("centres", "weights")
        )
        return cls(data["cloud"], tuple(data["axes"]), centres, weights, pairs)


@lru_cache(maxsize=1)
def load_genres() -> GenreTable:
    """The table that comes with the package, measured on windows of the songs of the default cloud."""
    return GenreTable.from_dict(json.loads(files("libretto.tasks.morph").joinpath("genres.json").read_text("utf-8")))


def genre_road(source: str, target: str, names: tuple[str, str], table: GenreTable | None = None) -> Road:
    """The road from one genre to another; a LibrettoError where the table does not know it."""
    table = table or load_genres()
    pair = table.pair(source, target)
    if pair is None:
        raise LibrettoError(f"there is no road from {source} to {target} that was calibrated on real songs")
    low, high = table.centres[source], table.centres[target]
    weights = table.weights[target] - table.weights[source]
    bounds = load_bounds()
    return Road(
        source=End(names[0], low[None]),
        target=End(names[1], high[None]),
        weights=weights / float((high - low) @ weights),
        middles=(low, high),
        anchors=(0.0, 1.0),
        usual=pair.usual,
        start=float(np.clip(pair.own[0], bounds.own, _HALF)),
        end=float(np.clip(pair.own[1], _HALF, 1 - bounds.own)),
        dip=bounds.dip,
        apart=1 / pair.spread,
        ruler=tuple(zip(pair.points, _READINGS, strict=True)),
    )


def trust_in_words(source: str, target: str, cloud: Cloud) -> str:
    """How far the road from one genre to another can be trusted, in a sentence."""
    table = load_genres()
    one, other = (genre.replace("_", " ") for genre in (source, target))
    pair = table.pair(source, target) if table.knows(source, target, cloud) else None
    if pair is None:
        return f"Windows of real songs do not tell {one} from {other}: the road leads through the middles of songs."
    read = f"{pair.read[0]} of 100 windows of {one} read below {NEAR}, {pair.read[1]} of 100 of {other} above {FAR}"
    return f"On this road {read} (artists unseen){'' if pair.reliable else '; that is not reliable'}."
