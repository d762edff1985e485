"""Measure what real regions of songs are like, so that fills can be judged: ``python -m lab.gauges.fills FOLDER``.

From every song of a folder one opening, middle or ending region is hidden, of all voices and of some. Beside the real
region stand notes drawn at random, bars of a song of another genre laid over the voices, and the song's own bars
pasted, as they are and transposed. Everything is fitted on every other song and reported on the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.gauges import RealSong, songs_below
from libretto.bench.rivals import foreign, pasted, random_fill, with_bars
from libretto.corpus import HIGH, LOW, fit_discriminant, load_cloud, load_index, overlap
from libretto.errors import LibrettoError
from libretto.score import Score, take_bars
from libretto.score.arrays import Floats
from libretto.tasks.fill.gates import own_songs
from libretto.tasks.fill.likeness import KINDS, LENGTHS, Surroundings, Yardstick, surroundings
from libretto.tasks.fill.material import OWN, Material, only, strangeness
from libretto.tasks.fill.reprise import reprise
from libretto.tasks.fill.seams import hardest_seam

__all__ = ["FILLS", "Region", "Sample", "calibrate", "main", "rates_text", "regions_of", "samples_of"]

#: What is laid into a hidden region.
FILLS = ("real", "random", "foreign", "pasted", "transposed")
_UP = (-7, -5, -3, -2, 2, 3, 5, 7)  # semitones by which pasted bars are moved
_STARTS = (0.0, 0.4, 1.0)  # where an opening, a middle and an ending begin, as a share of the song or its room
_REGIONS = 2  # of a song
_ROOM = 3  # a song is at least so many times as long as a region of it
_EVERY = 3  # of so many songs one is measured; benches take the others
_SHORTEST = 16  # bars of a song with room for a region and its surroundings
_STRIDE = 7919  # a prime, so that partners go round all other songs
_ACCEPT = (0.90, 0.80)  # so many real regions pass, by kind: parts alone are told from chance less easily
_BEYOND = 0.97  # so many real regions come again, leap and jolt at most so much
_COPIES = 5  # of so many songs one is searched for in the index
_SHARED = 0.95  # so many real regions share at most so much with one other song
_SHRINKAGE = 0.1  # of the discriminant that weighs the features
_FARTHEST = 4.0  # spreads; what is further off is not told apart
_NARROWEST = 1e-3  # a spread below this is the same value everywhere
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


def calibrate(samples: Sequence[Sample]) -> Yardstick:
    """The yardstick that even songs give; its rates are those of odd songs."""
    train = [sample for sample in samples if sample.song % 2 == 0]
    held = [sample for sample in samples if sample.song % 2]
    spread, usual = _spreads(train)
    weights, middle = [], []
    shape = (len(KINDS), len(LENGTHS))
    floors, reprises, moves, jolts, copies = (np.ones(shape) for _ in range(5))
    for kind in range(len(KINDS)):
        mine = [sample for sample in train if sample.kind == kind]
        weight, centre = _weighed(mine, spread)
        weights.append(weight)
        middle.append(centre)
        for length in range(len(LENGTHS)):
            here = [sample for sample in mine if sample.length == length]
            scores = [float((sample.features("real", spread) - centre) @ weight) for sample in here]
            at = kind, length
            floors[at] = np.quantile(scores, 1 - _ACCEPT[kind])
            reprises[at], moves[at] = np.quantile([sample.reprise["real"] for sample in here], _BEYOND, axis=0)
            copies[at] = _usual_copy([sample.copy for sample in samples if (sample.kind, sample.length) == at])
            jolts[at] = np.quantile([sample.jolt["real"] for sample in here], _BEYOND)
    axes = load_cloud("default").axes
    made = Yardstick(axes, spread, usual, np.array(weights), np.array(middle), floors, reprises, moves, jolts, copies)
    return replace(made, rates={"fitted": _rates(made, train), "held out": _rates(made, held)})


def _spreads(samples: Sequence[Sample]) -> tuple[Floats, Floats]:
    """For each length how far windows of songs lie from their songs (the mean size), and what they usually have."""
    spread, usual = [], []
    for length in range(len(LENGTHS)):
        mine = [sample for sample in samples if sample.length == length]
        rows = np.concatenate([sample.within for sample in mine if len(sample.within)])
        known = ~np.isnan(rows)
        size = np.abs(np.where(known, rows, 0.0)).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        spread.append(np.maximum(size, _NARROWEST))
        usual.append(np.nanmean([sample.usual for sample in mine], axis=0))
    return np.array(spread), np.array(usual)


def _weighed(samples: Sequence[Sample], spread: Floats) -> tuple[Floats, Floats]:
    """What tells real regions from random and foreign ones: a weight for every feature, and the middle of real ones."""
    rows: list[Floats] = []
    labels: list[str] = []
    for sample in samples:
        for fill in ("real", "random", "foreign"):
            rows.append(sample.features(fill, spread))
            labels.append("real" if fill == "real" else "other")
    table = np.array(rows)
    fitted = fit_discriminant(table, labels, _SHRINKAGE)
    return fitted.weights[1] - fitted.weights[0], table[np.array(labels) == "real"].mean(axis=0)


def _usual_copy(copies: Sequence[float | None]) -> float:
    """What real regions share with one other song at most; 1 where none was searched for."""
    shared = [copy for copy in copies if copy is not None]
    return float(np.quantile(shared, _SHARED)) if shared else 1.0


def _rates(yard: Yardstick, samples: Sequence[Sample]) -> dict[str, Any]:
    rates: dict[str, Any] = {}
    for kind, title in enumerate(KINDS):
        mine = [sample for sample in samples if sample.kind == kind]
        rates[title] = {"regions": len(mine)}
        for fill in FILLS:
            fits = [_fits(yard, sample, fill) for sample in mine]
            rates[title][fill] = {gate: _share([getattr(fit, gate) for fit in fits]) for gate in _Fits._fields}
            rates[title][fill]["all"] = _share([all(fit) for fit in fits])
            if kind == 0:
                rates[title][fill]["published"] = _share([sample.published[fill] for sample in mine])
    return rates


def _share(passed: Sequence[bool]) -> float:
    return round(float(np.mean(passed)), 3)


class _Fits(NamedTuple):
    """Which gates a fill passes."""

    fit: bool
    context: bool
    seams: bool


def _fits(yard: Yardstick, sample: Sample, fill: str) -> _Fits:
    away = sample.features(fill, yard.spread) - yard.middle[sample.kind]
    likeness = float(away @ yard.weights[sample.kind])
    at = sample.kind, sample.length
    share, moved = sample.reprise[fill]
    again = share <= yard.reprises[at] and moved <= yard.moves[at]
    return _Fits(bool(likeness >= yard.floors[at]), bool(again), bool(sample.jolt[fill] <= yard.jolts[at]))


def rates_text(yard: Yardstick) -> str:
    """How many real, random, foreign, pasted and transposed regions pass, with the published rule beside."""
    lines = []
    for songs, kinds in yard.rates.items():
        for kind, row in kinds.items():
            lines.append(f"{songs}, {kind} voices, {row['regions']} regions")
            for fill in FILLS:
                told = ", ".join(f"{gate} {100 * share:.0f}%" for gate, share in row[fill].items())
                lines.append(f"  {fill:<10} {told}")
    return "\n".join(lines)


def _paired(songs: Iterable[RealSong]) -> Iterator[tuple[int, Score, Score]]:
    """Every song with its number and a song of another genre."""
    known = [song for song in songs if song.score.bars >= _SHORTEST]
    for number, song in enumerate(known):
        others = [other.score for other in known if other.genre != song.genre]
        yield number, song.score, others[(number * _STRIDE) % len(others)]


def main(arguments: Sequence[str]) -> None:
    """Measure a folder of genres of MIDI files and write the yardstick of fills; ``--check`` only compares."""
    asked = arguments_of("Measure what fills are judged by.", "a folder of genres of MIDI files").parse_args(arguments)
    target = package_of(asked.checkout) / "tasks" / "fill" / "likeness.json"
    with ProcessPoolExecutor(2) as pool:
        several = pool.map(samples_of, _paired(songs_below(asked.music, _EVERY)), chunksize=4)
        samples = [sample for one in several for sample in one]
    yard = calibrate(samples)
    print(rates_text(yard))
    keep_or_compare(compact_json(yard.to_dict()), target, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
