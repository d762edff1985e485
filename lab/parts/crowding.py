"""How crowded real songs are: ``python -m lab.parts.crowding MUSIC`` writes ``faults/parts/crowding.json``.

Every song of ``corpus/midi`` is measured at its most crowded stretch; the level is the quantile of these that leaves
few real songs with a remark, for all music and for genres with enough songs. A genre counts as much as any other in
all. It also prints what a level measured on one half of the songs does on the other half: the share with a remark.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.faults.parts.crowding import QUANTILE, heaviest
from libretto.formats import read

__all__ = ["main"]

_DIGITS = 3
_LEAST = 40  # songs of a genre: below, two songs more or less decide its level


def _weight(path: str) -> float | None:
    try:
        return heaviest(read(path))
    except LibrettoError:
        return None


def _level(values: Sequence[float], weights: Sequence[float]) -> float:
    order = np.argsort(values, kind="stable")
    value, weight = np.asarray(values)[order], np.asarray(weights)[order]
    share = (np.cumsum(weight) - weight / 2) / weight.sum()
    return round(float(np.interp(QUANTILE, share, value)), _DIGITS)


def main(arguments: Sequence[str]) -> None:
    """Measure the levels, and write them into the checkout."""
    asked = arguments_of("Measure how crowded songs are.", "the folder that holds corpus/").parse_args(arguments)
    there = find_songs(asked.music / "corpus" / "midi")
    with ProcessPoolExecutor() as pool:
        measured = list(pool.map(_weight, [str(there.folder / song.path) for song in there.songs], chunksize=8))
    songs = [(song.genre, value) for song, value in zip(there.songs, measured, strict=True) if value is not None]
    genres = {genre: [value for name, value in songs if name == genre] for genre in sorted({name for name, _ in songs})}
    weights = [1 / len(genres[genre]) for genre, _ in songs]
    values = [value for _, value in songs]
    for one, other in ((0, 1), (1, 0)):
        level = _level(values[one::2], weights[one::2])
        over = float(np.mean(np.asarray(values[other::2]) > level))
        print(f"level {level:g} of one half of the songs: {over:.1%} of the other half have a remark")
    data = {
        "about": "Measured by lab.parts.crowding on the most crowded stretch of real songs; numbers only.",
        "quantile": QUANTILE,
        "songs": len(songs),
        "level": {"": _level(values, weights)}
        | {genre: _level(mine, [1.0] * len(mine)) for genre, mine in genres.items() if genre and len(mine) >= _LEAST},
    }
    keep_or_compare(compact_json(data), package_of(asked.checkout) / "faults" / "parts" / "crowding.json", asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
