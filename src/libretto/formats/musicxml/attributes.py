"""What a part says of its measures, as it is read: divisions, keys, meters, transposition, staves and clefs."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree.ElementTree import Element

from libretto.errors import FormatError
from libretto.formats.musicxml.written import Bar, Moment, Time, number
from libretto.score import QUARTER, Meter
from libretto.score.pitch import fifths_of_semitones

__all__ = ["AttributeReader", "clipped"]

_SHARP = 7  # fifths from a letter to its sharp; an octave of them and a chromatic semitone are 12 and 7
_TOP_PITCH = 127
_MOST_FIFTHS = 40  # figures beyond these are nonsense and are clipped
_MOST_SUMMED = 16  # numbers of a meter such as 3+2+2
_UNITS = ("1", "2", "4", "8", "16", "32", "64")
_SIGNS = ("G", "F", "C")
_MOST_STAVES = 9


class AttributeReader:
    """The running state of one part: the length of a division, how it transposes, its staves."""

    def __init__(self, index: int, moments: list[Moment]) -> None:
        self.index, self.moments = index, moments
        self.tick: Time = QUARTER
        self.chromatic = self.fifths = 0
        self.staves = 1

    def read(self, element: Element, bar: Bar, at: Time) -> Time:
        """Add what an ``attributes`` element says to its bar, and say where the bar has come to."""
        for child in element:
            tag = child.tag
            if tag == "divisions":
                at = self._divisions(child, bar, at)
            elif tag == "transpose":
                self._transpose(child)
            elif tag == "time":
                if bar.meter is None and child.find("senza-misura") is None:
                    bar.meter = _meter(child)
            elif tag == "staves":
                text = (child.text or "").strip()
                if len(text) == 1 and text.isdigit():
                    self.staves = max(self.staves, min(int(text), _MOST_STAVES))
            elif tag == "clef":
                self._clef(child, bar, at)
        self._keys(element, bar, at)  # last: a transposition counts for the keys beside it
        return at

    def _keys(self, element: Element, bar: Bar, at: Time) -> None:
        for key in element.findall("key"):
            fifths = key.findtext("fifths")
            if fifths is not None and key.get("number", "1") == "1":
                mode = (key.findtext("mode") or "").strip().lower()
                count = clipped(int(number(fifths, "fifths")), _MOST_FIFTHS)
                bar.keys.setdefault(self.index, {})[round(at)] = (count + self.fifths, mode)

    def _divisions(self, element: Element, bar: Bar, at: Time) -> Time:
        in_quarter = number(element.text, "divisions")
        if in_quarter <= 0:
            raise FormatError(f"bar {bar.number}: divisions must be above 0")
        tick = Fraction(QUARTER) / in_quarter
        self.tick = tick.numerator if tick.denominator == 1 else tick
        return round(at)  # fractions of different divisions do not add up to anything worth keeping

    def _transpose(self, element: Element) -> None:
        chromatic = int(number(element.findtext("chromatic") or "0", "transposition"))
        diatonic = int(number(element.findtext("diatonic") or "0", "transposition"))
        octaves = int(number(element.findtext("octave-change") or "0", "transposition"))
        fifths = _SHARP * chromatic - 12 * diatonic  # an interval's place on the line of fifths
        self.fifths = fifths if abs(fifths) <= 12 else fifths_of_semitones(chromatic)
        self.chromatic = clipped(chromatic + 12 * octaves, _TOP_PITCH)

    def _clef(self, element: Element, bar: Bar, at: Time) -> None:
        """Note a clef: its sign and line, and the octaves by which it sounds higher."""
        sign = (element.findtext("sign") or "").strip()
        line = (element.findtext("line") or "").strip()
        octaves = (element.findtext("clef-octave-change") or "").strip()
        if sign not in _SIGNS:
            value = sign.lower() if re.fullmatch(r"[A-Za-z]{1,20}", sign) else "none"
        else:
            value = sign + (line if re.fullmatch(r"[1-9]", line) else {"G": "2", "F": "4", "C": "3"}[sign])
        if re.fullmatch(r"[+-]?[1-3]", octaves):
            value += f"{int(octaves):+d}"
        staff = (element.get("number") or "1").strip()
        self.moments.append(Moment(bar.index, at, "clef", value, int(staff) if re.fullmatch(r"[2-9]", staff) else 0))


def clipped(value: int, most: int) -> int:
    """A number no further from 0 than the most there can be."""
    return max(-most, min(most, value))


def _meter(time: Element) -> Meter | None:
    """The meter of a time element; sums such as 3+2 are added up. None where it has none."""
    total = Fraction(0)
    units = [1]
    for beats, unit in zip(time.findall("beats"), time.findall("beat-type"), strict=False):
        below = (unit.text or "").strip()
        above = re.findall(r"\d{1,3}", beats.text or "")
        if not above or below not in _UNITS:
            return None
        units.append(int(below))
        total += Fraction(sum(map(int, above[:_MOST_SUMMED])), int(below))
    beats_in_all = total * max(units)
    meter = Meter(int(beats_in_all), max(units))
    return meter if meter.is_possible else None
