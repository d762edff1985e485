"""An exact index: the notes of songs themselves, for corpora that the user builds.

A note of the piece matches when a note of the song has its pitch, after one transposition of the whole piece, and
starts within an eighth of a beat of it, after one shift of the whole piece. Every transposition and every shift is
tried: first on a raster of quarter beats, by Fourier transforms, with pitches modulo three octaves; then the best few
are counted on the true ticks.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.overlap import (
    PITCHES,
    IndexKind,
    Overlap,
    Passage,
    Starts,
    by_chance,
    index_kinds,
    phases_of,
    runs_of,
    starts_of,
    told_bar,
)
from libretto.errors import FormatError
from libretto.score import QUARTER, Score
from libretto.score.table import Ints

__all__ = ["Tracks", "join_tracks", "track_piece"]

_MAGIC, _VERSION = b"LBRTTRACKS", 1
_HEAD, _SONG = struct.Struct("<10sHI"), struct.Struct("<Ii")
_WIDTHS = (8, 1, 4)  # bytes of a note's start, pitch and bar, kept column by column
_MOST_SONGS, _MOST_NOTES, _MOST_BEATS = 1_000_000, 400_000, 40_000  # no corpus, song or piece has more
_FOLD, _CELLS = 36, 4  # the raster: pitches modulo three octaves, cells of a beat
_NEAR = QUARTER // 8  # notes that start within this of each other match
_EDGE = 0.25  # notes this close to the edge of a cell, in cells, mark both
_CANDIDATES = 6  # places of the raster that are counted on the true ticks
_WIDE = 1 << 40  # ticks; more than any piece has, so that pitch and start are one number
_MATCHING = 0.7  # a bar of which so many notes match, matches
_REACH = 3 * _NEAR  # how far a note is looked for around its place on the raster
_BINS = 52  # of the histogram of shifts: enough for the reach on both sides, with smoothing
_BINS_A_BEAT, _SMOOTH = 64, 5  # how finely the shift is looked for at first, and over how many bins notes agree
_ODD = (1, 3, 5, 9, 15)  # lengths that are these times a power of two transform quickly
_DRAWS = 3  # the shift is drawn so often to the middle of the notes near it
_SHOWN = 8  # bars that match and are shown
_DIGITS, _BEAT_DIGITS = 4, 3  # of shares and of beats, as they are told


def track_piece(score: Score) -> bytes:
    """One song's part of an index."""
    return _piece(starts_of(score), score.first_bar)


def _piece(line: Starts, first_bar: int) -> bytes:
    columns = (line.onset.astype("<i8"), line.pitch.astype("<u1"), line.bar.astype("<i4"))
    return _SONG.pack(len(line.onset), first_bar) + b"".join(column.tobytes() for column in columns)


def join_tracks(pieces: Iterable[bytes], names: Sequence[str] = ()) -> Tracks:
    """An index of songs from their parts, in order."""
    return Tracks.from_bytes(_joined(list(pieces)), names)


def _joined(pieces: Sequence[bytes]) -> bytes:
    return _HEAD.pack(_MAGIC, _VERSION, len(pieces)) + b"".join(pieces)


@dataclass(frozen=True, eq=False)
class _Track:
    """The notes of one piece, ready to be compared."""

    line: Starts
    first_bar: int = 1

    @cached_property
    def phase(self) -> int:
        return phases_of(self.line.onset)[0]

    @cached_property
    def place(self) -> NDArray[np.float64]:
        """Where each note stands on the raster, counted so that the first cell is at 1."""
        place = (self.line.onset - self.phase) * (_CELLS / QUARTER) + 0.5
        return np.asarray(place - self.first_cell)

    @cached_property
    def first_cell(self) -> int:
        return int(np.floor((int(self.line.onset.min()) - self.phase) * (_CELLS / QUARTER) + 0.5)) - 1

    @cached_property
    def cells(self) -> int:
        return int(self.place.max()) + 2

    @cached_property
    def keys(self) -> Ints:
        """Pitch and start of every note as one number, in order."""
        return np.sort(self.line.pitch * _WIDE + self.line.onset)

    def raster(self, size: int, soft: bool) -> NDArray[np.float32]:
        """How many notes stand in each cell, by pitch; ``soft`` marks instead which cells hold one or nearly do."""
        cells = np.zeros((_FOLD, size), dtype=np.float32)
        row = self.line.pitch % _FOLD
        if not soft:
            np.add.at(cells, (row, np.floor(self.place).astype(np.int64)), 1.0)
            return cells
        for edge in (-_EDGE, _EDGE):
            cells[row, np.floor(self.place + edge).astype(np.int64)] = 1.0
        return cells


