"""The road from one kind of music to another: how far along it a window of music has come.

Windows are measured on every axis and placed among real windows of their length. The road leads from the middle of
the source's windows to that of the target's; an axis counts by how far the two lie apart on it against how much real
windows of one song (or real songs of one genre) vary. Windows that took no part in laying the road say where 0 and 1
are, and how much of a wobble is nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from libretto.axes import measure
from libretto.corpus import Cloud, normal_scores
from libretto.errors import LibrettoError, UnknownGenre
from libretto.score import Score, take_bars
from libretto.score.table import Floats

__all__ = [
    "Bounds",
    "Curve",
    "End",
    "Road",
    "held_out",
    "lay_road",
    "load_bounds",
    "read_off",
    "rows_of_genre",
    "rows_of_windows",
    "song_end",
    "windows_of",
]

_USUAL_WINDOW, _FEWEST, _MOST = 8, 5, 9  # bars of a window, and how many windows a piece has
_MOST_ROWS = 48  # windows of a song that are measured
_MANY = 6  # a song with this many windows has them side by side; a shorter one has them overlap by half
_HALF = 0.5  # a beginning is nearer to its source than to its target
_DRAWN = 30  # characters of a full bar in a terminal
_EVEN = 0.05  # variance added for every axis, so that one that never varies does not count without end
_ALIKE = 1e-9  # two ends nearer than this are one
_TOO_CLOSE = 0.2  # of the way: where held-out medians lie nearer, they say nothing of where 0 and 1 are
_LOW, _HIGH = 0.05, 0.95  # quantiles between which nearly all windows of an end lie
_NOT_NOTHING = 1e-6


@dataclass(frozen=True)
class Bounds:
    """What windows of real songs score on roads between them: ``own`` is how far nearly all windows of a song stay from
    their own end, ``dip`` how far one usually lies from the next."""

    own: float
    dip: float


@lru_cache(maxsize=1)
def load_bounds() -> Bounds:
    """The bounds that come with the package."""
    data = json.loads(files("libretto.tasks.morph").joinpath("road.json").read_text("utf-8"))
    return Bounds(float(data["own"]), float(data["dip"]))


@dataclass(frozen=True, eq=False)
class End:
    """One end of a road: what it is called, its windows (or songs) as normal scores, and the song where it is one."""

    name: str
    rows: Floats = field(repr=False)
    song: Score | None = field(default=None, repr=False)


def windows_of(bars: int) -> list[tuple[int, int]]:
    """The windows of a piece: five to nine of about eight bars; first and last bar of each, from 0.

    >>> windows_of(54)[0], windows_of(54)[-1], len(windows_of(54))
    ((0, 7), (46, 53), 7)
    """
    count = max(_FEWEST, min(_MOST, round(bars / _USUAL_WINDOW)))
    edges = [round(bars * number / count) for number in range(count + 1)]
    return [(first, end - 1) for first, end in pairwise(edges) if end > first]


def rows_of_windows(score: Score, spans: Sequence[tuple[int, int]], cloud: Cloud) -> Floats:
    """Windows of a piece as normal scores among real windows of their length, a row each; silent ones are 0."""
    if cloud.gauges is None or not cloud.gauges.regions:
        raise LibrettoError(f"the cloud {cloud.name} was not calibrated on windows and cannot judge a morph")
    rows = []
    for first, last in spans:
        part = take_bars(score, score.numbers[first], score.numbers[last])
        size = last - first + 1
        region = min(cloud.gauges.regions, key=lambda region: (abs(np.log2(region.bars / size)), region.bars))
        values = cloud.row(measure(part, grid=cloud.grid)) if len(part.table) else np.full((1, len(cloud.axes)), np.nan)
        rows.append(normal_scores(region.shares(values))[0])
    return np.asarray(rows)


def song_end(score: Score, name: str, window: int, cloud: Cloud) -> End:
    """A song as an end: its windows side by side, closer together where there are few."""
    if not len(score.table):
        raise LibrettoError(f"{name} has no notes and cannot be an end of a morph")
    size = min(window, score.bars)
    step = size if score.bars >= _MANY * size else max(1, size // 2)
    starts = list(range(0, score.bars - size + 1, step))
    if len(starts) > _MOST_ROWS:
        starts = [starts[round(place)] for place in np.linspace(0, len(starts) - 1, _MOST_ROWS)]
    sounding = np.bincount(score.table["bar"], minlength=score.bars)
    spans = [(at, at + size - 1) for at in starts if (sounding[at : at + size] > 0).sum() > size // 2]
    return End(name, rows_of_windows(score, spans or [(0, size - 1)], cloud), score)


def rows_of_genre(genre: str, cloud: Cloud) -> Floats:
    """The songs of a genre as normal scores, a row each."""
    mine = np.array([label == genre for label in cloud.genres], dtype=np.bool_)
    if not mine.any():
        raise UnknownGenre(genre, cloud.labels, cloud.name)
    return np.asarray(normal_scores(cloud.shares(cloud.values[mine])))


@dataclass(frozen=True, eq=False)
class Road:
    """A road from a source to a target, with what real windows at both ends score on it.

    ``start`` is the most that a source-like beginning scores, ``end`` the least of a target-like ending, ``dip`` how
    far a window may fall behind the one before without turning back, ``apart`` how far the two lie apart, in how much
    windows of one of them vary. ``ruler`` holds points (scored, read) between which progress is drawn straight; without
    one it is straight from end to end.
    """

    source: End
    target: End
    weights: Floats = field(repr=False)
    middles: tuple[Floats, Floats] = field(repr=False)
    anchors: tuple[float, float]
    usual: tuple[float, float]
    start: float
    end: float
    dip: float
    apart: float
    ruler: tuple[tuple[float, float], ...] = ()

    def progress(self, rows: Floats) -> Floats:
        """How far windows have come: 0 is like the source, 1 like the target; not cut off at either."""
        low, high = self.anchors
        return read_off(np.asarray((self._raw(rows) - low) / (high - low)), self.ruler)

    def _raw(self, rows: Floats) -> Floats:
        return np.asarray((np.atleast_2d(rows) - self.middles[0]) @ self.weights)

    def likeness(self, rows: Floats) -> tuple[Floats, Floats]:
        """How like the source and the target windows are, from 0 to 1; its own windows usually reach half."""
        near, far = (
            1 / (1 + (_distance(rows, middle, self.weights) / usual) ** 2)
            for middle, usual in zip(self.middles, self.usual, strict=True)
        )
        return near, far

    def pull(self, row: Floats, towards: int) -> Floats:
        """For every axis how far it keeps a window from the source (``towards`` 0) or the target (1)."""
        low, high = self.anchors
        sign = 1.0 if towards == 0 else -1.0
        return np.asarray(sign * (row - self.middles[towards]) * self.weights / (high - low))


def read_off(scored: Floats, ruler: Sequence[tuple[float, float]]) -> Floats:
    """What a ruler reads of scores: straight between its points, and on beyond the outer ones as steep as before them.

    >>> read_off(np.array([0.0, 0.5, 1.0, 1.5]), [(0.0, 0.0), (0.5, 0.2), (1.0, 1.0)]).round(2).tolist()
    [0.0, 0.2, 1.0, 1.8]
    """
    if not ruler:
        return scored
    points, readings = (np.array(column) for column in zip(*ruler, strict=True))
    at = np.clip(np.searchsorted(points, scored) - 1, 0, len(points) - 2)
    steep = (readings[at + 1] - readings[at]) / (points[at + 1] - points[at])
    return np.asarray(readings[at] + (scored - points[at]) * steep)


def _distance(rows: Floats, middle: Floats, weights: Floats) -> Floats:
    return np.asarray(np.sqrt((np.atleast_2d(rows) - middle) ** 2 @ np.abs(weights)))


def _direction(source: Floats, target: Floats) -> tuple[Floats, Floats, Floats]:
    """The middles of both ends and a weight for every axis, so that the target's middle scores 1."""
    low, high = source.mean(axis=0), target.mean(axis=0)
    within = (source.var(axis=0) * len(source) + target.var(axis=0) * len(target)) / (len(source) + len(target))
    away = high - low
    weights = away / (within + within.mean() + _EVEN)
    total = float(away @ weights)
    if total <= _ALIKE:
        raise LibrettoError("source and target measure alike; there is no way from one to the other")
    return low, high, weights / total


