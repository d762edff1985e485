"""Notes of very many lines at once, read sign by sign with arrays.

Lines stand one behind another, each ended by a line break and without the name of its voice. Only bare tokens in their
usual spelling are read here (``C4+E4@1>3^99``): a text that holds anything else is *odd*, and is left to the reader
that takes one line at a time. What one text holds is no matter to the others.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.pitch import HIGHEST, parse_pitch
from libretto.score.table import Bools, Ints

__all__ = ["ROOM", "Scanned", "Signs", "scan"]

Signs = NDArray[np.uint8]

ROOM = 4  #: signs behind the last line that are no part of it, so that names can be read without looking where they end
_BREAK, _SPACE, _PLUS, _AT, _AFTER, _CARET, _ZERO = b"\n +@>^0"
_BLANKS = tuple(b"\t\n\r ")
_DIGITS, _VELOCITY_DIGITS = 9, 3  # of a number, at most
_LETTERS, _ACCIDENTALS, _OCTAVES = b"CDEFGAB", b"#bx-", 11  # the last octave stands for what is none
_SHARPS_AND_FLATS = ("", "#", "b", "x", "##", "bb", "#b", "b#")  # of real texts, which add up; with a fourth sign, rare
_OCTAVE = 12  # semitones
_MIDDLE = len(_ACCIDENTALS) + 1  # what may stand between letter and octave, or nothing
_LENGTH_BITS, _SPELLING_BITS, _FLATTEST = 4, 6, 32  # of one number that holds a pitch, its spelling and its length


class Scanned(NamedTuple):
    """The notes of all lines: how many each has, their rows in columns, and which texts are odd."""

    notes: Ints
    rows: Ints  # slot, slots, pitch, spelling, velocity
    odd: Bools


def scan(signs: Signs, edges: Ints) -> Scanned:
    """Read lines, followed by ``ROOM`` zeros; ``edges`` says where each text begins, and where the last one ends."""
    odd = _strange(signs, edges)
    found = _Found(_without(signs, edges, odd))
    uneven = found.uneven(edges)
    if uneven.any():
        odd |= uneven
        found = _Found(_without(signs, edges, odd))
    rows, wrong = found.rows()
    odd[np.searchsorted(edges, wrong, side="right") - 1] = True
    notes = np.searchsorted(found.first, np.flatnonzero(signs == _BREAK))
    return Scanned(np.diff(notes, prepend=0), rows, odd)


def _strange(signs: Signs, edges: Ints) -> Bools:
    """Which texts hold signs that are neither printed nor blank."""
    odd = np.zeros(len(edges) - 1, dtype=np.bool_)
    low = np.flatnonzero((signs < _SPACE) & (signs != _BREAK))[:-ROOM]
    low = low[~np.isin(signs[low], _BLANKS)]
    odd[np.searchsorted(edges, low, side="right") - 1] = True
    return odd


def _without(signs: Signs, edges: Ints, odd: Bools) -> Signs:
    """The lines with nothing in those of odd texts."""
    if not odd.any():
        return signs
    left = signs.copy()
    for text in np.flatnonzero(odd).tolist():
        part = left[edges[text] : edges[text + 1]]
        part[part != _BREAK] = _SPACE
    return left


class _Found:
    """Where tokens and the names in them begin and end."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs
        blank, plus, at = signs <= _SPACE, signs == _PLUS, signs == _AT
        begins = ~blank
        begins[1:] &= blank[:-1]
        self.start = np.flatnonzero(begins)
        self.stop = np.flatnonzero(blank[1:] & ~blank[:-1]) + 1
        self.at, self.after = np.flatnonzero(at), np.flatnonzero(signs == _AFTER)
        begins[1:] |= plus[:-1]
        self.first, self.last = np.flatnonzero(begins), np.flatnonzero(plus | at)

    def uneven(self, edges: Ints) -> Bools:
        """Which texts do not have one @ and one > for each token, and an end for each name."""
        count = [np.diff(np.searchsorted(x, edges)) for x in (self.start, self.at, self.after, self.first, self.last)]
        return np.asarray((count[0] != count[1]) | (count[0] != count[2]) | (count[3] != count[4]))

    def rows(self) -> tuple[Ints, Ints]:
        """The rows of all notes in columns, and where something is wrong."""
        stop, velocity, loud = self._velocities()
        numbers, wrong = _numbers(
            self.signs,
            np.concatenate((self.at, self.after)) + 1,
            np.concatenate((self.after, stop)),
            _DIGITS,
        )
        slot, slots = numbers.reshape(2, -1)
        wrong[: len(slot)] |= (slot < 1) | (slots < 1) | (self.start >= self.at)
        pitch, spelling, unnamed = self._names()
        token = np.cumsum(self.signs[self.first - 1] != _PLUS) - 1
        rows = np.empty((5, len(pitch)), dtype=np.int64)
        if len(self.start):
            rows[0], rows[1], rows[4] = slot[token], slots[token], velocity[token]
        rows[2], rows[3] = pitch, spelling
        places = np.concatenate((self.at, self.after))[wrong]
        return rows, np.concatenate((places, self.first[unnamed], loud))

    def _velocities(self) -> tuple[Ints, Ints, Ints]:
        """Where the length of each token ends, its velocity (0 where it says none), and where something is wrong."""
        caret = np.flatnonzero(self.signs == _CARET)
        velocity = np.zeros(len(self.start), dtype=np.int64)
        if not len(caret) or not len(self.start):
            return self.stop, velocity, caret
        token = np.searchsorted(self.start, caret, side="right") - 1
        said, wrong = _numbers(self.signs, caret + 1, self.stop[token], _VELOCITY_DIGITS)
        wrong |= (said < 1) | (said > HIGHEST)
        wrong[1:] |= token[1:] == token[:-1]
        stop = self.stop.copy()
        stop[token], velocity[token] = caret, said
        return stop, velocity, caret[wrong]

    def _names(self) -> tuple[Ints, Ints, Bools]:
        """The pitch and spelling of each name, and which are none."""
        (letter, middle, octave, known), signs, first = _tables(), self.signs, self.first
        size = self.last - first
        code = letter[signs[first]] + octave[signs[self.last - 1]]
        for place in range(1, len(middle) + 1):
            code += middle[place - 1][signs[first + place]]
        found = known[code]
        wrong = ((found & (1 << _LENGTH_BITS) - 1) != size) | (size == 0)
        spelling = (found >> _LENGTH_BITS & (1 << _SPELLING_BITS) - 1) - _FLATTEST
        return found >> _LENGTH_BITS + _SPELLING_BITS, spelling, wrong


