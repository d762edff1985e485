"""Lines over the notes of a part, from where they begin to where they end: hairpins, pedals, octave lines, dashes."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from libretto.formats.musicxml.notations import number_of
from libretto.formats.musicxml.written import Moment, Time

__all__ = ["LASTING", "LinesReader"]

LASTING = frozenset({"wedge", "pedal", "octave-shift", "dashes", "bracket"})
_WEDGES = ("crescendo", "diminuendo")
_MOST_CHANGES = 40  # of a pedal, so that a value stays short


class LinesReader:
    """The lines of one part that are open, by kind, staff and number."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str, int], Moment] = {}
        self.moments: list[Moment] = []

    def read(self, element: Element, bar: int, at: Time, staff: int) -> None:
        """Begin, change or end a line."""
        kind, what = element.tag, element.get("type", "")
        key = kind, number_of(element), staff
        if what in ("stop", "discontinue") and not (kind == "pedal" and what == "discontinue"):
            self._stop(key, bar, at)
        elif what in ("change", "discontinue", "resume") and kind == "pedal":
            self._change(key, what, bar, at)
        elif what != "continue":
            value, name = self._value(element, kind, what), what if what in _WEDGES else kind
            moment = Moment(bar, at, name, value, staff)
            self._open[key] = moment
            self.moments.append(moment)

    def _value(self, element: Element, kind: str, what: str) -> str:
        """What a line says where it begins."""
        if kind == "octave-shift":
            size = element.get("size", "8").strip()
            return ("-" if what == "up" else "") + (size if size in ("8", "15", "22") else "8")
        if kind == "pedal":
            drawn = "line" if element.get("line") == "yes" else ""
            return " ".join(filter(None, (what if what == "sostenuto" else "", drawn)))
        return ""

    def _find(self, key: tuple[str, str, int]) -> tuple[str, str, int] | None:
        """The open line of that kind: of that number and staff, else of that number, else any."""
        kind, number, _ = key
        near = [other for other in self._open if other[0] == kind]
        same = [other for other in near if other[1] == number]
        return key if key in self._open else next(iter(same or near), None)

    def _stop(self, key: tuple[str, str, int], bar: int, at: Time) -> None:
        place = self._find(key)
        if place is not None:
            self._open.pop(place).stop = bar, at

    def _change(self, key: tuple[str, str, int], what: str, bar: int, at: Time) -> None:
        place = self._find(key)
        if place is not None:
            moment = self._open[place]
            moment.changes = [*moment.changes, (what, bar, at)][:_MOST_CHANGES]