def held_out(source: End, target: End) -> tuple[Floats, Floats, tuple[float, float]]:
    """What windows of both ends score on a road that is laid without them, and where 0 and 1 are: at their medians."""
    raw = [_scores_unseen(end.rows, source, target) for end in (source, target)]
    zero, one = (float(np.median(scores)) for scores in raw)
    if one - zero < _TOO_CLOSE:
        zero, one = 0.0, 1.0
    starts, ends = ((scores - zero) / (one - zero) for scores in raw)
    return starts, ends, (zero, one)


def _scores_unseen(rows: Floats, source: End, target: End) -> Floats:
    """What the rows of an end score, each half on a road that is laid from the other half of both ends."""
    scores = np.zeros(len(rows))
    for half in (0, 1):
        low, _, weights = _direction(_without(source.rows, half), _without(target.rows, half))
        at = slice(half, None, 2) if len(rows) > 1 else slice(None)
        scores[at] = (rows[at] - low) @ weights
    return scores


def lay_road(source: End, target: End) -> Road:
    """The road between two ends, with 0, 1 and the limits set by windows that were held out."""
    low, high, weights = _direction(source.rows, target.rows)
    starts, ends, (zero, one) = held_out(source, target)
    bounds = load_bounds()
    spread = float(np.sqrt((np.var(starts) + np.var(ends)) / 2))
    usual = [float(np.median(_distance(end.rows, mid, weights))) for end, mid in ((source, low), (target, high))]
    return Road(
        source=source,
        target=target,
        weights=weights,
        middles=(low, high),
        anchors=(zero, one),
        usual=(max(usual[0], _NOT_NOTHING), max(usual[1], _NOT_NOTHING)),
        start=float(np.clip(np.quantile(starts, _HIGH), bounds.own, _HALF)),
        end=float(np.clip(np.quantile(ends, _LOW), _HALF, 1 - bounds.own)),
        dip=bounds.dip,
        apart=1 / max(spread, _NOT_NOTHING),
    )


