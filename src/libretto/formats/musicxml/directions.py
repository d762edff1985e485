"""What stands over the notes, both ways: tempo, dynamics, section marks and the signs that order the play."""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction
from typing import NamedTuple
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from libretto.formats.musicxml.chords import harmony_xml
from libretto.formats.musicxml.written import Bar, Time, number
from libretto.notation.marks import Metronome, chord_symbols, tempo_marks
from libretto.notation.sheet import PartSheet, Sheet
from libretto.score import legal_name
from libretto.score.time import bpm_text, micros_of_bpm
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["DirectionReader", "PlacedXml", "clean", "marks", "read_barline"]

_UNITS = {"breve": 8.0, "whole": 4.0, "half": 2.0, "quarter": 1.0, "eighth": 0.5, "16th": 0.25, "32nd": 0.125}
#: Velocities of the usual marks, for files that draw a mark without saying how it sounds.
_MARKS = {"pppp": 16, "ppp": 24, "pp": 36, "p": 49, "mp": 64, "mf": 80, "f": 96, "ff": 112, "fff": 124, "ffff": 127}
_FULL_VELOCITY = 90  # what 100 percent means
_SECTION = re.compile(r"(intro(duction)?|verse|(pre-?)?chorus|refrain|bridge|interlude|outro)( \w{1,3})?[.:]?\Z", re.I)
_WORDS = (
    ("da_capo", re.compile(r"(\w\. ?)?d\. ?c\.|da capo", re.I)),
    ("dal_segno", re.compile(r"d\. ?s\.|dal segno", re.I)),
    ("fine", re.compile(r"fine\.?\Z", re.I)),
    ("to_coda", re.compile(r"to coda", re.I)),
    ("coda", re.compile(r"coda\Z", re.I)),
)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_ENDINGS = 64
_LOUDEST = 127
_MOST_DOTS = 4
_SOUNDS = {
    "dacapo": "da_capo",
    "dalsegno": "dal_segno",
    "segno": "segno",
    "coda": "coda",
    "tocoda": "to_coda",
    "fine": "fine",
    "forward-repeat": "forward",
}


class DirectionReader:
    """The running state of one part: how loud it plays and which ending it is in."""

    def __init__(self) -> None:
        self.velocity = DEFAULT_VELOCITY
        self.ending: frozenset[int] = frozenset()
        self.closing = False

    def velocity_of(self, note: Element) -> int:
        """How hard a note is played: its own dynamics, else what the part has come to."""
        own = note.get("dynamics")
        return _velocity(own) if own else self.velocity

    def direction(self, element: Element, bar: Bar, at: Time) -> None:
        """Add what a direction says to the bar."""
        sound = element.find("sound")
        if sound is not None:
            self.sound(sound, bar, at)
        if sound is None or "tempo" not in sound.attrib:
            micros = next(filter(None, map(_metronome, element.findall("direction-type/metronome"))), None)
            if micros:
                bar.tempos.setdefault(round(at), micros)
        for kind in element.findall("direction-type"):
            for child in kind:
                self._drawn(child, bar, sound)

    def _drawn(self, child: Element, bar: Bar, sound: Element | None) -> None:
        """Add what one printed sign says to the bar; what a ``sound`` beside it says counts instead of the ink."""
        said = set(sound.attrib) if sound is not None else set()
        text = " ".join((child.text or "").split())
        if child.tag == "rehearsal" and text:
            bar.sections.append(legal_name(text, fallback="Section", label=True))
        elif child.tag == "words":
            _read_words(text, bar)
        elif child.tag in ("segno", "coda"):
            if not said & {"dalsegno", "tocoda"}:
                setattr(bar.signs, child.tag, True)
        elif child.tag == "dynamics" and "dynamics" not in said:
            self.velocity = next((_MARKS[mark.tag] for mark in child if mark.tag in _MARKS), self.velocity)

    def sound(self, element: Element, bar: Bar, at: Time) -> None:
        """Add what a sound element orders to the bar."""
        tempo, dynamics = element.get("tempo"), element.get("dynamics")
        if tempo:
            bpm = float(number(tempo, "tempo"))
            if bpm > 0:
                bar.tempos.setdefault(round(at), micros_of_bpm(bpm))
        if dynamics:
            self.velocity = _velocity(dynamics)
        for name, sign in _SOUNDS.items():
            if element.get(name, "no") != "no":
                setattr(bar.signs, sign, True)

    def end_bar(self, bar: Bar) -> None:
        """Note the ending the bar stands under, and close it where its bracket closes."""
        bar.signs.ending |= self.ending
        if self.closing or bar.signs.backward:
            self.ending, self.closing = frozenset(), False


def _read_words(text: str, bar: Bar) -> None:
    """Add what printed words mean to the bar: the name of a section, or a sign that orders the play."""
    if _SECTION.match(text):
        bar.spoken.append(legal_name(text, fallback="Section", label=True))
        return
    sign = next((sign for sign, pattern in _WORDS if pattern.match(text)), None)
    if sign is not None:
        setattr(bar.signs, sign, True)


def read_barline(element: Element, bar: Bar, directions: DirectionReader) -> None:
    """Add repeats, endings and signs of a bar line to its bar."""
    ending = element.find("ending")
    if ending is not None:
        if ending.get("type") == "start":
            directions.ending = frozenset(
                int(text) for text in re.findall(r"\d{1,2}", ending.get("number", ""))[:_MOST_ENDINGS]
            )
            directions.closing = False
        else:
            directions.closing = True
    repeat = element.find("repeat")
    if repeat is not None:
        if repeat.get("direction") == "forward":
            bar.signs.forward = True
        else:
            times = repeat.get("times", "2").strip()
            bar.signs.backward = int(times) if re.fullmatch(r"\d{1,3}", times) and int(times) else 2
    bar.signs.segno |= element.find("segno") is not None
    bar.signs.coda |= element.find("coda") is not None


def _velocity(percent: str) -> int:
    return max(1, min(_LOUDEST, round(number(percent, "dynamics") * _FULL_VELOCITY / 100)))


def _metronome(element: Element) -> int | None:
    """Microseconds a quarter from a printed metronome mark; None where it gives no figure."""
    unit = _UNITS.get((element.findtext("beat-unit") or "").strip())
    figure = re.search(r"\d{1,4}(\.\d{1,6})?", element.findtext("per-minute") or "")
    if unit is None or figure is None or not float(figure[0]):
        return None
    dots = len(element.findall("beat-unit-dot"))
    return micros_of_bpm(float(figure[0]) * unit * (2 - 0.5 ** min(dots, _MOST_DOTS)))


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
