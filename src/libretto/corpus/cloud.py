"""A cloud: where real music stands on every axis, frozen, so that a piece can be placed among it.

A percentile says where a value lies among the cloud's, not whether it is good. By the published rule it is the share
of values at or below it; ``mid`` counts equal values half, which is fairer where many songs share a value. An axis is
extreme at or below the 5th and at or above the 95th percentile. A value that does not apply has no percentile and is
never extreme.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError

__all__ = ["RULES", "Cloud", "Fingerprint", "of_profiles"]

Floats = NDArray[np.float64]
RULES = ("at or below", "mid")  #: how ties count in a percentile
_LOW, _HIGH = 5, 95
_DIGITS = 10


@dataclass(frozen=True)
class Fingerprint:
    """A piece placed in a cloud: values and percentiles by axis, and which axes are extreme."""

    cloud: str
    values: Mapping[str, float | None]
    percentiles: Mapping[str, int | None]

    @property
    def extremes(self) -> tuple[str, ...]:
        """The axes in the tails of the cloud."""
        return tuple(n for n, p in self.percentiles.items() if p is not None and (p <= _LOW or p >= _HIGH))

    def to_dict(self) -> dict[str, Any]:
        """The fingerprint as plain data."""
        axes = {name: {"value": v, "percentile": self.percentiles.get(name)} for name, v in self.values.items()}
        return {"cloud": self.cloud, "axes": axes, "extremes": list(self.extremes)}


@dataclass(frozen=True, eq=False)
class Cloud:
    """Axis values of many songs, with their genres; rows are songs, NaN is a value that does not apply."""

    name: str
    version: int
    axes: tuple[str, ...]
    genres: tuple[str, ...]
    values: Floats = field(repr=False)
    rule: str = "mid"
    about: str = ""

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.genres), len(self.axes)):
            raise FormatError(
                f"the cloud {self.name} has {self.values.shape} values, which fits neither songs nor axes"
            )
        if self.rule not in RULES:
            raise FormatError(f"the cloud {self.name} counts percentiles by an unknown rule, {self.rule!r}")
        self.values.setflags(write=False)

    @property
    def full_name(self) -> str:
        """Name and version: what a fingerprint says it was placed in."""
        return f"{self.name}-{self.version}"

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        columns = {}
        for index, name in enumerate(self.axes):
            column = self.values[:, index]
            columns[name] = np.sort(column[~np.isnan(column)])
        return columns

    @cached_property
    def spread(self) -> dict[str, float]:
        """The standard deviation of every axis."""
        return {name: float(column.std()) if len(column) else 0.0 for name, column in self._columns.items()}

    def percentile(self, axis: str, value: float | None) -> int | None:
        """Where a value stands among the cloud's, from 0 to 100."""
        column = self._columns.get(axis)
        if value is None or column is None or not len(column):
            return None
        above = int(np.searchsorted(column, value, side="right"))
        below = int(np.searchsorted(column, value, side="left"))
        rank = above if self.rule == "at or below" else (above + below) / 2
        return round(100 * rank / len(column))

    def place(self, profile: Mapping[str, float | None]) -> Fingerprint:
        """A profile as a fingerprint."""
        percentiles = {axis: self.percentile(axis, profile.get(axis)) for axis in self.axes}
        return Fingerprint(self.full_name, dict(profile), percentiles)

    def to_json(self) -> str:
        """The cloud as text, the same for the same cloud; with a checksum of what it holds."""
        rows = [[None if np.isnan(v) else float(f"{v:.{_DIGITS}g}") for v in row] for row in self.values]
        body = {
            "name": self.name,
            "version": self.version,
            "about": self.about,
            "rule": self.rule,
            "axes": list(self.axes),
            "genres": list(self.genres),
            "values": rows,
        }
        return json.dumps({"checksum": _checksum(body), **body}, separators=(",", ":")).replace("],[", "],\n[") + "\n"

    @classmethod
    def from_json(cls, text: str) -> Cloud:
        """Read a cloud back; a FormatError where it is damaged."""
        try:
            body = json.loads(text)
            checksum = body.pop("checksum")
            if checksum != _checksum(body):
                raise FormatError(f"the cloud {body.get('name')} is damaged: its checksum does not match")
            values = np.array([[np.nan if v is None else v for v in row] for row in body["values"]], dtype=np.float64)
            axes, genres = tuple(body["axes"]), tuple(body["genres"])
            return cls(body["name"], int(body["version"]), axes, genres, values, body["rule"], body["about"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"this is not a cloud: {' '.join(str(error).split())}") from None


def _checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def of_profiles(
    name: str,
    profiles: Sequence[Mapping[str, float | None]],
    genres: Sequence[str],
    *,
    version: int = 1,
    rule: str = "mid",
    about: str = "",
) -> Cloud:
    """A cloud from measured profiles and their genres; an empty genre means that nobody said."""
    axes = tuple(profiles[0]) if profiles else ()
    rows = [[np.nan if (v := profile[axis]) is None else v for axis in axes] for profile in profiles]
    return Cloud(name, version, axes, tuple(genres), np.array(rows, dtype=np.float64), rule, about)
