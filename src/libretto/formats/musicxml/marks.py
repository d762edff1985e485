"""What stands over the notes of the first part: section marks, tempi and chord symbols."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape

from libretto.formats.musicxml.chords import harmony_xml, needed
from libretto.notation.rhythm import is_compound
from libretto.notation.sheet import PartSheet, Sheet, in_force
from libretto.score import Meter
from libretto.score.chords import NO_CHORD
from libretto.score.time import bpm_text

__all__ = ["Mark", "clean", "marks"]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOTABLE = 0.04  # how much a tempo must change before it is printed


class Mark(NamedTuple):
    """Something over the notes: where in its bar, and its text around an offset."""

    at: Fraction
    before: str
    after: str


def clean(text: str) -> str:
    """Text as XML can hold it."""
    return escape(_UNPRINTABLE.sub("", text))


def marks(sheet: Sheet, part: PartSheet) -> list[list[Mark]]:
    """Sections, tempi and chord symbols for every bar, as the player of that part reads them."""
    found: list[list[Mark]] = [[] for _ in range(sheet.score.bars)]
    lines = sheet.score.bar_lines
    for tick, name in sheet.score.sections:
        text = f"<rehearsal>{clean(name)}</rehearsal>"
        over = f'<direction placement="above"><direction-type>{text}</direction-type>'
        found[bisect_left(lines, tick)].append(Mark(Fraction(0), over, "</direction>\n"))
    _tempi(sheet, found)
    _symbols(sheet, part, found)
    return [sorted(each, key=lambda mark: mark.at) for each in found]


def _tempi(sheet: Sheet, found: list[list[Mark]]) -> None:
    lines = sheet.score.bar_lines
    shown = _words(sheet) if sheet.style.engraved else None
    printed = 0.0
    bar = 0
    for tick, micros in sheet.score.tempos:
        while lines[bar + 1] <= tick:
            bar += 1
        bpm = 60_000_000 / micros
        sound = f'<sound tempo="{bpm_text(micros)}"'
        word = "" if shown is None else shown.get(tick)
        text = f'<words font-style="italic">{word}</words>' if word else ""
        if word == "" and abs(bpm - printed) > _NOTABLE * printed:
            minute = _per_minute(bpm, in_force(sheet.score.meters, lines[bar]), sheet.style.engraved)
            text, printed = f"<metronome>{minute}</metronome>", bpm
        if text:
            over = f'<direction placement="above"><direction-type>{text}</direction-type>'
            found[bar].append(Mark(Fraction(tick - lines[bar]), over, f"{sound}/></direction>\n"))
        else:
            found[bar].append(Mark(Fraction(tick - lines[bar]), f"{sound}>", "</sound>\n"))


def _words(sheet: Sheet) -> dict[int, str]:
    """The tempo changes worth showing, by tick: a metronome mark (empty) or a word for a run of changes.

    A tempo that lasts half a bar or more gets its mark. A run of shorter ones is played freely: it is a ``rit.`` or an
    ``accel.`` where it goes one way, and otherwise nothing.
    """
    score = sheet.score
    ticks = [tick for tick, _ in score.tempos] + [score.ticks]
    lasting = [
        2 * (stop - start) >= in_force(score.meters, start).ticks or index == 0
        for index, (start, stop) in enumerate(pairwise(ticks))
    ]
    shown: dict[int, str] = {}
    at = 0
    while at < len(lasting):
        stop = at
        while stop < len(lasting) and not lasting[stop]:
            stop += 1
        if stop == at:
            shown[ticks[at]] = ""
        else:
            run = [micros for _, micros in score.tempos[at - 1 : stop]]
            steps = [later - earlier for earlier, later in pairwise(run)]
            if max(run) > (1 + 2 * _NOTABLE) * min(run) and (min(steps) >= 0 or max(steps) <= 0):
                shown[ticks[at]] = "rit." if steps[0] > 0 else "accel."
        at = max(stop, at + 1)
    return shown


def _per_minute(bpm: float, meter: Meter, rounded: bool) -> str:
    """A metronome mark in the beats that a conductor shows: dotted in 6/8, halves in 2/2."""
    unit, quarters = "quarter", 1.0
    if is_compound(meter):
        unit, quarters = {8: ("quarter", 1.5), 16: ("eighth", 0.75)}.get(meter.unit, (unit, quarters))
    elif meter.unit == 2:
        unit, quarters = "half", 2.0
    elif meter.unit == 8:
        unit, quarters = "eighth", 0.5
    dot = "<beat-unit-dot/>" if quarters in (1.5, 0.75) else ""
    shown = round(bpm / quarters) if rounded else round(bpm / quarters, 2)
    return f"<beat-unit>{unit}</beat-unit>{dot}<per-minute>{max(shown, 1):g}</per-minute>"


def _symbols(sheet: Sheet, part: PartSheet, found: list[list[Mark]]) -> None:
    style, lines = sheet.style, sheet.score.bar_lines
    silent = all(label == NO_CHORD for labels in part.chords for label in labels)
    if style.engraved and (silent or not style.chords):
        return
    held: str | None = None if silent else NO_CHORD
    sections = {tick for tick, _ in sheet.score.sections} if style.engraved else set()
    for index, labels in enumerate(part.chords[: sheet.bars]):
        if lines[index] in sections and labels[0] != NO_CHORD:
            held = None  # a section begins with its chord, whatever came before
        length = lines[index + 1] - lines[index]
        for moment, label in needed(labels, held, in_force(sheet.score.meters, lines[index]).beats):
            before, after = harmony_xml(label, hidden=silent, pretty=style.engraved)
            found[index].append(Mark(moment * length, before, after))
        held = labels[-1]
