"""Measure a Score: every axis, once; or many files, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from math import isnan

from libretto.axes.axis import PUBLISHED, ordered_axes
from libretto.axes.stretches import view_of
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score

__all__ = ["Profile", "measure", "measure_many"]

Profile = dict[str, float | None]
_FILES_A_PROCESS = 8  # fewer are not worth starting one for, nor sending one by one


def measure(score: Score, spread: Mapping[str, float] | None = None) -> Profile:
    """Every axis of a Score; None where one does not apply.

    ``spread`` is the standard deviation of each base axis over a corpus, for ``within_song_variation``; the
    published one where it is left out.

    >>> from libretto import parse
    >>> head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 1\\nVOICES: A\\n"
    >>> song = parse(head + "@1 [C]\\nA: C4@1>2 E4@4>1")
    >>> measure(song)["syncopation_rate"]
    0.5
    """
    view = view_of(score, spread)
    values = {axis.name: float(axis(view if axis.family in PUBLISHED else view.whole)[0]) for axis in ordered_axes()}
    return {name: None if isnan(value) else value for name, value in values.items()}


def measure_many(
    paths: Iterable[str | os.PathLike[str]], jobs: int = 0
) -> Iterator[tuple[str, Profile | LibrettoError]]:
    """Each path with its profile, in order; a file that cannot be read comes with the error that says why."""
    names = [str(path) for path in paths]
    workers = min(jobs or os.cpu_count() or 1, max(1, len(names) // _FILES_A_PROCESS))
    if workers == 1:
        yield from map(_measured, names)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_measured, names, chunksize=_FILES_A_PROCESS)


def _measured(path: str) -> tuple[str, Profile | LibrettoError]:
    try:
        return path, measure(read(path))
    except LibrettoError as error:
        return path, LibrettoError(" ".join(str(error).split()))
