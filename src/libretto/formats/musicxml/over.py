"""What stands over the whole piece, as text in its first part: sections, tempi, words, chords, signs of order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction

from libretto.formats.musicxml.chords import harmony_xml
from libretto.formats.musicxml.elements import clean
from libretto.formats.musicxml.moments import PlacedXml
from libretto.notation.marked import is_written
from libretto.notation.marks import Metronome, chord_symbols, tempo_marks
from libretto.notation.sheet import PartSheet, Sheet
from libretto.score import Mark
from libretto.score.time import bpm_text

__all__ = ["marks"]

#: Signs that order the play: the attribute of ``sound`` that says each, and the words that are drawn for it.
_ORDERS = {
    "da-capo": ("dacapo", "D.C."),
    "dal-segno": ("dalsegno", "D.S."),
    "fine": ("fine", "Fine"),
    "to-coda": ("tocoda", "To Coda"),
}
_SWING = re.compile(r"(\d{1,2}):(\d{1,2})\Z")


def marks(sheet: Sheet, part: PartSheet) -> list[list[PlacedXml]]:
    """Sections, tempi, words and chord symbols for every bar, as the player of that part reads them."""
    over: list[list[PlacedXml]] = [[] for _ in range(sheet.score.bars)]
    for tick, name in sheet.score.sections:
        text = f"<rehearsal>{clean(name)}</rehearsal>"
        over[bisect_left(sheet.score.bar_lines, tick)].append(PlacedXml(Fraction(0), _above(text), "</direction>\n"))
    for bar, placed in _signs(sheet):
        over[bar].append(placed)
    for tempo in tempo_marks(sheet):
        sound = f'<sound tempo="{bpm_text(tempo.micros)}"'
        text = f'<words font-style="italic">{tempo.word}</words>' if tempo.word else _metronome_xml(tempo.metronome)
        before, after = (_above(text), f"{sound}/></direction>\n") if text else (f"{sound}>", "</sound>\n")
        over[tempo.bar].append(PlacedXml(Fraction(tempo.at), before, after))
    for symbol in chord_symbols(sheet, part):
        before, after = harmony_xml(symbol.label, hidden=symbol.hidden, pretty=sheet.style.engraved)
        over[symbol.bar].append(PlacedXml(symbol.at, before, after))
    return [sorted(placed, key=lambda mark: mark.at) for placed in over]


def _signs(sheet: Sheet) -> Iterator[tuple[int, PlacedXml]]:
    """The marks of the piece that are no bar lines, each with its bar."""
    score = sheet.score
    quiet = is_written(score)
    for mark in score.marks:
        bar = score.bar_at(mark.tick)
        at = Fraction(mark.tick - score.bar_lines[bar])
        drawn = _sign(mark, quiet)
        if drawn is not None:
            yield bar, PlacedXml(at, *drawn)


def _sign(mark: Mark, quiet: bool) -> tuple[str, str] | None:
    """A mark of the piece in two halves; ``quiet`` where the words for it stand on the page anyway."""
    if mark.kind == "words":
        text = f'<words font-weight="bold">{clean(mark.value)}</words>'
        return _above(text, ' system="only-top"'), "</direction>\n"
    if mark.kind in ("segno", "coda"):
        return _above(f"<{mark.kind}/>"), "</direction>\n"
    if mark.kind in _ORDERS:
        name, words = _ORDERS[mark.kind]
        if quiet:
            return f'<sound {name}="yes">', "</sound>\n"
        return _above(f"<words>{words}</words>"), f'<sound {name}="yes"/></direction>\n'
    swing = _SWING.match(mark.value) if mark.kind == "swing" else None
    if swing:
        ratio = f"<first>{swing[1]}</first><second>{swing[2]}</second><swing-type>eighth</swing-type>"
        return _above("<words>Swing</words>"), f"<sound><swing>{ratio}</swing></sound></direction>\n"
    return None


def _above(text: str, how: str = "") -> str:
    return f'<direction placement="above"{how}><direction-type>{text}</direction-type>'


def _metronome_xml(mark: Metronome | None) -> str:
    if mark is None:
        return ""
    dot = "<beat-unit-dot/>" if mark.dotted else ""
    return f"<metronome><beat-unit>{mark.unit}</beat-unit>{dot}<per-minute>{mark.per_minute:g}</per-minute></metronome>"
