"""What unrelated songs share: each song of a corpus against all others but those of its artist, and so its windows.

From these scores a cloud learns from where on sharing is copying.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import NamedTuple

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


class _Question(NamedTuple):
    """A song to search for: its file, the songs of its own group, and whether its windows are searched for too."""

    path: str
    relatives: list[int]
    windowed: bool


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
    work = [_Question(path, relatives[group], n % every < step) for n, path, group in asked]
    with ProcessPoolExecutor(jobs or None, initializer=_prepare, initargs=(index.to_bytes(),)) as pool:
        answers = list(pool.map(_scores, work, chunksize=4))
    windows = {bars: [scores[bars] for _, scores in answers if bars in scores] for bars in WINDOW_BARS}
    scores = {n: score for (n, _, _), (score, _) in zip(asked, answers, strict=True)}
    return Copies([scores.get(n) for n in range(len(paths))], windows)


_state: dict[str, bytes] = {}


def _prepare(data: bytes) -> None:
    _state["index"] = data


@cache
def _index() -> Sketch:
    return Sketch.from_bytes(_state["index"])


def _scores(asked: _Question) -> tuple[float | None, dict[int, float]]:
    """What a song shares with the nearest other one, and so a window of each length; None where it cannot be read."""
    try:
        score = read(asked.path)
    except LibrettoError:
        return None, {}
    index = _index()
    best = index.nearest(score, 1, asked.relatives)
    windows: dict[int, float] = {}
    for bars in WINDOW_BARS if asked.windowed else ():
        for start in window_starts(score, bars)[:1]:
            first = start + score.first_bar
            nearest = index.nearest(take_bars(score, first, first + bars - 1), 1, asked.relatives)
            if nearest:
                windows[bars] = round(nearest[0].score, _DIGITS)
    return (round(best[0].score, _DIGITS) if best else None), windows
