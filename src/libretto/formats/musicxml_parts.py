"""The part list: what each part is called, which instrument plays it, and its measures."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from libretto.errors import ScoreError, TooLarge
from libretto.formats.musicxml_bars import Instrument
from libretto.score import Voice, legal_name
from libretto.score.model import MAX_VOICES
from libretto.score.pitch import parse_pitch

__all__ = ["IGNORED", "Listed", "listed_parts", "measures_of"]

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
    measures: list[tuple[int, Element]] = field(default_factory=list)  # with their places in the piece


def listed_parts(root: Element) -> list[Listed]:
    """The parts in the order of the music, with unique legal names."""
    listing = {entry.get("id", ""): entry for entry in root.findall("part-list/score-part")}
    parts: list[Listed] = []
    taken: set[str] = set()
    music = measures_of(root) or [(identity, []) for identity in listing]
    if len(music) > MAX_VOICES:
        raise TooLarge(f"the score has more than {MAX_VOICES:,} parts")
    for identity, measures in music:
        part = _listed(listing.get(identity))
        part.measures, part.name = measures, _unique(part.name, taken)
        part.drums |= _mostly_unpitched([measure for _, measure in measures])
        taken.add(part.name)
        parts.append(part)
    return parts


def measures_of(root: Element) -> list[tuple[str, list[tuple[int, Element]]]]:
    """Part ids and their numbered measures, whether the file is written part by part or measure by measure."""
    if root.tag == "score-partwise":
        return [(part.get("id", ""), list(enumerate(part.iterfind("measure")))) for part in root.findall("part")]
    parts: dict[str, list[tuple[int, Element]]] = {}
    for index, measure in enumerate(root.iterfind("measure")):
        for part in measure.iterfind("part"):
            whole = Element("measure", measure.attrib)
            whole.extend(part)
            parts.setdefault(part.get("id", ""), []).append((index, whole))
    return list(parts.items())


def _listed(entry: Element | None) -> Listed:
    if entry is None:
        return Listed("Part", False, None, False, {})
    text = (entry.findtext("part-name") or "").strip()
    shown = text or (entry.findtext("score-instrument/instrument-name") or "").strip()
    midi = entry.findall("midi-instrument")
    channels = {(each.findtext("midi-channel") or "").strip() for each in midi}
    instruments = {each.get("id", ""): _instrument(each) for each in midi}
    return Listed(_name(shown), bool(text), _program(midi), _DRUM_CHANNEL in channels, instruments)


def _mostly_unpitched(measures: list[Element]) -> bool:
    """Whether percussion without pitch is most of what the part plays."""
    pitched = sum(note.find("pitch") is not None for measure in measures for note in measure.iterfind("note"))
    return sum(note.find("unpitched") is not None for m in measures for note in m.iterfind("note")) > pitched


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


def _name(text: str) -> str:
    """The name itself where a voice can bear it, else the nearest legal one."""
    try:
        return Voice(text).name
    except ScoreError:
        return legal_name(text)


def _unique(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} #{number}" in taken:
        number += 1
    return f"{name} #{number}"
