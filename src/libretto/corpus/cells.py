"""What pieces are held against: real excerpts for the same forces and of the same length, as numbers.

Every cell (``libretto.corpus.forces``) has its own placing of the axes and its own thresholds. Where a corpus has too
few excerpts of a cell, it shares those of its neighbours: so a cloud of twenty songs still has something for every
piece, only less finely told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np

from libretto.corpus.classifier import Classifier
from libretto.corpus.forces import LENGTHS, SIZES, Cell, Forces
from libretto.score.packing import packed, unpacked
from libretto.score.table import Floats

__all__ = ["CELLS", "POINTS", "Cells", "GenreSense", "Kin", "Pass", "pools", "shares_among"]

#: Every cell there is.
CELLS = tuple(Cell(Forces(size, beaten), length) for length in LENGTHS for size in SIZES for beaten in (False, True))
POINTS = 41  #: places from the least to the most of an axis whose values are kept: every fortieth of the excerpts
_DIGITS = 5  # of what is kept
_NEAR, _TINY = 2e-5, 1e-9  # values are equal that differ by less than this part, or by this
_CLIP = 3.0  # spreads; a trait further out is no further
# How cells are pooled where excerpts are few: sizes and lengths apart at most, and whether percussion must agree.
_STEPS = ((0, 0, True), (0, 0, False), (1, 0, True), (1, 0, False), (4, 0, False), (4, 1, False), (4, 3, False))


@dataclass(frozen=True)
class Pass:
    """What passes in a cell, counted on artists that were held out: shares of so many excerpts.

    ``degeneracy``, ``order`` and ``fit`` are the shares of real excerpts under their own label that pass each gate,
    ``real`` that pass all three; ``random`` and ``other`` are the shares of random notes and of wrong labels that do.
    """

    count: int
    degeneracy: float
    order: float
    fit: float | None
    real: float
    random: float
    other: float | None


@dataclass(frozen=True, eq=False)
class Kin:
    """Real excerpts of one cell, or of several that are pooled: where their axes lie, and what nearly all of them keep.

    ``percentiles`` has the value of each axis (rows) at even places from the least to the most (columns). ``budget`` is
    the most extreme axes, ``order`` the least of what tells real music from chance, ``floors`` the logarithm of the
    least share of each genre.
    """

    percentiles: Floats = field(repr=False)
    budget: int
    order: float
    floors: Mapping[str, float] = field(default_factory=dict, repr=False)
    passing: Pass | None = field(default=None, repr=False)

    def shares(self, values: Floats) -> Floats:
        """Which part of the excerpts lies below, for rows of values."""
        return shares_among(self.percentiles, values)

    def to_dict(self) -> dict[str, Any]:
        """The kin as plain data."""
        return {
            "percentiles": packed(self.percentiles),
            "budget": self.budget,
            "order": self.order,
            "floors": dict(self.floors),
            "passing": asdict(self.passing) if self.passing else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Kin:
        """Kin from plain data."""
        floors = {str(genre): float(floor) for genre, floor in data["floors"].items()}
        passing = Pass(**data["passing"]) if data["passing"] else None
        return cls(unpacked(data["percentiles"]), int(data["budget"]), float(data["order"]), floors, passing)


@dataclass(frozen=True, eq=False)
class GenreSense:
    """What tells genres apart in any cell: a classifier of normal scores among the kin, followed by traits.

    Traits are taken as so many ``spreads`` from their ``middles``, three at most. ``centres`` are the mean normal
    scores of each genre.
    """

    classifier: Classifier
    centres: Floats = field(repr=False)
    middles: Floats = field(repr=False)
    spreads: Floats = field(repr=False)

    def features(self, scores: Floats, traits: Floats) -> Floats:
        """Rows of normal scores and of traits as the classifier reads them."""
        return np.hstack([scores, np.clip((traits - self.middles) / self.spreads, -_CLIP, _CLIP)])

    def log_shares(self, scores: Floats, traits: Floats) -> Floats:
        """The logarithm of the share of each genre."""
        return self.classifier.log_shares(self.features(scores, traits))

    def to_dict(self) -> dict[str, Any]:
        """The sense as plain data."""
        classifier = self.classifier
        return {
            "genres": list(classifier.genres),
            "weights": _kept(classifier.weights),
            "offsets": _kept(classifier.offsets),
            "centres": _kept(self.centres),
            "middles": _kept(self.middles),
            "spreads": _kept(self.spreads),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GenreSense:
        """A sense from plain data."""
        weights, offsets, *rest = (
            np.array(data[name], dtype=np.float64) for name in ("weights", "offsets", "centres", "middles", "spreads")
        )
        return cls(Classifier(tuple(data["genres"]), weights, offsets), *rest)


@dataclass(frozen=True, eq=False)
class Cells:
    """The kin of every cell: ``where`` names for each cell, by its key, which of ``kin`` it is.

    ``weights`` tell real music from random notes, axis by axis, and ``genres`` tells genres apart. Both read normal
    scores among the kin and so hold for all cells.
    """

    kin: tuple[Kin, ...] = field(repr=False)
    where: Mapping[str, int] = field(repr=False)
    weights: Floats = field(repr=False)
    genres: GenreSense | None = field(default=None, repr=False)

    def of(self, cell: Cell) -> Kin:
        """What a piece of a cell is held against."""
        return self.kin[self.where[cell.key]]

    def to_dict(self) -> dict[str, Any]:
        """The cells as plain data."""
        return {
            "kin": [kin.to_dict() for kin in self.kin],
            "where": dict(self.where),
            "weights": _kept(self.weights),
            "genres": self.genres.to_dict() if self.genres else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cells:
        """Cells from plain data."""
        genres = GenreSense.from_dict(data["genres"]) if data["genres"] else None
        where = {str(key): int(number) for key, number in data["where"].items()}
        kin = tuple(Kin.from_dict(one) for one in data["kin"])
        if set(where) != {cell.key for cell in CELLS} or not all(0 <= number < len(kin) for number in where.values()):
            raise ValueError("its cells are not those that there are")
        return cls(kin, where, np.array(data["weights"], dtype=np.float64), genres)


def _kept(table: Floats) -> list[Any]:
    """Numbers to the digits that are kept."""
    if table.ndim > 1:
        return [_kept(row) for row in table]
    return [float(f"{value:.{_DIGITS}g}") for value in table.tolist()]


def shares_among(percentiles: Floats, values: Floats) -> Floats:
    """Which part lies below each value, by the values at even places; among equal ones the middle is taken.

    Values that differ by less than what is kept of them are equal.
    """
    places = np.arange(percentiles.shape[1])
    known = ~np.isnan(values) & ~np.isnan(percentiles).any(axis=1)
    near = _NEAR * np.abs(values) + _TINY
    low = np.count_nonzero(percentiles < (values - near)[:, :, None], axis=2)
    high = np.count_nonzero(percentiles <= (values + near)[:, :, None], axis=2)
    shares = np.where(known, (low + high - 1) / 2, np.nan)
    apart = known & (low >= high)  # from all values that are kept
    for axis in np.flatnonzero(apart.any(axis=0)).tolist():
        mine = apart[:, axis]
        shares[mine, axis] = np.interp(values[mine, axis], percentiles[axis], places)
    return np.asarray(shares / places[-1])


def pools(counts: Mapping[str, int], least: int) -> dict[Cell, tuple[str, ...]]:
    """For every cell the cells whose excerpts it is held against: its own, or with neighbours until there are enough.

    Percussion is given up first, then the exact size, then the exact length; whatever there is comes last.
    """
    chosen = {}
    for cell in CELLS:
        for wider in _widening(cell):
            keys = tuple(other.key for other in CELLS if wider(other))
            if sum(counts.get(key, 0) for key in keys) >= least:
                break
        chosen[cell] = keys
    return chosen


def _widening(cell: Cell) -> Iterator[Callable[[Cell], bool]]:
    """Which other cells count as of a kind, ever more of them."""
    size, length = SIZES.index(cell.forces.size), LENGTHS.index(cell.length)

    def near(other: Cell, sizes: int, lengths: int, *, beaten: bool = False) -> bool:
        far = abs(SIZES.index(other.forces.size) - size), abs(LENGTHS.index(other.length) - length)
        same = other.forces.percussion == cell.forces.percussion or not beaten
        return far[0] <= sizes and far[1] <= lengths and same

    for sizes, lengths, beaten in _STEPS:
        yield partial(near, sizes=sizes, lengths=lengths, beaten=beaten)
