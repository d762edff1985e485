"""A one-way index: enough of many songs to recognise a copy, too little to read a note.

A song is a row of beats. Each of its notes falls, by the quarter of the beat it starts in and its pitch modulo 20, into
one of 32 *buckets*; a beat keeps which buckets are filled, nothing else. Eighty pairs of place and pitch remainder
share the buckets by a fixed shuffle, and a remainder stands for six or seven pitches, so about sixteen notes fill the
same bucket. Beats that fill few buckets are topped up to 16 with false ones, which depend on nothing but the true ones.

To compare, a piece is laid over all songs at every distance in beats (at least two thirds of it, or of a shorter song,
over the other) and every transposition (modulo 20), and its notes are counted that fall into filled buckets: exactly,
by Fourier transforms over all songs at once. As many notes of any piece fall into filled buckets as the beats are full;
what is more is an estimate of the notes that the song really has.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.buckets import (
    BITS,
    BUCKET,
    BUCKETS,
    FILLED,
    PLACES,
    REMAINDERS,
    cells_of,
    times_filled,
    topped_up,
    unpacked,
)
from libretto.corpus.overlap import (
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
from libretto.corpus.searching import LONGEST, SHORT, Search
from libretto.corpus.spectra import MOST_NOTES
from libretto.errors import FormatError
from libretto.score import QUARTER, Score
from libretto.score.table import Floats, Ints, distinct

__all__ = ["BUCKETS", "FILLED", "PLACES", "REMAINDERS", "Sketch", "join_sketches", "sketch_piece"]

_MAGIC, _VERSION = b"LBRTSKETCH", 1
_HEAD = struct.Struct("<10sHI")
_SONG = struct.Struct("<II")
_MOST_SONGS, _MOST_BEATS = 1_000_000, 200_000  # no corpus or song has more
_SOME_PHASES = 3  # that are tried by a query of few beats, which has no sure one
_STRONG = 0.5  # places in the beat that gather so much of what the strongest does are tried
_SHOWN = 8  # bars that match and are shown
_NOTHING = 1e-9  # where every bucket is always filled, nothing can be beyond chance
_DIGITS = 4  # of shares, as they are told
_MATCHING = 0.8  # a bar of which so much falls into filled buckets matches


def sketch_piece(score: Score) -> bytes:
    """One song's part of a sketch."""
    line = starts_of(score)
    bar = round(score.meter.ticks * 4 / QUARTER)
    if not len(line.onset):
        return _SONG.pack(0, bar)
    beat, place = cells_of(line.onset, phases_of(line.onset)[0])
    beat -= min(int(beat.min()), 0)
    filled = np.zeros((int(beat.max()) + 1, BUCKETS), dtype=np.bool_)
    filled[beat, BUCKET[place, line.pitch % REMAINDERS]] = True
    bits = (topped_up(filled) @ BITS.astype(np.uint64)).astype("<u4")[:_MOST_BEATS]
    return _SONG.pack(len(bits), bar) + bits.tobytes()


def _joined(pieces: Sequence[bytes]) -> bytes:
    return join_sketches(pieces).to_bytes()


def _opened(data: bytes, names: Sequence[str]) -> Sketch:
    return Sketch.from_bytes(data)


def join_sketches(pieces: Iterable[bytes]) -> Sketch:
    """An index of songs from their parts, in order."""
    parts = list(pieces)
    return Sketch.from_bytes(_HEAD.pack(_MAGIC, _VERSION, len(parts)) + b"".join(parts))


