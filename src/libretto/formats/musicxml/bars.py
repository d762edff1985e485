"""Written bars: what the measures of a MusicXML part say, before anything is repeated.

Grace notes are a 32nd long and stand before their note.
"""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree.ElementTree import Element

from libretto.errors import FormatError
from libretto.formats.musicxml.chords import harmony_label
from libretto.formats.musicxml.directions import DirectionReader, read_barline
from libretto.formats.musicxml.written import Bar, ListedInstrument, Time, WrittenNote, number
from libretto.notation.instruments import drum_at, drum_spelling
from libretto.score import QUARTER, WHOLE, Meter
from libretto.score.pitch import fifths_of_semitones, parse_letter, pitch_class_of, spelling_range

__all__ = ["PartReader"]

_GRACE = QUARTER // 8
_SIMPLE_TYPES = {"breve": WHOLE * 2, "whole": WHOLE, "half": WHOLE // 2, "quarter": QUARTER, "eighth": QUARTER // 2}
_TYPES = _SIMPLE_TYPES | {"16th": QUARTER // 4, "32nd": QUARTER // 8, "64th": QUARTER // 16}
_SHARP = 7  # fifths from a letter to its sharp; an octave of them and a chromatic semitone are 12 and 7
_TOP_PITCH = 127
_MOST_FIFTHS, _MOST_OCTAVES, _MOST_ALTER = 40, 60, 12  # figures beyond these are nonsense and are clipped
_MOST_SUMMED = 16  # numbers of a meter such as 3+2+2
_UNITS = ("1", "2", "4", "8", "16", "32", "64")


class PartReader:
    """Reads the measures of one part in the order in which they are written."""

    def __init__(self, index: int, instruments: dict[str, ListedInstrument], exact: bool) -> None:
        self.index, self.instruments, self.exact = index, instruments, exact
        self.pitched = self.unpitched = 0
        self.tick: Time = QUARTER
        self.chromatic = self.fifths = 0
        self.directions = DirectionReader()

    def read(self, measure: Element, bar: Bar) -> None:
        """Add what one measure holds to its bar."""
        self.bar, self.at, self.onset = bar, 0, 0  # type: Bar, Time, Time
        self.notes: list[WrittenNote] = []
        self.graces: list[list[WrittenNote]] = []
        for element in measure:
            tag = element.tag
            if tag == "note":
                self._note(element)
            elif tag in ("backup", "forward"):
                self._move(self._duration(element), forward=tag == "forward")
            elif tag == "attributes":
                self._attributes(element)
            elif tag == "direction":
                self.directions.direction(element, bar, self.at + self._offset(element))
            elif tag == "sound":
                self.directions.sound(element, bar, self.at + self._offset(element))
            elif tag == "harmony":
                self._harmony(element)
            elif tag == "barline":
                read_barline(element, bar, self.directions)
        self._flush_graces()
        if self.notes:
            bar.notes[self.index] = self.notes
        self.directions.end_bar(bar)

    def _offset(self, element: Element) -> Time:
        text = element.findtext("offset")
        return number(text, "offset") * self.tick if text else 0

    def _duration(self, element: Element) -> Time:
        text = element.findtext("duration")
        if text is not None:
            length = number(text, "duration")
            if length < 0:
                raise FormatError(f"bar {self.bar.number}: a duration of {text.strip()} is not possible")
            return length * self.tick
        ticks = _TYPES.get((element.findtext("type") or "").strip(), 0)
        return ticks * 3 // 2 if element.find("dot") is not None else ticks

    def _move(self, length: Time, forward: bool) -> None:
        self._flush_graces()
        self.at = self.at + length if forward else max(0, self.at - length)
        if forward:
            self.bar.extent = max(self.bar.extent, self.at)

    def _attributes(self, element: Element) -> None:
        divisions = element.findtext("divisions")
        if divisions is not None:
            in_quarter = number(divisions, "divisions")
            if in_quarter <= 0:
                raise FormatError(f"bar {self.bar.number}: divisions must be above 0")
            tick = Fraction(QUARTER) / in_quarter
            self.tick = tick.numerator if tick.denominator == 1 else tick
            self.at = round(self.at)  # fractions of different divisions do not add up to anything worth keeping
        transpose = element.find("transpose")
        if transpose is not None:
            self._transpose(transpose)
        for key in element.findall("key"):
            fifths = key.findtext("fifths")
            if fifths is not None and key.get("number", "1") == "1":
                mode = (key.findtext("mode") or "").strip().lower()
                count = _clipped(int(number(fifths, "fifths")), _MOST_FIFTHS)
                self.bar.keys.setdefault(self.index, {})[round(self.at)] = (count + self.fifths, mode)
        for time in element.findall("time"):
            if self.bar.meter is None and time.find("senza-misura") is None:
                self.bar.meter = _meter(time)

    def _transpose(self, element: Element) -> None:
        chromatic = int(number(element.findtext("chromatic") or "0", "transposition"))
        diatonic = int(number(element.findtext("diatonic") or "0", "transposition"))
        octaves = int(number(element.findtext("octave-change") or "0", "transposition"))
        fifths = _SHARP * chromatic - 12 * diatonic  # an interval's place on the line of fifths
        self.fifths = fifths if abs(fifths) <= 12 else fifths_of_semitones(chromatic)
        self.chromatic = _clipped(chromatic + 12 * octaves, _TOP_PITCH)

    def _harmony(self, element: Element) -> None:
        label = harmony_label(element, self.fifths, self.exact)
        if label is not None:
            self.bar.chords.append((self.at + self._offset(element), label))

    def _note(self, note: Element) -> None:
        has = {child.tag: child for child in note}
        chord, grace = "chord" in has, "grace" in has
        length = 0 if grace else self._duration(note)
        if not grace:
            self._go_on(length, chord, has.get("rest"))
        if "rest" in has or "cue" in has:
            return
        written = self._written(note, has, length)
        if grace and chord and self.graces:
            self.graces[-1].append(written)
        elif grace:
            self.graces.append([written])
        elif length > 0:
            self.notes.append(written)

    def _go_on(self, length: Time, chord: bool, rest: Element | None) -> None:
        """Move to where the next note begins; the notes of a chord begin where its first did."""
        bar = self.bar
        if chord:
            bar.extent = max(bar.extent, self.onset + length)
            return
        self._flush_graces()
        self.onset = self.at
        self.at += length
        if rest is not None and rest.get("measure") == "yes":
            bar.rest = max(bar.rest, self.at)
        else:
            bar.extent = max(bar.extent, self.at)

    def _written(self, note: Element, has: dict[str, Element], length: Time) -> WrittenNote:
        """The note that an element writes, at the present place."""
        pitch, spelling = self._pitch(note, has.get("pitch"))
        start, stop = round(self.onset), round(self.onset + length)
        ties: set[str | None] = set()
        if "tie" in has or "notations" in has:
            path = "tie" if "tie" in has else "notations/tied"
            ties = {tie.get("type") for tie in note.findall(path)}
        layer = (has["voice"].text or "").strip() if "voice" in has else ""
        velocity = self.directions.velocity_of(note)
        return WrittenNote(
            start, max(1, stop - start), pitch, velocity, spelling, layer, "stop" in ties, "start" in ties
        )

    def _flush_graces(self) -> None:
        """Place the waiting grace notes one after another, ending where the bar has come to."""
        start = round(self.at) - _GRACE * len(self.graces)
        for index, group in enumerate(self.graces):
            self.notes.extend(note._replace(at=start + index * _GRACE, length=_GRACE) for note in group)
        self.graces = []

    def _pitch(self, note: Element, written: Element | None) -> tuple[int, int]:
        if written is None:
            self.unpitched += 1
            return self._drum(note)
        self.pitched += 1
        step = (written.findtext("step") or "").strip()
        letter = parse_letter(step[:1])
        octave = written.findtext("octave")
        if letter is None or octave is None or len(step) != 1:
            raise FormatError(f"bar {self.bar.number}: a note has no pitch that can be read")
        alter = _clipped(round(number(written.findtext("alter") or "0", "alter")), _MOST_ALTER)
        height = _clipped(int(number(octave, "octave")), _MOST_OCTAVES)
        pitch = 12 * (height + 1) + pitch_class_of(letter) + alter + self.chromatic
        while pitch < 0:
            pitch += 12
        while pitch > _TOP_PITCH:
            pitch -= 12
        return pitch, _fitting(letter + _SHARP * alter + self.fifths, pitch)

    def _drum(self, note: Element) -> tuple[int, int]:
        instrument = note.find("instrument")
        known = self.instruments.get(instrument.get("id", "")) if instrument is not None else None
        if known is None and instrument is None and len(self.instruments) == 1:
            known = next(iter(self.instruments.values()))
        if known is not None and known.key is not None:
            spelling = known.spelling if known.spelling is not None else drum_spelling(known.key)
            return known.key, spelling
        step = (note.findtext("unpitched/display-step") or "").strip()
        octave = (note.findtext("unpitched/display-octave") or "4").strip()
        head = (note.findtext("notehead") or "normal").strip()
        key = drum_at(step, int(octave) if re.fullmatch(r"\d", octave) else 4, head)
        return key, drum_spelling(key)


def _clipped(value: int, most: int) -> int:
    """A number no further from 0 than the most there can be."""
    return max(-most, min(most, value))


def _fitting(spelling: int, pitch: int) -> int:
    """The spelling itself, or the nearest usual one where it does not sound that pitch."""
    spelling = spelling_range(spelling)
    return spelling if pitch_class_of(spelling) == pitch % 12 else drum_spelling(pitch)


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
