"""Count where onsets fall in bars of real music, and teach the net that weighs what speaks for a tempo and a meter.

    python -m lab.hearing.teach_meter ../shared -o src/libretto/hearing/places.json

Only counts and weights are kept. ``lab/hearing/written.py`` says what is taught on; the pieces that clips are made of
are not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from lab.beats.learning import Group, joined, learn
from lab.hearing.written import Written, taught
from libretto.hearing.beats import explanations
from libretto.hearing.moments import CLASSES, moments_of
from libretto.hearing.signs import METERS, PARTS
from libretto.score.table import Floats

__all__ = ["groups_of", "main", "places_of"]

_SMOOTH = 5e-4  # added to every share
_CLOSE, _TEMPO = 0.015, 0.04  # a tempo within this part of the true one is right: the second where none is so near
_HIDDEN, _ROUNDS, _DECAY, _NETS = 12, 10, 2e-2, 3


def main(arguments: Sequence[str] | None = None) -> None:
    """Count, teach and write."""
    parser = argparse.ArgumentParser(prog="lab.hearing.teach_meter", description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args(arguments)
    stretches = list(taught(given.shared))
    places = places_of(stretches)
    groups = groups_of(stretches, places)
    print(f"{len(stretches)} stretches, {len(groups)} with a right explanation", flush=True)
    nets = [learn(groups, hidden=_HIDDEN, ranks=True, rounds=_ROUNDS, decay=_DECAY, seed=seed) for seed in range(_NETS)]
    net = joined(nets)
    data = {
        "places": {name: np.round(rows, 5).tolist() for name, rows in places.items()},
        "net": {
            "middle": np.round(net.middle, 4).tolist(), "spread": np.round(net.spread, 4).tolist(),
            "inner": np.round(net.inner, 4).tolist(), "offset": np.round(net.offset, 4).tolist(),
            "outer": np.round(net.outer[:, 0], 4).tolist(),
        },
    }  # fmt: skip
    given.output.write_text(json.dumps(data) + "\n", encoding="utf-8")


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


def groups_of(stretches: Iterable[Written], places: dict[str, Floats]) -> list[Group]:
    """The signs of all explanations of each stretch, and which of them are right."""
    groups: list[Group] = []
    for _, bpm, meter, notes in stretches:
        ways = explanations(notes, places)
        off = np.array([abs(60 / way.quarter / bpm - 1) if way.meter == meter else 1.0 for way in ways])
        right = off <= (_CLOSE if (off <= _CLOSE).any() else _TEMPO)
        if right.any():
            groups.append((np.array([way.signs for way in ways]), right[:, None] / right.sum()))
    return groups


if __name__ == "__main__":
    main()
