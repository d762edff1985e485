"""What a piece is: notes in voices over bars, on one integer clock, and nothing that can change.

Conventions: bars are numbered from 1, or from 0 where the piece opens with a pickup (``first_bar``);
inside the code ``bar`` is an index from 0. Meter, key, tempo and section changes are (tick, value) pairs
in order of time, and the first three always begin at tick 0. Chord labels belong to bars and split a
bar into equal parts. Every bar has the grid on which it is written.

Left out: articulation, lyrics, pedal, pitch bend and other controllers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.score.keys import Key
from libretto.score.pitch import FLATTEST, SHARPEST, parse_pitch, pitch_name
from libretto.score.table import NOTE, TABLE, frozen, sorted_notes
from libretto.score.time import QUARTER, Grid, Meter

__all__ = [
    "MAX_BARS",
    "MAX_NOTES",
    "MAX_VOICES",
    "Note",
    "Score",
    "Voice",
    "fitting_name",
    "is_legal_name",
    "legal_name",
    "unique_name",
]

MAX_BARS, MAX_NOTES, MAX_VOICES = 20_000, 300_000, 1_000
DEFAULT_VELOCITY = 80
DEFAULT_MICROS = 500_000
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff,\[\]]|\A[\s@%]|\s\Z|\A\Z")


class Note(NamedTuple):
    """One note: start and length in ticks, MIDI pitch, velocity, spelling on the line of fifths."""

    onset: int
    duration: int
    pitch: int
    velocity: int = DEFAULT_VELOCITY
    spelling: int = 0

    @property
    def name(self) -> str:
        """The written pitch, such as ``F#4``."""
        return pitch_name(self.pitch, self.spelling)

    @classmethod
    def named(cls, name: str, onset: int, duration: int, velocity: int = DEFAULT_VELOCITY) -> Note:
        """A note from its written pitch."""
        read = parse_pitch(name)
        if read is None:
            raise ScoreError(f"{name!r} is not a pitch from C-1 to G9")
        return cls(onset, duration, read[0], velocity, read[1])


def is_legal_name(text: str) -> bool:
    """Whether a voice may be called that: no commas, brackets, line breaks or control characters."""
    return not _BAD_NAME.search(text)


def legal_name(text: str, *, fallback: str = "Part", label: bool = False) -> str:
    """The nearest name that the grammar can hold; idempotent. ``label`` is for sections."""
    text = re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]", " ", text)
    text = re.sub(r"[\[\]()|@]" if label else r"[,\[\]]", " ", text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"\A[\s@%]+", "", text)[:80].strip() or fallback


def fitting_name(text: str) -> str:
    """The name as it is where a voice can bear it, else the nearest that one can."""
    return text if is_legal_name(text) else legal_name(text)


def unique_name(name: str, taken: Container[str]) -> str:
    """The name itself where it is free, else with the first number that makes it so: ``Piano #2``."""
    unique, number = name, 2
    while unique in taken:
        unique, number = f"{name} #{number}", number + 1
    return unique


