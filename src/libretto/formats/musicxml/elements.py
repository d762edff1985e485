"""Small elements as text: clefs, keys, transpositions, tuplets, numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.sax.saxutils import escape

from libretto.notation.clefs import Clef
from libretto.notation.rhythm import Piece
from libretto.score import Key

__all__ = ["clean", "clef_of_value", "clef_xml", "decimal", "key_xml", "percent", "transpose_xml", "tuplet_xml"]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_VELOCITY_PERCENT = 0.9  # of velocity 90, which MusicXML calls 100
_DIATONIC = (0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6)  # steps of the semitones by which instruments transpose
_CLEF = re.compile(r"([GFC])([1-9])([+-]\d)?\Z|([a-z]{1,20})([+-]\d)?\Z")
_WORDS = {"tab": "TAB"}  # signs that are words, where they are not written small


def clean(text: str) -> str:
    """Text as XML can hold it."""
    return escape(_UNPRINTABLE.sub("", text))


def clef_of_value(value: str) -> Clef:
    """The clef that a mark names: ``G2``, ``F4-1``, ``percussion``."""
    read = _CLEF.match(value)
    if read is None:
        return Clef("G", 2)
    if read[1]:
        return Clef(read[1], int(read[2]), int(read[3] or 0))
    return Clef(_WORDS.get(read[4], read[4]), 0, int(read[5] or 0))


def clef_xml(clef: Clef, number: int | None) -> str:
    """A clef element, numbered where there are several staves."""
    which = f' number="{number}"' if number else ""
    line = f"<line>{clef.line}</line>" if clef.sign != "percussion" and clef.line else ""
    octaves = f"<clef-octave-change>{clef.octaves}</clef-octave-change>" if clef.octaves else ""
    return f"<clef{which}><sign>{clef.sign}</sign>{line}{octaves}</clef>"


def transpose_xml(above: int) -> str:
    """The element that leads from a part written so many semitones higher back to its sound."""
    octaves, step = divmod(abs(above), 12)
    sign = -1 if above > 0 else 1
    octave = f"<octave-change>{sign * octaves}</octave-change>" if octaves else ""
    return (
        f"<transpose><diatonic>{sign * _DIATONIC[step]}</diatonic><chromatic>{sign * step}</chromatic>"
        f"{octave}</transpose>"
    )


def key_xml(key: Key, shown: bool) -> str:
    """A key signature, hidden where nobody reads one."""
    hidden = "" if shown else ' print-object="no"'
    return f"<key{hidden}><fifths>{key.signature}</fifths><mode>{key.mode}</mode></key>"


def tuplet_xml(piece: Piece, bracketed: bool) -> tuple[str, str]:
    """The time modification of a piece, and where the bracket begins or ends."""
    tuplet = piece.tuplet
    if tuplet is None:
        return "", ""
    numbers = f"<actual-notes>{tuplet.actual}</actual-notes><normal-notes>{tuplet.normal}</normal-notes>"
    ratio = f"<time-modification>{numbers}<normal-type>{tuplet.kind}</normal-type></time-modification>"
    begin = (
        '<tuplet number="1" type="start" bracket="{}"/>'.format("yes" if bracketed else "no")
        if piece.start == tuplet.start
        else ""
    )
    return ratio, begin + ('<tuplet number="1" type="stop"/>' if piece.stop == tuplet.stop else "")


def percent(velocity: int) -> str:
    """A velocity as MusicXML counts it."""
    return f"{velocity / _VELOCITY_PERCENT:.2f}".rstrip("0").rstrip(".")


def decimal(value: Fraction) -> str:
    """A number of divisions."""
    return f"{float(value):.9f}".rstrip("0").rstrip(".")