@dataclass(frozen=True, eq=False)
class Sketch:
    """Many songs as beats of filled buckets; ``bar_lengths`` are the songs' bars in quarters of a beat."""

    beats: tuple[NDArray[np.uint32], ...] = field(repr=False)
    bar_lengths: tuple[int, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.beats)

    def to_bytes(self) -> bytes:
        """The index as bytes, the same for the same songs."""
        songs = [
            _SONG.pack(len(beats), bar) + beats.astype("<u4").tobytes()
            for beats, bar in zip(self.beats, self.bar_lengths, strict=True)
        ]
        return _HEAD.pack(_MAGIC, _VERSION, len(songs)) + b"".join(songs)

    @classmethod
    def from_bytes(cls, data: bytes) -> Sketch:
        """Read an index back; a FormatError where it is damaged."""
        try:
            magic, version, count = _HEAD.unpack_from(data)
            if magic != _MAGIC or version != _VERSION or count > _MOST_SONGS:
                raise FormatError("this is not a sketch that this version reads")
            beats, bars, at = [], [], _HEAD.size
            for _ in range(count):
                size, bar = _SONG.unpack_from(data, at)
                at += _SONG.size
                if size > _MOST_BEATS or at + 4 * size > len(data):
                    raise FormatError("the sketch is damaged: a song runs past its end")
                beats.append(np.frombuffer(data, "<u4", size, at))
                bars.append(bar)
                at += 4 * size
        except struct.error:
            raise FormatError("the sketch is damaged: it is too short") from None
        if at != len(data):
            raise FormatError("the sketch is damaged: something follows its end")
        return cls(tuple(beats), tuple(bars))

    @cached_property
    def _filled(self) -> list[NDArray[np.bool_]]:
        return unpacked(self.beats)

    @cached_property
    def _usual(self) -> tuple[Floats, Floats]:
        """For each song how often each bucket is filled, and any bucket, in its sounding beats."""
        sounding = np.array([np.count_nonzero(beats) for beats in self.beats])
        rates = times_filled(self._filled) / np.maximum(sounding, 1)[:, None]
        return rates, rates.mean(axis=1)

    @cached_property
    def _search(self) -> Search:
        return Search(self._filled)

    def nearest(self, score: Score, k: int = 5, without: Collection[int] = ()) -> list[Overlap]:
        """The songs that share most with a piece, the closest first."""
        line = starts_of(score, doubles=True)
        if not len(line.onset) or not self.beats:
            return []
        laid = self._everywhere(line, score)
        scores = np.array([placed.score for placed in laid])
        best = scores.max(axis=0)
        best[[number for number in without if 0 <= number < len(best)]] = -1.0
        order = [int(song) for song in np.argsort(-best, kind="stable")[:k] if best[song] >= 0]
        return [laid[int(scores[:, song].argmax())].told(song, self, score) for song in order]

    def _everywhere(self, line: Starts, score: Score) -> list[_Laid]:
        """A piece in its best places in every song; the last is remembered, as a page asks what its verdict asked."""
        bars = np.asarray(score.bar_lines, dtype=np.int64)
        piece = tuple(column.tobytes() for column in (*line, bars))
        laid = self._latest.get(piece)
        if laid is None:
            laid = [placed for part in _stretches(line) for placed in self._laid(part)]
            self._latest.clear()
            self._latest[piece] = laid
        return laid

    @cached_property
    def _latest(self) -> dict[tuple[bytes, ...], list[_Laid]]:
        return {}

    def _laid(self, line: Starts) -> Iterator[_Laid]:
        """A stretch of notes in its best place in every song, for each phase of the beat that it may have."""
        span = int(line.onset.max() - line.onset.min()) // QUARTER + 2
        rates, usual = self._usual
        phases = phases_of(line.onset, _STRONG, _SOME_PHASES) if span <= SHORT else phases_of(line.onset)
        rest, cells = line.pitch % REMAINDERS, [cells_of(line.onset, phase) for phase in phases]
        ways = [(beat - int(beat.min()), place, rest) for beat, place in cells]
        for phase, (beat, place), best in zip(phases, cells, self._search.best(span, ways), strict=True):
            first, (share, where, turn) = int(beat.min()), best
            laid = np.bincount(place * REMAINDERS + rest, minlength=BUCKET.size)
            mix = np.bincount(_turned(), np.tile(laid, REMAINDERS), REMAINDERS * BUCKETS).reshape(REMAINDERS, BUCKETS)
            expected = (rates * mix[turn]).sum(axis=1) / len(line.onset)
            chance = by_chance(share, (expected - usual) / np.maximum(1 - usual, _NOTHING))
            yield _Laid(np.maximum(share, 0.0), chance, where - first, turn, phase, line)


