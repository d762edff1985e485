"""Measure what real regions of songs are like, so that fills can be judged: ``python -m libretto.bench.fill_gates``.

From every song of a folder one opening, middle or ending region is hidden, of all voices and of some. Beside the real
region stand notes drawn at random, bars of a song of another genre laid over the voices, and the song's own bars
pasted, as they are and transposed. Everything is fitted on every other song and reported on the rest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from libretto.bench.wrong_fills import foreign, pasted, random_fill, with_bars
from libretto.corpus import fit_discriminant, load_cloud, load_index, overlap
from libretto.errors import LibrettoError
from libretto.formats import read, read_bytes, write_bytes
from libretto.score import Score, take_bars
from libretto.score.arrays import Floats
from libretto.tasks.fill.gates import own_songs
from libretto.tasks.fill.likeness import KINDS, LENGTHS, Surroundings, Yardstick, surroundings
from libretto.tasks.fill.material import OWN, Material, only, strangeness
from libretto.tasks.fill.ties import hardest_seam, reprise

__all__ = ["Sample", "calibrate", "keep_or_compare", "main", "rates_text", "regions_of", "samples_of", "songs_of"]

FILLS = ("real", "random", "foreign", "pasted", "transposed")
_UP = (-7, -5, -3, -2, 2, 3, 5, 7)
_PARTS = ("opening", "middle", "ending")
_ACCEPT, _BEYOND = (0.90, 0.80), 0.97  # by kind: parts alone are told from chance less easily
_SHARED, _COPIES = 0.95, 5  # of so many songs one is searched for in the index


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


def songs_of(folder: str, every: int = 3, start: int = 0) -> Iterator[tuple[str, str, Score]]:
    """Every so-many-th song below a folder of genres, as path, genre and piece; what cannot be read is passed over."""
    for path in sorted(Path(folder).glob("*/*.mid"))[start::every]:
        try:
            yield str(path), path.parent.name, read(path)
        except LibrettoError:
            continue


def regions_of(score: Score, number: int) -> list[tuple[int, int, int]]:
    """Two regions of a song as part, first and last bar (indices): its part and length go round with the number."""
    found = []
    for step in range(2):
        part, length = (number + step) % 3, LENGTHS[(number // 3 + step) % 3]
        if score.bars < 3 * length:
            continue
        room = score.bars - length
        first = (0, int(score.bars * 0.4), room)[part]
        found.append((part, min(first, room), min(first, room) + length - 1))
    return found


def samples_of(job: tuple[int, Score, Score]) -> list[Sample]:
    """The samples of one song, with a song of another genre beside it."""
    number, score, other = job
    found = []
    itself = own_songs(score, "default") if number % _COPIES == 0 else None
    for part, first, last in regions_of(score, number):
        offset = score.first_bar
        inside = take_bars(score, first + offset, last + offset)
        playing = [voice.name for voice in inside.voices if len(voice.array)]
        pitched = [voice.name for voice in inside.voices if len(voice.array) and not voice.drums]
        everyone = [voice.name for voice in score.voices]
        if not pitched:
            continue
        some = [pitched[(number + part) % len(pitched)]]
        for kind, voices in enumerate((everyone, some)):
            if kind == 1 and len(playing) < 2:
                continue
            try:
                sample = _sample(score, other, voices, (first, last), number, kind)
                if itself is not None:
                    sample = replace(sample, copy=_copy(score, voices, (first, last), itself))
            except LibrettoError:
                continue
            found.append(sample)
    return found


def _sample(score: Score, other: Score, voices: Sequence[str], span: tuple[int, int], number: int, kind: int) -> Sample:
    context = with_bars(score, voices, span, {})
    around = surroundings(context, voices, *span)
    rng = Random(f"paste {number} {span}")
    fills = {
        "real": score,
        "random": random_fill(score, voices, span, number),
        "foreign": foreign(score, voices, span, other),
        "pasted": pasted(score, voices, span, rng),
        "transposed": pasted(score, voices, span, rng, _UP),
    }
    away, again, jolts, old = {}, {}, {}, {}
    own, moved = around.reprise
    for name, filled in fills.items():
        one = around.of(filled)
        away[name] = np.concatenate(_raw(around, one))
        found = reprise(only(filled, voices), *span)
        again[name] = found.share - own, found.moved - moved
        jolts[name] = hardest_seam(filled, voices, span)[0]
        if kind == 0:
            shares = load_cloud("default").shares(one.axes[None])[0]
            old[name] = bool(np.count_nonzero((shares <= 0.05) | (shares >= 0.95)) <= 3)
    within, owns = around.among
    scatter = np.array([np.concatenate([a, o - np.mean(owns, axis=0)]) for a, o in zip(within, owns, strict=True)])
    usual = np.mean(owns, axis=0) if owns else np.full(len(OWN), np.nan)
    length = min(range(len(LENGTHS)), key=lambda i: abs(LENGTHS[i] - (span[1] - span[0] + 1)))
    return Sample(number, kind, length, away, scatter, usual, again, jolts, old)


def _copy(score: Score, voices: Sequence[str], span: tuple[int, int], itself: Sequence[int]) -> float | None:
    """How much of a real region is found in one other song."""
    first, last = (bar + score.first_bar for bar in span)
    index = load_index("default")
    found = overlap(only(take_bars(score, first, last), voices), index, itself) if index else None
    return found.score if found else None


def _raw(around: Surroundings, one: Material) -> tuple[Floats, Floats]:
    away, own = strangeness(one, around.materials, around.genre)
    _, owns = around.among
    return away, np.asarray(own - (np.mean(owns, axis=0) if owns else np.nan))


def _features(sample: Sample, name: str, spread: Floats, usual: Floats) -> Floats:
    raw = sample.away[name].copy()
    raw = np.clip(np.nan_to_num(raw / spread[sample.length]), -4.0, 4.0)
    raw[: -len(OWN)] = np.abs(raw[: -len(OWN)])
    return np.asarray(raw)


def calibrate(samples: Sequence[Sample]) -> Yardstick:
    """The yardstick that even songs give; its rates are those of odd songs."""
    train = [each for each in samples if each.song % 2 == 0]
    cloud = load_cloud("default")
    spread, usual = [], []
    for length in range(len(LENGTHS)):
        rows = np.concatenate([s.within for s in train if s.length == length and len(s.within)])
        known = ~np.isnan(rows)
        size = np.sqrt(np.where(known, rows, 0.0) ** 2).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        spread.append(np.maximum(size, 1e-3))
        usual.append(np.nanmean([s.usual for s in train if s.length == length], axis=0))
    scale, base = np.array(spread), np.array(usual)
    weights, middle = [], []
    shape = (len(KINDS), len(LENGTHS))
    floors, reprises, moves, jolts, copies = (np.ones(shape) for _ in range(5))
    for kind in range(len(KINDS)):
        mine = [each for each in train if each.kind == kind]
        found: list[Floats] = []
        labels: list[str] = []
        for each in mine:
            for name in ("real", "random", "foreign"):
                found.append(_features(each, name, scale, base))
                labels.append("real" if name == "real" else "other")
        table = np.array(found)
        fitted = fit_discriminant(table, labels, 0.1)
        weights.append(fitted.weights[1] - fitted.weights[0])
        middle.append(table[np.array(labels) == "real"].mean(axis=0))
        for length in range(len(LENGTHS)):
            here = [each for each in mine if each.length == length]
            scores = [float((_features(s, "real", scale, base) - middle[-1]) @ weights[-1]) for s in here]
            floors[kind, length] = np.quantile(scores, 1 - _ACCEPT[kind])
            reprises[kind, length], moves[kind, length] = np.quantile(
                [s.reprise["real"] for s in here], _BEYOND, axis=0
            )
            shared = [
                each.copy for each in samples if each.copy is not None and (each.kind, each.length) == (kind, length)
            ]
            copies[kind, length] = np.quantile(shared, _SHARED) if shared else 1.0
            jolts[kind, length] = np.quantile([s.jolt["real"] for s in here], _BEYOND)
    made = Yardstick(
        cloud.axes, scale, base, np.array(weights), np.array(middle), floors, reprises, moves, jolts, copies
    )
    held = [each for each in samples if each.song % 2]
    return replace(made, rates={"fitted": _rates(made, train), "held out": _rates(made, held)})


def _rates(yard: Yardstick, samples: Sequence[Sample]) -> dict[str, Any]:
    rates: dict[str, Any] = {}
    for kind, title in enumerate(KINDS):
        mine = [each for each in samples if each.kind == kind]
        rates[title] = {"regions": len(mine)}
        for name in FILLS:
            fits = [_fits(yard, each, name) for each in mine]
            every = [all(row) for row in fits]
            rates[title][name] = {
                "fit": round(float(np.mean([row[0] for row in fits])), 3),
                "context": round(float(np.mean([row[1] for row in fits])), 3),
                "seams": round(float(np.mean([row[2] for row in fits])), 3),
                "all": round(float(np.mean(every)), 3),
            }
            if kind == 0:
                rates[title][name]["published"] = round(float(np.mean([each.published[name] for each in mine])), 3)
    return rates


def _fits(yard: Yardstick, each: Sample, name: str) -> tuple[bool, bool, bool]:
    likeness = float(
        (_features(each, name, yard.spread, yard.usual) - yard.middle[each.kind]) @ yard.weights[each.kind]
    )
    at = each.kind, each.length
    again = each.reprise[name][0] <= yard.reprises[at] and each.reprise[name][1] <= yard.moves[at]
    return bool(likeness >= yard.floors[at]), bool(again), bool(each.jolt[name] <= yard.jolts[at])


def rates_text(yard: Yardstick) -> str:
    """How many real, random, foreign, pasted and transposed regions pass, with the published rule beside."""
    lines = []
    for part, kinds in yard.rates.items():
        for kind, row in kinds.items():
            lines.append(f"{part}, {kind} voices, {row['regions']} regions")
            for name in FILLS:
                told = ", ".join(f"{gate} {100 * share:.0f}%" for gate, share in row[name].items())
                lines.append(f"  {name:<10} {told}")
    return "\n".join(lines)


def _paired(songs: Iterable[tuple[str, str, Score]]) -> Iterator[tuple[int, Score, Score]]:
    """Every song with one of another genre."""
    known = [(genre, score) for _, genre, score in songs if score.bars >= 16]
    for number, (genre, score) in enumerate(known):
        others = [other for theirs, other in known if theirs != genre]
        yield number, score, others[(number * 7919) % len(others)]


def keep_or_compare(data: Any, name: str, arguments: Sequence[str]) -> None:
    """Write what was measured beside the tasks; with ``--check`` only say whether it is what is there."""
    target = Path(__file__).parent.parent / "tasks" / name
    fresh = (json.dumps(data, separators=(",", ":")) + "\n").encode()
    if "--check" not in arguments:
        write_bytes(fresh, target, force=True)
    elif fresh != read_bytes(target):
        raise SystemExit(f"{name} differs from what this music gives; measure anew without --check")
    else:
        print(f"{name} is what this music gives")


def main(arguments: Sequence[str]) -> None:
    """Measure a folder of genres of MIDI files and write what was found beside the tasks; ``--check`` only compares."""
    folders = [each for each in arguments if each != "--check"]
    if not folders:
        raise LibrettoError("say which folder of genres to measure: python -m libretto.bench.fill_gates FOLDER")
    with ProcessPoolExecutor(2) as pool:
        found = pool.map(samples_of, _paired(songs_of(folders[0])), chunksize=4)
        samples = [sample for each in found for sample in each]
    yard = calibrate(samples)
    print(rates_text(yard))
    keep_or_compare(yard.to_dict(), "likeness.json", arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
