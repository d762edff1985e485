"""What gates judge: a piece, measured and placed once among its like.

Its like are real excerpts for the same forces and of the same length (its *kin*), where the cloud has such; else, and
by the published rule, whole songs, or for a short piece real windows of its length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from libretto.axes import Profile, measure
from libretto.corpus import Cloud, Gauge, Gauges, Order, Overlap, Regions, load_cloud, normal_scores
from libretto.corpus.cells import POINTS, Kin
from libretto.corpus.classifier import Classifier
from libretto.corpus.forces import Cell, cell_of
from libretto.corpus.overlap import telling_notes
from libretto.corpus.traits import traits_of
from libretto.errors import LibrettoError, UnknownGenre
from libretto.gates.cited import Cited
from libretto.gates.finding import Outcome
from libretto.gates.locate import Locator, Nowhere
from libretto.gates.within import excused_axes, limits_of
from libretto.registry import Registry
from libretto.score import Score
from libretto.score.table import Floats

if TYPE_CHECKING:
    from libretto.contract import Contract
    from libretto.faults.evidence import Seen

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
    sought: Callable[[], Overlap | None] | None = field(default=None, repr=False)  # the search for copies, under way
    length: tuple[int, int] | None = None
    cited: Cited | None = None
    contract: Contract | None = field(default=None, repr=False)
    located: bool = True  # whether findings say where
    unheard: int | None = None  # the only trees of the ear for parts that listen, in benches that hold out artists

    @cached_property
    def copy(self) -> Overlap | None:
        """What the piece shares with the song that it shares most with; None where nobody looked or found any.

        Whoever asks waits for the search.
        """
        return self.sought() if self.sought is not None else None

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
        """How much may be shared with one song beyond chance: what the cloud's curve says for so many notes.

        For a cloud without a curve it falls, between the longest windows and whole songs, for both of which it was
        measured, with the logarithm of the length.
        """
        if self.gauges.copying is not None:
            return self.gauges.copying.ceiling(telling_notes(self.score))
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

    @cached_property
    def cell(self) -> Cell:
        """The forces and the length of the piece."""
        return cell_of(self.score)

    @cached_property
    def kin(self) -> Kin | None:
        """The real excerpts that the piece is held against; None where the cloud has none."""
        return self.gauges.cells.of(self.cell) if self.gauges.cells else None

    @property
    def budget(self) -> int:
        """The most extreme axes."""
        return self.kin.budget if self.kin else self.gauge.budget

    @property
    def order(self) -> Order:
        """What tells real music from chance."""
        if self.gauges.cells is not None:
            return Order(self.gauges.cells.weights)
        return self.region.order if self.region else self.gauges.order

    @property
    def least_order(self) -> float:
        """The least order that real music has."""
        return self.kin.order if self.kin else self.gauge.order

    @property
    def floor(self) -> float | None:
        """The logarithm of the least share of its genre; None where genres cannot be told, or none was asked for."""
        if not self.genre or self.classifier is None:
            return None
        return self.kin.floors.get(self.genre) if self.kin else self.gauge.floor

    @cached_property
    def shares(self) -> Floats:
        """For every axis of the cloud which part of real music lies below; NaN where it does not apply."""
        row = self.cloud.row(self.profile)
        among = self.kin or self.region
        return np.asarray((among.shares(row) if among else self.cloud.shares(row))[0])

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
        if self.kin:
            places = [round(percent / _HUNDREDTHS * (POINTS - 1)) for percent in _USUAL]
            return [tuple(row) for row in self.kin.percentiles[:, places].tolist()]
        if self.region:
            return [tuple(row[percent] for percent in _USUAL) for row in self.region.percentiles.tolist()]
        return [tuple(row) for row in np.nanpercentile(self.cloud.values, _USUAL, axis=0).T.tolist()]

    @cached_property
    def seen(self) -> Seen:
        """The facts of the piece, for whoever asks."""
        from libretto.faults.evidence import Seen  # slow to import, and not needed to measure

        return Seen(self.score)

    @cached_property
    def traits(self) -> Floats:
        """What tells genres apart beside the axes."""
        return traits_of(self.score, self.seen)

    @cached_property
    def locator(self) -> Locator:
        """What finds the bars and voices behind an axis."""
        return (Locator if self.located else Nowhere)(self.score, self.cloud.grid)

    @property
    def classifier(self) -> Classifier | None:
        """What tells genres apart; its first weights are those of the cloud's axes."""
        cells = self.gauges.cells
        return (cells.genres.classifier if cells.genres else None) if cells else self.cloud.classifier

    @cached_property
    def logs(self) -> dict[str, float]:
        """The logarithm of each genre's share."""
        return self._logs_of(self.scores)

    @property
    def fit(self) -> float:
        """The logarithm of the share of the wanted genre: as it is or, where that is more, but for what was asked."""
        return max(self.logs[self.genre], self._logs_of(self.weighed)[self.genre])

    def _logs_of(self, scores: Floats) -> dict[str, float]:
        cells = self.gauges.cells
        if self.classifier is None:
            return {}
        if cells is not None and cells.genres is not None:
            logs = cells.genres.log_shares(scores[None], self.traits[None])[0]
        else:
            logs = self.classifier.log_shares(scores[None])[0]
        return dict(zip(self.classifier.genres, logs.tolist(), strict=True))

    @cached_property
    def genres(self) -> dict[str, float]:
        """How much the piece is like each genre, the largest share first."""
        shares = {name: float(np.exp(log)) for name, log in self.logs.items()}
        return {name: shares[name] for name in sorted(shares, key=lambda name: (-shares[name], name))}

    @cached_property
    def weighed(self) -> Floats:
        """The normal scores, with those in the middle that the contract excuses."""
        return np.where([name in self.excused for name in self.cloud.axes], 0.0, self.scores)

    def usual(self, genre: str) -> Floats:
        """The mean normal score of a genre on every axis."""
        cells = self.gauges.cells
        if cells is not None and cells.genres is not None:
            return np.asarray(cells.genres.centres[cells.genres.classifier.genres.index(genre)])
        mine = np.array([label == genre for label in self.cloud.genres], dtype=np.bool_)
        return np.asarray(normal_scores(self.cloud.shares(self.cloud.values[mine])).mean(axis=0))


def case_of(
    score: Score,
    cloud: Cloud,
    genre: str = "",
    *,
    region: bool | None = None,
    sought: Callable[[], Overlap | None] | None = None,
    length: tuple[int, int] | None = None,
    cited: Cited | None = None,
    contract: Contract | None = None,
) -> Case:
    """A piece ready to be judged; ``region`` says how, by its length where it is left out.

    ``sought`` gives what the piece shares with the song closest to it, when it is asked.
    """
    check_genre(cloud, genre)
    as_region = score.bars <= LONGEST_REGION if region is None else region
    profile = measure(score, grid=cloud.grid)
    windows = cloud.gauges.regions if cloud.gauges and as_region else ()
    nearest = min(windows, key=lambda region: (abs(np.log2(region.bars / score.bars)), region.bars), default=None)
    return Case(score, cloud, profile, genre, nearest, sought, length, cited, contract)


def check_genre(cloud: Cloud | str, genre: str | None) -> None:
    """Refuse a genre that a cloud does not have."""
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    if genre and genre not in home.labels:
        raise UnknownGenre(genre, home.labels, home.name)


Gate = Callable[[Case], Outcome | None]
#: Every gate by name.
gates: Registry[Gate] = Registry("gate", "libretto.gates", ["libretto.gates"])
