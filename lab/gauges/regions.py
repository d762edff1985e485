"""Hide regions of real songs, and measure them beside fills that ought to fail: what fills are calibrated on.

From every song an opening, middle or ending region is hidden, of all voices and of some. Beside the real region stand
notes drawn at random, bars of a song of another genre laid over the voices, and the song's own bars pasted, as they are
and transposed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

import numpy as np

from libretto.bench.rivals import foreign, pasted, random_fill, with_bars
from libretto.corpus import HIGH, LOW, load_cloud, load_index, overlap
from libretto.errors import LibrettoError
from libretto.score import Score, take_bars
from libretto.score.table import Floats
from libretto.tasks.fill.gates import own_songs
from libretto.tasks.fill.likeness import LENGTHS, Surroundings, surroundings
from libretto.tasks.fill.material import OWN, Material, only, strangeness
from libretto.tasks.fill.ties import hardest_seam, reprise

__all__ = ["FILLS", "Region", "Sample", "regions_of", "samples_of"]

#: What is laid into a hidden region.
FILLS = ("real", "random", "foreign", "pasted", "transposed")
_UP = (-7, -5, -3, -2, 2, 3, 5, 7)  # semitones by which pasted bars are moved
_STARTS = (0.0, 0.4, 1.0)  # where an opening, a middle and an ending begin, as a share of the song or its room
_REGIONS = 2  # of a song
_ROOM = 3  # a song is at least so many times as long as a region of it
_COPIES = 5  # of so many songs one is searched for in the index
_FARTHEST = 4.0  # spreads; what is further off is not told apart
_PUBLISHED_BUDGET = 3  # extreme axes that the published rule allows a region


class Region(NamedTuple):
    """Some bars of a song as indices, both ends included, and which part of it: opening, middle or ending."""

    part: int
    first: int
    last: int

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last bar."""
        return self.first, self.last


@dataclass(frozen=True, eq=False)
class Sample:
    """One hidden region: its kind and length (as indices), and for every fill what was measured of it."""

    song: int
    kind: int
    length: int
    away: dict[str, Floats] = field(repr=False)
    within: Floats = field(repr=False)
    usual: Floats = field(repr=False)
    reprise: dict[str, tuple[float, float]] = field(repr=False)
    jolt: dict[str, float] = field(repr=False)
    published: dict[str, bool] = field(default_factory=dict, repr=False)
    copy: float | None = None

    def features(self, fill: str, spread: Floats) -> Floats:
        """How far a fill lies from its surroundings, in spreads: sizes, and for what a region has by itself signs."""
        raw = np.clip(np.nan_to_num(self.away[fill] / spread[self.length]), -_FARTHEST, _FARTHEST)
        raw[: -len(OWN)] = np.abs(raw[: -len(OWN)])
        return np.asarray(raw)


def regions_of(score: Score, number: int) -> list[Region]:
    """Two regions of a song: which part and length they have goes round with the song's number."""
    regions = []
    for step in range(_REGIONS):
        part = (number + step) % len(_STARTS)
        length = LENGTHS[(number // len(_STARTS) + step) % len(LENGTHS)]
        if score.bars < _ROOM * length:
            continue
        room = score.bars - length
        first = min(int(score.bars * _STARTS[part]), room)
        regions.append(Region(part, first, first + length - 1))
    return regions


def samples_of(job: tuple[int, Score, Score]) -> list[Sample]:
    """The samples of one song, with a song of another genre beside it."""
    number, score, other = job
    itself = own_songs(score, "default") if number % _COPIES == 0 else None
    samples = []
    for region in regions_of(score, number):
        for kind, voices in _hidden(score, region, number):
            try:
                sample = _sample(score, other, voices, region.span, number, kind)
                if itself is not None:
                    sample = replace(sample, copy=_copy(score, voices, region.span, itself))
            except LibrettoError:
                continue
            samples.append(sample)
    return samples


def _hidden(score: Score, region: Region, number: int) -> Iterator[tuple[int, list[str]]]:
    """The kinds of hiding (as indices) with the voices hidden: all and, where others still play, one of them."""
    inside = take_bars(score, region.first + score.first_bar, region.last + score.first_bar)
    playing = [voice for voice in inside.voices if len(voice.array)]
    pitched = [voice.name for voice in playing if not voice.drums]
    if pitched:
        yield 0, [voice.name for voice in score.voices]
        if len(playing) > 1:
            yield 1, [pitched[(number + region.part) % len(pitched)]]


def _sample(score: Score, other: Score, voices: Sequence[str], span: tuple[int, int], number: int, kind: int) -> Sample:
    around = surroundings(with_bars(score, voices, span, {}), voices, *span)
    rng = Random(f"paste {number} {span}")
    fills = {
        "real": score,
        "random": random_fill(score, voices, span, number),
        "foreign": foreign(score, voices, span, other),
        "pasted": pasted(score, voices, span, rng),
        "transposed": pasted(score, voices, span, rng, _UP),
    }
    away, again, jolts, published = {}, {}, {}, {}
    own, moved = around.reprise
    for name, filled in fills.items():
        material = around.of(filled)
        away[name] = np.concatenate(_away(around, material))
        repeated = reprise(only(filled, voices), *span)
        again[name] = repeated.share - own, repeated.moved - moved
        jolts[name] = hardest_seam(filled, voices, span)[0]
        if kind == 0:
            shares = load_cloud("default").shares(material.axes[None])[0]
            extremes = np.count_nonzero((shares <= LOW / 100) | (shares >= HIGH / 100))
            published[name] = bool(extremes <= _PUBLISHED_BUDGET)
    within, owns = around.among
    scatter = np.array([np.concatenate([a, o - np.mean(owns, axis=0)]) for a, o in zip(within, owns, strict=True)])
    usual = np.mean(owns, axis=0) if owns else np.full(len(OWN), np.nan)
    length = min(range(len(LENGTHS)), key=lambda i: abs(LENGTHS[i] - (span[1] - span[0] + 1)))
    return Sample(number, kind, length, away, scatter, usual, again, jolts, published)


def _copy(score: Score, voices: Sequence[str], span: tuple[int, int], itself: Sequence[int]) -> float | None:
    """How much of a real region is found in one other song."""
    first, last = (bar + score.first_bar for bar in span)
    index = load_index("default")
    closest = overlap(only(take_bars(score, first, last), voices), index, itself) if index else None
    return closest.score if closest else None


def _away(around: Surroundings, material: Material) -> tuple[Floats, Floats]:
    """How far a region lies from its surroundings, and how far from what they usually have by themselves."""
    away, own = strangeness(material, around.materials, around.genre)
    _, owns = around.among
    return away, np.asarray(own - (np.mean(owns, axis=0) if owns else np.nan))
