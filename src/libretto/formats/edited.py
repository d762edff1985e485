"""An edited piece put back into the file that it came from, and what that file lost on the way, counted.

Where the file can be spliced, everything that was not edited stays as it was, and how much that is, is counted in the
bytes of both files. Where it cannot (another format, a broken file), the piece is written whole, and what is lost is
counted by reading it back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field

from libretto.errors import FormatError
from libretto.formats.format import Format
from libretto.formats.losses import loss_line, lost_between
from libretto.formats.midi.bytes import KEY, MARKER, METER, NOTE_OFF, NOTE_ON, PROGRAM, SEQUENCE_NAME, TEMPO, TEXT
from libretto.formats.midi.events import BEND, CONTROL, META, Event, events_of
from libretto.formats.musicxml.container import compressed
from libretto.formats.musicxml.safe import unpack
from libretto.formats.musicxml.splice.document import Document, as_utf8
from libretto.score import Score, Voice
from libretto.score.marks import still_there

__all__ = ["Edited", "Kept", "edited_bytes", "kept_between", "same_file"]

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


@dataclass(frozen=True)
class Edited:
    """The bytes of the edited file; what was kept where it was spliced, why not and what was lost where it was not."""

    data: bytes
    format: str
    kept: Kept | None = None
    why: str = ""
    lost: dict[str, int] = field(default_factory=dict)

    def line(self) -> str:
        """What a person should know of it: what was kept, or what was lost."""
        if self.kept is not None:
            return f"everything else in the file is untouched: {self.kept.line()}"
        why = f" ({self.why})" if self.why else ""
        return f"the file is written anew{why}; {loss_line(self.lost, self.format, 'nothing that was read is lost')}"

    def to_dict(self) -> dict[str, object]:
        """The same as plain values."""
        kept = None if self.kept is None else asdict(self.kept)
        return {"spliced": self.kept is not None, "kept": kept, "why": self.why, "lost": self.lost}


def edited_bytes(data: bytes, source: Format, after: Score, target: Format) -> Edited:
    """The edited piece as a file of the target format: spliced into the source's bytes wherever that can be done."""
    why = ""
    if source.splice is not None and source.splice is target.splice:
        try:
            data = same_file(data, source, target) or data
            before = source.decode(data)
            if _signs_differ(before, after):
                raise FormatError("marks or controls were changed, which are not spliced")
            made = source.splice(data, before, after)
            return Edited(made, target.name, kept_between(data, made))
        except FormatError as error:
            why = str(error)
    made = target.encode(after)
    lost = source.left_out(data, source.decode(data)) if source.left_out is not None else {}
    return Edited(made, target.name, why=why, lost=lost | lost_between(after, target.decode(made)))


def _signs_differ(before: Score, after: Score) -> bool:
    """Whether marks or controls differ on notes that are in both pieces, or over a voice or the whole."""
    if before.bar_lines != after.bar_lines:
        return False  # bars were put in: everything moves, and comes from the file
    if before.marks != after.marks:
        return True
    heirs = {voice.name: voice for voice in after.voices}
    return any(_differ(voice, heirs[voice.name]) for voice in before.voices if voice.name in heirs)


def _differ(old: Voice, new: Voice) -> bool:
    if old.controls.tobytes() != new.controls.tobytes():
        return True
    if old.marks == new.marks:
        return False
    there = [still_there(voice.marks, other.array) for voice, other in ((old, new), (new, old))]
    return there[0] != there[1]


def same_file(data: bytes, source: Format, target: Format) -> bytes | None:
    """The file as it is where both formats can hold the same bytes (MIDI, MusicXML); None where it must be written."""
    if source.splice is None or source.splice is not target.splice:
        return None
    if source is target:
        return data
    return unpack(data) if data[:2] == b"PK" else compressed(data)


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
