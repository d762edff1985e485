"""Measure a Score: every axis, once, over the stretches it is cut into; or many files, on all cores.

Music is measured on the paper grid (``libretto.score.paper``) unless another is asked for, because the published songs
were, and because played timing would otherwise count as syncopation. A profile says on which grid it was measured.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import isnan

from libretto.axes.axis import ordered_axes, published_axes
from libretto.axes.piece import Piece
from libretto.axes.views import View
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.notation.grids import check_grid, on_grid
from libretto.score import Score, played
from libretto.score.paper import is_on_paper, paper_table

__all__ = ["Measured", "Profile", "grid_of", "measure", "measure_many", "view_of", "view_without", "windows"]

Profile = dict[str, float | None]


class Measured(Profile):
    """A profile that knows the grid on which it was measured."""

    grid: str = "paper"


def grid_of(profile: Mapping[str, float | None], fallback: str = "paper") -> str:
    """The grid on which a profile was measured; the fallback where it does not say."""
    return profile.grid if isinstance(profile, Measured) else fallback


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
    if spread is not None:
        return _measured_anew(score, spread, grid)
    known: dict[str, Measured] = score.__dict__.setdefault("_measured", {})  # a piece never changes, nor do its numbers
    if grid not in known:
        known[grid] = _measured_anew(score, None, grid)
    profile = Measured(known[grid])
    profile.grid = grid
    return profile


def _measured_anew(score: Score, spread: Mapping[str, float] | None, grid: str) -> Measured:
    score = played(score)
    view = view_of(score, spread, grid=grid)
    values = {axis.name: float(axis(view)[0]) for axis in published_axes()}
    own = view_without(score, (), grid="exact") if grid == "paper" and not is_on_paper(score) else view.whole
    values |= {axis.name: float(axis(own)[0]) for axis in ordered_axes() if axis.name not in values}
    profile = Measured((name, None if isnan(value) else value) for name, value in values.items())
    profile.grid = grid
    return profile


def measure_many(
    paths: Iterable[str | os.PathLike[str]], jobs: int = 0, *, grid: str = "paper"
) -> Iterator[tuple[str, Profile | LibrettoError]]:
    """Each path with its profile, in order; a file that cannot be read comes with the error that says why."""
    names = [str(path) for path in paths]
    workers = min(jobs or os.cpu_count() or 1, max(1, len(names) // _FILES_A_PROCESS))
    work = partial(_measured, grid=check_grid(grid))
    if workers == 1:
        yield from map(work, names)
        return
    from concurrent.futures import ProcessPoolExecutor  # slow to import, and not needed for a few files

    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, names, chunksize=_FILES_A_PROCESS)


def _measured(path: str, grid: str) -> tuple[str, Profile | LibrettoError]:
    try:
        return path, measure(read(path), grid=grid)
    except LibrettoError as error:
        return path, LibrettoError(" ".join(str(error).split()))


_MIN_BARS = 4  # shorter pieces have no windows
_MOST_WINDOWS, _FEWEST_WINDOWS, _BARS_A_WINDOW = 6, 2, 6


def view_of(score: Score, spread: Mapping[str, float] | None = None, *, grid: str = "paper") -> View:
    """A Score, whole and by windows; ``spread`` is a corpus's, the published one if left out."""
    return View(_piece(score, grid), windows(score.bars), spread)


def view_without(score: Score, blocks: Sequence[tuple[int, int]], *, grid: str = "paper") -> View:
    """A Score whole, then without each block of bars (indices, the last one not included)."""
    return View(_piece(score, grid), blocks, without=True)


def windows(bars: int) -> list[tuple[int, int]]:
    """The windows of a piece: two to six of equal length, the last takes the rest; none in less than four bars."""
    if bars < _MIN_BARS:
        return []
    count = min(_MOST_WINDOWS, max(_FEWEST_WINDOWS, bars // _BARS_A_WINDOW))
    size = bars // count
    return list(pairwise([*range(0, size * count, size), bars]))


def _piece(score: Score, grid: str) -> Piece:
    if grid == "paper":
        return Piece(score, *paper_table(score))
    written = on_grid(score, grid)
    return Piece(score, written.table, written.grids)
