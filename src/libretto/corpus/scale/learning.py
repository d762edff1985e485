"""A cloud of very many songs from their partitions, none of which is held longer than it is read.

What is exact and what is not:

- *Where songs stand on each axis.* Each genre is told by at most 1,000 values of every axis at even places among its
  songs (fewer where genres are many), one axis at a time. A percentile is off by at most half a place, 0.05 of 100
  for 1,000 values and 0.5 for 100. Up to four million songs all of them are ordered; of more, four million by the
  hash of their bytes, which adds less than 0.1 of 100 in 999 of 1,000 cases.
- *Which genres a piece resembles.* The discriminant needs means and products only, which are summed partition by
  partition over all songs: exact but for the places above.
- *The gates* (budgets, order, windows, cells) are calibrated on the songs that were measured in full, as those of a
  small cloud are, artists held out.

All of it goes by the order of the partitions, so that the same partitions give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.axes import ordered_axes
from libretto.corpus.calibrate import assemble
from libretto.corpus.classifier import Classifier, discriminant_of, normal_scores
from libretto.corpus.cloud import Cloud, rounded
from libretto.corpus.identity import group_of
from libretto.corpus.rows import GRID, SongRow
from libretto.corpus.scale.leaf import detail_row, is_sampled
from libretto.corpus.scale.parts import Parts, read_columns
from libretto.errors import FormatError
from libretto.score.table import Bools, Floats, Ints

__all__ = ["even_values", "learn_cloud"]

_ROWS, _MOST_PLACES, _FEWEST_PLACES = 6_000, 1_000, 100  # of all genres together; of a genre
_ORDERED = 4_000_000  # songs of which an axis is held at once
_AXES_AT_ONCE = 4  # columns that are read together while songs are fewer than this part of that
_MOST_GENRES = 1_000


@dataclass(frozen=True, eq=False)
class _Genres:
    """The genre of every song that is kept, as a number, and which of them are ordered."""

    names: tuple[str, ...]
    counts: Ints
    part: tuple[tuple[Ints, NDArray[np.int16], Bools], ...]


def learn_cloud(name: str, parts: Parts, kept: Bools, *, about: str = "") -> Cloud:
    """A calibrated cloud of the files that are kept, given as one truth a file in the order of the partitions."""
    axes = tuple(axis.name for axis in ordered_axes())
    genres = _genres(parts, kept)
    labels, values = _placed(parts, genres, axes)
    plain = Cloud(name, 1, axes, labels, values, "mid", about, grid=GRID)
    rows = list(_full_rows(parts, genres))
    gauges = assemble(name, rows, axes=axes).gauges if rows else None
    return replace(plain, classifier=_classifier(parts, genres, plain), gauges=gauges)


def _pieces(parts: Parts, kept: Bools, columns: Sequence[str]) -> Iterator[tuple[Any, Ints]]:
    """Some columns of each partition, and which of its rows are kept."""
    at = 0
    for _, path in parts:
        table = read_columns(path, columns)
        yield table, np.flatnonzero(kept[at : at + table.num_rows])
        at += table.num_rows


def _genres(parts: Parts, kept: Bools) -> _Genres:
    """The genres of the songs; a first look through the partitions."""
    share = min(1.0, _ORDERED / max(1, int(kept.sum())))
    numbers: dict[str, int] = {}
    pieces = []
    for table, rows in _pieces(parts, kept, ("genre", "content")):
        labels, contents = table["genre"].to_pylist(), table["content"].to_pylist()
        mine = [numbers.setdefault(labels[row] or "", len(numbers)) for row in rows.tolist()]
        if len(numbers) > _MOST_GENRES:
            raise FormatError(f"there are more than {_MOST_GENRES:,} genres; label fewer, or leave them out")
        ordered = [is_sampled(contents[row], share) for row in rows.tolist()] if share < 1 else [True] * len(rows)
        pieces.append((rows, np.array(mine, dtype=np.int16), np.array(ordered, dtype=np.bool_)))
    names = tuple(sorted(numbers))
    renumbered = np.array([names.index(name) for name in numbers], dtype=np.int16)
    pieces = [(rows, renumbered[mine], ordered) for rows, mine, ordered in pieces]
    counts = sum((np.bincount(mine, minlength=len(names)) for _, mine, _ in pieces), np.zeros(len(names), np.int64))
    return _Genres(names, np.asarray(counts), tuple(pieces))


def even_values(values: Floats, places: int) -> Floats:
    """The values at so many even places among some, NaN for as large a part of the places as of the values.

    >>> even_values(np.array([3.0, 1.0, 2.0, 4.0]), 2)
    array([1., 3.])
    """
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return np.full(places, np.nan)
    some = max(1, round(places * len(known) / len(values)))
    at = ((2 * np.arange(some) + 1) * len(known) - 1) // (2 * some)
    return np.concatenate([known[at], np.full(places - some, np.nan)])


def _placed(parts: Parts, genres: _Genres, axes: tuple[str, ...]) -> tuple[tuple[str, ...], Floats]:
    """Rows that stand for all songs: for each genre the values of every axis at even places."""
    most = min(_MOST_PLACES, max(_FEWEST_PLACES, _ROWS // max(1, len(genres.names))))
    places = np.minimum(genres.counts, most)
    labels = tuple(name for name, count in zip(genres.names, places.tolist(), strict=True) for _ in range(count))
    ends = np.concatenate(([0], np.cumsum(places)))
    table = np.full((len(labels), len(axes)), np.nan)
    which = np.concatenate([mine[ordered] for _, mine, ordered in genres.part])
    for first in range(0, len(axes), _AXES_AT_ONCE):
        some = axes[first : first + _AXES_AT_ONCE]
        columns = _columns(parts, genres, some, len(which))
        for offset, column in enumerate(columns):
            for number in range(len(genres.names)):
                even = even_values(column[which == number], int(places[number]))
                kept = [rounded(value) if not np.isnan(value) else np.nan for value in even.tolist()]
                table[ends[number] : ends[number + 1], first + offset] = kept
    return labels, table


def _columns(parts: Parts, genres: _Genres, axes: Sequence[str], count: int) -> Floats:
    """Some axes of all songs that are ordered."""
    columns = np.full((len(axes), count), np.nan)
    at = 0
    for (_, path), (rows, _, ordered) in zip(parts, genres.part, strict=True):
        mine = rows[ordered]
        columns[:, at : at + len(mine)] = _matrix(read_columns(path, axes), axes)[mine].T
        at += len(mine)
    return columns


def _matrix(table: Any, axes: Sequence[str]) -> Floats:
    """Columns of a partition as rows of values; NaN where an axis does not apply."""
    return np.stack([table[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in axes], axis=1)


def _classifier(parts: Parts, genres: _Genres, cloud: Cloud) -> Classifier | None:
    """What tells the genres apart, from sums over all songs."""
    labelled = [number for number, name in enumerate(genres.names) if name]
    if len(labelled) < 2:
        return None
    size = len(cloud.axes)
    counts = np.zeros(len(genres.names), dtype=np.int64)
    sums, squares = np.zeros((len(genres.names), size)), np.zeros((len(genres.names), size, size))
    for (_, path), (rows, which, _) in zip(parts, genres.part, strict=True):
        scores = normal_scores(cloud.shares(_matrix(read_columns(path, cloud.axes), cloud.axes)[rows]))
        for number in np.unique(which).tolist():
            mine = scores[which == number]
            counts[number] += len(mine)
            sums[number] += mine.sum(axis=0)
            squares[number] += mine.T @ mine
    names = tuple(genres.names[number] for number in labelled)
    return discriminant_of(names, counts[labelled], sums[labelled], squares[labelled])


def _full_rows(parts: Parts, genres: _Genres) -> Iterator[SongRow]:
    """The songs that were measured in full, with their labels."""
    for (_, path), (rows, which, _) in zip(parts, genres.part, strict=True):
        table = read_columns(path, ("file", "artist", "title", "detail"))
        for row, number in zip(rows.tolist(), which.tolist(), strict=True):
            detail = table["detail"][row].as_py()
            if detail is None:
                continue
            stem = PurePosixPath(table["file"][row].as_py()).stem
            group = group_of(table["artist"][row].as_py() or "", stem)
            yield replace(detail_row(detail), genre=genres.names[number], group=group)
