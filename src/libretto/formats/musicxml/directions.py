"""What is written over the notes: tempo, dynamics, section marks and the signs that order the play."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from libretto.errors import FormatError
from libretto.score import legal_name
from libretto.score.time import micros_of_bpm
from libretto.score.voice import DEFAULT_VELOCITY

if TYPE_CHECKING:
    from libretto.formats.musicxml.bars import Bar

__all__ = ["Directions", "number", "read_barline"]

_NUMBER = re.compile(r"\s*([+-]?(?:\d{1,12}(?:\.\d{0,9})?|\.\d{1,9}))(?:(?<=\.\d{9})\d*)?\s*\Z")
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
_SOUNDS = {
    "dacapo": "da_capo",
    "dalsegno": "dal_segno",
    "segno": "segno",
    "coda": "coda",
    "tocoda": "to_coda",
    "fine": "fine",
    "forward-repeat": "forward",
}


def number(text: str | None, what: str) -> int | Fraction:
    """A number as written, exactly; a FormatError where it is none or is absurdly long."""
    if text and text.isdigit() and text.isascii() and len(text) <= 12:  # nearly every number there is
        return int(text)
    found = _NUMBER.match(text or "")
    if not found:
        raise FormatError(f"{(text or '').strip()[:40]!r} is not a number ({what})")
    value = Fraction(found[1])
    return value.numerator if value.denominator == 1 else value


class Directions:
    """The running state of one part: how loud it plays and which ending it is in."""

    def __init__(self) -> None:
        self.velocity = DEFAULT_VELOCITY
        self.ending: frozenset[int] = frozenset()
        self.closing = False

    def velocity_of(self, note: Element) -> int:
        """How hard a note is played: its own dynamics, else what the part has come to."""
        own = note.get("dynamics")
        return _velocity(own) if own else self.velocity

    def direction(self, element: Element, bar: Bar, at: int | Fraction) -> None:
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
        text = " ".join((child.text or "").split())
        if child.tag == "rehearsal" and text:
            bar.sections.append(legal_name(text, fallback="Section", label=True))
        elif child.tag == "words" and _SECTION.match(text):
            bar.spoken.append(legal_name(text, fallback="Section", label=True))
        elif child.tag == "words":
            for sign, pattern in _WORDS:
                if pattern.match(text):
                    setattr(bar.signs, sign, True)
                    return
        elif child.tag in ("segno", "coda"):
            if sound is None or not {"dalsegno", "tocoda"} & set(sound.attrib):
                setattr(bar.signs, child.tag, True)
        elif child.tag == "dynamics" and (sound is None or "dynamics" not in sound.attrib):
            self.velocity = next((_MARKS[mark.tag] for mark in child if mark.tag in _MARKS), self.velocity)

    def sound(self, element: Element, bar: Bar, at: int | Fraction) -> None:
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


def read_barline(element: Element, bar: Bar, directions: Directions) -> None:
    """Add repeats, endings and signs of a bar line to its bar."""
    ending = element.find("ending")
    if ending is not None:
        if ending.get("type") == "start":
            directions.ending = frozenset(int(text) for text in re.findall(r"\d{1,2}", ending.get("number", ""))[:64])
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
    return max(1, min(127, round(number(percent, "dynamics") * _FULL_VELOCITY / 100)))


def _metronome(element: Element) -> int | None:
    """Microseconds a quarter from a printed metronome mark; None where it gives no figure."""
    unit = _UNITS.get((element.findtext("beat-unit") or "").strip())
    figure = re.search(r"\d{1,4}(\.\d{1,6})?", element.findtext("per-minute") or "")
    if unit is None or figure is None or not float(figure[0]):
        return None
    dots = len(element.findall("beat-unit-dot"))
    return micros_of_bpm(float(figure[0]) * unit * (2 - 0.5 ** min(dots, 4)))
