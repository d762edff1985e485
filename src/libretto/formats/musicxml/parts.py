"""The part list: what each part is called, which instrument plays it, and its measures."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from libretto.errors import TooLarge
from libretto.formats.musicxml.bars import PartReader
from libretto.formats.musicxml.written import OWN, SOFTWARE, Bar, ListedInstrument
from libretto.score.pitch import parse_pitch
from libretto.score.validate import MAX_BARS, MAX_VOICES
from libretto.score.voice import fitting_name, unique_name

__all__ = ["IGNORED", "ListedPart", "PartsReader"]

#: Elements that a Score has no place for: they are not even built.
# fmt: off
IGNORED = frozenset({
    "accidental", "beam", "credit", "defaults", "encoding-date", "encoding-description", "figured-bass", "grouping",
    "instrument-change", "level", "listen", "listening", "measure-style", "midi-device", "non-traditional-key",
    "part-symbol", "play", "print", "relation", "source", "staff-details", "stem", "supports",
    "time-modification", "tuplet", "virtual-instrument",
})
# fmt: on
_FIELDS = "identification/miscellaneous/miscellaneous-field"
_DRUM_CHANNEL = "10"
_MIDI_VALUES = 128


@dataclass
class ListedPart:
    """One part of the file."""

    name: str
    named: bool
    program: int | None
    drums: bool
    instruments: dict[str, ListedInstrument]
    own: frozenset[str] = frozenset()  # what our own writer says of it
    bars: int = 0  # read so far


class PartsReader:
    """Takes the measures of a file as they come, part by part or measure by measure, into written bars."""

    #: What is taken: (parent, tag).
    TAKEN = (("part", "measure"), ("measure", "part"))

    def __init__(self) -> None:
        self.listed: list[ListedPart] = []
        self.bars: list[Bar] = []
        self.exact = False
        self.own: frozenset[str] = frozenset()
        self._seats: dict[str | int, tuple[ListedPart, PartReader]] = {}
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
        self.bars.extend(Bar(index=index) for index in range(len(self.bars), at + 1))
        bar = self.bars[at]
        bar.number = bar.number or measure.get("number", "")
        bar.implicit |= measure.get("implicit") == "yes"
        reader.read(music, bar)
        listed.bars += 1

    @property
    def readers(self) -> list[PartReader]:
        """What read each part, in the order of the parts."""
        return [reader for _, reader in self._seats.values()]

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
        makers = root.findall("identification/encoding/software")
        self.exact = any((maker.text or "").startswith(SOFTWARE) for maker in makers)
        self.own = _own_words(root)
        self._listing = {entry.get("id", ""): entry for entry in root.findall("part-list/score-part")}

    def _seat(self, root: Element, key: str | int, identity: str) -> tuple[ListedPart, PartReader]:
        if key not in self._seats:
            if not self._seats:
                self._look(root)
            if len(self._seats) == MAX_VOICES:
                raise TooLarge(f"the score has more than {MAX_VOICES:,} parts")
            listed = _listed(self._listing.get(identity))
            self._seats[key] = listed, PartReader(len(self._seats), listed.instruments, self.exact)
            self.listed.append(listed)
        return self._seats[key]


def _listed(entry: Element | None) -> ListedPart:
    if entry is None:
        return ListedPart("Part", False, None, False, {})
    text = (entry.findtext("part-name") or "").strip()
    shown = text or (entry.findtext("score-instrument/instrument-name") or "").strip()
    midi = entry.findall("midi-instrument")
    channels = {(player.findtext("midi-channel") or "").strip() for player in midi}
    instruments = {player.get("id", ""): _instrument(player) for player in midi}
    drums = _DRUM_CHANNEL in channels
    return ListedPart(fitting_name(shown), bool(text), _program(midi), drums, instruments, _own_words(entry))


def _own_words(element: Element) -> frozenset[str]:
    """What our own writer says of a file, or of a part of it."""
    fields = [field for field in element.findall(_FIELDS) if field.get("name") == OWN]
    return frozenset(word for field in fields for word in (field.text or "").split())


def _instrument(midi: Element) -> ListedInstrument:
    """A drum key, with the spelling that our writer puts at the end of an id (``P1-Fs2`` is F#2)."""
    key = _small(midi.findtext("midi-unpitched"))
    named = parse_pitch(midi.get("id", "").rpartition("-")[2].replace("s", "#").replace("_", "-"))
    if named is None:
        return ListedInstrument(key, None)
    pitch, spelling = named
    return ListedInstrument(key, spelling if pitch == key else None)


def _program(midi: list[Element]) -> int | None:
    programs = (_small(player.findtext("midi-program")) for player in midi)
    return next((program for program in programs if program is not None), None)


def _small(text: str | None) -> int | None:
    """A MIDI number that MusicXML counts from 1."""
    text = (text or "").strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_MIDI_VALUES))
    return int(text) - 1 if is_number and 1 <= int(text) <= _MIDI_VALUES else None
