"""Marks of a song: small figures of four notes, the same in every key, of which the rarest by lot are kept.

Conventions. Notes are laid on quarters of a beat. Of the notes that start together the highest and the lowest count. A
mark is four such notes on four of five neighbouring places: how far the later three are from the first, in time and in
pitch. It is kept as a number of 64 bits that says nothing but "the same figure". Figures of one pitch class tell
nothing and are left out. Which marks of a song are kept is decided by that number alone (the smallest), so that a copy
keeps the same ones, in any key and at any time: locality-sensitive hashing by bottom sketches. A song and an excerpt of
it share the marks that the excerpt holds. A piece that is asked about also gives the figures that skip one place more,
because a note that was put between those of a song hides what lay side by side there.

A song's *code* is its kept marks drawn together into 1,024 bits, of which two songs share half by chance and all if
they are the same: what a vector index compares.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.overlap import Starts, phases_of
from libretto.score import QUARTER
from libretto.score.table import Ints

__all__ = ["CODE_BYTES", "KEPT", "MARK", "Marks", "code_of", "kept_marks", "marks_of"]

KEPT = 384  #: marks of a song that are kept in its partition
CODE_BYTES = 128  #: of a song's code
#: A kept mark: which figure, where it first stands (quarters of a beat from the first note), and its first pitch.
MARK = np.dtype([("figure", "<u4"), ("cell", "<u2"), ("pitch", "u1")])
_PLACES = 4  # of a beat
_LAGS = ((1, 2, 3), (1, 2, 4), (1, 3, 4), (2, 3, 4))  # which of the next places the later three notes stand on
_WIDER = tuple(combinations(range(1, 6), 3))  # the same for a piece that is asked about
_WIDEST = 48  # places from the first note to the last: twelve beats
_OCTAVE, _BITS_A_TIME, _BITS_A_PITCH, _MIDDLE = 12, 6, 8, 128
_REPEATS = 4  # how often a figure comes in most songs
_LATEST = 65_535  # the last place that is told
_BINS = 128  # of a code: each holds eight bits of the smallest number in it
_ALL_BITS = 0xFFFFFFFF

Numbers = NDArray[np.uint64]


class Marks(NamedTuple):
    """Marks in the order of their notes: the number of each, the place of its first note and its pitch."""

    number: Numbers
    cell: Ints
    pitch: Ints


def _mixed(codes: Ints) -> Numbers:
    """Numbers spread over all 64 bits, each to its own."""
    x = codes.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x ^= x >> np.uint64(shift)
        x *= np.uint64(factor)
    return x ^ (x >> np.uint64(31))


def _places(line: Starts) -> tuple[Ints, Ints]:
    """The places on which notes start, counted from the first, and the highest and lowest pitch on each."""
    cell = np.floor((line.onset - phases_of(line.onset)[0]) * (_PLACES / QUARTER) + 0.5).astype(np.int64)
    first = np.flatnonzero(np.concatenate(([True], np.diff(cell) > 0)))
    pitch = line.pitch.astype(np.int64)
    ends = np.stack([np.maximum.reduceat(pitch, first), np.minimum.reduceat(pitch, first)], axis=1)
    return cell[first] - cell[0], ends


def marks_of(line: Starts, asked: bool = False) -> Marks:
    """Every mark of a piece whose notes are given in order of time; none where it has fewer than four places.

    With ``asked`` those too that skip one place more: more than a song keeps, for one that is looked for.
    """
    empty = np.zeros(0, dtype=np.int64)
    if not len(line.onset):
        return Marks(empty.astype(np.uint64), empty, empty)
    cell, ends = _places(line)
    numbers, cells, pitches = [], [], []
    for lags in _WIDER if asked else _LAGS:
        count = len(cell) - lags[-1]
        if count <= 0:
            continue
        near = np.flatnonzero(cell[lags[-1] :] - cell[:count] <= _WIDEST)
        first = ends[near]
        # Axis 0 is the first place; each further one is the choice of the highest or lowest note of the four places.
        code = np.zeros((len(near), 2, 1, 1, 1), dtype=np.int64)
        plain: NDArray[np.bool_] = np.ones_like(code, dtype=np.bool_)
        for number, lag in enumerate(lags):
            shape = [len(near), 2, 1, 1, 1]
            shape[number + 2] = 2
            away = (ends[near + lag][:, None, :] - first[:, :, None]).reshape(shape)
            time = (cell[near + lag] - cell[near]).reshape(-1, 1, 1, 1, 1)
            code = (((code << _BITS_A_TIME) | time) << _BITS_A_PITCH) | (away + _MIDDLE)
            plain = plain & (away % _OCTAVE == 0)
        telling = ~plain
        numbers.append(code[telling])
        cells.append(np.broadcast_to(cell[near].reshape(-1, 1, 1, 1, 1), code.shape)[telling])
        pitches.append(np.broadcast_to(first.reshape(-1, 2, 1, 1, 1), code.shape)[telling])
    if not numbers:
        return Marks(empty.astype(np.uint64), empty, empty)
    return Marks(_mixed(np.concatenate(numbers)), np.concatenate(cells), np.concatenate(pitches))


def kept_marks(marks: Marks, most: int = KEPT) -> NDArray[Any]:
    """The marks with the smallest numbers, each figure once, where it first stands; smallest first."""
    numbers = _smallest(marks.number, most)
    mine = np.flatnonzero(marks.number <= numbers[-1]) if len(numbers) else np.zeros(0, dtype=np.int64)
    order = mine[np.lexsort((marks.pitch[mine], marks.cell[mine], marks.number[mine]))]
    first = order[np.unique(marks.number[order], return_index=True)[1]]
    kept = np.zeros(len(first), dtype=MARK)
    kept["figure"] = marks.number[first] & np.uint64(_ALL_BITS)
    kept["cell"] = np.minimum(marks.cell[first], _LATEST)
    kept["pitch"] = marks.pitch[first]
    return kept


def _smallest(numbers: Numbers, most: int) -> Numbers:
    """The smallest numbers, each once; few enough are looked at that nothing large is sorted."""
    room = _REPEATS * most
    while room < len(numbers):
        few = np.unique(np.partition(numbers, room)[:room])
        if len(few) > most:
            return few[:most]
        room *= _REPEATS
    return np.unique(numbers)[:most]


def code_of(kept: NDArray[Any]) -> bytes:
    """A song's code: of its kept marks the smallest in each of 128 bins, eight bits of each."""
    mixed = _mixed(kept["figure"].astype(np.int64) + (1 << 40))
    bins = (mixed >> np.uint64(57)).astype(np.int64)
    order = np.lexsort((mixed, bins))
    there, first = np.unique(bins[order], return_index=True)
    code = np.zeros(_BINS, dtype=np.uint8)
    code[there] = (_mixed((mixed[order][first] >> np.uint64(8)).astype(np.int64)) >> np.uint64(56)).astype(np.uint8)
    return code.tobytes()
