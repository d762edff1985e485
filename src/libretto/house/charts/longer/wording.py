"""Bars of signs as values that can be changed: read, written again, counted in other units, raised by octaves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from libretto.house.charts.signs import Sign, height_of, read_bar

__all__ = ["is_tone", "raised", "rescaled", "stands_alone", "thickened", "written_out"]

_SILENT = ("z", "_")
_OWN_HEIGHT = "@ck~123456789"  # how signs begin that say where they lie, whatever was before them
_ALTERED = "b#"


def written_out(signs: Sequence[Sign]) -> str:
    """The text of a bar."""
    return " ".join(map(_word, signs))


def _word(sign: Sign) -> str:
    under = f"/{sign.under}" if sign.under else ""
    length = "" if sign.length == 1 else f":{sign.length}"
    return f"{sign.head}{under}{sign.marks}{length}"


def is_tone(sign: Sign) -> bool:
    """Whether a sign begins a note, or several."""
    return sign.head not in _SILENT


def stands_alone(sign: Sign) -> bool:
    """Whether a sign says where it lies by itself, or is a rest: what stands before it may change."""
    return sign.head == "z" or sign.head[0] in _OWN_HEIGHT or sign.head[0] in _ALTERED


def rescaled(text: str, units: Fraction, by: Fraction) -> str:
    """A bar that is counted in other units."""
    return written_out([sign._replace(length=sign.length * by) for sign in read_bar(text, units)]) if text else ""


def raised(text: str, units: Fraction, degrees: int) -> str:
    """A bar of a tune so many degrees of the key higher, where it says heights."""
    return written_out([_higher(sign, degrees) for sign in read_bar(text, units)]) if text else ""


def _higher(sign: Sign, degrees: int) -> Sign:
    height = height_of(sign)
    if height is None:
        return sign
    head = sign.head
    start = head[: len(head) - len(str(height))]
    return sign._replace(head=f"{start}{height + degrees}")


def thickened(text: str, units: Fraction, beat: Fraction) -> str:
    """A bar of a tune with a tone of the chord below its notes of a beat and more, for who can play two at once."""
    return written_out([_doubled(sign, beat) for sign in read_bar(text, units)]) if text else ""


def _doubled(sign: Sign, beat: Fraction) -> Sign:
    single = is_tone(sign) and stands_alone(sign) and not sign.under and sign.head[0] in "@ck"
    return sign._replace(under="t") if single and sign.length >= beat else sign
