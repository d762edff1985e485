"""One bar of one voice as ABC text: pieces in order, their accidentals, lengths and spacing.

An accidental is left out only where every program reads the bar alike: programs disagree on whether one holds
in other octaves and in overlaid layers, so a letter met in several of those always carries its own. Thirds, fifths
and other odd parts of a length are written as tuplets, since few programs take them as plain fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from libretto.formats.abc.text import ALTERS
from libretto.notation.staves import written_pitch
from libretto.notation.values import Span, beam_group
from libretto.score import Note
from libretto.score.time import Meter

__all__ = ["ChordRest", "bar_text", "length_text", "pieces_of", "spaced_group"]

_MOST_IN_TUPLET = 9
_SIGNS = {alter: sign for sign, alter in ALTERS.items()}
_UPPER_CASE_OCTAVE = 4  # C is C4, c is C5


class ChordRest(NamedTuple):
    """A chord, or a rest where ``notes`` is empty, inside a bar; ``before`` is what is written before it."""

    start: int
    length: int
    notes: tuple[Note, ...]
    tied: bool
    before: str = ""


def pieces_of(spans: Iterable[Span], length: int, before: Mapping[int, str]) -> list[ChordRest]:
    """A layer of a bar without gaps, cut wherever something is to be written ``before`` a tick."""
    whole: list[ChordRest] = []
    at = 0
    for span in spans:
        if span.start > at:
            whole.append(ChordRest(at, span.start - at, (), False))
        whole.append(ChordRest(span.start, span.length, span.notes, span.tied_to))
        at = span.start + span.length
    if at < length:
        whole.append(ChordRest(at, length - at, (), False))
    return _cut(whole, before) if before else whole


def _cut(pieces: Sequence[ChordRest], before: Mapping[int, str]) -> list[ChordRest]:
    cuts = sorted(before, reverse=True)
    done: list[ChordRest] = []
    for piece in pieces:
        at, end = piece.start, piece.start + piece.length
        while cuts and cuts[-1] <= at:
            cuts.pop()
        while cuts and cuts[-1] < end:
            cut = cuts.pop()
            done.append(ChordRest(at, cut - at, piece.notes, bool(piece.notes), before.get(at, "")))
            at = cut
        done.append(ChordRest(at, end - at, piece.notes, piece.tied, before.get(at, "")))
    return done


@lru_cache(maxsize=16384)
def length_text(ticks: int, unit: int) -> str:
    """A length as ABC writes it, in units of ``unit`` ticks.

    >>> length_text(20160, 20160), length_text(10080, 20160), length_text(30240, 20160)
    ('', '/2', '3/2')
    """
    shared = gcd(ticks, unit)
    over, under = ticks // shared, unit // shared
    return (str(over) if over > 1 else "") + (f"/{under}" if under > 1 else "")


def spaced_group(meter: Meter) -> int:
    """The ticks that are written without a space between: what is one group on a staff, and at least a beat."""
    return max(beam_group(meter), meter.pulse)


def bar_text(
    layers: Sequence[Sequence[ChordRest]], alters: Mapping[str, int], explicit: bool, unit: int, group: int
) -> str:
    """The bar without its bar line; ``explicit`` writes every accidental, whatever the key.

    A space stands between groups of ``group`` ticks, and before rests.
    """
    signs = _Signs(layers, alters, explicit)
    texts = []
    for index, pieces in enumerate(layers):
        words: list[str] = []
        for piece, (tuplet, length) in zip(pieces, _lengths(pieces, unit), strict=True):
            if words and (piece.start % group == 0 or not piece.notes):
                words.append(" ")
            words.append(piece.before + tuplet + _piece_text(piece, signs, index, length))
        texts.append("".join(words))
    return " & ".join(texts)


def _lengths(pieces: Sequence[ChordRest], unit: int) -> Iterator[tuple[str, str]]:
    """For each piece, the tuplet that begins with it, if any, and its length as written."""
    at = 0
    while at < len(pieces):
        odd = _odd(pieces[at].length, unit)
        if odd == 1:
            yield "", length_text(pieces[at].length, unit)
            at += 1
            continue
        stop, total = at, 0
        while stop < len(pieces) and _odd(pieces[stop].length, unit) == odd and stop - at < _MOST_IN_TUPLET:
            total += pieces[stop].length
            stop += 1
            if _odd(total, unit) == 1:
                break  # here the tuplet is complete
        time, number = 1 << (odd.bit_length() - 1), stop - at
        begin = "(3" if odd == number == 3 else f"({odd}:{time}:{number}"
        for piece in pieces[at:stop]:
            yield begin, length_text(piece.length * odd, unit * time)
            begin = ""
        at = stop


def _odd(ticks: int, unit: int) -> int:
    """The odd part of the denominator of a length."""
    under = unit // gcd(ticks, unit)
    return under // (under & -under)


def _piece_text(piece: ChordRest, signs: _Signs, layer: int, length: str) -> str:
    if not piece.notes:
        return ("x" if layer else "z") + length
    names = [signs.write(note) for note in piece.notes]
    text = names[0] if len(names) == 1 else f"[{''.join(names)}]"
    return text + length + ("-" if piece.tied else "")


class _Signs:
    """Which notes of a bar need an accidental."""

    def __init__(self, layers: Sequence[Sequence[ChordRest]], alters: Mapping[str, int], explicit: bool) -> None:
        self._state = dict(alters)
        places: dict[str, set[tuple[int, int]]] = {}
        altered: set[str] = set()
        for index, pieces in enumerate(layers):
            for piece in pieces:
                for note in piece.notes:
                    letter, alter, octave = written_pitch(note)
                    places.setdefault(letter, set()).add((octave, index))
                    if explicit or alter != alters[letter]:
                        altered.add(letter)
        self._always = {letter for letter in altered if explicit or len(places[letter]) > 1}

    def write(self, note: Note) -> str:
        """The note with its accidental where it needs one."""
        letter, alter, octave = written_pitch(note)
        sign = ""
        if letter in self._always or alter != self._state[letter]:
            sign = _SIGNS[alter]
            self._state[letter] = alter
        if octave > _UPPER_CASE_OCTAVE:
            return sign + letter.lower() + "'" * (octave - _UPPER_CASE_OCTAVE - 1)
        return sign + letter + "," * (_UPPER_CASE_OCTAVE - octave)
