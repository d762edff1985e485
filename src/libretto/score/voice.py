"""Notes and the voices that play them: values that never change, checked when they are made."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.score.late import Late, Unnamed
from libretto.score.marks import CONTROL, Mark, check_marks, no_controls, shift_marks, sorted_controls, still_there
from libretto.score.pitch import FLATTEST, HIGHEST, SHARPEST, parse_pitch, pitch_name
from libretto.score.table import NOTE, frozen, sorted_notes

__all__ = [
    "DEFAULT_VELOCITY",
    "Note",
    "Part",
    "Voice",
    "dealt_out",
    "fitting_name",
    "is_legal_name",
    "legal_name",
    "unique_name",
    "unnamed_voices",
]

DEFAULT_VELOCITY = 80
_BAD_NAME = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff,\[\]]|\A[\s@%]|\s\Z|\A\Z")
_PLAIN_NAME = re.compile(r"[\w.#+&'/:!?*-]+(?: [\w.#+&'/:!?*-]+)*+", re.ASCII)  # is legal without a closer look
_LONGEST_NAME = 80  # letters

#: What a voice is besides its notes: name, program, whether it is drums, marks and controls.
Part = tuple[str, int | None, bool, tuple[Mark, ...], NDArray[Any]]


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
    if len(text) <= _LONGEST_NAME and _PLAIN_NAME.fullmatch(text):
        return text
    text = re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]", " ", text)
    text = re.sub(r"[\[\]()|@]" if label else r"[,\[\]]", " ", text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"\A[\s@%]+", "", text)[:_LONGEST_NAME].strip() or fallback


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
    """One part: its name, General MIDI program (None where nobody said), its notes, their marks and controls."""

    name: str
    program: int | None = None
    drums: bool = False
    array: NDArray[Any] = field(default_factory=lambda: frozen(np.empty(0, NOTE)), repr=False)
    marks: tuple[Mark, ...] = field(default=(), repr=False)
    controls: NDArray[Any] = field(default_factory=no_controls, repr=False)

    def __post_init__(self) -> None:
        self._check_name()
        if self.array.dtype != NOTE:
            raise ScoreError("a voice takes an array of NOTE rows; use Voice.of for Note values")
        if not self.array.flags.writeable and bool(_pairs_in_order(self.array).all()):
            _checked(self.array, self.name)
        else:
            object.__setattr__(self, "array", frozen(sorted_notes(_checked(self.array.copy(), self.name))))
        self._check_signs(self.array)

    def _check_name(self) -> None:
        if not is_legal_name(self.name):
            raise ScoreError(f"{self.name!r} cannot name a voice: no commas, brackets or control characters")
        if self.program is not None and not 0 <= self.program <= HIGHEST:
            raise ScoreError(f"program {self.program} of {self.name} is not within 0-127")

    def _check_signs(self, notes: NDArray[Any]) -> None:
        if self.marks:
            object.__setattr__(self, "marks", check_marks(still_there(self.marks, notes), self.name))
        if self.controls.dtype != CONTROL:
            raise ScoreError("controls are an array of CONTROL rows; use control_rows")
        if self.controls.flags.writeable:
            object.__setattr__(self, "controls", sorted_controls(self.controls))

    @classmethod
    def of(cls, name: str, notes: Iterable[Note] = (), program: int | None = None, drums: bool = False) -> Voice:
        """A voice from Note values, in any order."""
        return cls(name, program, drums, _array(notes))

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The notes as values, in order of time."""
        return tuple(map(Note._make, self.array.tolist()))

    @property
    def sounds(self) -> NDArray[Any]:
        """The notes, of which names may be missing: whoever asks for pitches, times and numbers asks here."""
        unnamed = self.__dict__.get("unnamed")
        return self.array if unnamed is None else unnamed.sounds[self.__dict__["rows"]]

    def with_notes(self, notes: NDArray[Any] | Iterable[Note]) -> Voice:
        """The same part playing something else; marks stay on the notes that are still there, and over moments."""
        array = notes if isinstance(notes, np.ndarray) else _array(notes)
        return Voice(self.name, self.program, self.drums, array, self.marks, self.controls)

    def with_marks(self, marks: Iterable[Mark]) -> Voice:
        """The same part with other marks."""
        return Voice(self.name, self.program, self.drums, self.array, tuple(marks), self.controls)

    def between(self, start: int, end: int, to: int = 0) -> Voice:
        """What the part begins from one tick to before another, moved so that ``start`` comes to stand at ``to``."""
        low, high = np.searchsorted(self.array["onset"], [start, end])
        notes = self.array[low:high].copy()
        notes["onset"] += to - start
        first, last = np.searchsorted(self.controls["tick"], [start, end])
        controls = self.controls[first:last].copy()
        controls["tick"] += to - start
        marks = tuple(shift_marks(self.marks, to - start, start, end))
        return Voice(self.name, self.program, self.drums, notes, marks, controls)

    def joined(self, later: Voice) -> Voice:
        """This part with the notes, marks and controls of another added."""
        return Voice(
            self.name,
            self.program,
            self.drums,
            np.concatenate((self.array, later.array)),
            self.marks + later.marks,
            np.concatenate((self.controls, later.controls)),
        )

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.program, self.drums, self.array.tobytes(), self.marks, self.controls.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Voice) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


