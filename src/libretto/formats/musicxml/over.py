"""What stands over the notes, as MusicXML text: sections, tempi, chord symbols."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction
from typing import NamedTuple
from xml.sax.saxutils import escape

from libretto.formats.musicxml.chords import harmony_xml
from libretto.notation.marks import Metronome, chord_symbols, tempo_marks
from libretto.notation.sheet import PartSheet, Sheet
from libretto.score.time import bpm_text

__all__ = ["PlacedXml", "clean", "marks"]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class PlacedXml(NamedTuple):
    """Something over the notes: where in its bar, and its text around an offset."""

    at: Fraction
    before: str
    after: str


def clean(text: str) -> str:
    """Text as XML can hold it."""
    return escape(_UNPRINTABLE.sub("", text))


def marks(sheet: Sheet, part: PartSheet) -> list[list[PlacedXml]]:
    """Sections, tempi and chord symbols for every bar, as the player of that part reads them."""
    over: list[list[PlacedXml]] = [[] for _ in range(sheet.score.bars)]
    for tick, name in sheet.score.sections:
        text = f"<rehearsal>{clean(name)}</rehearsal>"
        over[bisect_left(sheet.score.bar_lines, tick)].append(PlacedXml(Fraction(0), _above(text), "</direction>\n"))
    for tempo in tempo_marks(sheet):
        sound = f'<sound tempo="{bpm_text(tempo.micros)}"'
        text = f'<words font-style="italic">{tempo.word}</words>' if tempo.word else _metronome_xml(tempo.metronome)
        before, after = (_above(text), f"{sound}/></direction>\n") if text else (f"{sound}>", "</sound>\n")
        over[tempo.bar].append(PlacedXml(Fraction(tempo.at), before, after))
    for symbol in chord_symbols(sheet, part):
        before, after = harmony_xml(symbol.label, hidden=symbol.hidden, pretty=sheet.style.engraved)
        over[symbol.bar].append(PlacedXml(symbol.at, before, after))
    return [sorted(placed, key=lambda mark: mark.at) for placed in over]


def _above(text: str) -> str:
    return f'<direction placement="above"><direction-type>{text}</direction-type>'


def _metronome_xml(mark: Metronome | None) -> str:
    if mark is None:
        return ""
    dot = "<beat-unit-dot/>" if mark.dotted else ""
    return f"<metronome><beat-unit>{mark.unit}</beat-unit>{dot}<per-minute>{mark.per_minute:g}</per-minute></metronome>"
