"""Lines over the notes of a part, from where they begin to where they end: hairpins, pedals, octave lines, dashes."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from libretto.formats.musicxml.notations import number_of
from libretto.formats.musicxml.written import Moment, Time

__all__ = ["LASTING", "LinesReader"]

LASTING = frozenset({"wedge", "pedal", "octave-shift", "dashes", "bracket"})
_WEDGES = ("crescendo", "diminuendo")
_ENDS = ("stop", "discontinue")
_Place = tuple[str, str, int]
_MOST_CHANGES = 16  # of a pedal in one value, so that it stays short; others are said one by one
_MOST_EARLY = 16  # ends that may wait for their beginnings
_MOST_STAVES = 9


class LinesReader:
    """The lines of one part that are open, by kind, number and staff.

    An end to which no beginning belongs is kept as it stands: a moment that says ``stop``.
    """

    def __init__(self) -> None:
        self._open: dict[_Place, Moment] = {}
        self._early: list[tuple[_Place, Moment]] = []  # ends of a bar whose beginnings may yet come, in other layers
        self.moments: list[Moment] = []

    def read(self, element: Element, bar: int, at: Time, staff: int) -> None:
        """Begin, change or end a line."""
        kind, what = element.tag, element.get("type", "")
        place = kind, number_of(element), staff
        if what in _ENDS:
            self._stop(place, what, bar, at)
        elif what == "change":
            self._change(place, bar, at)
        elif what != "continue":
            moment = Moment(bar, at, what if what in _WEDGES else kind, _value(element, kind, what), staff)
            self.moments.append(moment)
            if not self._ended_before(place, moment):
                self._open[place] = moment

    def _ended_before(self, place: _Place, moment: Moment) -> bool:
        """Whether the end of a line was read before its beginning, as where layers of a bar follow one another."""
        for entry in self._early:
            other, end = entry
            if other[:2] == place[:2] and end.bar == moment.bar and end.at > moment.at:
                moment.stop = end.bar, end.at
                self._early.remove(entry)
                end.kind = ""  # it is said with its beginning
                return True
        return False

    def _find(self, place: _Place) -> _Place | None:
        """The open line of that kind and number: on that staff, else on another."""
        if place in self._open:
            return place
        others = ((*place[:2], staff) for staff in range(_MOST_STAVES + 1))
        return next((other for other in others if other in self._open), None)

    def _stop(self, place: _Place, what: str, bar: int, at: Time) -> None:
        line = self._find(place)
        if line is None:
            end = Moment(bar, at, _WEDGES[-1] if place[0] == "wedge" else place[0], what, place[2])
            self.moments.append(end)
            waiting = [entry for entry in self._early[-_MOST_EARLY:] if entry[1].bar == bar]
            self._early = [*waiting, (place, end)]
            return
        moment = self._open.pop(line)
        moment.stop = bar, at
        if what != "stop":
            moment.value = f"{moment.value} {what}".strip()

    def _change(self, place: _Place, bar: int, at: Time) -> None:
        line = self._find(place)
        moment = self._open[line] if line is not None else None
        if moment is not None and len(moment.changes) < _MOST_CHANGES:
            moment.changes.append(("change", bar, at))
        else:
            self.moments.append(Moment(bar, at, place[0], "change", place[2]))


def _value(element: Element, kind: str, what: str) -> str:
    """What a line says where it begins."""
    if kind == "octave-shift":
        size = element.get("size", "8").strip()
        return ("-" if what == "up" else "") + (size if size in ("8", "15", "22") else "8")
    if kind == "pedal":
        drawn = "line" if element.get("line") == "yes" else ""
        return " ".join(filter(None, (what if what != "start" else "", drawn)))
    return ""
