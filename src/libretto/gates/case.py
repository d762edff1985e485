"""What gates judge: a piece, measured and placed once; whole, or as a region among real windows of its length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from libretto.axes import Profile, measure
from libretto.contract import Contract
from libretto.corpus import Cloud, Gauge, Gauges, Order, Overlap, Regions, load_cloud, normal_scores
from libretto.errors import LibrettoError, UnknownGenre
from libretto.gates.finding import Outcome
from libretto.gates.locate import Locator
from libretto.gates.within import excused_axes, limits_of
from libretto.registry import Registry
from libretto.score import Score
from libretto.score.table import Floats

__all__ = ["LONGEST_REGION", "Case", "Gate", "case_of", "check_genre", "gates"]

#: A piece of this many bars or fewer is judged as a region: among real windows of its length.
LONGEST_REGION = 23
_USUAL = (10, 50, 90)  # percentiles of real music: eight songs in ten lie between the outer two
_HUNDREDTHS = 100


@dataclass(frozen=True, eq=False)
class Case:
    """A piece before the gates, with the genre it is meant to be in ("" for any) and what it was compared with."""

    score: Score = field(repr=False)
    cloud: Cloud = field(repr=False)
    profile: Profile = field(repr=False)
    genre: str
    region: Regions | None = field(repr=False)
    copy: Overlap | None = None
    length: tuple[int, int] | None = None
    cited: tuple[str, Overlap] | None = None
    contract: Contract | None = field(default=None, repr=False)

    @cached_property
    def gauges(self) -> Gauges:
        """The cloud's gauges."""
        if self.cloud.gauges is None:
            raise LibrettoError(f"the cloud {self.cloud.name} was not calibrated and cannot judge")
        return self.cloud.gauges

    @cached_property
    def gauge(self) -> Gauge:
        """What the piece is held against: its genre's gauge, or that for any genre."""
        gauges = self.region.gauges if self.region else self.gauges.songs
        return gauges.get(self.genre) or gauges[""]

    @cached_property
    def ceiling(self) -> float:
        """How much may be shared with one song. Chance gives a short piece more, so between the longest windows and
        whole songs, for both of which it was measured, it falls with the logarithm of the length."""
        regions = self.gauges.regions
        if self.region or not regions:
            return self.gauge.ceiling
        longest = max(regions, key=lambda windows: windows.bars)
        usual = float(np.sqrt(self.gauge.bars[0] * self.gauge.bars[1]))
        if not longest.bars < self.score.bars < usual:
            return self.gauge.ceiling
        short = (longest.gauges.get(self.genre) or longest.gauges[""]).ceiling
        part = np.log(self.score.bars / longest.bars) / np.log(usual / longest.bars)
        return max(self.gauge.ceiling, float(short + part * (self.gauge.ceiling - short)))

    @property
    def order(self) -> Order:
        """What tells real music from chance, at this length."""
        return self.region.order if self.region else self.gauges.order

    @cached_property
    def shares(self) -> Floats:
        """For every axis of the cloud which part of real music lies below; NaN where it does not apply."""
        row = self.cloud.row(self.profile)
        return np.asarray((self.region.shares(row) if self.region else self.cloud.shares(row))[0])

    @cached_property
    def scores(self) -> Floats:
        """The same as normal scores."""
        return normal_scores(self.shares)

    @cached_property
    def percentiles(self) -> dict[str, int]:
        """Every axis that applies, as a whole percentile."""
        shares = zip(self.cloud.axes, self.shares.tolist(), strict=True)
        return {name: round(_HUNDREDTHS * share) for name, share in shares if not np.isnan(share)}

    @cached_property
    def limits(self) -> frozenset[str]:
        """What the contract fixes, so that no finding may ask for anything else."""
        return limits_of(self.contract)

    @cached_property
    def excused(self) -> frozenset[str]:
        """The axes that lie where they do because the contract asks for it; they do not count against the piece."""
        return excused_axes(self.contract, self.percentiles)

    def distance(self, name: str) -> float:
        """How far out an axis lies: by how many times the usual spread it misses the middle of real music."""
        value = self.profile.get(name)
        low, middle, high = self._usual[self.cloud.axes.index(name)]
        return 0.0 if value is None or not high > low else abs(value - middle) / (high - low)

    @cached_property
    def _usual(self) -> list[tuple[float, ...]]:
        """For every axis the low, middle and high end of what is usual in real music."""
        if self.region:
            return [tuple(row[percent] for percent in _USUAL) for row in self.region.percentiles.tolist()]
        return [tuple(row) for row in np.nanpercentile(self.cloud.values, _USUAL, axis=0).T.tolist()]

    @cached_property
    def locator(self) -> Locator:
        """What finds the bars and voices behind an axis."""
        return Locator(self.score, self.cloud.grid)

    @cached_property
    def genres(self) -> dict[str, float]:
        """How much the piece is like each genre, the largest share first."""
        if self.cloud.classifier is None:
            return {}
        shares = np.exp(self.cloud.classifier.log_shares(self.scores)[0])
        genres = dict(zip(self.cloud.classifier.genres, shares.tolist(), strict=True))
        return {name: genres[name] for name in sorted(genres, key=lambda name: (-genres[name], name))}


def case_of(
    score: Score,
    cloud: Cloud,
    genre: str = "",
    *,
    region: bool | None = None,
    copy: Overlap | None = None,
    length: tuple[int, int] | None = None,
    cited: tuple[str, Overlap] | None = None,
    contract: Contract | None = None,
) -> Case:
    """A piece ready to be judged; ``region`` says how, by its length where it is left out."""
    check_genre(cloud, genre)
    as_region = score.bars <= LONGEST_REGION if region is None else region
    profile = measure(score, grid=cloud.grid)
    windows = cloud.gauges.regions if cloud.gauges and as_region else ()
    nearest = min(windows, key=lambda region: (abs(np.log2(region.bars / score.bars)), region.bars), default=None)
    return Case(score, cloud, profile, genre, nearest, copy, length, cited, contract)


def check_genre(cloud: Cloud | str, genre: str | None) -> None:
    """Refuse a genre that a cloud does not have."""
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    if genre and genre not in home.labels:
        raise UnknownGenre(genre, home.labels, home.name)


Gate = Callable[[Case], Outcome | None]
#: Every gate by name.
gates: Registry[Gate] = Registry("gate", "libretto.gates")
