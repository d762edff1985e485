"""Measure a Score: every axis, once, over the stretches it is cut into; or many files, on all cores.

Music is measured on the paper grid (``libretto.score.paper``) unless another is asked for, because the published songs
were, and because played timing would otherwise count as syncopation. A profile says on which grid it was measured.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, pairwise
from math import isnan

from libretto.axes.axis import ordered_axes, published_axes
from libretto.axes.piece import Pieces, Written
from libretto.axes.views import View
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.notation.grids import check_grid, on_grid
from libretto.score import Score, played
from libretto.score.paper import is_on_paper, paper_table

__all__ = [
    "Measured",
    "Profile",
    "grid_of",
    "measure",
    "measure_all",
    "measure_many",
    "view_of",
    "view_of_all",
    "view_without",
    "windows",
]

Profile = dict[str, float | None]


class Measured(Profile):
    """A profile that knows the grid on which it was measured."""

    grid: str = "paper"


def grid_of(profile: Mapping[str, float | None], fallback: str = "paper") -> str:
    """The grid on which a profile was measured; the fallback where it does not say."""
    return profile.grid if isinstance(profile, Measured) else fallback


_SONGS, _NOTES = 16, 100_000  # that are measured side by side, at most: more would not stay near the processor
_FILES_A_PROCESS = 8  # fewer are not worth starting one for, nor sending one by one


def measure(score: Score, spread: Mapping[str, float] | None = None, *, grid: str = "paper") -> Profile:
    """Every axis of a Score; None where one does not apply.

    ``spread`` is the standard deviation of each base axis over a corpus, for ``within_song_variation``; the
    published one where it is left out. ``grid`` is how the music is written down before the published axes are
    measured; on the paper grid, ours are measured on the music as it was played, since groove is what paper leaves out.
    Repeats are measured as they are played.

    >>> from libretto import parse
    >>> head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 1\\nVOICES: A\\n"
    >>> song = parse(head + "@1 [C]\\nA: C4@1>2 E4@4>1")
    >>> measure(song)["syncopation_rate"]
    0.5
    """
    return measure_all([score], spread, grid=grid)[0]


def measure_all(
    scores: Sequence[Score], spread: Mapping[str, float] | None = None, *, grid: str = "paper"
) -> list[Profile]:
    """Every axis of each Score, as ``measure`` gives it, in much less time than one by one."""
    if spread is not None:
        return list(_measured_anew(scores, spread, grid))
    known: list[dict[str, Measured]] = [score.__dict__.setdefault("_measured", {}) for score in scores]
    new = {id(score): score for score, profiles in zip(scores, known, strict=True) if grid not in profiles}
    for score, profile in zip(new.values(), _measured_anew(list(new.values()), None, grid), strict=True):
        score.__dict__["_measured"][grid] = profile  # a piece never changes, nor do its numbers
    return [_copied(profiles[grid]) for profiles in known]


def _copied(profile: Measured) -> Measured:
    copy = Measured(profile)
    copy.grid = profile.grid
    return copy


def _measured_anew(scores: Sequence[Score], spread: Mapping[str, float] | None, grid: str) -> list[Measured]:
    """The profiles of some songs, measured side by side, some at a time."""
    songs = [_written(played(score), grid) for score in scores]
    aside = [grid == "paper" and not is_on_paper(song.score) for song in songs]
    profiles: dict[int, Measured] = {}
    for apart in (False, True):
        for batch in _batches([number for number in range(len(songs)) if aside[number] is apart], songs):
            profiles |= zip(batch, _side_by_side([songs[number] for number in batch], spread, grid, apart), strict=True)
    return [profiles[number] for number in range(len(songs))]


def _batches(numbers: Sequence[int], songs: Sequence[Written]) -> Iterator[list[int]]:
    """Those songs in lots that are neither too many nor too large."""
    batch: list[int] = []
    notes = 0
    for number in numbers:
        size = len(songs[number].table) + songs[number].score.bars
        if batch and (len(batch) == _SONGS or notes + size > _NOTES):
            yield batch
            batch, notes = [], 0
        batch.append(number)
        notes += size
    if batch:
        yield batch


def _side_by_side(
    songs: Sequence[Written], spread: Mapping[str, float] | None, grid: str, apart: bool
) -> Iterator[Measured]:
    """The profiles of songs; of those that are written on other grids than paper's, ours are measured ``apart``."""
    view = _windowed(songs, spread)
    published = published_axes()
    names = {axis.name for axis in published}
    own = View(Pieces([_written(song.score, "exact") for song in songs]), [()] * len(songs)) if apart else view.whole
    columns = {axis.name: axis(view)[: len(songs)].tolist() for axis in published}
    columns |= {axis.name: axis(own)[: len(songs)].tolist() for axis in ordered_axes() if axis.name not in names}
    for values in zip(*columns.values(), strict=True):
        pairs = zip(columns, values, strict=True)
        profile = Measured((name, None if isnan(value) else value) for name, value in pairs)
        profile.grid = grid
        yield profile