setattr(Voice, "array", Late("array", lambda voice: voice.unnamed.notes[voice.rows]))  # noqa: B010  (where it has none)


def _array(notes: Iterable[Note]) -> NDArray[Any]:
    try:
        return np.array(list(notes), dtype=NOTE)
    except (OverflowError, ValueError, TypeError) as error:
        raise ScoreError(f"a note holds something that is not a small whole number: {error}") from None


def dealt_out(
    notes: NDArray[Any], ends: Sequence[int], parts: Sequence[Part], *, sound: bool = False
) -> tuple[Voice, ...]:
    """Voices from the notes of all of them, voice after voice and each in order, read-only; ``ends`` says up to where.

    What a voice checks of its notes is checked for all together, unless they are known to be ``sound``.
    """
    starts = [0, *ends][: len(ends)]
    sound = sound or _all_sound(notes, ends)
    voices = []
    for part, start, end in zip(parts, starts, ends, strict=True):
        mine = notes[start:end]
        name, program, drums, marks, controls = part
        voices.append(_of_part(part, mine, array=mine) if sound else Voice(name, program, drums, mine, marks, controls))
    return tuple(voices)


def unnamed_voices(unnamed: Unnamed, parts: Sequence[Part]) -> tuple[Voice, ...]:
    """Voices whose notes get their names when they are first asked for."""
    edges = unnamed.sounds["voice"].searchsorted(np.arange(len(parts) + 1, dtype=np.int32)).tolist()
    rows = [slice(start, end) for start, end in pairwise(edges)]
    return tuple(
        _of_part(part, unnamed.sounds[mine], unnamed=unnamed, rows=mine) for part, mine in zip(parts, rows, strict=True)
    )


def _of_part(part: Part, notes: NDArray[Any], **held: Any) -> Voice:
    """A voice whose notes are known to be sound; ``held`` is what it holds of them."""
    voice = object.__new__(Voice)
    voice.__dict__.update(zip(("name", "program", "drums", "marks", "controls"), part, strict=True), **held)
    voice._check_name()
    voice._check_signs(notes)
    return voice


def _all_sound(notes: NDArray[Any], ends: Sequence[int]) -> bool:
    """Whether the notes of several voices are read-only, in order and such as can exist."""
    inside = np.ones(max(len(notes) - 1, 0), dtype=np.bool_)
    inside[[end - 1 for end in ends if 0 < end < len(notes)]] = False  # the next note is of another voice
    return not notes.flags.writeable and bool((_pairs_in_order(notes) | ~inside).all()) and not _faulty(notes)


def _pairs_in_order(notes: NDArray[Any]) -> NDArray[np.bool_]:
    """Which notes stand in canonical order with the one after them."""
    a, b = notes[:-1], notes[1:]
    less = np.zeros(len(a), dtype=np.bool_)
    open_pairs = np.ones(len(a), dtype=np.bool_)
    for column in ("onset", "pitch", "duration", "velocity", "spelling"):
        less |= open_pairs & (a[column] < b[column])
        open_pairs &= a[column] == b[column]
        if not open_pairs.any():
            break
    return less | open_pairs


def _faults(notes: NDArray[Any]) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Every fault that a note may have: which notes have it, and what is said of one."""
    pitch, spelling = notes["pitch"], notes["spelling"]
    yield notes["onset"] < 0, "starts before the piece"
    yield notes["duration"] < 1, "has no length"
    yield (pitch < 0) | (pitch > HIGHEST), "is not a MIDI pitch"
    yield (notes["velocity"] < 1) | (notes["velocity"] > HIGHEST), "has no velocity within 1-127"
    yield (spelling < FLATTEST) | (spelling > SHARPEST), "needs more than a double accidental"
    yield (spelling * np.int16(7) - pitch) % np.int16(12) != 0, "is spelled as another pitch"


def _faulty(notes: NDArray[Any]) -> bool:
    return any(fault.any() for fault, _ in _faults(notes))


def _checked(notes: NDArray[Any], name: str) -> NDArray[Any]:
    """Notes that can exist, or a ScoreError that says which cannot."""
    if not len(notes):
        return notes
    for fault, words in _faults(notes):
        if fault.any():
            note = Note._make(notes[int(np.argmax(fault))].tolist())
            raise ScoreError(f"a note of {name} {words}: {note}")
    return notes
