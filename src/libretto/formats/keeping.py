"""What two files have in common, counted in their bytes: how much of one is in its edited copy as it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from libretto.formats.midi.bytes import KEY, MARKER, METER, NOTE_OFF, NOTE_ON, PROGRAM, SEQUENCE_NAME, TEMPO, TEXT
from libretto.formats.midi.events import BEND, CONTROL, META, Event, events_of

__all__ = ["Kept", "kept_between"]

_LATEST_HEADER = 4096  # some MIDI files have other things before theirs
_NAMES = {NOTE_OFF: "note-off", NOTE_ON: "note-on", CONTROL: "controller", BEND: "pitch bend", PROGRAM: "program"}
_METAS = {TEXT: "text", MARKER: "marker", TEMPO: "tempo", METER: "meter", KEY: "key", SEQUENCE_NAME: "name"}


@dataclass(frozen=True)
class Kept:
    """How much of a file is in its edited copy as it was, and what was taken out and put in, by kind."""

    unit: str
    same: int
    out: dict[str, int]
    new: dict[str, int]

    def line(self) -> str:
        """All that in one line."""
        parts = [f"{self.same:,} {self.unit} as they were, byte for byte"]
        for word, counts in (("taken out", self.out), ("put in", self.new)):
            if counts:
                parts.append(f"{', '.join(f'{count:,} {kind}' for kind, count in counts.items())} {word}")
        return "; ".join(parts)


def kept_between(before: bytes, after: bytes) -> Kept:
    """What two MIDI files, or two MusicXML files, have in common.

    An event is the same if track, tick and bytes are, an element of MusicXML if part, measure and bytes are; where bars
    were put in between, ticks and measures of what comes later do not count.
    """
    old, new = _items(before), _items(after)
    shared = (old & new).total()
    if shared * 2 < old.total():
        old, new = _untimed(old), _untimed(new)
        shared = (old & new).total()
    unit = "events" if b"MThd" in before[:_LATEST_HEADER] else "elements"
    return Kept(unit, shared, _by_kind(old - new), _by_kind(new - old))


Items = Counter[tuple[int, int, str, bytes]]  # the track or part, the tick or measure, what it is, its bytes


def _items(data: bytes) -> Items:
    """The events of a MIDI file, or the elements inside the measures of a MusicXML file."""
    if b"MThd" in data[:_LATEST_HEADER]:
        tracks = enumerate(events_of(data).tracks)
        return Counter((n, event.tick, _name(event), event.message) for n, track in tracks for event in track.events)
    from libretto.formats.musicxml.safe import unpack
    from libretto.formats.musicxml.splice.document import Document, as_utf8

    document = Document(as_utf8(unpack(data) if data[:2] == b"PK" else data))
    return Counter(
        (part, bar, child.tag, document.raw(child))
        for part, node in enumerate(document.root.all("part"))
        for bar, measure in enumerate(node.all("measure"))
        for child in measure.children
    )


def _name(event: Event) -> str:
    if event.status == META:
        return _METAS.get(event.meta, "other")
    return _NAMES.get(event.kind, "other")


def _untimed(items: Items) -> Items:
    counts: Items = Counter()
    for (place, _, kind, raw), number in items.items():
        counts[place, 0, kind, raw] += number
    return counts


def _by_kind(items: Items) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for (_, _, kind, _), number in items.items():
        counts[kind] += number
    return dict(sorted(counts.items()))