def measure_many(
    paths: Iterable[str | os.PathLike[str]], jobs: int = 0, *, grid: str = "paper"
) -> Iterator[tuple[str, Profile | LibrettoError]]:
    """Each path with its profile, in order; a file that cannot be read comes with the error that says why."""
    names = [str(path) for path in paths]
    lots = [names[first : first + _FILES_A_PROCESS] for first in range(0, len(names), _FILES_A_PROCESS)]
    workers = min(jobs if jobs > 0 else os.cpu_count() or 1, max(1, len(names) // _FILES_A_PROCESS))
    work = partial(_measured, grid=check_grid(grid))
    if workers == 1:
        yield from chain.from_iterable(map(work, lots))
        return
    from concurrent.futures import ProcessPoolExecutor  # slow to import, and not needed for a few files

    with ProcessPoolExecutor(workers) as pool:
        yield from chain.from_iterable(pool.map(work, lots))


def _measured(paths: Sequence[str], grid: str) -> list[tuple[str, Profile | LibrettoError]]:
    """Some files, measured side by side; where one of them cannot be, each on its own."""
    found: dict[str, Score | LibrettoError] = {path: _read(path) for path in paths}
    scores = [score for score in found.values() if isinstance(score, Score)]
    with suppress(LibrettoError):  # said again of the file that it is about
        measure_all(scores, grid=grid)
    return [(path, _alone(found[path], grid)) for path in paths]


def _read(path: str) -> Score | LibrettoError:
    try:
        return read(path)
    except LibrettoError as error:
        return _in_a_line(error)


def _alone(score: Score | LibrettoError, grid: str) -> Profile | LibrettoError:
    try:
        return measure(score, grid=grid) if isinstance(score, Score) else score
    except LibrettoError as error:
        return _in_a_line(error)


def _in_a_line(error: LibrettoError) -> LibrettoError:
    return LibrettoError(" ".join(str(error).split()))


_MIN_BARS = 4  # shorter pieces have no windows
_MOST_WINDOWS, _FEWEST_WINDOWS, _BARS_A_WINDOW = 6, 2, 6


def view_of(score: Score, spread: Mapping[str, float] | None = None, *, grid: str = "paper") -> View:
    """A Score, whole and by windows; ``spread`` is a corpus's, the published one if left out."""
    return view_of_all([score], spread, grid=grid)


def view_of_all(scores: Sequence[Score], spread: Mapping[str, float] | None = None, *, grid: str = "paper") -> View:
    """Scores side by side, first each whole, then by windows."""
    return _windowed([_written(score, grid) for score in scores], spread)


def _windowed(songs: Sequence[Written], spread: Mapping[str, float] | None) -> View:
    return View(Pieces(songs), [windows(song.score.bars) for song in songs], spread)


def view_without(score: Score, blocks: Sequence[tuple[int, int]], *, grid: str = "paper") -> View:
    """A Score whole, then without each block of bars (indices, the last one not included)."""
    return View(Pieces([_written(score, grid)]), [blocks], without=True)


def windows(bars: int) -> list[tuple[int, int]]:
    """The windows of a piece: two to six of equal length, the last takes the rest; none in less than four bars."""
    if bars < _MIN_BARS:
        return []
    count = min(_MOST_WINDOWS, max(_FEWEST_WINDOWS, bars // _BARS_A_WINDOW))
    size = bars // count
    return list(pairwise([*range(0, size * count, size), bars]))


def _written(score: Score, grid: str) -> Written:
    """A Score as it is measured on a grid."""
    if grid == "paper":
        return Written(score, *paper_table(score))
    written = on_grid(score, grid)
    return Written(score, written.sounds, written.grids)