@cache
def _turned() -> Ints:
    """The bucket of every place and remainder, moved up by any number of semitones, counted through all of these."""
    return np.concatenate([n * BUCKETS + np.roll(BUCKET, -n, axis=1).ravel() for n in range(REMAINDERS)])


@dataclass(frozen=True, eq=False)
class _Laid:
    """A stretch of notes in its best place in every song: ``beats`` is what to add to its beats to get the song's."""

    share: Floats
    chance: Floats
    beats: Ints
    turn: Ints
    phase: int
    line: Starts
    texts: dict[int, str] = field(default_factory=dict, repr=False)  # of bars, for several songs

    @property
    def score(self) -> Floats:
        return self.share - self.chance

    def _told_bar(self, bar: int, piece: Score) -> str:
        if bar not in self.texts:
            self.texts[bar] = told_bar(self.line, piece.bar_lines[bar], piece.bar_lines[bar + 1])
        return self.texts[bar]

    def told(self, song: int, index: Sketch, piece: Score) -> Overlap:
        """What is shared with one song, with the evidence."""
        beat, place = cells_of(self.line.onset, self.phase)
        there, turn = beat + self.beats[song], int(self.turn[song])
        filled = index._filled[song]
        inside = (there >= 0) & (there < len(filled))
        bucket = BUCKET[place, (self.line.pitch + turn) % REMAINDERS]
        hit = inside.copy()
        hit[inside] = filled[there[inside], bucket[inside]]
        matching = np.bincount(self.line.bar, hit) / np.maximum(np.bincount(self.line.bar), 1) >= _MATCHING
        same = np.flatnonzero(matching)
        length = max(1, index.bar_lengths[song])
        bar_there = there * PLACES // length + 1
        theirs = distinct(bar_there[hit & matching[self.line.bar]]).tolist()
        passages = [
            Passage(
                bar + piece.first_bar,
                _middle(bar_there[slice(*np.searchsorted(self.line.bar, (bar, bar + 1)).tolist())]),
                self._told_bar(bar, piece),
                "",
            )
            for bar in same[:_SHOWN].tolist()
        ]
        share, chance = round(float(self.share[song]), _DIGITS), round(float(self.chance[song]), _DIGITS)
        return Overlap(
            round(share - chance, _DIGITS),
            share,
            chance,
            song,
            "",
            -((turn + REMAINDERS // 2 - 1) % REMAINDERS - (REMAINDERS // 2 - 1)),
            float(-self.beats[song]),
            runs_of([int(number) + piece.first_bar for number in same]),
            runs_of(theirs),
            round(share * len(self.line.onset)),
            len(self.line.onset),
            tuple(passages),
            estimated=True,
        )


def _middle(numbers: Ints) -> int:
    """The middle one of some numbers, or what lies between the middle two."""
    ordered = np.sort(numbers)
    return int((int(ordered[(len(ordered) - 1) // 2]) + int(ordered[len(ordered) // 2])) / 2)


def _stretches(line: Starts) -> list[Starts]:
    """The notes in stretches of at most so many beats and notes; most pieces are one."""
    beats = (line.onset - line.onset[0]) // (QUARTER * (LONGEST - 2))
    stretch = beats * len(line.onset) + np.arange(len(line.onset)) // MOST_NOTES
    return [Starts(*(column[stretch == number] for column in line)) for number in distinct(stretch)]


index_kinds.register("sketch")(IndexKind("sketch", _MAGIC, sketch_piece, _joined, _opened))
