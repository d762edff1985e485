"""What is usual of voices among others: ``python -m lab.parts.seats MUSIC`` writes ``faults/parts/seats.json``.

Every voice of every song of ``corpus/midi`` is measured as ``seats_of`` does it; for each figure five quantiles are
kept, for all music and by genre. A genre counts as much as any other in all.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.faults.parts.seats import FIGURES, QUANTILES, Seat, seats_of
from libretto.formats import read

__all__ = ["main"]

_DIGITS = 3


def _seats(path: str) -> tuple[Seat, ...]:
    try:
        return seats_of(read(path))
    except LibrettoError:
        return ()


def _quantiles(seats: Sequence[Seat], weights: Sequence[float]) -> dict[str, list[float]]:
    table = {}
    for name in FIGURES:
        known = [(seat.figures[name], weight) for seat, weight in zip(seats, weights, strict=True)]
        values = np.array([value for value, _ in known if value is not None])
        weight = np.array([weight for value, weight in known if value is not None])
        if len(values):
            order = np.argsort(values, kind="stable")
            share = (np.cumsum(weight[order]) - weight[order] / 2) / weight.sum()
            table[name] = [round(float(x), _DIGITS) for x in np.interp(QUANTILES, share, values[order])]
    return table


def main(arguments: Sequence[str]) -> None:
    """Measure what is usual, and write it into the checkout."""
    asked = arguments_of("Measure how voices sit among others.", "the folder that holds corpus/").parse_args(arguments)
    there = find_songs(asked.music / "corpus" / "midi")
    with ProcessPoolExecutor() as pool:
        measured = list(pool.map(_seats, [str(there.folder / song.path) for song in there.songs], chunksize=8))
    by_genre: dict[str, list[Seat]] = {}
    for song, seats in zip(there.songs, measured, strict=True):
        by_genre.setdefault(song.genre, []).extend(seats)
    everything = [(seat, 1 / len(seats)) for seats in by_genre.values() for seat in seats]
    data = {
        "about": "Measured by lab.parts.seats on the voices of real songs; numbers only.",
        "quantiles": list(QUANTILES),
        "usual": {"": _quantiles([seat for seat, _ in everything], [weight for _, weight in everything])}
        | {genre: _quantiles(seats, [1.0] * len(seats)) for genre, seats in sorted(by_genre.items()) if genre},
    }
    keep_or_compare(compact_json(data), package_of(asked.checkout) / "faults" / "parts" / "seats.json", asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
