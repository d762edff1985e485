"""What stands over one part, as text: dynamics, hairpins, pedals, words, octave lines, and clefs inside bars."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from libretto.formats.musicxml.elements import clean, clef_of_value, clef_xml
from libretto.formats.musicxml.lines import is_over_barline
from libretto.notation.marked import is_on_rest
from libretto.notation.sheet import PartSheet, Sheet
from libretto.score import Mark

__all__ = ["Over", "PlacedXml", "over_part"]

# fmt: off
_DYNAMICS = frozenset((
    "p", "pp", "ppp", "pppp", "ppppp", "pppppp", "f", "ff", "fff", "ffff", "fffff", "ffffff", "mp", "mf", "sf", "sfp",
    "sfpp", "fp", "rf", "rfz", "sfz", "sffz", "fz", "n", "pf", "sfzp",
))
# fmt: on
_WEDGES = ("crescendo", "diminuendo")
_CHANGE = re.compile(r"change@(\d{1,15})\Z")
_BEGINNINGS = ("resume", "sostenuto")  # of pedals, besides the usual
_ENDS = ("stop", "discontinue")
_LONE = (*_ENDS, "change")  # what may stand without a beginning
_LINES = frozenset((*_WEDGES, "bracket", "dashes", "octave-shift", "pedal"))
_FOREVER = 2**62  # ticks: a line that never ends keeps its number
_MOST_AT_ONCE = 16  # numbers that MusicXML has for lines
_SIZES = ("8", "15", "22")


class PlacedXml(NamedTuple):
    """Something over the notes: where in its bar, and its text around an offset."""

    at: Fraction
    before: str
    after: str


class Over:
    """What stands over the bars of one part: inside them, at their ends, clefs, and signs on rests."""

    def __init__(self, bars: int) -> None:
        self.inside: list[list[PlacedXml]] = [[] for _ in range(bars)]
        self.late: list[list[tuple[int, str]]] = [[] for _ in range(bars)]  # after all layers, at their times
        self.clefs: list[dict[int, list[str]]] = [{} for _ in range(bars)]  # by time
        self.rests: list[dict[tuple[int, int, int], list[Mark]]] = [{} for _ in range(bars)]  # by tick, length, staff


class _Line(NamedTuple):
    """A line over the notes: its mark, and the number that tells it from others open at once."""

    mark: Mark
    number: int


def over_part(sheet: Sheet, part: PartSheet) -> Over:
    """All that stands over a part and is its own."""
    over = Over(sheet.score.bars)
    lines = sheet.score.bar_lines
    end = lines[sheet.bars]
    events: list[tuple[int, int, str, str, bool]] = []
    for mark in part.voice.marks:
        if mark.on_note or mark.kind == "staves" or is_over_barline(mark):
            continue
        bar = min(bisect_right(lines, mark.tick) - 1, sheet.score.bars - 1)
        if mark.kind == "clef":
            _put_clef(over, mark, part, lines, end)
        elif is_on_rest(mark):
            over.rests[bar].setdefault((mark.tick, mark.length, mark.staff or 1), []).append(mark)
        elif mark.kind not in _LINES:
            events.append((mark.tick, 1, *_direction(_drawn(mark), mark), False))
    for line in _numbered(part.voice.marks):
        events += _line_events(line)
    for tick, _, before, after, closes in sorted(events, key=lambda event: event[:2]):
        _put(over, tick, before, after, lines, end, closes)
    return over


def _put(over: Over, tick: int, before: str, after: str, lines: Sequence[int], end: int, closes: bool) -> None:
    """Put an event into its bar; what ends on a bar line, or stands at the end of the piece, comes last in its bar."""
    tick = min(tick, lines[-1])
    if tick == end - 1 and not closes:
        tick, closes = end, True
    bar = (bisect_left(lines, tick) if closes else bisect_right(lines, tick)) - 1
    bar = max(0, min(bar, len(lines) - 2))
    at = tick - lines[bar]
    if tick == lines[bar + 1]:
        over.late[bar].append((at, before + after))
    else:
        over.inside[bar].append(PlacedXml(Fraction(at), before, after))


def _put_clef(over: Over, mark: Mark, part: PartSheet, lines: Sequence[int], end: int) -> None:
    text = clef_xml(clef_of_value(mark.value), (mark.staff or 1) if len(part.clefs) > 1 else None)
    if mark.tick >= end - 1:
        bar = bisect_left(lines, end) - 1
        over.late[bar].append((end - lines[bar], f"<attributes>{text}</attributes>\n"))
    else:
        bar = bisect_right(lines, mark.tick) - 1
        over.clefs[bar].setdefault(mark.tick - lines[bar], []).append(text)


def _direction(text: str, mark: Mark, above: bool = True) -> tuple[str, str]:
    """A direction around an element, in two halves."""
    place = "above" if above and mark.kind not in ("dynamics", *_WEDGES, "pedal") else "below"
    staff = f"<staff>{mark.staff}</staff>" if mark.staff else ""
    return f'<direction placement="{place}"><direction-type>{text}</direction-type>', f"{staff}</direction>\n"


def _drawn(mark: Mark) -> str:
    """The element of something that does not last."""
    value = clean(mark.value)
    if mark.kind == "dynamics":
        inside = f"<{value}/>" if value in _DYNAMICS else f"<other-dynamics>{value}</other-dynamics>"
        return f"<dynamics>{inside}</dynamics>"
    if mark.kind == "words":
        return f"<words>{value}</words>"
    if mark.kind in ("string-mute", "principal-voice"):
        return f'<{mark.kind} type="{value or "start"}"/>'
    if mark.kind in ("other-direction", "rehearsal", "symbol"):
        return f"<{mark.kind}>{value}</{mark.kind}>"
    if mark.kind in ("damp", "eyeglasses"):
        return f"<{mark.kind}/>"
    return f"<other-direction>{clean(f'{mark.kind} {mark.value}'.strip())}</other-direction>"


def _numbered(marks: Sequence[Mark]) -> Iterator[_Line]:
    """The lines of a part, those of one kind that are open at once with different numbers."""
    busy: dict[str, list[int]] = {}
    for mark in marks:
        if mark.on_note or mark.kind not in _LINES:
            continue
        until = busy.setdefault("wedge" if mark.kind in _WEDGES else mark.kind, [])
        free = (index for index, stop in enumerate(until) if stop <= mark.tick)
        which = min(next(free, len(until)), _MOST_AT_ONCE - 1)
        if which == len(until):
            until.append(0)
        until[which] = mark.tick + mark.length if mark.length or mark.value in _LONE else _FOREVER
        yield _Line(mark, which + 1)


def _line_events(line: _Line) -> Iterator[tuple[int, int, str, str, bool]]:
    """Where a line begins, changes and ends: tick, rank at that tick, the two halves, and whether it ends there."""
    mark, number = line
    numbered = f'number="{number}"'
    if mark.value in _LONE and not mark.length:  # to which no beginning belongs
        kind = "wedge" if mark.kind in _WEDGES else mark.kind
        yield mark.tick, 0, *_direction(f'<{kind} type="{mark.value}" {numbered}/>', mark), True
        return
    start, stop, drawn = _ends_of(mark, numbered)
    for change in filter(None, map(_CHANGE.match, mark.value.split() if mark.kind == "pedal" else ())):
        yield mark.tick + int(change[1]), 2, *_direction(f'<pedal type="change" {drawn}/>', mark), False
    yield mark.tick, 1, *_direction(start, mark), False
    if mark.length:
        yield mark.tick + mark.length, 0, *_direction(stop, mark), True


def _ends_of(mark: Mark, numbered: str) -> tuple[str, str, str]:
    """The elements with which a line begins and ends, and the attributes that they share."""
    words = mark.value.split()
    if mark.kind in _WEDGES:
        return f'<wedge type="{mark.kind}" {numbered}/>', f'<wedge type="stop" {numbered}/>', numbered
    if mark.kind == "octave-shift":
        size = mark.value.lstrip("-")
        drawn = f'size="{size if size in _SIZES else "8"}" {numbered}'
        how = "up" if mark.value.startswith("-") else "down"
        return f'<octave-shift type="{how}" {drawn}/>', f'<octave-shift type="stop" {drawn}/>', drawn
    if mark.kind == "pedal":
        drawn = f'line="{"yes" if "line" in words else "no"}" {numbered}'
        how = next((word for word in words if word in _BEGINNINGS), "start")
        end = "discontinue" if "discontinue" in words else "stop"
        return f'<pedal type="{how}" {drawn}/>', f'<pedal type="{end}" {drawn}/>', drawn
    drawn = numbered + (' line-end="none"' if mark.kind == "bracket" else "")
    return f'<{mark.kind} type="start" {drawn}/>', f'<{mark.kind} type="stop" {drawn}/>', drawn
