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
    "SHARPEST",
    "fifths_of_semitones",
    "letter_name",
    "parse_letter",
    "parse_pitch",
    "pitch_class_of",
    "pitch_name",
    "spelling_range",
]

_LETTERS = "FCGDAEB"  # positions -1 .. 5 on the line of fifths
FLATTEST, SHARPEST = -15, 19  #: Fbb and B##: double accidentals are the limit
_NAME = re.compile(r"([A-G])(x|[#b]{0,4})(-?\d{1,2})\Z", re.ASCII)
_LETTER_NAME = re.compile(r"([A-G])(x|[#b]{0,4})\Z")
_SEMITONES_TO_FIFTHS = (0, -5, 2, -3, 4, -1, 6, 1, -4, 3, -2, 5)


def parse_letter(name: str) -> int | None:
    """The spelling that a note name without octave means, or None.

    >>> parse_letter("F#"), parse_letter("Bb"), parse_letter("H")
    (6, -2, None)
    """
    found = _LETTER_NAME.match(name)
    if not found:
        return None
    alter = _alteration(found[2])
    return _LETTERS.index(found[1]) - 1 + 7 * alter if -2 <= alter <= 2 else None


def _alteration(accidentals: str) -> int:
    """Semitones up; accidentals add up, so that the odd ``C#b`` of real texts is a C."""
    return 2 if accidentals == "x" else accidentals.count("#") - accidentals.count("b")


def letter_name(spelling: int) -> str:
    """The note name of a spelling: the inverse of ``parse_letter``.

    >>> letter_name(6), letter_name(-2)
    ('F#', 'Bb')
    """
    alter, letter = divmod(spelling + 1, 7)
    return _LETTERS[letter] + ("#" * alter if alter > 0 else "b" * -alter)


def pitch_class_of(spelling: int) -> int:
    """The pitch class 0-11 that a spelling sounds."""
    return spelling * 7 % 12


@lru_cache(maxsize=4096)
def parse_pitch(name: str) -> tuple[int, int] | None:
    """Read a written pitch as (MIDI number, spelling); None where it is not one.

    >>> parse_pitch("C4"), parse_pitch("B#3"), parse_pitch("Cb4")
    ((60, 0), (60, 12), (59, -7))
    """
    found = _NAME.match(name)
    if not found:
        return None
    alter = _alteration(found[2])
    if not -2 <= alter <= 2:
        return None
    spelling = _LETTERS.index(found[1]) - 1 + 7 * alter
    pitch = 12 * (int(found[3]) + 1) + pitch_class_of(spelling - 7 * alter) + alter
    return (pitch, spelling) if 0 <= pitch <= 127 else None


@lru_cache(maxsize=8192)
def pitch_name(pitch: int, spelling: int) -> str:
    """Write a pitch as it was spelled: the inverse of ``parse_pitch``.

    >>> pitch_name(60, 12)
    'B#3'
    """
    alter = (spelling + 1) // 7
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
