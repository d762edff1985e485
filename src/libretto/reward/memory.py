"""What is remembered of music that must not be copied: marks of short turns, from which no tune can be read.

A *turn* is seven notes of a line: six intervals, and how long it is to each next note, in five classes. So it is the
same in every key, at every speed of playing and with any touch. A mark is 32 bits of a turn's hash. One turn in a few
is kept, chosen by its mark, so that those of a piece and those of a memory are chosen alike; turns that many songs
have (versions of one song are one) are nobody's and are left out, as are turns that hardly move. Which song a mark is
of is not kept, nor any order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError
from libretto.score import Score, played
from libretto.score.table import Ints
from libretto.score.time import QUARTER

__all__ = ["KEPT", "Memory", "the_memory", "turns_of"]

KEPT = 2  #: one turn in so many is kept in what ships
_NOTES = 6  # intervals of a turn
_SIXTEENTH = QUARTER // 4
_WIDEST = 25  # intervals that are told apart, up to two octaves each way
_GAPS = np.array([1.5, 2.5, 3.5, 7.0])  # where the classes of gaps end, in sixteenths: between what is usual
_TOGETHER = QUARTER // 8  # notes of a voice that begin no further apart are one chord, however it was played
_LEAST_KINDS = 4  # different intervals without which a turn says nothing
_COMMON = 3  # songs; a turn that more have is nobody's
_VERSION_SHARES, _LEAST_SHARED = 0.5, 8  # of the turns of the shorter, and turns: two songs that share them are one
_NEAREST = 12  # songs with the same turn, next to each other in order, that are held against each other
_DOUBT = 4.0  # turns that are taken as new beforehand, so that three of four say less than thirty of forty
_MAGIC = b"LBRTMEMORY"
_HEAD = struct.Struct("<10sHII")
_VERSION, _MOST = 2, 400_000_000
_ODD = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # of a known mixing of 64 bits
_SHIFTS = (30, 27, 31)  # of the same
Marks = NDArray[np.uint32]


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        values = values + np.uint64(_ODD[0])
        for odd, shift in zip(_ODD[1:], _SHIFTS, strict=False):
            values = (values ^ (values >> np.uint64(shift))) * np.uint64(odd)
        return values ^ (values >> np.uint64(_SHIFTS[-1]))


def _line(score: Score) -> tuple[Ints, Ints, Ints]:
    """Voice, onset and pitch of the highest notes, voice by voice; percussion left out."""
    table = score.sounds
    drums = np.array([voice.drums for voice in score.voices] or [True], dtype=np.bool_)
    notes = table[~drums[table["voice"]]]
    onset: Ints = notes["onset"]
    voice, pitch = notes["voice"].astype(np.int64), notes["pitch"].astype(np.int64)
    if not len(onset):
        return voice, onset, pitch
    # Notes stand in order of voice and onset, so those of one chord lie together.
    first = np.flatnonzero(np.append(True, (np.diff(onset) > _TOGETHER) | (np.diff(voice) != 0)))
    return voice[first], onset[first], np.maximum.reduceat(pitch, first)


def turns_of(score: Score, kept: int = 1) -> Marks:
    """The marks of a piece's turns, each once and in order; one in ``kept`` of them."""
    voice, onset, pitch = _line(score)
    if len(pitch) <= _NOTES:
        return np.empty(0, dtype=np.uint32)
    step = np.clip(np.diff(pitch), 1 - _WIDEST, _WIDEST - 1) + _WIDEST
    gap = np.searchsorted(_GAPS, np.diff(onset) / _SIXTEENTH, "left")
    token = (step * (len(_GAPS) + 1) + gap).astype(np.uint64)
    width = len(token) - _NOTES + 1
    steps = np.lib.stride_tricks.sliding_window_view(step, _NOTES)
    whole = voice[_NOTES:] == voice[:width]
    ranked = np.sort(steps, axis=1)
    kinds = 1 + (np.diff(ranked, axis=1) != 0).sum(axis=1)
    value = np.zeros(width, dtype=np.uint64)
    for number in range(_NOTES):
        value = _mixed(value ^ token[number : number + width])
    marks = (value & np.uint64(0xFFFFFFFF)).astype(np.uint32)[whole & (kinds >= _LEAST_KINDS)]
    marks = np.unique(marks)
    return marks[marks % np.uint32(kept) == 0] if kept > 1 else marks


