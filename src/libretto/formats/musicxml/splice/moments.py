"""Something new put into a measure at a moment, and nothing else moved."""

from __future__ import annotations

from fractions import Fraction

from libretto.errors import FormatError
from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.walk import Measure
from libretto.formats.musicxml.written import Time
from libretto.score import QUARTER

__all__ = ["insert_above", "insert_between"]

_MUSIC = ("note", "backup", "forward")


def _place(measure: Measure, at: Time) -> tuple[int, Time, Time]:
    """The place among the children that is nearest before a moment: its index, its time, and the divisions there.

    Only the first run of the music is looked at: before anything goes back in time. Chord notes are not parted from
    the note that they belong to, nor grace notes from theirs.
    """
    best: tuple[int, Time] | None = None
    for placed in measure.children:
        if placed.at > at or placed.node.tag == "backup":
            break
        if _opens(placed.node) and (best is None or placed.at > best[1]):
            best = placed.index, placed.at
    if best is not None:
        return *best, measure.start.divisions
    tags = [placed.node.tag for placed in measure.children]
    place = next((index for index, tag in enumerate(tags) if tag in (*_MUSIC, "barline")), len(tags))
    return place, 0, measure.start.divisions


def _opens(node: Node) -> bool:
    """Whether something may stand right before an element of the music."""
    return node.tag in _MUSIC and node.find("chord") is None


def _space(document: Document, measure: Measure) -> bytes:
    gap = document.gap(measure.node, 0) if measure.node.children else b"\n"
    return gap if not gap.strip() else b"\n"


def _put(document: Document, measure: Measure, index: int, raw: bytes) -> None:
    node, space = measure.node, _space(document, measure)
    if node.inner == node.stop:
        raise FormatError(f"measure {measure.number} is empty; nothing can be put into it")
    at = node.children[index - 1].stop if index else node.inner
    document.insert(at, space + raw)


def insert_above(document: Document, measure: Measure, at: Time, before: bytes, after: bytes) -> None:
    """Put a direction, harmony or sound into a measure; an offset between its two halves says the moment."""
    index, reached, divisions = _place(measure, at)
    late = Fraction(at - reached) * Fraction(divisions) / QUARTER
    offset = b""
    if late:
        text = str(late.numerator) if late.denominator == 1 else f"{float(late):.9f}".rstrip("0").rstrip(".")
        offset = f"<offset>{text}</offset>".encode()
    _put(document, measure, index, before + offset + after)


def insert_between(document: Document, measure: Measure, at: Time, raw: bytes) -> None:
    """Put attributes into a measure at a moment; a forward and a backup lead there and back where no note begins."""
    index, reached, divisions = _place(measure, at)
    late = Fraction(at - reached) * Fraction(divisions) / QUARTER
    if not late:
        _put(document, measure, index, raw)
        return
    if late.denominator != 1:
        raise FormatError(f"measure {measure.number}: a change lies between the divisions of its measure")
    step = f"<duration>{late.numerator}</duration>"
    there, back = f"<forward>{step}</forward>".encode(), f"<backup>{step}</backup>".encode()
    _put(document, measure, index, there + raw + back)
