"""Likeness: does a region belong to its song? Against the song's own bars first, the genre's second.

A region's differences from other windows of its song are scaled by how much windows of one song usually differ, and
weighed by what tells real hidden regions from notes drawn at random and from bars of songs of other genres. Scales,
weights and floors are measured on real songs (``python -m lab.gauges.fills``) and shipped as numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from libretto.corpus import Cloud, load_cloud
from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.score.table import Bools, Floats
from libretto.tasks.fill.material import OWN, Material, material, only, strangeness
from libretto.tasks.fill.ties import reprise

__all__ = ["KINDS", "LENGTHS", "Surroundings", "Yardstick", "load_yardstick", "surroundings"]

#: What is filled: every voice of the bars, or some.
KINDS = ("all", "some")
#: The lengths, in bars, for which likeness is measured.
LENGTHS = (4, 8, 16)
_WINDOWS = 6  # of a song that a region is held against
_CLIP = 4.0  # usual spreads; further off is no further
_SHORT_WINDOWS = (4, 2)  # bars, where a song has no room for windows of the gap's length or half of it
_TABLES = ("spread", "usual", "weights", "middle", "floors", "reprises", "moves", "jolts", "copies")


@dataclass(frozen=True, eq=False)
class Yardstick:
    """What was measured: usual spreads by length, weights by kind, floors by kind and length, and how well it does.

    ``spread`` and ``usual`` have a row for each length and a column for each axis and then each of ``OWN``; ``weights``
    has a row for each kind, ``middle`` is what real regions score on the same columns; ``floors`` are the least
    likeness, ``reprises`` and ``moves`` the most reprise beyond the song's own as it is and transposed, ``jolts`` the
    hardest seam, ``copies`` the most that is shared with one other song.
    """

    axes: tuple[str, ...]
    spread: Floats = field(repr=False)
    usual: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    middle: Floats = field(repr=False)
    floors: Floats = field(repr=False)
    reprises: Floats = field(repr=False)
    moves: Floats = field(repr=False)
    jolts: Floats = field(repr=False)
    copies: Floats = field(repr=False)
    rates: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The yardstick as plain data."""
        numbers = {name: np.round(getattr(self, name), 4).tolist() for name in _TABLES}
        return {"axes": list(self.axes), **numbers, "rates": dict(self.rates)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Yardstick:
        """A yardstick from plain data."""
        numbers = {name: np.array(data[name], dtype=np.float64) for name in _TABLES}
        return cls(axes=tuple(data["axes"]), **numbers, rates=data["rates"])

    def length(self, bars: int) -> int:
        """Which of ``LENGTHS`` is nearest to so many bars, as an index."""
        return min(range(len(LENGTHS)), key=lambda i: (abs(np.log2(LENGTHS[i] / bars)), i))


@lru_cache(maxsize=1)
def load_yardstick() -> Yardstick:
    """The yardstick that comes with the package."""
    text = files("libretto.tasks.fill").joinpath("likeness.json").read_text("utf-8")
    return Yardstick.from_dict(json.loads(text))


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The other windows of a song, measured: what a region of it is held against."""

    context: Score = field(repr=False)
    voices: tuple[str, ...]
    gap: tuple[int, int]
    cloud: Cloud = field(repr=False)
    windows: tuple[tuple[int, int], ...]
    genre: int | None = None

    @cached_property
    def materials(self) -> tuple[Material, ...]:
        """What the windows are made of."""
        offset = self.context.first_bar
        spans = [(a + offset, b + offset) for a, b in self.windows]
        return tuple(material(self.context, self.voices, a, b, self.cloud) for a, b in spans)

    @cached_property
    def among(self) -> tuple[list[Floats], list[Floats]]:
        """How each window differs from the others: on the axes, and in what only makes sense within a song."""
        several = self.materials if len(self.materials) > 1 else ()
        differences = [
            strangeness(one, [other for other in several if other is not one], self.genre) for one in several
        ]
        return [axes for axes, _ in differences], [own for _, own in differences]

    @cached_property
    def reprise(self) -> tuple[float, float]:
        """How much the windows are heard elsewhere in the piece, as they are and transposed: the most that any is."""
        mine = only(self.context, self.voices)
        hidden = range(self.gap[0], self.gap[1] + 1)
        again = [reprise(mine, a, b, hidden) for a, b in self.windows]
        return max(window.share for window in again), max(window.moved for window in again)

    def of(self, score: Score) -> Material:
        """What the region itself is made of in some version of the piece."""
        first, last = (bar + score.first_bar for bar in self.gap)
        return material(score, self.voices, first, last, self.cloud)

    def signed(self, region: Material, yardstick: Yardstick) -> Floats:
        """How the region differs, in usual spreads: axes with their sign, the rest the larger the stranger."""
        row = yardstick.length(self.gap[1] - self.gap[0] + 1)
        away, own = strangeness(region, self.materials, self.genre)
        _, owns = self.among
        base = np.mean(owns, axis=0) if owns else yardstick.usual[row]
        raw = np.concatenate([away, own - base]) / yardstick.spread[row]
        return np.asarray(np.clip(np.nan_to_num(raw), -_CLIP, _CLIP))

    def features(self, region: Material, yardstick: Yardstick) -> Floats:
        """The same with the sign of the axes left out."""
        signed = self.signed(region, yardstick)
        signed[: -len(OWN)] = np.abs(signed[: -len(OWN)])
        return signed


def surroundings(
    context: Score, voices: Sequence[str], first: int, last: int, *, cloud: str = "default", genre: str = ""
) -> Surroundings:
    """The windows of a piece beside a gap (bar indices): of its length where they fit, shorter ones where not."""
    home = load_cloud(cloud)
    mine = np.array([voice.name in voices for voice in context.voices], dtype=np.bool_)
    table = context.table
    plays = np.bincount(table["bar"][mine[table["voice"]]], minlength=context.bars) > 0
    number = home.classifier.genres.index(genre) if genre and home.classifier else None
    size = last - first + 1
    for length in dict.fromkeys((size, (size + 1) // 2, *_SHORT_WINDOWS)):
        if length <= size and (windows := _windows(plays, first, last, length)):
            return Surroundings(context, tuple(voices), (first, last), home, tuple(windows), number)
    raise LibrettoError("there is too little music around the gap to say what would fit")


def _windows(plays: Bools, first: int, last: int, length: int) -> list[tuple[int, int]]:
    """Up to six windows outside the gap that are not mostly silent: the nearest on each side, others spread evenly."""
    full = np.convolve(plays, np.ones(length, dtype=np.int64), "valid") if len(plays) >= length else np.zeros(0)
    sounding = np.flatnonzero(full >= max(1, length - length // 2)).tolist()
    before = [start for start in sounding if start + length <= first]
    after = [start for start in sounding if start > last]
    starts = before + after
    chosen = before[-1:] + after[:1]
    for share in (np.arange(_WINDOWS) + 0.5) / _WINDOWS if starts else ():
        start = starts[int(share * len(starts))]
        if len(chosen) < _WINDOWS and all(abs(start - other) * 2 >= length for other in chosen):
            chosen.append(start)
    return [(start, start + length - 1) for start in sorted(chosen)]
