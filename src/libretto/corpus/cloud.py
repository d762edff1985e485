"""A cloud: where real music stands on every axis, frozen, so that a piece can be placed among it.

Conventions: a percentile says where a value lies among the cloud's, not whether it is good. By the published rule it
is the share of songs at or below it; ``mid`` counts equal values half, which is fairer where many songs share a value.
``mid`` clouds weigh genres equally, however many songs each has. An axis is extreme at or below the 5th and at or above
the 95th percentile. A value that does not apply has no percentile and is never extreme. As text a cloud is numbers and
genre names only, the same bytes for the same cloud, with a checksum.

A cloud says on which grid its songs were measured (``libretto.notation.grids``), and places only what was measured on
the same. Values are kept to ten digits, and what is placed is rounded alike: a song of the cloud has exactly the
percentiles that the cloud's own value has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from libretto.axes import grid_of
from libretto.corpus.classifier import Classifier, normal_scores
from libretto.corpus.gauging import Gauges
from libretto.errors import FormatError, UnknownGenre
from libretto.notation.grids import GRIDS
from libretto.score.packing import packed, unpacked
from libretto.score.table import Floats

__all__ = ["BANDS", "HIGH", "LOW", "RULES", "Cloud", "Fingerprint", "of_profiles", "ranks", "rounded"]

RULES = ("at or below", "mid")  #: how ties count in a percentile
LOW, HIGH = 5, 95  #: at and beyond these percentiles an axis is extreme
BANDS = (5, 25, 50, 75, 95)  #: the percentiles of a genre's band
_DIGITS, _WEIGHT_DIGITS = 10, 5  # of values and of weights, as they are kept
_SHARE_DIGITS = 4  # of likeness to a genre


@dataclass(frozen=True)
class Fingerprint:
    """A piece placed in a cloud: values and percentiles by axis, extreme axes, and how like each genre it is.

    ``grid`` is how it was written down when it was measured; by another than the cloud's it has no percentiles.
    """

    cloud: str
    values: Mapping[str, float | None]
    percentiles: Mapping[str, int | None]
    genres: Mapping[str, float] = field(default_factory=dict)
    grid: str = "paper"

    @property
    def extremes(self) -> tuple[str, ...]:
        """The axes in the tails of the cloud."""
        return tuple(n for n, p in self.percentiles.items() if p is not None and (p <= LOW or p >= HIGH))

    def to_dict(self) -> dict[str, Any]:
        """The fingerprint as plain data."""
        axes = {name: {"value": self.values.get(name), "percentile": p} for name, p in self.percentiles.items()}
        genres = {name: round(share, _SHARE_DIGITS) for name, share in self.genres.items()}
        return {
            "cloud": self.cloud,
            "grid": self.grid,
            "axes": axes,
            "genres": genres,
            "extremes": list(self.extremes),
        }


@dataclass(frozen=True, eq=False)
class Cloud:
    """Axis values of many songs, with their genres; rows are songs, NaN is a value that does not apply.

    ``groups`` keeps songs of one artist together (numbers, not names). ``gauges`` are the calibrated gates and
    ``classifier`` tells genres apart; both are None in a cloud that was not calibrated. ``grid`` is how the songs were
    written down when they were measured.
    """

    name: str
    version: int
    axes: tuple[str, ...]
    genres: tuple[str, ...]
    values: Floats = field(repr=False)
    rule: str = "mid"
    about: str = ""
    groups: tuple[int, ...] = field(default=(), repr=False)
    gauges: Gauges | None = field(default=None, repr=False)
    classifier: Classifier | None = field(default=None, repr=False)
    grid: str = "paper"

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.genres), len(self.axes)):
            raise FormatError(
                f"the cloud {self.name} has {self.values.shape} values, which fits neither songs nor axes"
            )
        if self.rule not in RULES:
            raise FormatError(f"the cloud {self.name} counts percentiles by an unknown rule, {self.rule!r}")
        if self.groups and len(self.groups) != len(self.genres):
            raise FormatError(f"the cloud {self.name} groups {len(self.groups)} songs, but has {len(self.genres)}")
        if self.grid not in GRIDS:
            raise FormatError(f"the cloud {self.name} was measured on an unknown grid, {self.grid!r}")
        self.values.setflags(write=False)

    @property
    def full_name(self) -> str:
        """Name and version: what a fingerprint says it was placed in."""
        return f"{self.name}-{self.version}"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The genres there are, in order; songs that nobody labelled are not one."""
        return tuple(sorted(set(self.genres) - {""}))

    @cached_property
    def weights(self) -> Floats:
        """What each song weighs in a percentile: every genre the same in all, or every song by the published rule."""
        names = np.unique(np.array(self.genres), return_inverse=True)[1]
        sizes = np.bincount(names) if len(names) else names
        return np.ones(len(names)) if self.rule == "at or below" else np.asarray(1.0 / sizes[names])

    @cached_property
    def _columns(self) -> dict[str, tuple[Floats, Floats]]:
        """For each axis its values in order, and the weight of all before each."""
        columns = {}
        for index, name in enumerate(self.axes):
            known = np.flatnonzero(~np.isnan(self.values[:, index]))
            order = known[np.argsort(self.values[known, index], kind="stable")]
            columns[name] = self.values[order, index], np.concatenate(([0.0], np.cumsum(self.weights[order])))
        return columns

    @cached_property
    def spread(self) -> dict[str, float]:
        """The standard deviation of every axis."""
        return {name: float(column.std()) if len(column) else 0.0 for name, (column, _) in self._columns.items()}

    def share(self, axis: str, value: float | None) -> float | None:
        """Which part of the cloud lies below a value, from 0 to 1."""
        column = self._columns.get(axis)
        if value is None or column is None or not len(column[0]):
            return None
        return float(ranks(column, np.array([rounded(value)]), self.rule)[0])

    def percentile(self, axis: str, value: float | None) -> int | None:
        """Where a value stands among the cloud's, from 0 to 100."""
        share = self.share(axis, value)
        return None if share is None else round(100 * share)

    def shares(self, values: Floats) -> Floats:
        """Which part of the cloud lies below, for rows of values in the order of the cloud's axes; NaN stays."""
        shares = np.full(values.shape, np.nan)
        for index, name in enumerate(self.axes):
            known = ~np.isnan(values[:, index])
            if len(self._columns[name][0]):
                shares[known, index] = ranks(self._columns[name], values[known, index], self.rule)
        return shares

    def row(self, profile: Mapping[str, float | None]) -> Floats:
        """A profile as one row of values in the order of the cloud's axes, rounded as the cloud's are."""
        return _matrix([profile], self.axes)

    def resemblance(self, profile: Mapping[str, float | None]) -> dict[str, float]:
        """How much a piece is like each genre: shares that add up to 1, the largest first; empty where uncalibrated."""
        if self.classifier is None:
            return {}
        shares = np.exp(self.classifier.log_shares(normal_scores(self.shares(self.row(profile)))))[0]
        likeness = dict(zip(self.classifier.genres, shares.tolist(), strict=True))
        return dict(sorted(likeness.items(), key=lambda item: (-item[1], item[0])))

    def place(self, profile: Mapping[str, float | None]) -> Fingerprint:
        """A profile as a fingerprint; without percentiles where it was measured on another grid than the cloud."""
        grid = grid_of(profile, self.grid)
        if grid != self.grid:
            return Fingerprint(self.full_name, dict(profile), dict.fromkeys(self.axes), {}, grid)
        percentiles = {axis: self.percentile(axis, profile.get(axis)) for axis in self.axes}
        return Fingerprint(self.full_name, dict(profile), percentiles, self.resemblance(profile), grid)

    def to_json(self) -> str:
        """The cloud as text, the same for the same cloud; with a checksum of what it holds."""
        body: dict[str, Any] = {
            "name": self.name,
            "version": self.version,
            "about": self.about,
            "rule": self.rule,
            "grid": self.grid,
            "axes": list(self.axes),
            "genres": list(self.genres),
            "groups": list(self.groups),
            "values": packed(np.array(_rows(self.values, _DIGITS), dtype=np.float64)),
        }
        if self.classifier is not None:
            body["classifier"] = {
                "genres": list(self.classifier.genres),
                "weights": _rows(self.classifier.weights, _WEIGHT_DIGITS),
                "offsets": _rows(self.classifier.offsets[None, :], _WEIGHT_DIGITS)[0],
            }
        if self.gauges is not None:
            body["gauges"] = self.gauges.to_dict()
        whole = {"checksum": _checksum(body), **body}
        return json.dumps(whole, separators=(",", ":")).replace("],[", "],\n[") + "\n"

    @classmethod
    def from_json(cls, text: str, *, known: bool = False) -> Cloud:
        """Read a cloud back; a FormatError where it is damaged. What is ``known`` to be whole is not checked again."""
        try:
            body = json.loads(text)
            checksum = body.pop("checksum")
            if not known and checksum != _checksum(body):
                raise FormatError(f"the cloud {body.get('name')} is damaged: its checksum does not match")
            values = unpacked(body["values"])
            axes, genres = _words(body["axes"]), _words(body["genres"])
            return cls(
                body["name"],
                int(body["version"]),
                axes,
                genres,
                values.reshape(len(genres), len(axes)),
                body["rule"],
                body["about"],
                tuple(body.get("groups", ())),
                Gauges.from_dict(body["gauges"]) if "gauges" in body else None,
                _classifier(body["classifier"], len(axes)) if "classifier" in body else None,
                body.get("grid", "exact"),  # clouds that do not say were built when music was measured as it was read
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"this is not a cloud: {' '.join(str(error).split())}") from None

    def bands(self, genre: str) -> dict[str, tuple[float, ...] | None]:
        """For every axis where a genre's songs lie: their 5th, 25th, 50th, 75th and 95th percentile."""
        mine = np.array([label == genre for label in self.genres], dtype=np.bool_)
        if not mine.any():
            raise UnknownGenre(genre, self.labels, self.name)
        bands: dict[str, tuple[float, ...] | None] = {}
        for index, name in enumerate(self.axes):
            column = self.values[mine, index]
            known = column[~np.isnan(column)]
            bands[name] = tuple(np.percentile(known, BANDS).tolist()) if len(known) else None
        return bands


