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

__all__ = ["ChordRest", "Ink", "bar_text", "cut_at", "cut_rests", "filled", "length_text", "pieces_of", "spaced_group"]

_MOST_IN_TUPLET = 9
_SIGNS = {alter: sign for sign, alter in ALTERS.items()}
_UPPER_CASE_OCTAVE = 4  # C is C4, c is C5


class Ink(NamedTuple):
    """What is written around the notes of a chord: before and after each of them, and grace notes before all."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    graces: tuple[tuple[str, Note, str], ...] = ()  # each with what stands before and after it
    stroke: str = ""
    syllables: tuple[tuple[int, str], ...] = ()  # verses and what is sung

    def halves(self) -> tuple[Ink, Ink]:
        """The same for a chord that is cut in two: what is written before it, and what is written after it."""
        nothing = ("",) * len(self.before)
        return self._replace(after=nothing), Ink(nothing, self.after)


class ChordRest(NamedTuple):
    """A chord, or a rest where ``notes`` is empty, inside a bar; ``before`` is what is written before it."""

    start: int
    length: int
    notes: tuple[Note, ...]
    tied: bool
    before: str = ""
    ink: Ink | None = None


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
    return cut_at(whole, before) if before else whole


def filled(chords: Iterable[ChordRest], length: int) -> list[ChordRest]:
    """Chords of a layer of a bar, with rests between them."""
    whole: list[ChordRest] = []
    at = 0
    for chord in chords:
        if chord.start > at:
            whole.append(ChordRest(at, chord.start - at, (), False))
        whole.append(chord)
        at = chord.start + chord.length
    if at < length:
        whole.append(ChordRest(at, length - at, (), False))
    return whole


def cut_at(pieces: Sequence[ChordRest], before: Mapping[int, str]) -> list[ChordRest]:
    """A layer cut wherever something is to be written ``before`` a tick."""
    cuts = sorted(before, reverse=True)
    done: list[ChordRest] = []
    for piece in pieces:
        at, end = piece.start, piece.start + piece.length
        while cuts and cuts[-1] <= at:
            cuts.pop()
        while cuts and cuts[-1] < end:
            cut = cuts.pop()
            ink, rest = piece.ink.halves() if piece.ink else (None, None)
            sign = piece.before if at == piece.start else ""
            done.append(ChordRest(at, cut - at, piece.notes, bool(piece.notes), sign + before.get(at, ""), ink))
            at, piece = cut, piece._replace(ink=rest)
        sign = piece.before if at == piece.start else ""
        done.append(ChordRest(at, end - at, piece.notes, piece.tied, sign + before.get(at, ""), piece.ink))
    return done


def cut_rests(pieces: Sequence[ChordRest], before: Mapping[int, str]) -> tuple[list[ChordRest], dict[int, str]]:
    """A layer with something written ``before`` its notes, and anywhere in its rests; and what has no place there."""
    starts = {piece.start for piece in pieces}
    rests = [(piece.start, piece.start + piece.length) for piece in pieces if not piece.notes]
    placed = {at: text for at, text in before.items() if at in starts or any(a < at < b for a, b in rests)}
    return cut_at(pieces, placed), {at: text for at, text in before.items() if at not in placed}


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
    if piece.ink:
        return _inked_text(piece, piece.ink, signs, length)
    names = [signs.write(note) for note in piece.notes]
    text = names[0] if len(names) == 1 else f"[{''.join(names)}]"
    return text + length + ("-" if piece.tied else "")


def _inked_text(piece: ChordRest, ink: Ink, signs: _Signs, length: str) -> str:
    """A chord with what is written around it; what belongs to its first note stands outside the brackets."""
    graces = "".join(before + signs.write(note) + after for before, note, after in ink.graces)
    text = ("{" + ink.stroke + graces + "}" if graces else "") + ink.before[0]
    names = [signs.write(note) for note in piece.notes]
    names[1:] = [a + name + b for a, name, b in zip(ink.before[1:], names[1:], ink.after[1:], strict=True)]
    text += names[0] if len(names) == 1 else f"[{''.join(names)}]"
    return text + length + ("-" if piece.tied else "") + ink.after[0]


class _Signs:
    """Which notes of a bar need an accidental."""

    def __init__(self, layers: Sequence[Sequence[ChordRest]], alters: Mapping[str, int], explicit: bool) -> None:
        self._state = dict(alters)
        places: dict[str, set[tuple[int, int]]] = {}
        altered: set[str] = set()
        for index, pieces in enumerate(layers):
            for piece in pieces:
                graces = [(note, -1) for _, note, _ in piece.ink.graces] if piece.ink else []
                for note, layer in (*graces, *((note, index) for note in piece.notes)):
                    letter, alter, octave = written_pitch(note)
                    places.setdefault(letter, set()).add((octave, layer))
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
