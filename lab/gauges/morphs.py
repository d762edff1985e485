"""Measure what real windows score on roads between real songs, so that morphs can be judged by them.

``python -m lab.gauges.morphs FOLDER`` writes ``tasks/morph/road.json``; with ``--check`` it only compares. Songs of
a folder of genres are taken in pairs of different genres. On each road the windows of both songs are placed without
having laid it: how far a song's own windows stray from its end, and how far one window of a song lies from the next.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.gauges import RealSong, songs_below
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.tasks.morph.road import held_out, song_end

__all__ = ["Strays", "main", "strays_of"]

_BARS = 8  # of a window, as morphs are judged
_EVERY = 6  # of so many songs one is taken, which gives some three thousand windows
_SHORTEST, _LONGEST = 32, 400  # bars of a song: room for several windows, and no endless ones
_STRIDE = 7919  # a prime, so that partners go round all other songs
_OWN = 0.95  # so many of a song's own windows must count as near its end
_USUAL = 0.50  # a dip is what lies between one window and the next in the middle
_TOLD = (0.5, 0.75, 0.9, 0.95)  # the shares that are printed
_DIGITS = 4


class Strays(NamedTuple):
    """On one road: how far windows of either song lie from their own end, and each from the one before."""

    own: list[float]
    falls: list[float]


def strays_of(pair: tuple[Score, Score]) -> Strays | None:
    """What the windows of two songs do on the road between them; None where the songs measure alike."""
    cloud = load_cloud()
    try:
        source, target = (song_end(score, "a song", _BARS, cloud) for score in pair)
        starts, arrived, _ = held_out(source, target)
    except LibrettoError:
        return None
    falls = np.abs(np.concatenate([np.diff(starts), np.diff(arrived)]))
    return Strays([*starts.tolist(), *(1 - arrived).tolist()], falls.tolist())


def _pairs(songs: Sequence[RealSong]) -> Iterator[tuple[Score, Score]]:
    for number, song in enumerate(songs):
        others = [other.score for other in songs if other.genre != song.genre]
        yield song.score, others[(number * _STRIDE) % len(others)]


def main(arguments: Sequence[str]) -> None:
    """Measure a folder of genres of MIDI files and write the bounds of morphs; ``--check`` only compares."""
    asked = arguments_of("Measure what morphs are judged by.", "a folder of genres of MIDI files").parse_args(arguments)
    target = package_of(asked.checkout) / "tasks" / "morph" / "road.json"
    songs = [song for song in songs_below(asked.music, _EVERY) if _SHORTEST <= song.score.bars <= _LONGEST]
    with ProcessPoolExecutor(2) as pool:
        roads = [strays for strays in pool.map(strays_of, _pairs(songs), chunksize=4) if strays is not None]
    own = np.concatenate([road.own for road in roads])
    falls = np.concatenate([road.falls for road in roads])
    data = {
        "pairs": len(roads),
        "windows": len(own),
        "own": round(float(np.quantile(own, _OWN)), _DIGITS),
        "dip": round(float(np.quantile(falls, _USUAL)), _DIGITS),
    }
    for share in _TOLD:
        stray, lie = np.quantile(own, share), np.quantile(falls, share)
        print(f"{share:.0%} of windows stray at most {stray:.2f} and lie at most {lie:.2f} from the next")
    print(data)
    keep_or_compare(compact_json(data), target, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
