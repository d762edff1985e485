"""Many songs of filled buckets, laid out as bits, so that a piece is laid over all of them and counted one by one.

Gives what ``libretto.corpus.spectra`` gives, to the last bit: the same displacements and turns are tried, counts are
whole numbers either way, and what is best of them is reckoned with the same steps in the same precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.buckets import BUCKET, BUCKETS, PLACES, REMAINDERS, so_many_filled
from libretto.corpus.choosing import LEAST, Places, lying_over, share_of
from libretto.corpus.hands import hands_here
from libretto.corpus.laying.code import ROW
from libretto.corpus.laying.compiled import Lay, compiled
from libretto.corpus.laying.kernel import LISTS, room_for
from libretto.corpus.laying.rows import BESIDE, FULL, MARGIN, SONGS, STRIPES, TOLD
from libretto.corpus.spectra import best_once
from libretto.score.table import Bools, Ints

__all__ = ["Counted", "counted"]

_MOST_ROWS = 32  # of a block: they and what they are added to stay in the nearest cache
_EIGHT = 8  # displacements in a byte, and runs that are added at once
_NOWHERE = 2**30  # further than any displacement

Octets = NDArray[np.uint8]


def counted(songs: Sequence[Bools]) -> Counted | None:
    """Songs to be laid over by compiled code; None where there is none, or where it does not count as numpy does."""
    lay = compiled()
    return Counted(songs, lay) if lay is not None and _agrees(lay) else None


class _Runs(NamedTuple):
    """What is added up: where runs begin in the buffer, list by list, and where lists begin, plane by plane."""

    places: Ints
    starts: Ints
    planes: int
    deep: int


class Counted:
    """Songs of filled buckets, one at least, ready for any piece; ``lay`` is the compiled code."""

    def __init__(self, songs: Sequence[Bools], lay: Lay) -> None:
        self._lay, self.most_notes = lay, lay.most_notes
        self._lengths = np.array([len(song) for song in songs], dtype=np.int64)
        groups = -(-len(songs) // SONGS)
        self._who = np.full((groups, SONGS), -1)
        order = np.argsort(self._lengths, kind="stable")
        self._who.ravel()[groups * SONGS - len(songs) :] = order  # the longest stand with no empty places
        self._beats = self._lengths[self._who].max(axis=1, where=self._who >= 0, initial=0)
        size = (self._beats + 2 * MARGIN) * (STRIPES * SONGS)
        self._begin = np.cumsum(size) - size
        self._octets = _aligned(int(size.sum()) + ROW)
        full = np.bitwise_or.reduce(so_many_filled(np.concatenate(songs)), initial=0)
        self._bits = [bit for bit in range(FULL) if int(full) >> bit & 1]  # of how full any beat is
        for who, beats, begin in zip(self._who, self._beats.tolist(), self._begin.tolist(), strict=True):
            wide = beats + 2 * MARGIN
            stripes = self._octets[begin : begin + STRIPES * wide * SONGS].reshape(STRIPES, wide, SONGS)
            for lane, song in enumerate(who.tolist()):
                if song >= 0:
                    _striped(songs[song], stripes[:, MARGIN : MARGIN + len(songs[song]), lane])

    def best(self, beat: Ints, place: Ints, rest: Ints) -> Places:
        """For every song the largest share of notes that fall into filled buckets, beyond what beats so full catch.

        ``beat`` of each note counts from 0. There are at most ``libretto.corpus.spectra.MOST_NOTES`` notes.
        """
        beats, notes = int(beat.max()) + 1, len(beat)
        over = lying_over(self._lengths, beats)
        there = self._who >= 0
        lowest = np.where(there, (over - beats)[self._who], _NOWHERE)
        highest = np.where(there, (self._lengths - over)[self._who], -_NOWHERE)
        out = np.zeros((len(self._who), 2 + 2 * TOLD, BESIDE, SONGS), dtype=np.int32)
        out[:, 0], out[:, 1] = lowest[:, None], highest[:, None]
        told = out[:, 2:].reshape(len(out), 2, TOLD, BESIDE, SONGS)
        told.view(np.float32)[:, :, 0] = -np.inf
        blocks = self._blocks(lowest.min(axis=1), highest.max(axis=1), beats, out.strides[0])
        self._laid(blocks, _runs(beat, place, rest, int(blocks[0, 4]), self._bits), notes, out)
        at, count, caught, turn = _best_of(told)[:, there]
        usual = (caught.astype(np.float32) / np.float32(BUCKETS)).astype(np.float64)
        result = Places(np.zeros(len(self._lengths)), *np.zeros((2, len(self._lengths)), dtype=np.int64))
        for column, values in zip(result, (share_of(count, usual, notes), at, turn), strict=True):
            column[self._who[there]] = values
        return result

    def _blocks(self, lowest: Ints, highest: Ints, beats: int, told: int) -> Ints:
        """Groups cut into blocks of few rows, in order: place, beats, first displacement, rows, run, answer."""
        lowest = lowest // BESIDE * BESIDE  # so that no row lies on both sides of 0
        many = np.maximum(highest - lowest + 1, 1)
        tiles = -(-many // (_EIGHT * BESIDE * _MOST_ROWS))
        rows = -(-many // (tiles * _EIGHT * BESIDE)) * BESIDE
        group = np.repeat(np.arange(len(many)), tiles)
        tile = np.arange(len(group)) - np.repeat(np.cumsum(tiles) - tiles, tiles)
        run = np.full(len(group), -(-(int(rows.max()) + beats) // BESIDE) * BESIDE)
        first = lowest[group] + tile * _EIGHT * rows[group]
        columns = (self._begin[group], self._beats[group], first, rows[group], run, group * told)
        return np.stack(columns, axis=1).astype(np.int64)

    def _laid(self, blocks: Ints, runs: _Runs, notes: int, out: NDArray[np.int32]) -> None:
        """Lay the piece over all blocks, on as many cores as there are; ``out`` takes the answers."""
        least = np.float32(LEAST * notes)

        def lay(some: Ints) -> None:
            work = _aligned(room_for(int(some[:, 3].max()), int(some[0, 4]), runs.deep))
            self._lay.run(
                *(self._octets.ctypes.data, some.ctypes.data, len(some), runs.places.ctypes.data),
                *(runs.starts.ctypes.data, runs.planes, runs.deep, float(notes), float(least)),
                *(work.ctypes.data, out.ctypes.data),
            )

        hands = hands_here()
        group = blocks[:, 5] // out.strides[0]
        parts = [np.ascontiguousarray(blocks[group % hands == hand]) for hand in range(hands)]
        parts = [part for part in parts if len(part)]
        if len(parts) == 1:
            lay(parts[0])
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(len(parts)) as pool:
                list(pool.map(lay, parts))


def _best_of(told: NDArray[np.int32]) -> Ints:
    """Of what is told of both sides of 0 and of displacements beside each other, the best by song and group: the
    displacement and three numbers more. Of equals the first counts, and displacements from 0 on come first."""
    sides = []
    for side in (1, 0):
        best = told[:, side, :, 0]
        for beside in range(1, told.shape[3]):
            other = told[:, side, :, beside]
            mine, theirs = best[:, 0].view(np.float32), other[:, 0].view(np.float32)
            better = (theirs > mine) | ((theirs == mine) & (other[:, 1] < best[:, 1]))
            best = np.where(better[:, None], other, best)
        sides.append(best)
    late, early = sides
    better = early[:, 0].view(np.float32) > late[:, 0].view(np.float32)
    return np.moveaxis(np.where(better[:, None], early, late)[:, 1:], 1, 0)


def _aligned(size: int) -> Octets:
    """So many bytes of nothing, beginning where rows of memory do."""
    octets = np.zeros(size + ROW, dtype=np.uint8)
    first = -octets.ctypes.data % ROW
    return octets[first : first + size]


def _striped(song: Bools, stripes: Octets) -> None:
    """Write a song: whether each bucket of a beat is filled, and the bits of how many are."""
    stripes[:BUCKETS] = song.T
    full = so_many_filled(song)
    for bit in range(FULL):
        stripes[BUCKETS + bit] = (full >> np.uint64(bit)) & np.uint64(1)


def _runs(beat: Ints, place: Ints, rest: Ints, run: int, bits: Sequence[int]) -> _Runs:
    """The runs of every turn, and those of how full beats are; what counts twice stands one plane higher."""
    cell = np.take(_buckets() * run, place * REMAINDERS + rest, axis=0)
    cell += beat[:, None]
    times = np.bincount(cell.ravel(), minlength=REMAINDERS * BUCKETS * run)
    cells = np.flatnonzero(times != 0)  # of truths: whole numbers take six times as long
    times = times[cells]
    struck = np.bincount(beat)
    planes, deep = (int(most).bit_length() for most in (len(beat), len(beat) * BUCKETS))
    empty = STRIPES * run
    lists = [[np.empty(0, dtype=np.int64)] for _ in range(deep)]
    sizes = np.zeros((deep, LISTS), dtype=np.int64)
    for plane in range(int(times.max()).bit_length()):
        some = cells[(times >> plane & 1).astype(np.bool_)]
        edges = np.searchsorted(some, np.arange(LISTS) * (BUCKETS * run))
        sizes[plane, :REMAINDERS] = np.diff(edges)
        lists[plane].append(some - np.repeat(np.arange(REMAINDERS) * (BUCKETS * run), np.diff(edges)))
    for bit in range(int(struck.max()).bit_length()):
        beats = np.flatnonzero(struck >> bit & 1)
        for more in bits:
            lists[bit + more].append((BUCKETS + more) * run + beats)
            sizes[bit + more, REMAINDERS] += len(beats)
    many = sizes.ravel()
    ends = np.cumsum(-(-many // _EIGHT) * _EIGHT)
    places = np.full(int(ends[-1]), empty)
    last = np.cumsum(many)
    starts = np.concatenate([[0], ends])
    flat = np.concatenate([run for runs in lists for run in runs])
    places[np.arange(len(flat)) + np.repeat(starts[:-1] - (last - many), many)] = flat
    return _Runs(places * SONGS, starts, planes, deep)


@cache
def _buckets() -> Ints:
    """For every place and remainder, in a row, its bucket at every turn, counted through all turns."""
    turns = np.arange(REMAINDERS)
    rest = (np.arange(REMAINDERS)[:, None] + turns) % REMAINDERS
    return np.asarray((BUCKET[:, rest] + turns * BUCKETS).reshape(-1, REMAINDERS))


def _agrees(lay: Lay) -> bool:
    """Whether what was compiled counts a few notes as numpy does: asked before it is believed."""
    rng = np.random.default_rng(0)
    songs = [rng.random((length, BUCKETS)) < share for length, share in ((9, 0.5), (0, 0.5), (70, 0.7), (40, 0.6))]
    beat = np.sort(rng.integers(0, 24, 90))
    beat, place, rest = beat - beat[0], rng.integers(0, PLACES, 90), rng.integers(0, REMAINDERS, 90)
    mine, theirs = Counted(songs, lay).best(beat, place, rest), best_once(songs, BUCKET, 24, [(beat, place, rest)])[0]
    return all(map(np.array_equal, mine, theirs))