@dataclass(frozen=True, eq=False)
class Voice:
    """One part: its name, General MIDI program (None where nobody said), and its notes."""

    name: str
    program: int | None = None
    drums: bool = False
    array: NDArray[Any] = field(default_factory=lambda: frozen(np.empty(0, NOTE)), repr=False)

    def __post_init__(self) -> None:
        if not is_legal_name(self.name):
            raise ScoreError(f"{self.name!r} cannot name a voice: no commas, brackets or control characters")
        if self.program is not None and not 0 <= self.program <= 127:
            raise ScoreError(f"program {self.program} of {self.name} is not within 0-127")
        if self.array.dtype != NOTE:
            raise ScoreError("a voice takes an array of NOTE rows; use Voice.of for Note values")
        if not self.array.flags.writeable and _in_order(self.array):
            _checked(self.array, self.name)
        else:
            object.__setattr__(self, "array", frozen(sorted_notes(_checked(self.array.copy(), self.name))))

    @classmethod
    def of(cls, name: str, notes: Iterable[Note] = (), program: int | None = None, drums: bool = False) -> Voice:
        """A voice from Note values, in any order."""
        return cls(name, program, drums, _array(notes))

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes as values, in order of time."""
        return tuple(map(Note._make, self.array.tolist()))

    def with_notes(self, notes: NDArray[Any] | Iterable[Note]) -> Voice:
        """The same part playing something else."""
        return Voice(self.name, self.program, self.drums, notes if isinstance(notes, np.ndarray) else _array(notes))

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.program, self.drums, self.array.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Voice) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


def _array(notes: Iterable[Note]) -> NDArray[Any]:
    try:
        return np.array(list(notes), dtype=NOTE)
    except (OverflowError, ValueError, TypeError) as error:
        raise ScoreError(f"a note holds something that is not a small whole number: {error}") from None


def _in_order(notes: NDArray[Any]) -> bool:
    """Whether notes stand in canonical order."""
    if len(notes) < 2:
        return True
    a, b = notes[:-1], notes[1:]
    less = np.zeros(len(a), dtype=np.bool_)
    open_pairs = np.ones(len(a), dtype=np.bool_)
    for column in ("onset", "pitch", "duration", "velocity", "spelling"):
        less |= open_pairs & (a[column] < b[column])
        open_pairs &= a[column] == b[column]
        if not open_pairs.any():
            break
    return bool((less | open_pairs).all())


def _checked(notes: NDArray[Any], name: str) -> NDArray[Any]:
    """Notes that can exist, or a ScoreError that says which cannot."""
    if not len(notes):
        return notes
    pitch, spelling = notes["pitch"], notes["spelling"]
    faults = (
        (notes["onset"] < 0, "starts before the piece"),
        (notes["duration"] < 1, "has no length"),
        ((pitch < 0) | (pitch > 127), "is not a MIDI pitch"),
        ((notes["velocity"] < 1) | (notes["velocity"] > 127), "has no velocity within 1-127"),
        ((spelling < FLATTEST) | (spelling > SHARPEST), "needs more than a double accidental"),
        (spelling.astype(np.int64) * 7 % 12 != pitch % 12, "is spelled as another pitch"),
    )
    for fault, words in faults:
        if fault.any():
            note = Note._make(notes[int(np.argmax(fault))].tolist())
            raise ScoreError(f"a note of {name} {words}: {note}")
    return notes


@dataclass(frozen=True, eq=False)
class Score:
    """A piece: an immutable value. Build one with ``Score.build``, ``parse`` or ``read``."""

    voices: tuple[Voice, ...]
    bar_lines: tuple[int, ...]
    meters: tuple[tuple[int, Meter], ...]
    keys: tuple[tuple[int, Key], ...]
    tempos: tuple[tuple[int, int], ...]
    sections: tuple[tuple[int, str], ...]
    chords: tuple[tuple[str, ...], ...]
    grids: tuple[Grid, ...]
    title: str = ""
    first_bar: int = 1

    def __post_init__(self) -> None:
        from libretto.score.validate import validate

        for name in ("meters", "keys", "tempos", "sections"):
            object.__setattr__(self, name, tuple((int(tick), value) for tick, value in getattr(self, name)))
        object.__setattr__(self, "bar_lines", tuple(map(int, self.bar_lines)))
        validate(self)

    @classmethod
    def build(
        cls,
        voices: Sequence[Voice],
        *,
        bars: int | None = None,
        bar_lines: Sequence[int] | None = None,
        meters: Sequence[tuple[int, Meter]] = ((0, Meter(4, 4)),),
        keys: Sequence[tuple[int, Key]] | None = None,
        tempos: Sequence[tuple[int, int]] = ((0, DEFAULT_MICROS),),
        sections: Sequence[tuple[int, str]] = (),
        chords: Sequence[Sequence[str]] | None = None,
        grids: Sequence[Grid] | None = None,
        title: str = "",
        first_bar: int = 1,
    ) -> Score:
        """A Score from what is known; bar lines, key and grids are worked out where they are left out.

        ``bars`` is the least number of bars; chord labels left out are written as ``-`` (none).
        """
        from libretto.score.build import build

        return build(cls, voices, bars, bar_lines, meters, keys, tempos, sections, chords, grids, title, first_bar)

    @cached_property
    def table(self) -> NDArray[Any]:
        """Every note of every voice as one read-only array of ``TABLE`` rows."""
        table = np.empty(sum(len(voice.array) for voice in self.voices), TABLE)
        at = 0
        for index, voice in enumerate(self.voices):
            rows = table[at : at + len(voice.array)]
            for column in NOTE.names or ():
                rows[column] = voice.array[column]
            rows["voice"] = index
            at += len(voice.array)
        lines = np.asarray(self.bar_lines, dtype=np.int64)
        table["bar"] = np.searchsorted(lines, table["onset"], side="right") - 1
        table["position"] = table["onset"] - lines[table["bar"]]
        return frozen(table)

    @property
    def bars(self) -> int:
        """How many bars are written, the pickup included."""
        return len(self.bar_lines) - 1

    @property
    def numbers(self) -> range:
        """The bar numbers as a person reads them."""
        return range(self.first_bar, self.first_bar + self.bars)

    @property
    def ticks(self) -> int:
        """Where the last bar ends."""
        return self.bar_lines[-1]

    @property
    def key(self) -> Key:
        """The key at the beginning."""
        return self.keys[0][1]

    @property
    def meter(self) -> Meter:
        """The meter at the beginning."""
        return self.meters[0][1]

    @property
    def seconds(self) -> float:
        """How long the piece lasts, up to its last bar line."""
        return float(self.seconds_at(np.array([self.ticks]))[0])

    def seconds_at(self, ticks: NDArray[np.integer]) -> NDArray[np.float64]:
        """When those ticks sound, in seconds, by the tempo map."""
        starts = np.array([tick for tick, _ in self.tempos], dtype=np.float64)
        rates = np.array([micros for _, micros in self.tempos], dtype=np.float64) / 1e6 / QUARTER
        marks = np.concatenate(([0.0], np.cumsum(np.diff(starts) * rates[:-1])))
        which = np.searchsorted(starts, ticks, side="right") - 1
        return np.asarray(marks[which] + (np.asarray(ticks) - starts[which]) * rates[which], dtype=np.float64)

    def voice(self, name: str) -> Voice:
        """The voice of that name."""
        for voice in self.voices:
            if voice.name == name:
                return voice
        names = ", ".join(voice.name for voice in self.voices)
        raise ScoreError(f"there is no voice {name!r}; the voices are {names or 'none'}")

    def index_of(self, number: int) -> int:
        """The index of the bar that a person calls ``number``."""
        if number not in self.numbers:
            raise ScoreError(f"there is no bar {number}; the bars are {self.numbers[0]}-{self.numbers[-1]}")
        return number - self.first_bar

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the music: equal for equal pieces, whatever grid they are written on."""
        head = (self.bar_lines, self.meters, self.keys, self.tempos, self.sections, self.chords)
        total = hashlib.sha256(repr((self.title, self.first_bar, *head)).encode())
        for voice in self.voices:
            total.update(repr((voice.name, voice.program, voice.drums, len(voice.array))).encode())
            total.update(voice.array.tobytes())
        return total.hexdigest()

    def _identity(self) -> tuple[Any, ...]:
        return self.digest, self.grids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())