def _numbers(signs: Signs, start: Ints, stop: Ints, digits: int) -> tuple[Ints, Bools]:
    """The whole numbers that stand in those places, and which are none or have too many digits."""
    size = stop - start
    wrong = (size < 1) | (size > digits)
    value = np.zeros(len(size), dtype=np.int64)
    for place in range(min(digits, int(size.max(initial=0)))):
        digit = signs[np.maximum(stop - 1 - place, 0)] - np.uint8(_ZERO)  # what is no digit becomes large
        inside = size > place
        wrong |= inside & (digit >= 10)
        value += (digit * inside).astype(np.int64) * 10**place
    return value, wrong


@lru_cache(maxsize=1)
def _tables() -> tuple[Ints, tuple[Ints, Ints, Ints], Ints, Ints]:
    """By sign: what a letter, each of three signs behind it, and an octave add to a code; and what each code is."""
    places = len(_LETTERS) + 1, _MIDDLE, _MIDDLE, _MIDDLE, _OCTAVES
    known = np.zeros(int(np.prod(places)), dtype=np.int64)
    steps = [int(np.prod(places[place:])) for place in range(1, len(places))]
    letter = np.full(256, len(_LETTERS) * steps[0])
    letter[list(_LETTERS)] = np.arange(len(_LETTERS)) * steps[0]
    octave = np.full(256, _OCTAVES - 1)
    octave[_ZERO : _ZERO + _OCTAVES - 1] = np.arange(_OCTAVES - 1)
    behind = []
    for step in steps[1:4]:
        behind.append(np.zeros(256, dtype=np.int64))
        behind[-1][list(_ACCIDENTALS)] = np.arange(1, _MIDDLE) * step
    said: dict[int, int] = {}  # what each code is
    for place, accidental in product(range(len(_LETTERS)), _SHARPS_AND_FLATS):
        fourth, spelling = parse_pitch(f"{chr(_LETTERS[place])}{accidental}4") or (0, 0)
        for sign, octaves in ("", range(_OCTAVES - 1)), ("-", (0, -1)):  # below the lowest octave there is nothing
            marks = [_ACCIDENTALS.index(ord(mark)) + 1 for mark in accidental + sign]
            code = sum(step * at for step, at in zip(steps, (place, *marks), strict=False))
            size = len(marks) + 2
            for number in octaves:
                pitch = fourth + _OCTAVE * (number - 4)
                if 0 <= pitch <= HIGHEST:
                    named = pitch << _SPELLING_BITS | spelling + _FLATTEST
                    said[code + abs(number)] = named << _LENGTH_BITS | size
    known[list(said)] = list(said.values())
    return letter, (behind[0], behind[1], behind[2]), octave, known
