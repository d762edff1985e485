"""What a piece shares with other songs: how much, with which one, where, and how far it was moved.

The slide score: the largest share of a piece's notes that falls on notes of one song when the piece is moved in time
and pitch as a whole. Common notes on common places fall together by chance; what that gives is taken out, so that 0 is
what any two songs share and 1 is a copy. Percussion takes no part. A note that several voices of the piece strike
counts as often as it is struck.

There are several kinds of index of songs. A kind is made song by song (``piece_of``, which runs in many processes),
joined into one file (``join``), and read back with the songs' names (``open``); the first bytes of the file (``magic``)
tell which kind it is. To add a kind is to register one. ``exact`` is what users' corpora get.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError
from libretto.registry import Registry
from libretto.score import QUARTER, Score
from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

__all__ = [
    "PITCHES",
    "Index",
    "IndexKind",
    "Overlap",
    "Spectra",
    "Starts",
    "beyond_chance",
    "index_kinds",
    "kind_of",
    "nearest",
    "open_index",
    "overlap",
    "phases_of",
    "runs_of",
    "starts_of",
]

_MOST_CHANCE = 0.2  # a drone may share more by chance, but must not hide a copy
_BINS, _REACH = 96, 12  # a beat in ninety-sixths, smoothed over an eighth of it on each side
_NARROW, _SHARP = 2.5, QUARTER / 40  # how wide notes are smoothed: in bins, and in ticks around a place that is known
_PULLS, _NOTHING = 12, 1e-9  # a place is drawn towards its notes so often; no weight is less than nothing
PITCHES = 128  #: of MIDI


@dataclass(frozen=True)
class Overlap:
    """What a piece shares with one song.

    ``share`` of its notes fall on notes of the song, ``chance`` of them would anyway, and ``score`` is what is beyond
    that. ``transposition`` is how many semitones the piece lies above the song, ``shift_beats`` how many beats later.
    ``bars`` are the piece's that match, ``song_bars`` those of the song, None where that is not known.
    """

    score: float
    share: float
    chance: float
    song: int
    name: str
    transposition: int
    shift_beats: float
    bars: tuple[tuple[int, int], ...]
    song_bars: tuple[tuple[int, int], ...] | None
    matched: int
    notes: int

    def to_dict(self) -> dict[str, Any]:
        """The overlap as plain data."""
        return asdict(self)


class Index(Protocol):
    """Songs that can be searched for what a piece shares with them."""

    def __len__(self) -> int:
        """How many songs there are."""

    def nearest(self, score: Score, k: int = 5, without: Collection[int] = ()) -> list[Overlap]:
        """The songs that share most with a piece, the closest first."""

    def to_bytes(self) -> bytes:
        """The index as bytes, the same for the same songs."""


def overlap(score: Score, index: Index, without: Collection[int] = ()) -> Overlap | None:
    """The song that shares most with a piece; None for a piece without pitched notes."""
    return next(iter(index.nearest(score, 1, without)), None)


def nearest(score: Score, index: Index, k: int = 5, without: Collection[int] = ()) -> list[Overlap]:
    """The songs that share most with a piece, the closest first; none for a piece without pitched notes."""
    return index.nearest(score, k, without)


class Starts(NamedTuple):
    """The pitched notes of a piece in order of time: ticks, MIDI pitches, bar indices."""

    onset: Ints
    pitch: Ints
    bar: Ints


def starts_of(score: Score, doubles: bool = False) -> Starts:
    """The pitched notes of a Score, each start and pitch once; or, with ``doubles``, as often as it is struck."""
    facts = Facts(score)
    every = facts.onset * PITCHES + facts.pitch
    keys = np.sort(every) if doubles else np.unique(every)
    onset = keys // PITCHES
    bar = np.searchsorted(np.asarray(score.bar_lines, dtype=np.int64), onset, side="right") - 1
    return Starts(onset, keys % PITCHES, bar)


def phases_of(onset: Ints, share: float = 1.0, most: int = 1) -> list[int]:
    """Where in the beat the notes gather, in ticks, the strongest place first: moved notes give places moved as much.

    ``share`` is how strong, against the strongest, a further place must be, and ``most`` how many are given.
    """
    counts = np.bincount(onset % QUARTER * _BINS // QUARTER, minlength=_BINS).astype(np.float64)
    reach = np.arange(-_REACH, _REACH + 1)
    smooth = sum(np.exp(-0.5 * (step / _NARROW) ** 2) * np.roll(counts, step) for step in reach.tolist())
    peaks = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    if not len(peaks):
        return [0]
    ranked = peaks[np.argsort(-smooth[peaks], kind="stable")]
    chosen = ranked[smooth[ranked] >= share * smooth[ranked[0]]][:most]
    return [_centred(onset, int(peak) * QUARTER / _BINS + QUARTER / (2 * _BINS)) for peak in chosen.tolist()]


def _centred(onset: Ints, place: float) -> int:
    """The middle of the notes around a place in the beat, found by drawing it towards them."""
    for _ in range(_PULLS):
        away = (onset - place + QUARTER // 2) % QUARTER - QUARTER // 2
        weight = np.exp(-0.5 * (away / _SHARP) ** 2)
        place += float((weight * away).sum() / max(weight.sum(), _NOTHING))
    return round(place) % QUARTER


def beyond_chance(share: Floats, chance: Floats) -> Floats:
    """What is shared beyond chance, from 0 to 1; no more than a fifth counts as chance."""
    usual = np.clip(chance, 0.0, _MOST_CHANCE)
    return np.asarray(np.clip((share - usual) / (1 - usual), 0.0, 1.0))


def runs_of(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Whole numbers in order as runs: first and last of each."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)


@dataclass(frozen=True)
class IndexKind:
    """One kind of index; its functions belong to a module, so that other processes find them.

    ``open`` takes bytes that nobody vouches for, and the names of the songs or none; it raises a FormatError for what
    is damaged.
    """

    name: str
    magic: bytes
    piece_of: Callable[[Score], bytes]
    join: Callable[[Sequence[bytes]], bytes]
    open: Callable[[bytes, Sequence[str]], Index]


#: Every kind of index by name.
index_kinds: Registry[IndexKind] = Registry("index kind")


def kind_of(data: bytes) -> IndexKind:
    """The kind whose bytes begin like these."""
    for kind in index_kinds.values():
        if data.startswith(kind.magic):
            return kind
    raise FormatError("it is no index that this version knows")


def open_index(data: bytes, names: Sequence[str] = (), songs: int | None = None) -> Index:
    """An index from its bytes; ``songs`` is how many it must hold."""
    try:
        index = kind_of(data).open(data, names)
    except (ValueError, LookupError, ArithmeticError, MemoryError) as error:
        raise FormatError(f"it is damaged: {' '.join(str(error).split())}") from None
    if songs is not None and len(index) != songs:
        raise FormatError(f"it holds {len(index):,} songs, and its cloud {songs:,}")
    return index


Spectrum = NDArray[Any]
_SMALLEST = 64  # beats of a transform
_BATCH = 48  # songs of one size that are worked on at a time
_LEAST = 0.05  # of the notes at least must lie where not every bucket is filled


class Spectra:
    """Songs of filled buckets, ready for queries of at most ``room`` beats."""

    def __init__(self, songs: Sequence[NDArray[np.bool_]], room: int) -> None:
        self.count = len(songs)
        self.buckets = songs[0].shape[1]
        by_size: dict[int, list[int]] = {}
        for number, song in enumerate(songs):
            by_size.setdefault(_size(len(song) + room), []).append(number)
        self.batches: list[tuple[int, Ints, Spectrum, Spectrum]] = []
        for size, numbers in sorted(by_size.items()):
            for at in range(0, len(numbers), _BATCH):
                mine = numbers[at : at + _BATCH]
                rows = np.zeros((size, self.buckets, len(mine)), dtype=np.float32)
                for column, number in enumerate(mine):
                    rows[: len(songs[number]), :, column] = songs[number]
                spectrum = np.fft.rfft(rows, axis=0)
                self.batches.append((size, np.array(mine, dtype=np.int64), spectrum, spectrum.sum(axis=1)))

    def best(self, beat: Ints, buckets: Ints) -> tuple[Floats, Ints, Ints]:
        """For every song the largest share of notes that fall into filled buckets, beyond what beats so full catch.

        Also the distance in beats and the transposition at which that is. ``beat`` of each note counts from 0;
        ``buckets`` has a row a transposition.
        """
        turns, notes = len(buckets), len(beat)
        share, where = np.zeros(self.count), np.zeros(self.count, dtype=np.int64)
        which = np.zeros(self.count, dtype=np.int64)
        known: dict[int, tuple[Spectrum, Spectrum]] = {}
        for size, songs, spectrum, fullness in self.batches:
            if size not in known:
                laid = np.zeros((size, turns, self.buckets), dtype=np.float32)
                for turn, row in enumerate(buckets):
                    np.add.at(laid[:, turn], (beat, row), 1.0)
                full = np.bincount(beat, minlength=size).astype(np.float32)
                known[size] = np.conj(np.fft.rfft(laid, axis=0)), np.conj(np.fft.rfft(full))
            query, full_query = known[size]
            counts = np.fft.irfft(query @ spectrum, size, axis=0)
            caught = np.fft.irfft(fullness * full_query[:, None], size, axis=0)
            most = np.rint(counts.max(axis=1))
            usual = np.rint(caught) / self.buckets
            beyond = (most - usual) / np.maximum(notes - usual, _LEAST * notes)
            at = beyond.argmax(axis=0)
            rows = np.arange(len(songs))
            share[songs], which[songs] = beyond[at, rows], np.rint(counts[at, :, rows]).argmax(axis=1)
            where[songs] = np.where(at > size // 2, at - size, at)
        return share, where, which


def _size(least: int) -> int:
    """A length at least that large which transforms quickly: a power of two, or one and a half times one."""
    size = _SMALLEST
    while size < least:
        size *= 2
    return size * 3 // 4 if size * 3 // 4 >= least else size
