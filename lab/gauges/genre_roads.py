"""Teach the roads between genres on windows of real songs: ``python -m lab.gauges.genre_roads CORPUS``.

``CORPUS`` holds ``midi`` and ``lakh``, each with sub-folders of genres. It writes ``tasks/morph/genres.json``; with
``--check`` it only compares. Windows of both teach one linear discriminant for all genres. The ruler of every pair is
set by windows of the songs of the default cloud (MIDI, thin genres topped up from texts) that did not teach it.

What is printed, and kept with every pair, is held out twice: artists are dealt into folds; the windows of a fold are
read on roads that were taught and whose rulers were set by the other folds alone. ``--kept FILE`` keeps what was
measured of the windows, so that a run can be repeated in seconds.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.checkout import arguments_of, compact_json, keep_or_compare, package_of, run
from lab.clouds import THIN
from libretto.corpus import load_cloud
from libretto.corpus.identity import group_of
from libretto.corpus.labels import find_songs
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score.table import Bools, Floats
from libretto.tasks.morph.genre_roads import FAR, NEAR, TRUSTED
from libretto.tasks.morph.road import read_off, rows_of_windows

__all__ = ["Windows", "held_out_shares", "main", "measured", "points_of", "taught"]

_BARS, _MOST, _SHORTEST = 8, 8, 24  # bars of a window, windows of a song, bars of a song
_FOLDS = 5
_SHRINKAGE = 0.3  # how far the common shape of genres is drawn to a ball; 0.1 to 0.5 read alike
_AIM = 0.80  # of the windows that set a ruler: what is asked of unseen ones, and as much again as songs differ
_LEAST_GAP = 0.05  # of the way: points that set what NEAR and FAR read lie at least so far apart
_STEP = 0.005  # by which the aim is lowered where both sides cannot have it
_LOW, _HIGH = 0.05, 0.95  # quantiles between which nearly all windows of an end lie
_READINGS = (0.0, NEAR, FAR, 1.0)
_DIGITS = 4
_CENT = 100
_TOLD = 50  # of 100 windows on both sides: where fewer are read right, genres are not told apart and have no road
Points = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Windows:
    """Windows of real songs as normal scores: genre, fold of the artist, weight (songs weigh alike), and whether the
    song is one by which rulers are set."""

    rows: Floats
    genre: NDArray[np.str_]
    fold: NDArray[np.int64]
    weight: Floats
    setting: Bools

    def where(self, chosen: Bools) -> Windows:
        """Some of the windows."""
        return Windows(
            self.rows[chosen], self.genre[chosen], self.fold[chosen], self.weight[chosen], self.setting[chosen]
        )


class Discriminant(NamedTuple):
    """The middle of every genre, and what tells it from others."""

    centres: dict[str, Floats]
    weights: dict[str, Floats]

    def scores(self, rows: Floats, source: str, target: str) -> Floats:
        """How far rows have come from one genre (0) to another (1), before a ruler is laid on them."""
        way, weights = self.centres[target] - self.centres[source], self.weights[target] - self.weights[source]
        return np.asarray((rows - self.centres[source]) @ weights / (way @ weights))


def _windows_of(path: str) -> Floats | None:
    """The windows of one song as normal scores; None where it is short, silent or cannot be read."""
    try:
        score = read(path)
    except LibrettoError:
        return None
    if score.bars < _SHORTEST or not len(score.table):
        return None
    sounding = np.bincount(score.table["bar"], minlength=score.bars) > 0
    spans = [(at, at + _BARS - 1) for at in range(0, score.bars - _BARS + 1, _BARS)]
    heard = [(first, last) for first, last in spans if sounding[first : last + 1].sum() > _BARS // 2]
    if len(heard) > _MOST:
        heard = [heard[round(place)] for place in np.linspace(0, len(heard) - 1, _MOST)]
    return rows_of_windows(score, heard, load_cloud()) if heard else None


def measured(corpus: Path) -> Windows:
    """The windows of all songs of a corpus of MIDI files and texts, by genre and artist."""
    songs = [(name, song) for name in ("midi", "lakh") for song in find_songs(corpus / name).songs if song.genre]
    paths = [str(corpus / name / song.path) for name, song in songs]
    with ProcessPoolExecutor(2) as pool:
        rows = list(pool.map(_windows_of, paths, chunksize=4))
    kept = [(name, song, some) for (name, song), some in zip(songs, rows, strict=True) if some is not None]
    sizes = [len(some) for _, _, some in kept]
    folds = [_fold(group_of(song.artist, song.title) or song.path) for _, song, _ in kept]
    setting = [name == "midi" or song.genre in THIN for name, song, _ in kept]
    return Windows(
        np.concatenate([some for _, _, some in kept]),
        np.repeat([song.genre for _, song, _ in kept], sizes),
        np.repeat(np.array(folds, dtype=np.int64), sizes),
        np.repeat(1 / np.array(sizes), sizes),
        np.repeat(np.array(setting, dtype=np.bool_), sizes),
    )


def _fold(group: str) -> int:
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % _FOLDS


def taught(windows: Windows) -> Discriminant:
    """A linear discriminant of all genres: one shape for all of them, every genre weighing the same."""
    names = sorted(set(windows.genre.tolist()))
    mine = {name: windows.where(windows.genre == name) for name in names}
    centres = {name: np.average(some.rows, axis=0, weights=some.weight) for name, some in mine.items()}
    size = windows.rows.shape[1]
    shape = np.zeros((size, size))
    for name, some in mine.items():
        away = some.rows - centres[name]
        shape += (away * some.weight[:, None]).T @ away / some.weight.sum() / len(names)
    shape = (1 - _SHRINKAGE) * shape + _SHRINKAGE * np.trace(shape) / size * np.eye(size)
    solved = np.linalg.solve(shape, np.stack([centres[name] for name in names]).T).T
    return Discriminant(centres, dict(zip(names, solved, strict=True)))


def points_of(source: Floats, target: Floats) -> Points | None:
    """The four points of a ruler, set by what windows of both ends score; None where they score alike.

    Half of the windows read beyond the outer points, and as many as are aimed at beyond the inner ones: fewer where
    both sides cannot have it.
    """
    zero, one = float(np.median(source)), float(np.median(target))
    share = _AIM
    while share > 0.5 + _STEP:
        near, far = float(np.quantile(source, share)), float(np.quantile(target, 1 - share))
        if far - near >= _LEAST_GAP and zero < near and far < one:
            return zero, near, far, one
        share -= _STEP
    return None


class Folds(NamedTuple):
    """Windows, and for every fold of artists which windows are in it and what the others taught."""

    windows: Windows
    parts: list[tuple[Bools, Discriminant]]

    @classmethod
    def of(cls, windows: Windows) -> Folds:
        """Windows with a discriminant for every fold."""
        numbers = sorted(set(windows.fold.tolist()))
        return cls(windows, [(windows.fold == n, taught(windows.where(windows.fold != n))) for n in numbers])

    def unseen(self, source: str, target: str) -> tuple[Floats, Floats]:
        """What windows of two genres, of songs that set rulers, score where their artists taught nothing."""
        scores = np.zeros(len(self.windows.fold))
        for mine, discriminant in self.parts:
            scores[mine] = discriminant.scores(self.windows.rows[mine], source, target)
        near, far = (scores[(self.windows.genre == genre) & self.windows.setting] for genre in (source, target))
        return near, far


def held_out_shares(windows: Windows, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[int, int]]:
    """For every pair how many of 100 windows of artists that took no part read below ``NEAR`` and above ``FAR``.

    A window that no ruler could be set for counts as read wrongly.
    """
    right: dict[tuple[str, str], list[list[Bools]]] = {pair: [[], []] for pair in pairs}
    for number in sorted(set(windows.fold.tolist())):
        rest, unseen = windows.where(windows.fold != number), windows.where(windows.fold == number)
        discriminant, folds = taught(rest), Folds.of(rest)
        for pair in pairs:
            points = points_of(*folds.unseen(*pair))
            ruler = tuple(zip(points, _READINGS, strict=True)) if points else ()
            for side, genre in enumerate(pair):
                rows = unseen.rows[(unseen.genre == genre) & unseen.setting]
                if not len(rows):
                    continue
                way = read_off(discriminant.scores(rows, *pair), ruler)
                right[pair][side].append((way < NEAR if side == 0 else way > FAR) & bool(points))
    return {
        pair: (int(_CENT * np.mean(np.concatenate(near))), int(_CENT * np.mean(np.concatenate(far))))
        for pair, (near, far) in right.items()
    }


def _usual(rows: Floats, middle: Floats, weights: Floats) -> float:
    return float(np.median(np.sqrt((rows - middle) ** 2 @ np.abs(weights))))


def _table(windows: Windows, shares: Mapping[tuple[str, str], tuple[int, int]]) -> dict[str, Any]:
    """What is shipped: middles and weights of all genres, and of every pair that is told apart what its windows do."""
    discriminant, folds = taught(windows), Folds.of(windows)
    names = sorted(discriminant.centres)
    known = {}
    for (source, target), right in shares.items():
        near, far = folds.unseen(source, target)
        points = points_of(near, far)
        if points is None or min(right) < _TOLD:
            continue
        ruler = tuple(zip(points, _READINGS, strict=True))
        starts, ends = read_off(near, ruler), read_off(far, ruler)
        way = discriminant.weights[target] - discriminant.weights[source]
        way = way / float((discriminant.centres[target] - discriminant.centres[source]) @ way)
        usual = [
            _usual(windows.rows[(windows.genre == genre) & windows.setting], discriminant.centres[genre], way)
            for genre in (source, target)
        ]
        known[f"{source} {target}"] = [
            [_short(point) for point in points],
            [_short(np.quantile(starts, _HIGH)), _short(np.quantile(ends, _LOW))],
            [_short(size) for size in usual],
            _short(np.sqrt((np.var(starts) + np.var(ends)) / 2)),
            list(right),
        ]
    return {
        "cloud": load_cloud().full_name,
        "axes": list(load_cloud().axes),
        "centres": {name: [_short(value) for value in discriminant.centres[name]] for name in names},
        "weights": {name: [_short(value) for value in discriminant.weights[name]] for name in names},
        "pairs": known,
    }


def _short(value: Any) -> float:
    return round(float(value), _DIGITS)


def _said(shares: Mapping[tuple[str, str], tuple[int, int]]) -> Iterator[str]:
    """The figures in words, the worst pair first."""
    for (source, target), (near, far) in sorted(shares.items(), key=lambda item: (min(item[1]), item[0])):
        least = min(near, far)
        kept = "" if least >= TRUSTED else "  (no road)" if least < _TOLD else "  (not reliable)"
        yield f"{source} to {target}: {near} of 100 windows below {NEAR}, {far} of 100 above {FAR}{kept}"
    reliable = sum(min(right) >= TRUSTED for right in shares.values())
    yield (
        f"{reliable} of {len(shares)} pairs read right in at least {TRUSTED} of 100 windows of unseen artists "
        "on both sides"
    )


def main(arguments: Sequence[str]) -> None:
    """Measure windows of a corpus and write the roads between genres; ``--check`` only compares."""
    parser = arguments_of("Teach the roads between genres.", "a folder that holds midi/ and lakh/")
    parser.add_argument("--kept", type=Path, help="a file (.npz) where what is measured of windows stays")
    asked = parser.parse_args(arguments)
    if asked.kept is not None and asked.kept.is_file():
        with np.load(asked.kept) as data:
            windows = Windows(**data)
    else:
        windows = measured(asked.music)
        if asked.kept is not None:
            np.savez_compressed(asked.kept, **vars(windows))
    shares = held_out_shares(windows, list(combinations(sorted(set(windows.genre.tolist())), 2)))
    print("\n".join(_said(shares)))
    target = package_of(asked.checkout) / "tasks" / "morph" / "genres.json"
    keep_or_compare(compact_json(_table(windows, shares)), target, asked.check)


if __name__ == "__main__":
    run(main, sys.argv[1:])
