"""Pitch and spelling.

Conventions: a pitch is a MIDI number, C4 = 60. A spelling is a place on the line of fifths, C = 0,
G = 1, F = -1, F# = 6, Bb = -2; pitch and spelling together are a written name, so B#3 and C4 are the
same pitch and different names. Octaves follow the letter: Cb4 sounds B3.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = [
    "FLATTEST",
    "HIGHEST",
    "LETTERS",
    "SHARPEST",
    "fifths_of_semitones",
    "letter_name",
    "parse_letter",
    "parse_pitch",
    "pitch_class_of",
    "pitch_name",
    "spelling_range",
]

HIGHEST = 127  #: of MIDI's pitches, velocities and programs, which all begin at 0
LETTERS = 7  #: of an octave; so far a sharp moves a letter along the line of fifths
_LETTERS = "FCGDAEB"  # positions -1 .. 5 on the line of fifths
_FIFTH = 7  # semitones
FLATTEST, SHARPEST = -15, 19  #: Fbb and B##: double accidentals are the limit
_NAME = re.compile(r"([A-G])(x|[#b]{0,4})(-?\d{1,2})\Z", re.ASCII)
_LETTER_NAME = re.compile(r"([A-G])(x|[#b]{0,4})\Z")
_SEMITONES_TO_FIFTHS = (0, -5, 2, -3, 4, -1, 6, 1, -4, 3, -2, 5)


def parse_letter(name: str) -> int | None:
    """The spelling that a note name without octave means, or None.

    >>> parse_letter("F#"), parse_letter("Bb"), parse_letter("H")
    (6, -2, None)
    """
    written = _LETTER_NAME.match(name)
    if not written:
        return None
    alter = _alteration(written[2])
    return _LETTERS.index(written[1]) - 1 + LETTERS * alter if -2 <= alter <= 2 else None


def _alteration(accidentals: str) -> int:
    """Semitones up; accidentals add up, so that the odd ``C#b`` of real texts is a C."""
    return 2 if accidentals == "x" else accidentals.count("#") - accidentals.count("b")


def letter_name(spelling: int) -> str:
    """The note name of a spelling: the inverse of ``parse_letter``.

    >>> letter_name(6), letter_name(-2)
    ('F#', 'Bb')
    """
    alter, letter = divmod(spelling + 1, LETTERS)
    return _LETTERS[letter] + ("#" * alter if alter > 0 else "b" * -alter)


def pitch_class_of(spelling: int) -> int:
    """The pitch class 0-11 that a spelling sounds."""
    return spelling * _FIFTH % 12


@lru_cache(maxsize=4096)
def parse_pitch(name: str) -> tuple[int, int] | None:
    """Read a written pitch as (MIDI number, spelling); None where it is not one.

    >>> parse_pitch("C4"), parse_pitch("B#3"), parse_pitch("Cb4")
    ((60, 0), (60, 12), (59, -7))
    """
    written = _NAME.match(name)
    if not written:
        return None
    alter = _alteration(written[2])
    if not -2 <= alter <= 2:
        return None
    spelling = _LETTERS.index(written[1]) - 1 + LETTERS * alter
    pitch = 12 * (int(written[3]) + 1) + pitch_class_of(spelling - LETTERS * alter) + alter
    return (pitch, spelling) if 0 <= pitch <= HIGHEST else None


@lru_cache(maxsize=8192)
def pitch_name(pitch: int, spelling: int) -> str:
    """Write a pitch as it was spelled: the inverse of ``parse_pitch``.

    >>> pitch_name(60, 12)
    'B#3'
    """
    alter = (spelling + 1) // LETTERS
    return f"{letter_name(spelling)}{(pitch - alter) // 12 - 1}"


def fifths_of_semitones(semitones: int) -> int:
    """How far a transposition by that many semitones moves a spelling along the line of fifths."""
    return _SEMITONES_TO_FIFTHS[semitones % 12]


def spelling_range(spelling: int) -> int:
    """The same pitch class, brought back within double accidentals."""
    while spelling < FLATTEST:
        spelling += 12
    while spelling > SHARPEST:
        spelling -= 12
    return spelling
