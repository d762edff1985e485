"""The usual piano fingerings of scales and arpeggios, by key and hand.

Conventions: fingers are 1 (the thumb) to 5, notes from the lowest tonic up; going down the same fingers are used. A
scale's row has a finger for each of its seven degrees as they repeat from octave to octave, then the fingers of the
lowest and of the highest tonic where these are others. No thumb stands on a black key but in arpeggios of black keys
alone; a test looks at every key.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["HANDS", "SCALE_STEPS", "arpeggio_fingers", "degree_fingers", "fingering_line", "scale_fingers"]

HANDS = ("right", "left")
#: The scales that have fingerings here, by their steps.
SCALE_STEPS = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "natural minor": (0, 2, 3, 5, 7, 8, 10),
    "harmonic minor": (0, 2, 3, 5, 7, 8, 11),
    "melodic minor": (0, 2, 3, 5, 7, 9, 11),
}


class _Row(NamedTuple):
    """Fingers of the seven degrees, of the lowest and of the highest tonic."""

    cycle: tuple[int, ...]
    first: int
    last: int


def _row(text: str) -> _Row:
    cycle, first, last = text.split()
    return _Row(tuple(map(int, cycle)), int(first), int(last))


_C, _D, _E, _F, _G, _A, _B = 0, 2, 4, 5, 7, 9, 11
_DB, _EB, _GB, _AB, _BB = 1, 3, 6, 8, 10
_WHITE_RIGHT, _WHITE_LEFT = "1231234 1 5", "1432132 5 1"
_RIGHT_MAJOR = {
    **dict.fromkeys((_C, _D, _E, _G, _A, _B), _WHITE_RIGHT),
    _F: "1234123 1 4", _BB: "4123123 4 4", _EB: "3123412 3 3", _AB: "3412312 3 3", _DB: "2312341 2 2",
    _GB: "2341231 2 2",
}  # fmt: skip
_LEFT_MAJOR = {
    **dict.fromkeys((_C, _D, _E, _F, _G, _A), _WHITE_LEFT),
    **dict.fromkeys((_BB, _EB, _AB, _DB), "3214321 3 3"), _B: "1321432 4 1", _GB: "4321321 4 4",
}  # fmt: skip
_RIGHT_MINOR = {
    **dict.fromkeys((_C, _D, _E, _G, _A, _B), _WHITE_RIGHT), **dict.fromkeys((_DB, _GB, _AB), "3412312 3 3"),
    _F: "1234123 1 4", _BB: "4123123 4 4", _EB: "3123412 3 3",
}  # fmt: skip
_LEFT_MINOR = {
    **dict.fromkeys((_C, _D, _E, _F, _G, _A), _WHITE_LEFT), **dict.fromkeys((_DB, _AB), "3214321 3 3"),
    _B: "1321432 4 1", _GB: "4321321 4 4", _EB: "2143213 2 2", _BB: "2132143 2 2",
}  # fmt: skip
#: Where a form of minor is fingered otherwise than the key's harmonic form.
_OTHERWISE = {
    ("right", "melodic minor", _DB): "2312341 2 2",
    ("right", "melodic minor", _GB): "2312341 2 2",
    ("left", "natural minor", _AB): "3213214 3 3",
}
_BLACK = {_DB, _EB, _GB, _AB, _BB}
_OCTAVE = 12
_THIRDS = {"major": 4, "minor": 3}
_FIFTH = 7


def _of(tonic: int, form: str, hand: str) -> _Row | None:
    if form not in SCALE_STEPS or hand not in HANDS:
        return None
    usual = (_RIGHT_MAJOR if hand == "right" else _LEFT_MAJOR) if form == "major" else None
    table = usual or (_RIGHT_MINOR if hand == "right" else _LEFT_MINOR)
    return _row(_OTHERWISE.get((hand, form, tonic % _OCTAVE), table[tonic % _OCTAVE]))


def degree_fingers(tonic: int, form: str, hand: str) -> tuple[tuple[int, ...], int, int] | None:
    """The fingers of the seven degrees of a scale, of its lowest and its highest tonic; None where there are none."""
    row = _of(tonic, form, hand)
    return (row.cycle, row.first, row.last) if row is not None else None


def scale_fingers(tonic: int, form: str, hand: str, octaves: int = 1) -> tuple[int, ...]:
    """The fingers of a scale upwards from a pitch class: ``major``, ``natural``, ``harmonic`` or ``melodic minor``.

    >>> scale_fingers(5, "major", "right")
    (1, 2, 3, 4, 1, 2, 3, 4)
    """
    row = _of(tonic, form, hand)
    return (row.first, *(row.cycle * octaves)[1:], row.last) if row is not None else ()


def arpeggio_fingers(tonic: int, mode: str, hand: str, octaves: int = 1) -> tuple[int, ...]:
    """The fingers of a triad in root position, broken upwards through so many octaves: ``major`` or ``minor``.

    >>> arpeggio_fingers(2, "major", "left")
    (5, 3, 2, 1)
    """
    tones = [(tonic + step) % _OCTAVE in _BLACK for step in (0, _THIRDS[mode], _FIFTH)]
    if not tones[0] or all(tones):  # from a white key, or on black ones alone: as under one hand
        second = 4 if tones[0] == tones[1] else 3
        right, left = ((1, 2, 3), 1, 5), ((1, second, 2), 5, 1)
    elif tones[1]:  # the thumb goes to the fifth
        right, left = ((2, 3, 1), 2, 2), ((3, 2, 1), 3, 3)
    elif tones[2]:  # the thumb goes to the third
        right, left = ((4, 1, 2), 2, 4), ((2, 1, 4), 2, 2)
    else:  # both are white
        right, left = ((4, 1, 2), 2, 4), ((3, 2, 1), 3, 3)
    cycle, first, last = right if hand == "right" else left
    return (first, *(cycle * octaves)[1:], last)


def fingering_line(tonic: int, form: str, octaves: int = 2) -> str:
    """The fingerings of a scale upwards for both hands in words, for a sheet; empty where there are none.

    >>> fingering_line(0, "major", 1)
    'Piano fingering up 1 octave: right hand 1 2 3 1 2 3 4 5; left hand 5 4 3 2 1 3 2 1.'
    """
    rows = {hand: scale_fingers(tonic, form, hand, octaves) for hand in HANDS}
    told = "; ".join(f"{hand} hand {' '.join(map(str, row))}" for hand, row in rows.items() if row)
    return f"Piano fingering up {octaves} octave{'' if octaves == 1 else 's'}: {told}." if told else ""