def ranks(column: tuple[Floats, Floats], values: Floats, rule: str = "mid") -> Floats:
    """Which part of a sorted, weighted column lies below each value; equal ones count half, or whole if published."""
    ordered, weight = column
    above = weight[np.searchsorted(ordered, values, side="right")]
    below = weight[np.searchsorted(ordered, values, side="left")]
    return np.asarray((above if rule == "at or below" else (above + below) / 2) / weight[-1])


def of_profiles(
    name: str,
    profiles: Sequence[Mapping[str, float | None]],
    genres: Sequence[str],
    *,
    axes: Sequence[str] = (),
    groups: Sequence[int] = (),
    version: int = 1,
    rule: str = "mid",
    about: str = "",
    grid: str = "paper",
) -> Cloud:
    """A cloud from measured profiles and their genres; an empty genre means that nobody said."""
    chosen = tuple(axes) or (tuple(profiles[0]) if profiles else ())
    values = _matrix(profiles, chosen)
    return Cloud(name, version, chosen, tuple(genres), values, rule, about, tuple(groups), grid=grid)


def _matrix(profiles: Sequence[Mapping[str, float | None]], axes: Sequence[str]) -> Floats:
    """Profiles as rows of values to the digits that are kept; NaN where an axis does not apply."""
    rows = [[np.nan if (v := profile.get(axis)) is None else rounded(v) for axis in axes] for profile in profiles]
    return np.array(rows, dtype=np.float64).reshape(len(profiles), len(axes))


def rounded(value: float, digits: int = _DIGITS) -> float:
    """A number to so many digits: what survives different machines' arithmetic."""
    return float(f"{value:.{digits}g}")


def _rows(values: Floats, digits: int) -> list[list[float | None]]:
    return [[None if np.isnan(v) else rounded(v, digits) for v in row] for row in values.tolist()]


def _classifier(data: Mapping[str, Any], axes: int) -> Classifier:
    genres = _words(data["genres"])
    weights = np.array(data["weights"], dtype=np.float64).reshape(len(genres), axes)
    return Classifier(genres, weights, np.array(data["offsets"], dtype=np.float64).reshape(len(genres)))


def _words(listed: Any) -> tuple[str, ...]:
    """Names from a file; a ValueError where they are anything else."""
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise ValueError("its axes and genres are not names")
    return tuple(listed)


def _checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
