"""What a voice of an ABC tune holds, bar by bar as written, before repeats are played out.

Conventions: time inside a measure is counted in ``FINE`` parts of a tick, so that tuplets of 11, 13, 17 or 19
add up without drift; it becomes ticks when the bars are laid out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from libretto.errors import FormatError
from libretto.score.keys import Key
from libretto.score.pitch import fifths_of_semitones, pitch_class_of, spelling_range
from libretto.score.time import Meter

__all__ = ["FIFTHS", "FINE", "Measure", "Sound", "Staff", "ticks_of"]

FINE = 2**10 * 9 * 25 * 49 * 11 * 13 * 17 * 19  #: parts of a tick


def ticks_of(fine: int) -> int:
    """The nearest tick."""
    return (fine + FINE // 2) // FINE


@dataclass(slots=True)
class Sound:
    """One note as written; ``step`` is its place on the staff, ``marked`` that it has its own accidental."""

    start: int
    length: int
    pitch: int
    spelling: int
    velocity: int
    step: int
    marked: bool
    layer: int = 0
    tied: bool = False


@dataclass(slots=True)
class Measure:
    """One bar of one voice as written, with the signs at its two ends."""

    key: Key
    meter: Meter
    tempo: int | None
    length: int = 0
    sounds: list[Sound] = field(default_factory=list)
    symbols: list[tuple[int, str]] = field(default_factory=list)
    keys: list[tuple[int, Key]] = field(default_factory=list)
    tempos: list[tuple[int, int]] = field(default_factory=list)
    new_meter: bool = False
    section: str = ""
    opens: bool = False  # a repeat begins here
    closes: int = 0  # how often a repeat that ends here is played again
    endings: frozenset[int] = frozenset()
    parted: bool = False  # closed by something other than a plain bar line


FIFTHS = {letter: index - 1 for index, letter in enumerate("FCGDAEB")}  #: the letters on the line of fifths
_STEPS = {letter: index for index, letter in enumerate("CDEFGAB")}
_SIGNS = {"^": 1, "^^": 2, "_": -1, "__": -2, "=": 0}


class Staff:
    """What stands before the notes of a voice: accidentals of this bar, and a transposition in semitones."""

    def __init__(self) -> None:
        self.marks: dict[tuple[str, int], int] = {}
        self.propagate = "octave"
        self._shifts: dict[str, int] = {}
        self._shift = self._fifths = 0

    def transpose(self, shifts: Mapping[str, int]) -> None:
        """Sound higher or lower than written; each source (clef, octave, transpose) counts once."""
        self._shifts |= shifts
        self._shift = sum(self._shifts.values())
        self._fifths = fifths_of_semitones(self._shift)

    def sound(self, found: re.Match[str], alters: Mapping[str, int], velocity: int) -> Sound:
        """The note that a token writes, at no place and of no length yet."""
        sign, letter, marks = found["sign"], found["letter"], found["octave"]
        name = letter.upper()
        octave = (4 if letter == name else 5) + (marks.count("'") - marks.count(",") if marks else 0)
        place = (name, octave if self.propagate == "octave" else 0)
        if sign is None:
            alter = self.marks.get(place, alters[name])
        else:
            alter = _SIGNS[sign]
            if self.propagate != "not":
                self.marks[place] = alter
        pitch = 12 * (octave + 1) + pitch_class_of(FIFTHS[name]) + alter + self._shift
        if not 0 <= pitch <= 127:
            raise FormatError(f"the ABC note {found[0][:20]!r} lies outside C-1 to G9")
        spelling = spelling_range(FIFTHS[name] + 7 * alter + self._fifths)
        return Sound(0, 0, pitch, spelling, velocity, _STEPS[name] + 7 * octave, sign is not None)
