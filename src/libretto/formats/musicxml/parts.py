"""The part list: what each part is called, which instrument plays it, and its measures."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from libretto.errors import TooLarge
from libretto.formats.musicxml.bars import Bar, Instrument, Part
from libretto.score.pitch import parse_pitch
from libretto.score.validate import MAX_BARS, MAX_VOICES
from libretto.score.voice import fitting_name, unique_name

__all__ = ["IGNORED", "SOFTWARE", "Listed", "Parts"]

SOFTWARE = "Libretto"  #: how our own files name their maker

#: Elements that a Score has no place for: they are not even built.
# fmt: off
IGNORED = frozenset({
    "accidental", "arpeggiate", "articulations", "beam", "bracket", "clef", "credit", "dashes", "defaults",
    "fermata", "figured-bass", "glissando", "grouping", "level", "listening", "lyric", "measure-style",
    "midi-device", "miscellaneous", "non-arpeggiate", "octave-shift", "ornaments", "pedal", "play", "print",
    "relation", "rights", "slide", "slur", "source", "staff", "staff-details", "staves", "stem", "supports",
    "technical", "time-modification", "tuplet", "virtual-instrument", "wedge",
})
# fmt: on
_DRUM_CHANNEL = "10"


@dataclass
class Listed:
    """One part of the file."""

    name: str
    named: bool
    program: int | None
    drums: bool
    instruments: dict[str, Instrument]
    bars: int = 0  # read so far


class Parts:
    """Takes the measures of a file as they come, part by part or measure by measure, into written bars."""

    #: What is taken: (parent, tag).
    TAKEN = (("part", "measure"), ("measure", "part"))

    def __init__(self) -> None:
        self.listed: list[Listed] = []
        self.bars: list[Bar] = []
        self.exact = False
        self._seats: dict[str | int, tuple[Listed, Part]] = {}
        self._measure: Element | None = None
        self._measures = 0

    def take(self, stack: list[Element]) -> None:
        """Read one measure of one part; the elements above it say where it belongs."""
        if len(stack) != 3 or stack[0].tag not in ("score-partwise", "score-timewise"):
            return
        root, outer, music = stack
        if root.tag == "score-partwise":
            listed, reader = self._seat(root, id(outer), outer.get("id", ""))
            at, measure = listed.bars, music
        else:
            if outer is not self._measure:
                self._measure, self._measures = outer, self._measures + 1
            identity = music.get("id", "")
            listed, reader = self._seat(root, identity, identity)
            at, measure = self._measures - 1, outer
        if at >= MAX_BARS:
            raise TooLarge(f"the score has more than {MAX_BARS:,} bars")
        self.bars.extend(Bar() for _ in range(len(self.bars), at + 1))
        bar = self.bars[at]
        bar.number = bar.number or measure.get("number", "")
        bar.implicit |= measure.get("implicit") == "yes"
        reader.read(music, bar)
        listed.bars += 1

    def finish(self, root: Element) -> None:
        """Add parts without music, settle what is percussion, and give every part a name of its own."""
        self._look(root)
        waiting = [(id(part), part.get("id", "")) for part in root.findall("part")]
        if not waiting and not self._seats:
            waiting = [(identity, identity) for identity in self._listing]  # type: ignore[misc]
        for key, identity in waiting:
            self._seat(root, key, identity)
        taken: set[str] = set()
        for listed, reader in self._seats.values():
            listed.drums |= reader.unpitched > reader.pitched
            listed.name = unique_name(listed.name, taken)
            taken.add(listed.name)

    def _look(self, root: Element) -> None:
        """Read the head of the file, which comes before its music."""
        made = root.findall("identification/encoding/software")
        self.exact = any((each.text or "").startswith(SOFTWARE) for each in made)
        self._listing = {entry.get("id", ""): entry for entry in root.findall("part-list/score-part")}

    def _seat(self, root: Element, key: str | int, identity: str) -> tuple[Listed, Part]:
        if key not in self._seats:
            if not self._seats:
                self._look(root)
            if len(self._seats) == MAX_VOICES:
                raise TooLarge(f"the score has more than {MAX_VOICES:,} parts")
            listed = _listed(self._listing.get(identity))
            self._seats[key] = listed, Part(len(self._seats), listed.instruments, self.exact)
            self.listed.append(listed)
        return self._seats[key]


def _listed(entry: Element | None) -> Listed:
    if entry is None:
        return Listed("Part", False, None, False, {})
    text = (entry.findtext("part-name") or "").strip()
    shown = text or (entry.findtext("score-instrument/instrument-name") or "").strip()
    midi = entry.findall("midi-instrument")
    channels = {(each.findtext("midi-channel") or "").strip() for each in midi}
    instruments = {each.get("id", ""): _instrument(each) for each in midi}
    return Listed(fitting_name(shown), bool(text), _program(midi), _DRUM_CHANNEL in channels, instruments)


def _instrument(midi: Element) -> Instrument:
    """A drum key, with the spelling that our writer puts at the end of an id (``P1-Fs2`` is F#2)."""
    key = _small(midi.findtext("midi-unpitched"))
    read = parse_pitch(midi.get("id", "").rpartition("-")[2].replace("s", "#").replace("_", "-"))
    return Instrument(key, read[1] if read is not None and read[0] == key else None)


def _program(midi: list[Element]) -> int | None:
    return next((found for each in midi if (found := _small(each.findtext("midi-program"))) is not None), None)


def _small(text: str | None) -> int | None:
    """A MIDI number that MusicXML counts from 1."""
    text = (text or "").strip()
    return int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= 128 else None
