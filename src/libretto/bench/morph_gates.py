"""Measure what real windows score on roads between real songs, so that morphs can be judged by them.

``python -m libretto.bench.morph_gates FOLDER`` writes ``tasks/road.json``; with ``--check`` it only compares. Songs of
a folder of genres are taken in pairs of different genres. On each road the windows of both songs are placed without
having laid it: how far a song's own windows stray from its end, and how far one window of a song lies from the next.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from libretto.bench.fill_gates import keep_or_compare, songs_of
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.tasks.morph.road import held_out, song_end

__all__ = ["main", "strays_of"]

_BARS, _EVERY, _LEAST = 8, 6, 32
_OWN, _USUAL = 0.95, 0.50


def strays_of(job: tuple[Score, Score]) -> tuple[list[float], list[float]] | None:
    """How far along the road the windows of either song lie from their own end, and how far each lies from the one
    before; None where two songs measure alike."""
    cloud = load_cloud()
    try:
        ends = [song_end(score, "a song", _BARS, cloud) for score in job]
        starts, arrived, _ = held_out(*ends)
    except LibrettoError:
        return None
    own = [*starts.tolist(), *(1 - arrived).tolist()]
    falls = np.abs(np.concatenate([np.diff(starts), np.diff(arrived)]))
    return own, falls.tolist()


def _pairs(songs: Sequence[tuple[str, Score]]) -> Iterator[tuple[Score, Score]]:
    for number, (genre, score) in enumerate(songs):
        others = [other for theirs, other in songs if theirs != genre]
        yield score, others[(number * 7919) % len(others)]


def main(arguments: Sequence[str]) -> None:
    """Measure a folder of genres of MIDI files and write the bounds beside the tasks; ``--check`` only compares."""
    folders = [each for each in arguments if each != "--check"]
    if not folders:
        raise LibrettoError("say which folder of genres to measure: python -m libretto.bench.morph_gates FOLDER")
    songs = [(genre, score) for _, genre, score in songs_of(folders[0], _EVERY) if _LEAST <= score.bars <= 400]
    with ProcessPoolExecutor(2) as pool:
        found = [each for each in pool.map(strays_of, _pairs(songs), chunksize=4) if each is not None]
    own = np.concatenate([each for each, _ in found])
    falls = np.concatenate([each for _, each in found])
    data = {
        "pairs": len(found),
        "windows": len(own),
        "own": round(float(np.quantile(own, _OWN)), 4),
        "dip": round(float(np.quantile(falls, _USUAL)), 4),
    }
    for share in (0.5, 0.75, 0.9, 0.95):
        stray, lie = np.quantile(own, share), np.quantile(falls, share)
        print(f"{share:.0%} of windows stray at most {stray:.2f} and lie at most {lie:.2f} from the next")
    print(data)
    keep_or_compare(data, "road.json", arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