@dataclass(frozen=True, eq=False)
class Tracks:
    """The notes of many songs, with their names."""

    songs: tuple[_Track, ...] = field(repr=False)
    names: tuple[str, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.songs)

    def to_bytes(self) -> bytes:
        """The index as bytes, the same for the same songs."""
        return _joined([_piece(song.line, song.first_bar) for song in self.songs])

    @classmethod
    def from_bytes(cls, data: bytes, names: Sequence[str] = ()) -> Tracks:
        """Read an index back; a FormatError where it is damaged."""
        try:
            magic, version, count = _HEAD.unpack_from(data)
            if magic != _MAGIC or version != _VERSION or count > _MOST_SONGS:
                raise FormatError("this is not an index of tracks that this version reads")
            songs, at = [], _HEAD.size
            for _ in range(count):
                size, first_bar = _SONG.unpack_from(data, at)
                at += _SONG.size
                if size > _MOST_NOTES or at + sum(_WIDTHS) * size > len(data):
                    raise FormatError("the index is damaged: a song runs past its end")
                onset = np.frombuffer(data, "<i8", size, at).astype(np.int64)
                pitch = np.frombuffer(data, "<u1", size, at + _WIDTHS[0] * size).astype(np.int64)
                bar = np.frombuffer(data, "<i4", size, at + sum(_WIDTHS[:2]) * size).astype(np.int64)
                if size and not (onset.min() >= 0 and onset.max() < _WIDE // 2 and pitch.max() < PITCHES):
                    raise FormatError("the index is damaged: it holds notes that cannot be")
                songs.append(_Track(Starts(onset, pitch, bar), first_bar))
                at += sum(_WIDTHS) * size
        except struct.error:
            raise FormatError("the index is damaged: it is too short") from None
        if at != len(data):
            raise FormatError("the index is damaged: something follows its end")
        return cls(tuple(songs), tuple(names))

    def nearest(self, score: Score, k: int = 5, without: Collection[int] = ()) -> list[Overlap]:
        """The songs that share most with a piece, the closest first."""
        piece = _Track(starts_of(score, doubles=True), score.first_bar)
        if not len(piece.line.onset) or piece.cells > _MOST_BEATS * _CELLS:
            return []
        known: dict[int, NDArray[np.complex64]] = {}
        skipped = set(without)
        matches = [
            _compared(piece, song, number, known)
            for number, song in enumerate(self.songs)
            if number not in skipped and len(song.line.onset) and song.cells <= _MOST_BEATS * _CELLS
        ]
        best = sorted(matches, key=lambda match: (-match.score, match.song))[:k]
        return [match.told(piece, self, score) for match in best]


@dataclass(frozen=True)
class _Match:
    """A piece laid over a song: add ``transposition`` to its pitches and ``shift`` to its ticks to get the song's."""

    score: float
    share: float
    chance: float
    song: int
    transposition: int
    shift: int

    def told(self, piece: _Track, index: Tracks, score: Score) -> Overlap:
        """The match with its evidence."""
        song, line = index.songs[self.song], piece.line
        which = _partners(piece, song, self.transposition, self.shift)
        hit = which >= 0
        bars = np.unique(line.bar)
        rate = np.bincount(line.bar, hit)[bars] / np.bincount(line.bar)[bars]
        same = bars[rate >= _MATCHING]
        order = np.argsort(song.line.pitch * _WIDE + song.line.onset, kind="stable")
        partner = song.line.bar[order][np.maximum(which, 0)]
        theirs = np.unique(partner[hit & np.isin(line.bar, same)])
        passages = []
        for bar in same[:_SHOWN].tolist():
            there = int(np.median(partner[hit & (line.bar == bar)]))
            start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
            theirs_told = told_bar(song.line, start + self.shift, end + self.shift)
            passages.append(
                Passage(bar + piece.first_bar, there + song.first_bar, told_bar(line, start, end), theirs_told)
            )
        share, chance = round(self.share, _DIGITS), round(self.chance, _DIGITS)
        return Overlap(
            round(share - chance, _DIGITS),
            share,
            chance,
            self.song,
            index.names[self.song] if self.song < len(index.names) else "",
            -self.transposition,
            round(-self.shift / QUARTER, _BEAT_DIGITS),
            runs_of([int(bar) + piece.first_bar for bar in same]),
            runs_of([int(bar) + song.first_bar for bar in theirs]),
            int(hit.sum()),
            len(line.onset),
            tuple(passages),
        )


def _compared(piece: _Track, song: _Track, number: int, known: dict[int, NDArray[np.complex64]]) -> _Match:
    """The best way to lay a piece over a song."""
    size = _quick(piece.cells + song.cells)
    if size not in known:
        known[size] = np.conj(np.fft.fft(np.fft.rfft(piece.raster(size, soft=False), axis=1), axis=0))
    product = np.fft.fft(np.fft.rfft(song.raster(size, soft=True), axis=1), axis=0) * known[size]
    counts = np.fft.irfft(np.fft.ifft(product, axis=0), size, axis=1).ravel()
    best = _Match(0.0, 0.0, 0.0, number, 0, 0)
    for place in np.argpartition(counts, -_CANDIDATES)[-_CANDIDATES:].tolist():
        fold, cell = divmod(place, size)
        cell = cell - size if cell >= song.cells else cell
        for transposition in (fold - 2 * _FOLD, fold - _FOLD, fold, fold + _FOLD):
            match = _counted(piece, song, number, transposition, cell)
            if match is not None and match.score > best.score:
                best = match
    return best


def _counted(piece: _Track, song: _Track, number: int, transposition: int, cell: int) -> _Match | None:
    """A place of the raster on the true ticks: shifted by what most of its notes agree on."""
    coarse = (cell + song.first_cell - piece.first_cell) * QUARTER // _CELLS + song.phase - piece.phase
    wanted = (piece.line.pitch + transposition) * _WIDE + piece.line.onset + coarse
    reach = _REACH
    low, high = np.searchsorted(song.keys, wanted - reach), np.searchsorted(song.keys, wanted + reach, side="right")
    several = high - low
    if not several.any():
        return None
    note = np.repeat(np.arange(len(wanted)), several)
    other = np.arange(int(several.sum())) - np.repeat(np.cumsum(several) - several, several) + low[note]
    away = song.keys[other] - wanted[note]
    histogram = np.convolve(
        np.bincount((away + reach) * _BINS_A_BEAT // QUARTER, minlength=_BINS), np.ones(_SMOOTH), "same"
    )
    fine = int((int(histogram.argmax()) + 0.5) * QUARTER / _BINS_A_BEAT) - reach
    for _ in range(_DRAWS):
        close = away[np.abs(away - fine) < _NEAR // 2]
        fine = round(float(close.mean())) if len(close) else fine
    hit = _partners(piece, song, transposition, coarse + fine) >= 0
    share = float(hit.mean())
    chance = float(by_chance(np.array(share), np.array(_chance(piece, song, transposition, coarse + fine))))
    return _Match(share - chance, share, chance, number, transposition, coarse + fine)


def _partners(piece: _Track, song: _Track, transposition: int, shift: int) -> Ints:
    """For every note of a piece the song's note it falls on, in the order of ``keys``; -1 for none."""
    wanted = (piece.line.pitch + transposition) * _WIDE + piece.line.onset + shift
    after = np.clip(np.searchsorted(song.keys, wanted), 0, len(song.keys) - 1)
    before = np.maximum(after - 1, 0)
    nearer = np.where(np.abs(song.keys[before] - wanted) <= np.abs(song.keys[after] - wanted), before, after)
    return np.where(np.abs(song.keys[nearer] - wanted) < _NEAR, nearer, -1)


def _chance(piece: _Track, song: _Track, transposition: int, shift: int) -> float:
    """The share that would match if the song's beats came in any order: its pitches on their places in the beat."""
    beats = max(1.0, (int(song.line.onset.max()) - int(song.line.onset.min())) / QUARTER)
    keys = song.line.pitch * (4 * QUARTER) + song.line.onset % QUARTER + QUARTER
    ring = np.sort(np.concatenate([keys, keys - QUARTER, keys + QUARTER]))
    mine = (piece.line.pitch + transposition) * (4 * QUARTER) + (piece.line.onset + shift) % QUARTER + QUARTER
    several = np.searchsorted(ring, mine + _NEAR) - np.searchsorted(ring, mine - _NEAR, side="right")
    return float(np.minimum(several / beats, 1.0).mean())


def _quick(least: int) -> int:
    """A length at least that large which transforms quickly."""
    return min(odd << max(0, (-(-least // odd) - 1).bit_length()) for odd in _ODD)


def _opened(data: bytes, names: Sequence[str]) -> Tracks:
    return Tracks.from_bytes(data, names)


index_kinds.register("exact")(IndexKind("exact", _MAGIC, track_piece, _joined, _opened))
