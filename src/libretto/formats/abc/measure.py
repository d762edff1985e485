"""What a voice of an ABC tune holds, bar by bar as written, before repeats are played out.

Conventions: time inside a measure is counted in ``FINE`` parts of a tick, so that tuplets of 11, 13, 17 or 19
add up without drift; it becomes ticks when the bars are laid out. Accidentals hold to the end of the bar for their
letter and octave, as on a staff; a tune may say otherwise with ``%%propagate-accidentals`` (``not``, ``octave`` or
``pitch``: in every octave).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from libretto.errors import FormatError
from libretto.formats.abc.text import ALTERS
from libretto.notation.staves import LETTERS
from libretto.score.keys import Key
from libretto.score.pitch import fifths_of_semitones, pitch_class_of, spelling_range
from libretto.score.time import Meter

__all__ = ["FIFTHS", "FINE", "AbcNote", "Measure", "PitchReader", "Rhythm", "ticks_of"]

FIFTHS = {letter: index - 1 for index, letter in enumerate(LETTERS)}  #: the letters on the line of fifths
FINE = 2**10 * 9 * 25 * 49 * 11 * 13 * 17 * 19  #: parts of a tick


_STEPS = {letter: index for index, letter in enumerate("CDEFGAB")}
_SHARP = 7  # fifths from a letter to its sharp
_TOP_PITCH = 127
_SHOWN = 20  # letters of a wrong note that a message repeats
_UPPER_CASE_OCTAVE = 4  # C is C4, c is C5
_MOST_BROKEN = 6  # signs of a broken rhythm that are counted
_USUAL_TIMES = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}  # tuplets: so many notes in the time of so many


def ticks_of(fine: int) -> int:
    """The nearest tick."""
    return (fine + FINE // 2) // FINE


@dataclass(slots=True)
class AbcNote:
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
    marks: list[tuple[str, str]] | None = None

    def add(self, kind: str, value: str = "") -> None:
        """Put a mark on the note."""
        if self.marks is None:
            self.marks = []
        self.marks.append((kind, value))


@dataclass(slots=True)
class Measure:
    """One bar of one voice as written, with the signs at its two ends."""

    key: Key
    meter: Meter
    tempo: int | None
    length: int = 0
    notes: list[AbcNote] = field(default_factory=list)
    symbols: list[tuple[int, str]] = field(default_factory=list)
    keys: list[tuple[int, Key]] = field(default_factory=list)
    tempos: list[tuple[int, int]] = field(default_factory=list)
    new_meter: bool = False
    section: str = ""
    opens: bool = False  # a repeat begins here
    closes: int = 0  # how often a repeat that ends here is played again
    endings: frozenset[int] = frozenset()
    parted: bool = False  # closed by something other than a plain bar line
    style: str = ""  # how the bar line that closes it is drawn, where that is no plain one
    flags: frozenset[str] = frozenset()  # other signs of the order of play
    moments: list[tuple[int, str, str]] = field(default_factory=list)  # marks of the voice that belong to no note
    words: list[tuple[int, str]] = field(default_factory=list)  # words that go with the tempo

    def settle_words(self) -> None:
        """The measure is over: words after all of its notes stand over the last of them, not in the next measure."""
        if any(at >= self.length and kind == "words" for at, kind, _ in self.moments):
            last = max((note.start for note in self.notes), default=0)
            self.moments = [
                (last if at >= self.length and kind == "words" else at, kind, value) for at, kind, value in self.moments
            ]


class PitchReader:
    """Reads notes as pitches: it holds the accidentals of this bar, and a transposition in semitones."""

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

    def note(self, token: re.Match[str], alters: Mapping[str, int], velocity: int) -> AbcNote:
        """The note that a token writes, at no place and of no length yet."""
        sign, letter, marks = token["sign"], token["letter"], token["octave"]
        name = letter.upper()
        octave = (_UPPER_CASE_OCTAVE + (letter != name)) + (marks.count("'") - marks.count(",") if marks else 0)
        place = (name, octave if self.propagate == "octave" else 0)
        if sign is None:
            alter = self.marks.get(place, alters[name])
        else:
            alter = ALTERS[sign]
            if self.propagate != "not":
                self.marks[place] = alter
        pitch = 12 * (octave + 1) + pitch_class_of(FIFTHS[name]) + alter + self._shift
        if not 0 <= pitch <= _TOP_PITCH:
            raise FormatError(f"the ABC note {token[0][:_SHOWN]!r} lies outside C-1 to G9")
        spelling = spelling_range(FIFTHS[name] + _SHARP * alter + self._fifths)
        return AbcNote(0, 0, pitch, spelling, velocity, _STEPS[name] + len(_STEPS) * octave, sign is not None)


class Rhythm:
    """How the next notes are lengthened or shortened: by a tuplet, and by the sign of a broken rhythm."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Back to lengths as written."""
        self._broken: tuple[int, int] = (1, 1)
        self._tuplet: tuple[int, int, int] = (1, 1, 0)

    def begin_tuplet(self, token: re.Match[str], meter: Meter) -> None:
        """So many notes in the time of so many; the time follows from the meter where it is not said."""
        notes = int(token["tuplet"])
        if notes < 2:
            return
        usual = _USUAL_TIMES.get(notes, 3 if meter.is_compound else 2)
        time, among = int(token["time"] or usual), int(token["among"] or notes)
        if time and among:
            self._tuplet = (time, notes, among)

    def break_after(self, signs: str) -> tuple[int, int]:
        """``a>b`` is dotted, then short; more signs, more dots. Returns the factor for the note before."""
        size = 1 << min(len(signs), _MOST_BROKEN)
        longer, shorter = (2 * size - 1, size), (1, size)
        first, self._broken = (longer, shorter) if signs[0] == ">" else (shorter, longer)
        return first

    def next_factor(self) -> tuple[int, int]:
        """The factor of the next note's length, as numerator and denominator; it is used up."""
        up, down, left = self._tuplet
        over, under = self._broken
        if left:
            self._tuplet, over, under = (up, down, left - 1), over * up, under * down
        self._broken = (1, 1)
        return over, under
