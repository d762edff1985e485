"""Measure what real regions of songs are like, so that fills can be judged: ``python -m lab.gauges.fills FOLDER``.

Everything is fitted on the regions of every other song (``lab.gauges.regions``), and reported on the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.gauges import RealSong, songs_below
from lab.gauges.regions import FILLS, Sample, samples_of
from libretto.corpus import fit_discriminant, load_cloud
from libretto.score import Score
from libretto.score.table import Floats
from libretto.tasks.fill.likeness import KINDS, LENGTHS, Yardstick

__all__ = ["calibrate", "main", "rates_text"]

_EVERY = 3  # of so many songs one is measured; benches take the others
_SHORTEST = 16  # bars of a song with room for a region and its surroundings
_STRIDE = 7919  # a prime, so that partners go round all other songs
_ACCEPT = (0.90, 0.80)  # so many real regions pass, by kind: parts alone are told from chance less easily
_BEYOND = 0.97  # so many real regions come again, leap and jolt at most so much
_SHARED = 0.95  # so many real regions share at most so much with one other song
_SHRINKAGE = 0.1  # of the discriminant that weighs the features
_NARROWEST = 1e-3  # a spread below this is the same value everywhere
_DIGITS = 3  # of shares that pass


def calibrate(samples: Sequence[Sample]) -> Yardstick:
    """The yardstick that even songs give; its rates are those of odd songs."""
    train = [sample for sample in samples if sample.song % 2 == 0]
    held = [sample for sample in samples if sample.song % 2]
    spread, usual = _spreads(train)
    weights, middle = [], []
    shape = (len(KINDS), len(LENGTHS))
    floors, reprises, moves, jolts, copies = bounds = tuple(np.ones(shape) for _ in _Bounds._fields)
    for kind in range(len(KINDS)):
        mine = [sample for sample in train if sample.kind == kind]
        weight, centre = _weighed(mine, spread)
        weights.append(weight)
        middle.append(centre)
        for length in range(len(LENGTHS)):
            here = [sample for sample in mine if sample.length == length]
            scores = [float((sample.features("real", spread) - centre) @ weight) for sample in here]
            shared = [sample.copy for sample in samples if (sample.kind, sample.length) == (kind, length)]
            for table, bound in zip(bounds, _bounds(here, scores, shared, _ACCEPT[kind]), strict=True):
                table[kind, length] = bound
    axes = load_cloud("default").axes
    made = Yardstick(axes, spread, usual, np.array(weights), np.array(middle), floors, reprises, moves, jolts, copies)
    return replace(made, rates={"fitted": _rates(made, train), "held out": _rates(made, held)})


class _Bounds(NamedTuple):
    """What regions of one kind and length are held to: least likeness; most reprise, moves, jolt and copying."""

    floor: float
    reprise: float
    move: float
    jolt: float
    copy: float


def _bounds(
    samples: Sequence[Sample], scores: Sequence[float], copies: Sequence[float | None], accept: float
) -> _Bounds:
    floor = float(np.quantile(scores, 1 - accept))
    again, moved = np.quantile([sample.reprise["real"] for sample in samples], _BEYOND, axis=0).tolist()
    jolt = float(np.quantile([sample.jolt["real"] for sample in samples], _BEYOND))
    return _Bounds(floor, again, moved, jolt, _usual_copy(copies))


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
    return round(float(np.mean(passed)), _DIGITS)


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
