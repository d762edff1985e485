"""What a piece shares with other songs: how much, with which one, where, and how far it was moved.

The piece is moved in time and pitch as a whole, and its notes are counted that fall on notes of the song. Common notes
on common places fall together by chance. So there are three numbers, of notes and as shares of the piece, and they add
up: what is *shared* is what is *expected* by chance and what is *beyond* it. What is beyond is the score. Percussion
takes no part. A note that several voices of the piece strike counts as often as it is struck.

There are several kinds of index of songs. A kind is made song by song (``piece_of``, which runs in many processes),
joined into one file (``join``), and read back with the songs' names (``open``); the first bytes of the file (``magic``)
tell which kind it is. To add a kind is to register one. ``exact`` is what users' corpora get.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from libretto.errors import FormatError
from libretto.registry import Registry
from libretto.score import QUARTER, Score
from libretto.score.table import Floats, Ints, distinct

__all__ = [
    "NEARLY_ALL",
    "PITCHES",
    "Index",
    "IndexKind",
    "Overlap",
    "Passage",
    "Starts",
    "by_chance",
    "index_kinds",
    "kind_of",
    "nearest",
    "open_index",
    "overlap",
    "phases_of",
    "runs_of",
    "starts_of",
    "telling_notes",
    "told_bar",
]

_MOST_CHANCE = 0.2  # what repeats itself may share more by chance, but that must not hide a copy
#: From this share on a piece follows a song note by note; below, it resembles it.
NEARLY_ALL = 0.9
_TOLD, _EARLY = 4, QUARTER // 8  # parts of a quarter to which places are told; a note so little early belongs to a bar
_NAMES = ("C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
_BINS, _REACH = 96, 12  # a beat in ninety-sixths, smoothed over an eighth of it on each side
_NARROW, _SHARP = 2.5, QUARTER / 40  # how wide notes are smoothed: in bins, and in ticks around a place that is known
_PULLS, _NOTHING = 12, 1e-9  # a place is drawn towards its notes so often; no weight is less than nothing
PITCHES = 128  #: of MIDI


@dataclass(frozen=True)
class Passage:
    """Two bars that match, side by side: the piece's and the song's, by number, with what starts in them.

    ``theirs`` is empty where the notes of the song are not kept, and ``song_bar`` is then as near as is known.
    """

    bar: int
    song_bar: int
    ours: str
    theirs: str


@dataclass(frozen=True)
class Overlap:
    """What a piece shares with one song.

    ``share`` of its notes fall on notes of the song, ``chance`` of them are expected to (at most a fifth of the piece
    is put down to chance), and ``score`` is what is beyond that: ``share == chance + score``. In notes that is
    ``matched == expected + beyond``, of ``notes``. ``transposition`` is how many semitones the piece lies above the
    song, ``shift_beats`` how many beats later. ``bars`` are the piece's that match, ``song_bars`` those of the song,
    None where that is not known; ``passages`` shows the first of them. ``estimated`` is true where the notes of the
    song are not kept, so that the numbers are estimates.
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
    passages: tuple[Passage, ...] = ()
    estimated: bool = False

    @property
    def expected(self) -> int:
        """How many of the notes that are shared chance gives."""
        return min(self.matched, round(self.chance * self.notes))

    @property
    def beyond(self) -> int:
        """How many of the notes that are shared are beyond chance."""
        return self.matched - self.expected

    @property
    def nearly_all(self) -> bool:
        """Whether nearly every note of the piece is found in the song."""
        return self.share >= NEARLY_ALL

    def to_dict(self) -> dict[str, Any]:
        """The overlap as plain data."""
        return {**asdict(self), "expected": self.expected, "beyond": self.beyond}


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
    pitched = np.array([not voice.drums for voice in score.voices] or [False], dtype=np.bool_)
    notes = np.flatnonzero(pitched[score.sounds["voice"]])
    every = score.sounds["onset"][notes] * PITCHES + score.sounds["pitch"][notes]
    keys = np.sort(every) if doubles else distinct(every)
    onset = keys // PITCHES
    bar = np.searchsorted(np.asarray(score.bar_lines, dtype=np.int64), onset, side="right") - 1
    return Starts(onset, keys % PITCHES, bar)


