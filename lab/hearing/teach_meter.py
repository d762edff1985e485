"""Count where onsets fall in bars of real music, and teach the networks that weigh what speaks for a tempo and a meter.

    python -m lab.hearing.teach_meter ../shared -o src/libretto/hearing/beats.npz

Only counts and weights are kept. ``lab/hearing/written.py`` says what is taught on; the pieces that clips are made of
are not. It takes some minutes of a quiet machine, and a few gigabytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.hearing.judging import Course, Layers, Lessons, learned, scale_of, scaled
from lab.hearing.written import Written, taught
from libretto.hearing.beats import explanations
from libretto.hearing.moments import CLASSES, moments_of
from libretto.hearing.pulses import TRIED
from libretto.hearing.signs import METERS, PARTS
from libretto.score.table import Floats, Singles

__all__ = ["lessons_of", "main", "places_of", "written_weights"]

_SMOOTH = 5e-4  # added to every share
_CLOSE, _TEMPO = 0.015, 0.04  # a tempo within this part of the true one is right: the second where none is so near
_COURSES = (Course(),) * 3 + (Course(cells=(32,), rounds=4, ways=30, decay=0.3),) * 2  # together better than each
_EVERY = 8  # of the stretches one tells the usual size of signs


def main(arguments: Sequence[str] | None = None) -> None:
    """Count, teach and write."""
    parser = argparse.ArgumentParser(prog="lab.hearing.teach_meter", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    stretches = list(taught(given.shared))
    places = places_of(stretches)
    lessons = lessons_of(stretches, places)
    print(f"{len(stretches)} stretches, {lessons.right.any(axis=1).sum()} with a right explanation", flush=True)
    scale = scale_of(lessons.signs[::_EVERY], lessons.there[::_EVERY])
    lessons = lessons._replace(signs=scaled(lessons.signs, *scale))
    nets = [learned(lessons, course, seed) for seed, course in enumerate(_COURSES)]
    np.savez(given.output, **written_weights(places, scale, nets))


def places_of(stretches: Iterable[Written]) -> dict[str, Floats]:
    """For each meter, which part of the moments of every class falls on each place of its bar."""
    sums = {name: np.zeros((len(CLASSES), bar * PARTS)) for name, bar in METERS.items()}
    for _, bpm, meter, notes in stretches:
        moments = moments_of(notes)
        slots = METERS[meter] * PARTS
        place = np.round(moments.times * bpm / 60 * PARTS).astype(np.int64) % slots
        counts = np.stack([np.bincount(place, weights=row, minlength=slots) for row in moments.classes])
        sums[meter] += counts / max(1, len(place))
    shares = {name: rows / np.maximum(1e-9, rows.sum(axis=1, keepdims=True)) + _SMOOTH for name, rows in sums.items()}
    return {name: rows / rows.sum(axis=1, keepdims=True) for name, rows in shares.items()}


def lessons_of(stretches: Sequence[Written], places: dict[str, Floats]) -> Lessons:
    """The signs of all explanations of each stretch, and which of them are right."""
    signs, shape = np.zeros(0), (len(stretches), len(METERS) * TRIED)
    there, right = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
    for number, (_, bpm, meter, notes) in enumerate(stretches):
        ways = explanations(notes, places)
        if ways is None:
            continue
        count = ways.signs.shape[0] * ways.signs.shape[1]
        if not len(signs):
            signs = np.zeros((*shape, ways.signs.shape[2]), dtype=np.float16)
        signs[number, :count] = ways.signs.reshape(count, -1)
        there[number, :count] = True
        right[number, :count] = _right(ways.quarters, bpm, meter)
    return Lessons(signs, there, right)


def _right(quarters: Floats, bpm: float, meter: str) -> np.ndarray:
    """Which explanations are right, meter by meter."""
    off = np.abs(60 / quarters / bpm - 1)
    near = off <= (_CLOSE if (off <= _CLOSE).any() else _TEMPO)
    return np.concatenate([near if name == meter else np.zeros_like(near) for name in METERS])


def written_weights(
    places: dict[str, Floats], scale: tuple[Singles, Singles], nets: Sequence[Layers]
) -> dict[str, Any]:
    """Everything that is kept, by its name: weights as halves."""
    kept: dict[str, Any] = {f"places {name}": rows.astype(np.float32) for name, rows in places.items()}
    kept |= {"middle": scale[0], "spread": scale[1]}
    for net, layers in enumerate(nets):
        for layer, (inner, offset) in enumerate(layers):
            kept[f"net {net} inner {layer}"] = inner.astype(np.float16)
            kept[f"net {net} offset {layer}"] = offset.astype(np.float16)
    return kept


if __name__ == "__main__":
    main()
