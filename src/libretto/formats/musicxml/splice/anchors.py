"""Lines that reach into a replaced measure from outside, such as slurs: they end on its new notes, not in the air."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from libretto.formats.musicxml.splice.document import Document, Node
from libretto.formats.musicxml.splice.walk import Measure

__all__ = ["Loose", "loose_ends"]

_LINES = ("slur", "glissando", "slide")


class Loose(NamedTuple):
    """An end of a line whose other end stands outside: its bytes, whether it stops there, and its staff."""

    raw: bytes
    stops: bool
    staff: int


class _End(NamedTuple):
    bar: int
    node: Node
    staff: int
    stops: bool
    stays: bool


def loose_ends(
    document: Document, measures: Sequence[Measure], edited: set[int], kept: set[int]
) -> dict[int, list[Loose]]:
    """For each edited measure the ends in it whose partners stay; ``kept`` are notes there (by start) that stay."""
    waiting: dict[tuple[str, str], list[_End]] = {}
    loose: dict[int, list[Loose]] = {}
    for bar, measure in enumerate(measures):
        for end in _ends(bar, measure, edited, kept):
            place = end.node.tag, end.node.attributes.get("number", "1")
            if not end.stops:
                waiting.setdefault(place, []).append(end)
                continue
            starts = waiting.get(place, [])
            if starts:
                _note(document, starts.pop(), end, loose)
    return loose


def _ends(bar: int, measure: Measure, edited: set[int], kept: set[int]) -> list[_End]:
    """The ends of lines in a measure, in order of time; at one time stops come first."""
    ends = []
    times = {id(note.node): note.at for note in measure.notes}
    for placed in measure.children:
        if placed.node.tag != "note":
            continue
        staff = placed.node.said("staff") or "1"
        for notations in placed.node.all("notations"):
            for line in notations.children:
                kind = line.attributes.get("type")
                if line.tag in _LINES and kind in ("start", "stop"):
                    at = times.get(id(placed.node), placed.at)
                    place = int(staff) if staff.isascii() and staff.isdigit() else 1
                    stays = bar not in edited or placed.node.start in kept
                    end = _End(bar, line, place, kind == "stop", stays)
                    ends.append((at, kind == "start", placed.index, end))
    return [end for *_, end in sorted(ends, key=lambda entry: entry[:3])]


def _note(document: Document, start: _End, stop: _End, loose: dict[int, list[Loose]]) -> None:
    """Keep the end that is lost where the other stays."""
    for end, other in ((start, stop), (stop, start)):
        if other.stays and not end.stays:
            loose.setdefault(end.bar, []).append(Loose(document.raw(end.node), end.stops, end.staff))