def telling_notes(score: Score) -> int:
    """How many notes of a piece tell something: those of beats that are not played before, note by note.

    A loop of two bars is two bars of evidence, however often it comes round.
    """
    line = starts_of(score)
    cell = (line.onset * _TOLD + QUARTER // 2) // QUARTER
    beat, marks = np.divmod(distinct(cell * PITCHES + line.pitch), _TOLD * PITCHES)
    told, ends = marks.tolist(), [0, *(np.flatnonzero(np.diff(beat)) + 1).tolist(), len(marks)]
    return sum(map(len, {tuple(told[first:last]) for first, last in pairwise(ends)}))


def phases_of(onset: Ints, share: float = 1.0, most: int = 1) -> list[int]:
    """Where in the beat the notes gather, in ticks, the strongest place first: moved notes give places moved as much.

    ``share`` is how strong, against the strongest, a further place must be, and ``most`` how many are given.
    """
    many = np.bincount(onset % QUARTER)
    place = np.flatnonzero(many)  # notes of a page stand in few places of the beat
    weight = many[place].astype(np.float64)
    counts = np.bincount(place * _BINS // QUARTER, weight, _BINS)
    reach = np.arange(-_REACH, _REACH + 1)[:, None]
    near = counts[(np.arange(_BINS) - reach) % _BINS]
    smooth = (np.exp(-0.5 * (reach / _NARROW) ** 2) * near).sum(axis=0)
    peaks = np.flatnonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))
    if not len(peaks):
        return [0]
    ranked = peaks[np.argsort(-smooth[peaks], kind="stable")]
    chosen = ranked[smooth[ranked] >= share * smooth[ranked[0]]][:most]
    middles = (int(peak) * QUARTER / _BINS + QUARTER / (2 * _BINS) for peak in chosen.tolist())
    return [_centred(place, weight, middle) for middle in middles]


def _centred(place: Ints, many: Floats, middle: float) -> int:
    """The middle of the notes around a place in the beat, found by drawing it towards them."""
    for _ in range(_PULLS):
        away = (place - middle + QUARTER // 2) % QUARTER - QUARTER // 2
        weight = many * np.exp(-0.5 * (away / _SHARP) ** 2)
        middle += float((weight * away).sum() / max(weight.sum(), _NOTHING))
    return round(middle) % QUARTER


def by_chance(share: Floats, chance: Floats) -> Floats:
    """What of a share is put down to chance: as much as chance gives, at most a fifth of the piece, and no more than
    is shared. What is left is beyond chance, so that the two add up to the share."""
    return np.asarray(np.minimum(np.clip(chance, 0.0, _MOST_CHANCE), np.maximum(share, 0.0)))


def _named(pitch: int) -> str:
    return f"{_NAMES[pitch % len(_NAMES)]}{pitch // len(_NAMES) - 1}"


def told_bar(line: Starts, start: int, end: int) -> str:
    """The notes that start within some ticks: places in quarters, the first at 1, each with its pitches."""
    here = slice(*np.searchsorted(line.onset, (start - _EARLY, end - _EARLY)).tolist())
    places: dict[int, dict[int, None]] = {}
    for onset, pitch in zip(line.onset[here].tolist(), line.pitch[here].tolist(), strict=True):
        places.setdefault(round((onset - start) / QUARTER * _TOLD), {})[pitch] = None
    return " · ".join(" ".join([f"{1 + place / _TOLD:g}", *map(_named, notes)]) for place, notes in places.items())


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
index_kinds: Registry[IndexKind] = Registry("index kind", rooms=["libretto.corpus.sketch", "libretto.corpus.tracks"])


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