def _versions(rows: Sequence[Marks]) -> Ints:
    """For each of some songs the first that it is a version of, itself where there is none before it: what collections
    hold five times is still somebody's."""
    marks = np.concatenate(rows)
    order = np.argsort(marks, kind="stable")
    owner, ranked = np.repeat(np.arange(len(rows)), [len(row) for row in rows])[order], marks[order]
    first = np.arange(len(rows))
    pairs = []
    for apart in range(1, _NEAREST + 1):  # songs that have a mark stand beside each other, in order
        same = ranked[apart:] == ranked[:-apart]
        pairs.append(owner[:-apart][same] * len(rows) + owner[apart:][same])
    both, shared = np.unique(np.concatenate(pairs), return_counts=True)
    for pair, many in zip(both.tolist(), shared.tolist(), strict=True):
        one, other = divmod(pair, len(rows))
        if many >= max(_LEAST_SHARED, _VERSION_SHARES * min(len(rows[one]), len(rows[other]))):
            first[first == first[other]] = first[one]
    return first


@dataclass(frozen=True, eq=False)
class Memory:
    """Marks of turns of so many songs, in order; one turn in ``kept`` is remembered."""

    marks: Marks = field(repr=False)
    songs: int
    kept: int = 1

    @classmethod
    def of(cls, scores: Iterable[Score], kept: int = 1) -> Memory:
        """What is remembered of some pieces."""
        return cls.of_turns([turns_of(played(score), kept) for score in scores], kept)

    @classmethod
    def of_turns(cls, turns: Iterable[Marks], kept: int = 1) -> Memory:
        """The same from the turns of each."""
        rows = list(turns)
        if not rows:
            return cls(np.empty(0, dtype=np.uint32), 0, kept)
        one = _versions(rows)
        whose = np.repeat(one, [len(row) for row in rows])
        owned = np.unique(np.concatenate(rows).astype(np.int64) * len(rows) + whose)  # each once a song
        marks, often = np.unique((owned // len(rows)).astype(np.uint32), return_counts=True)
        return cls(marks[often <= _COMMON], len(rows), kept)

    def __len__(self) -> int:
        return self.songs

    def share(self, score: Score) -> float:
        """Which part of a piece's turns is remembered, with some doubt where there are few: 0 is new, 1 is a copy."""
        mine = turns_of(score, self.kept)
        if not len(mine) or not len(self.marks):
            return 0.0
        at = np.minimum(np.searchsorted(self.marks, mine), len(self.marks) - 1)
        return float((self.marks[at] == mine).sum()) / (len(mine) + _DOUBT)

    def to_bytes(self) -> bytes:
        """The memory as bytes, the same for the same songs."""
        head = _HEAD.pack(_MAGIC, _VERSION, self.songs, self.kept)
        return head + self.marks.astype("<u4").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Memory:
        """Read a memory back; a FormatError where it is damaged."""
        if len(data) < _HEAD.size or len(data) > _MOST or (len(data) - _HEAD.size) % 4:
            raise FormatError("this is no memory of turns: its size is wrong")
        magic, version, songs, kept = _HEAD.unpack_from(data)
        if magic != _MAGIC or version != _VERSION or kept < 1:
            raise FormatError("this is no memory of turns that this version reads")
        marks = np.frombuffer(data, "<u4", offset=_HEAD.size).astype(np.uint32)
        if len(marks) > 1 and not (np.diff(marks.astype(np.int64)) > 0).all():
            raise FormatError("the memory of turns is damaged: its marks are not in order")
        return cls(marks, songs, kept)


@lru_cache(maxsize=1)
def the_memory() -> Memory:
    """What the package remembers: the songs of its default cloud."""
    return Memory.from_bytes(files("libretto.reward").joinpath("memory.bin").read_bytes())