def _without(rows: Floats, half: int) -> Floats:
    return rows[1 - half :: 2] if len(rows) > 1 else rows


@dataclass(frozen=True)
class Curve:
    """How a piece travels, window by window: its bars, progress (0 to 1), and how like each end it is."""

    spans: tuple[tuple[int, int], ...]
    progress: tuple[float, ...]
    like_source: tuple[float, ...]
    like_target: tuple[float, ...]

    @property
    def steps(self) -> tuple[float, ...]:
        """How far each window has come since the one before."""
        return tuple(later - earlier for earlier, later in pairwise(self.progress))

    @property
    def lines(self) -> tuple[str, ...]:
        """The curve for a terminal, one window a line."""
        rows = zip(self.spans, self.progress, self.like_source, self.like_target, strict=True)
        return tuple(
            f"bars {first:>3}-{last:<3} {value:4.2f} |{'#' * round(_DRAWN * value):<{_DRAWN}}| "
            f"like A {near:.2f}, B {far:.2f}"
            for (first, last), value, near, far in rows
        )

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data."""
        return {
            "windows": [list(span) for span in self.spans],
            "progress": [round(value, 4) for value in self.progress],
            "like_source": [round(value, 4) for value in self.like_source],
            "like_target": [round(value, 4) for value in self.like_target],
        }
