"""Written bars: what the measures of a MusicXML part say.

Grace notes are a 32nd long and stand before their note.
"""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from libretto.errors import FormatError
from libretto.formats.musicxml.attributes import AttributeReader, clipped
from libretto.formats.musicxml.barlines import BarlineReader
from libretto.formats.musicxml.chords import harmony_label
from libretto.formats.musicxml.directions import DirectionReader, staff_of
from libretto.formats.musicxml.notations import grace_value, note_signs
from libretto.formats.musicxml.slurs import SlurReader
from libretto.formats.musicxml.written import Bar, ListedInstrument, Moment, Sign, Time, WrittenNote, number
from libretto.notation.instruments import drum_at, drum_of, drum_spelling
from libretto.score import QUARTER, WHOLE
from libretto.score.pitch import parse_letter, pitch_class_of, spelling_range

__all__ = ["GRACE", "PartReader"]

GRACE = QUARTER // 8  #: ticks of a grace note
_SIMPLE_TYPES = {"breve": WHOLE * 2, "whole": WHOLE, "half": WHOLE // 2, "quarter": QUARTER, "eighth": QUARTER // 2}
_TYPES = _SIMPLE_TYPES | {"16th": QUARTER // 4, "32nd": QUARTER // 8, "64th": QUARTER // 16}
_SHARP = 7  # fifths from a letter to its sharp
_TOP_PITCH = 127
_MOST_OCTAVES, _MOST_ALTER = 12, 12  # beyond these an octave is refused (the format has 0 to 9), an alter clipped
_SLURS = ("slur-start", "slur-stop")
_SIGNED = frozenset({"notations", "lyric", "notehead", "cue", "grace"})  # elements that say more than a note's sound


class PartReader:
    """Reads the measures of one part in the order in which they are written."""

    def __init__(self, index: int, instruments: dict[str, ListedInstrument], exact: bool) -> None:
        self.index, self.instruments, self.exact = index, instruments, exact
        self.pitched = self.unpitched = 0
        self.directions = DirectionReader(leads=index == 0, exact=exact)
        self.moments = self.directions.moments
        self.attributes = AttributeReader(index, self.moments)
        self.barlines = BarlineReader(self.moments)
        self.slurs = SlurReader()

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
                self.at = self.attributes.read(element, bar, self.at)
            elif tag == "direction":
                self.directions.direction(element, bar, self.at + self._offset(element))
            elif tag == "sound":
                self.directions.sound(element, bar, self.at + self._offset(element))
            elif tag == "harmony":
                self._harmony(element)
            elif tag == "barline":
                self.barlines.read(element, bar)
        self._flush_graces(after=True)
        if self.notes:
            bar.notes[self.index] = self.notes
        self.barlines.end_bar(bar)
        self.slurs.end_bar()

    def _offset(self, element: Element) -> Time:
        text = element.findtext("offset")
        return number(text, "offset") * self.attributes.tick if text else 0

    def _duration(self, element: Element) -> Time:
        text = element.findtext("duration")
        if text is not None:
            length = number(text, "duration")
            if length < 0:
                raise FormatError(f"bar {self.bar.number}: a duration of {text.strip()} is not possible")
            return length * self.attributes.tick
        ticks = _TYPES.get((element.findtext("type") or "").strip(), 0)
        return ticks * 3 // 2 if element.find("dot") is not None else ticks

    def _move(self, length: Time, forward: bool) -> None:
        self._flush_graces(after=True)
        self.at = self.at + length if forward else max(0, self.at - length)
        if forward:
            self.bar.extent = max(self.bar.extent, self.at)

    def _harmony(self, element: Element) -> None:
        label = harmony_label(element, self.attributes.fifths, self.exact)
        if label is not None:
            self.bar.chords.append((self.at + self._offset(element), label))

    def _note(self, note: Element) -> None:
        has = {child.tag: child for child in note}
        chord, grace = "chord" in has, "grace" in has
        length = 0 if grace else self._duration(note)
        rest = has.get("rest")
        if not grace:
            self._go_on(length, chord, rest)
        if rest is not None:
            if "notations" in has or "lyric" in has:
                self._on_rest(note, has, length)
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
        if self.graces:
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
        cut = (
            self.exact
            and "stop" in ties
            and any(tied.get("line-type") == "solid" for tied in note.findall("notations/tied"))
        )
        layer = (has["voice"].text or "").strip() if "voice" in has else ""
        velocity = self.directions.velocity_of(note)
        signs = () if has.keys().isdisjoint(_SIGNED) else self._signs(note, has, pitch)
        staff = staff_of(note) or 1 if "staff" in has else 1
        return WrittenNote(
            start,
            max(1, stop - start),
            pitch,
            velocity,
            spelling,
            layer,
            "stop" in ties,
            "start" in ties,
            staff,
            signs,
            "grace" in has,
            cut,
        )

    def _signs(self, note: Element, has: dict[str, Element], pitch: int) -> list[Sign]:
        """What stands on a note; dynamics that hang on it stand over the part."""
        signs: list[Sign] = []
        note_signs(note, has, signs)
        if "cue" in has:
            signs.append(["cue", ""])
        if "grace" in has:
            signs.append(["grace", grace_value(note, has["grace"])])
        if "notehead" in has and "pitch" not in has:
            signs = [sign for sign in signs if sign[0] != "notehead" or sign[1] != drum_of(pitch).head]
        for sign in signs:
            if sign[0] in _SLURS:
                self.slurs.read(sign, self.onset)
        return self._without_dynamics(note, signs)

    def _without_dynamics(self, note: Element, signs: list[Sign]) -> list[Sign]:
        dynamics = [sign for sign in signs if sign[0] == "dynamics"]
        if not dynamics:
            return signs
        staff = staff_of(note)
        self.moments.extend(Moment(self.bar.index, self.onset, "dynamics", sign[1], staff) for sign in dynamics)
        return [sign for sign in signs if sign[0] != "dynamics"]

    def _on_rest(self, note: Element, has: dict[str, Element], length: Time) -> None:
        """Keep what stands over a rest as something over the part, as long as the rest."""
        signs: list[Sign] = []
        note_signs(note, has, signs)
        staff = staff_of(note)
        for kind, value in signs:
            moment = Moment(self.bar.index, self.onset, kind, value, staff)
            if kind != "dynamics":
                moment.stop = self.bar.index, self.onset + length
            self.moments.append(moment)

    def _flush_graces(self, after: bool = False) -> None:
        """Place the waiting grace notes one after another, ending where the bar has come to."""
        start = round(self.at) - GRACE * len(self.graces)
        for index, group in enumerate(self.graces):
            for note in group:
                if after:
                    note.signs[-1][1] += "after"
                self.notes.append(note._replace(at=start + index * GRACE, length=GRACE))
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
        alter = clipped(round(number(written.findtext("alter") or "0", "alter")), _MOST_ALTER)
        height = int(number(octave, "octave"))
        if abs(height) > _MOST_OCTAVES:
            raise FormatError(f"bar {self.bar.number}: a note has the octave {octave.strip()[:12]}; there are 0 to 9")
        pitch = 12 * (height + 1) + pitch_class_of(letter) + alter + self.attributes.chromatic
        while pitch < 0:
            pitch += 12
        while pitch > _TOP_PITCH:
            pitch -= 12
        return pitch, _fitting(letter + _SHARP * alter + self.attributes.fifths, pitch)

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


def _fitting(spelling: int, pitch: int) -> int:
    """The spelling itself, or the nearest usual one where it does not sound that pitch."""
    spelling = spelling_range(spelling)
    return spelling if pitch_class_of(spelling) == pitch % 12 else drum_spelling(pitch)
