"""What unrelated songs share: each song of a corpus against all others but those of its artist, and so its windows.

From these scores a cloud learns from where on sharing is copying.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from libretto.corpus.calibrate import Copies
from libretto.corpus.rows import WINDOW_BARS, window_starts
from libretto.corpus.sketch import Sketch
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import take_bars

__all__ = ["copies_of"]

_SONGS = 400  # so many songs of a corpus are asked at most, evenly
_WINDOW_SONGS = 120  # so many songs lend a window of each length
_DIGITS = 4


def copies_of(paths: Sequence[str], groups: Sequence[str], index: Sketch, jobs: int = 0) -> Copies:
    """Originality scores of some songs, and of one window of each length in some of those, against all other groups.

    The songs stand in the order of the index.
    """
    every = max(1, len(paths) // _WINDOW_SONGS)
    step = max(1, -(-len(paths) // _SONGS))
    relatives: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        relatives.setdefault(group, []).append(number)
    asked = [(n, path, group) for n, (path, group) in enumerate(zip(paths, groups, strict=True)) if n % step == 0]
    work = [(path, relatives[group], n % every < step) for n, path, group in asked]
    with ProcessPoolExecutor(jobs or None, initializer=_prepare, initargs=(index.to_bytes(),)) as pool:
        found = list(pool.map(_scores, work, chunksize=4))
    windows = {bars: [each[bars] for _, each in found if bars in each] for bars in WINDOW_BARS}
    scores = {n: score for (n, _, _), (score, _) in zip(asked, found, strict=True)}
    return Copies([scores.get(n) for n in range(len(paths))], windows)


_state: dict[str, bytes] = {}


def _prepare(data: bytes) -> None:
    _state["index"] = data


@cache
def _index() -> Sketch:
    return Sketch.from_bytes(_state["index"])


def _scores(work: tuple[str, list[int], bool]) -> tuple[float | None, dict[int, float]]:
    path, relatives, windowed = work
    try:
        score = read(path)
    except LibrettoError:
        return None, {}
    index = _index()
    best = index.nearest(score, 1, relatives)
    windows: dict[int, float] = {}
    for bars in WINDOW_BARS if windowed else ():
        for start in window_starts(score, bars)[:1]:
            first = start + score.first_bar
            found = index.nearest(take_bars(score, first, first + bars - 1), 1, relatives)
            if found:
                windows[bars] = round(found[0].score, _DIGITS)
    return (round(best[0].score, _DIGITS) if best else None), windows
