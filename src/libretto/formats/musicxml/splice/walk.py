"""A part read for editing: when each child of its measures stands, and what every note element sounds.

Times are ticks from the start of the measure, as our reader counts them (fractions until a note is placed).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from libretto.errors import FormatError
from libretto.formats.musicxml.splice.document import Node
from libretto.formats.musicxml.written import Time, number
from libretto.score import QUARTER
from libretto.score.pitch import fifths_of_semitones, parse_letter, pitch_class_of

__all__ = ["GRACE", "Measure", "Placed", "State", "XmlNote", "walk"]

GRACE = QUARTER // 8  #: how long our reader lets a grace note last
_SHARP = 7  # fifths from a letter to its sharp
_OCTAVE = 12
_TOP_PITCH = 127


@dataclass
class State:
    """What holds at a place of a part: its divisions, key signature as written, and transposition to its sound."""

    divisions: Time = 1
    key: int = 0
    chromatic: int = 0
    fifths: int = 0

    @property
    def tick(self) -> Time:
        """Ticks in one division."""
        tick = Fraction(QUARTER) / self.divisions
        return tick.numerator if tick.denominator == 1 else tick


@dataclass
class Placed:
    """A child of a measure and the time at which it stands, with its own offset left out."""

    node: Node
    at: Time
    index: int  # among the children


@dataclass
class XmlNote:
    """A note element that sounds: when, how high, where on the page."""

    node: Node
    at: int
    length: int
    pitch: int | None  # as it sounds; None for percussion without a pitch
    voice: str
    staff: int
    tie_in: bool
    tie_out: bool
    grace: bool
    main: int  # where the note stands that a grace note leads to; else the same as ``at``
    chromatic: int  # semitones from what is written to what sounds
    fifths: int  # the same on the line of fifths


@dataclass
class Measure:
    """One measure of one part."""

    node: Node
    number: str
    start: State  # after the attributes that open it
    children: list[Placed] = field(default_factory=list)
    notes: list[XmlNote] = field(default_factory=list)
    shifts: int = 0  # how often its divisions change after the first note
    end: Time = 0  # how far its music reaches
    cursor: Time = 0  # where its last element leaves off
    after: State = field(default_factory=State)  # what holds when it is over


def walk(part: Node) -> list[Measure]:
    """The measures of a part, in order."""
    state = State()
    measures = []
    for node in part.all("measure"):
        reader = _Walker(node, state)
        measures.append(reader.measure)
        state = reader.state
    return measures


class _Walker:
    """Goes through one measure."""

    def __init__(self, node: Node, state: State) -> None:
        self.state = state
        self.measure = Measure(node, node.attributes.get("number", ""), state)
        self.at: Time = 0
        self.onset: Time = 0
        self.graces: list[list[XmlNote]] = []
        self.begun = False
        for index, child in enumerate(node.children):
            self.measure.children.append(Placed(child, self.at, index))
            self._child(child)
        self._flush()
        self.measure.after, self.measure.cursor = self.state, self.at

    def _child(self, child: Node) -> None:
        if child.tag == "note":
            self._open()
            self._note(child)
        elif child.tag in ("backup", "forward"):
            self._open()
            self._flush()
            length = _number(child.said("duration")) * self.state.tick
            self.at = self.at + length if child.tag == "forward" else max(0, self.at - length)
            self.measure.end = max(self.measure.end, self.at)
        elif child.tag == "attributes":
            self._attributes(child)

    def _open(self) -> None:
        self.begun = True

    def _attributes(self, node: Node) -> None:
        old = self.state
        divisions, transpose = node.said("divisions"), node.find("transpose")
        chromatic, fifths = (old.chromatic, old.fifths) if transpose is None else _transposition(transpose)
        key = old.key
        for entry in node.all("key"):
            if entry.attributes.get("number", "1") == "1" and entry.said("fifths"):
                key = int(_number(entry.said("fifths")))
        value = _number(divisions) if divisions is not None else old.divisions
        if value <= 0:
            raise FormatError(f"measure {self.measure.number}: divisions must be above 0")
        self.state = State(value, key, chromatic, fifths)
        if not self.begun:
            self.measure.start = self.state
        elif value != old.divisions:
            self.measure.shifts += 1

    def _note(self, node: Node) -> None:
        tags = {child.tag for child in node.children}
        chord, grace = "chord" in tags, "grace" in tags
        length: Time = 0 if grace else _number(node.said("duration") or "0") * self.state.tick
        if not grace and not chord:
            self._flush()
            self.onset = self.at
            self.at += length
            self.measure.end = max(self.measure.end, self.at)
        if "rest" in tags or not (grace or length):
            return
        note = self._written(node, length, grace)
        if grace and chord and self.graces:
            self.graces[-1].append(note)
        elif grace:
            self.graces.append([note])
        else:
            self.measure.notes.append(note)

    def _written(self, node: Node, length: Time, grace: bool) -> XmlNote:
        ties = {tie.attributes.get("type") for tie in node.all("tie")}
        if node.find("tie") is None:
            drawn = [tied for notations in node.all("notations") for tied in notations.all("tied")]
            ties = {tied.attributes.get("type") for tied in drawn}
        start = round(self.onset)
        staff = node.said("staff") or "1"
        return XmlNote(
            node=node,
            at=start,
            length=GRACE if grace else max(1, round(self.onset + length) - start),
            pitch=self._pitch(node.find("pitch")),
            voice=node.said("voice") or "",
            staff=int(staff) if staff.isascii() and staff.isdigit() else 1,
            tie_in="stop" in ties,
            tie_out="start" in ties,
            grace=grace,
            main=start,
            chromatic=self.state.chromatic,
            fifths=self.state.fifths,
        )

    def _pitch(self, node: Node | None) -> int | None:
        letter = parse_letter((node.said("step") or "")[:1]) if node is not None else None
        if node is None or letter is None:
            return None
        alter = round(_number(node.said("alter") or "0"))
        pitch = _OCTAVE * (int(_number(node.said("octave"))) + 1) + pitch_class_of(letter) + alter
        pitch += self.state.chromatic
        while pitch < 0:
            pitch += _OCTAVE
        while pitch > _TOP_PITCH:
            pitch -= _OCTAVE
        return pitch

    def _flush(self) -> None:
        """Place the waiting grace notes one after another, ending where the measure has come to."""
        main = round(self.at)
        for index, group in enumerate(self.graces):
            for note in group:
                note.at, note.main = main - GRACE * (len(self.graces) - index), main
                self.measure.notes.append(note)
        self.graces = []


def _transposition(node: Node) -> tuple[int, int]:
    """Semitones and fifths from what is written to what sounds."""
    chromatic, diatonic = int(_number(node.said("chromatic") or "0")), int(_number(node.said("diatonic") or "0"))
    octaves = int(_number(node.said("octave-change") or "0"))
    fifths = _SHARP * chromatic - _OCTAVE * diatonic
    fifths = fifths if abs(fifths) <= _OCTAVE else fifths_of_semitones(chromatic)
    return max(-_TOP_PITCH, min(_TOP_PITCH, chromatic + _OCTAVE * octaves)), fifths


def _number(text: str | None) -> Time:
    return number(text or "0", "number")
