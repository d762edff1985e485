"""From a note as ABC writes it to a sounding pitch and its spelling.

Accidentals hold to the end of the bar for their letter and octave, as on a staff; a tune may say otherwise
with ``%%propagate-accidentals`` (``not``, ``octave`` or ``pitch``: in every octave).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from libretto.errors import FormatError
from libretto.formats.abc.measure import Sound
from libretto.score.pitch import fifths_of_semitones, pitch_class_of, spelling_range

__all__ = ["FIFTHS", "Staff"]

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
