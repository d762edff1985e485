"""Notes of a voice that go, change or come, as events of the part it was read from."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from libretto.errors import FormatError
from libretto.formats.midi.bytes import NOTE_OFF, NOTE_ON
from libretto.formats.midi.events import EventFile, events_of
from libretto.formats.midi.splicing.difference import Difference
from libretto.formats.midi.splicing.pairs import Note, Part, paired
from libretto.formats.midi.splicing.plan import AFTER, BEFORE, Place, Plan, with_data

__all__ = [
    "PLAYED",
    "Fresh",
    "Sounding",
    "alter",
    "fresh_notes",
    "move",
    "proved",
    "put_in",
    "stop_style",
    "take_out",
]

PLAYED = 2  #: the rank of a new start among new events of its tick: after what it is to be played with
_TOP = 127


class Fresh(NamedTuple):
    """A new note on the clock of the file."""

    part: Part
    start: int
    stop: int
    pitch: int
    velocity: int


class Sounding:
    """The notes that stay, when they will sound: by key, by part and by channel; and all notes, for the proof."""

    def __init__(self, file: EventFile) -> None:
        self._ports = [track.port for track in file.tracks]
        self._by_key: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
        self.spans: dict[Part, list[tuple[int, int]]] = defaultdict(list)
        self.starts: dict[Place, list[tuple[int, int, int]]] = defaultdict(list)  #: by track and channel
        self.notes: Counter[tuple[Part, int, int, int, int]] = Counter()
        self.stopped: set[tuple[int, int, int, int]] = set()  #: track, channel, pitch and start of what never stopped

    def add(self, part: Part, on: int, start: int, stop: int, pitch: int, velocity: int) -> None:
        """One more note, with the number of the event that starts it."""
        self._by_key[(*self.channel_of(part), pitch)].append((start, stop))
        self.spans[part].append((start, stop))
        self.starts[part.track, part.channel].append((start, on, part.program))
        self.notes[part, start, stop, pitch, velocity] += 1

    def settle(self) -> None:
        """Put the notes of every key in order, once all are there."""
        for spans in self._by_key.values():
            spans.sort()

    def channel_of(self, part: Part) -> tuple[int, int]:
        """The port and channel of a part."""
        return self._ports[part.track], part.channel

    def starts_on(self, where: tuple[int, int]) -> list[int]:
        """When notes start on a channel, in order."""
        spans = (spans for part, spans in self.spans.items() if self.channel_of(part) == where)
        return sorted(start for some in spans for start, _ in some)

    def next_start(self, where: tuple[int, int], low: int, high: int) -> int:
        """The first start on a channel between two ticks; the second where there is none."""
        return min((start for start in self.starts_on(where) if low <= start <= high), default=high)

    def fitted(self, part: Part, start: int, stop: int, pitch: int) -> int:
        """Where a new note stops so that neither cuts the other: by the next start, and not within a sounding one."""
        spans = self._by_key.get((*self.channel_of(part), pitch), [])
        behind = bisect_right(spans, start, key=_start)
        held = max((end for _, end in spans[:behind] if end > start), default=0)
        ahead = spans[behind][0] if behind < len(spans) else stop
        return max(held, min(stop, ahead))


def _start(span: tuple[int, int]) -> int:
    return span[0]


def move(plan: Plan, part: Part, note: Note, later: int, sounding: Sounding) -> None:
    """A note that stays, later by so many ticks than in the file."""
    for index, tick in ((note.on, note.start), (note.off, note.stop)):
        if plan.tick(part.track, index) != tick + later:
            plan.moved[part.track, index] = tick + later
    sounding.add(part, note.on, note.start + later, note.stop + later, note.pitch, note.velocity)


def take_out(plan: Plan, part: Part, note: Note) -> None:
    """A note that goes, with both its events."""
    plan.gone |= {(part.track, note.on), (part.track, note.off)}


def alter(plan: Plan, part: Part, note: Note, later: int, old: Any, new: Any, sounding: Sounding) -> None:
    """A note that becomes higher, lower, louder, softer, longer or shorter; ``old`` and ``new`` are rows of the voice.

    Doubles of a note keep the difference of their velocities.
    """
    events = plan.file.tracks[part.track].events
    pitch = int(new["pitch"])
    velocity = min(_TOP, max(1, note.velocity + int(new["velocity"]) - int(old["velocity"])))
    start, stop = note.start + later, note.stop + later
    if old["duration"] != new["duration"]:
        stop = start + max(1, plan.clock.file_tick(int(new["duration"])))
    on, off = events[note.on], events[note.off]
    plan.changed[part.track, note.on] = with_data(on, bytes((pitch, velocity)))
    plan.changed[part.track, note.off] = with_data(off, bytes((pitch,)) + off.data[1:])
    plan.moved[part.track, note.on], plan.moved[part.track, note.off] = start, stop
    sounding.add(part, note.on, start, stop, pitch, velocity)


def fresh_notes(plan: Plan, part: Part, change: Difference, array: NDArray[Any]) -> list[Fresh]:
    """The new notes of a voice, on the clock of the file."""
    made = []
    for row in change.new:
        onset, duration, pitch, velocity, _ = array[row].tolist()
        start = plan.clock.file_tick(onset)
        made.append(Fresh(part, start, max(start + 1, plan.clock.file_tick(onset + duration)), pitch, velocity))
    return made


def stop_style(file: EventFile, track: int) -> tuple[int, int]:
    """How notes are stopped in a track, or else in the file: by which kind of message, with which velocity."""
    for tracks in (file.tracks[track : track + 1], file.tracks):
        styles = Counter(
            (event.kind, event.data[1])
            for part in tracks
            for event in part.events
            if event.kind == NOTE_OFF or (event.kind == NOTE_ON and not event.data[1])
        )
        if styles:
            return styles.most_common(1)[0][0]
    return NOTE_OFF, 0


def put_in(plan: Plan, notes: list[Fresh], sounding: Sounding, stray: Sequence[Place] = ()) -> list[Fresh]:
    """Write new notes into their tracks, each stopping where it cuts no other; returns them as written.

    Of one voice and pitch the first to start is the first to stop, as readers have it. A start that the file never
    stops (``stray`` has such) is stopped where a new note strikes its key again.
    """
    styles = {track: stop_style(plan.file, track) for track in {note.part.track for note in notes}}
    made = [note._replace(stop=sounding.fitted(note.part, note.start, note.stop, note.pitch)) for note in notes]
    made = _first_to_stop(made)
    for note in made:
        kind, release = styles[note.part.track]
        on = bytes((NOTE_ON | note.part.channel, note.pitch, note.velocity))
        plan.add(note.part.track, note.start, on, AFTER, PLAYED)
        plan.add(note.part.track, note.stop, bytes((kind | note.part.channel, note.pitch, release)), BEFORE)
        sounding.notes[note.part, note.start, note.stop, note.pitch, note.velocity] += 1
    for (track, channel, pitch), start in _hanging(plan, stray):
        keys = (n.start for n in made if (n.part.track, n.part.channel, n.pitch) == (track, channel, pitch))
        again = min((tick for tick in keys if tick >= start), default=None)
        if again is not None:
            kind, release = styles[track]
            plan.add(track, again, bytes((kind | channel, pitch, release)), AFTER)
            sounding.stopped.add((track, channel, pitch, start))
    return made


def _hanging(plan: Plan, stray: Sequence[Place]) -> list[tuple[tuple[int, int, int], int]]:
    """Starts that nothing stops: track, channel and pitch, and when."""
    made = []
    for track, index in stray:
        event = plan.changed.get((track, index), plan.file.tracks[track].events[index])
        if event.kind == NOTE_ON and event.data[1]:
            made.append(((track, event.channel, event.data[0]), plan.tick(track, index)))
    return made


def _first_to_stop(notes: list[Fresh]) -> list[Fresh]:
    groups: dict[tuple[int, int, int], list[Fresh]] = defaultdict(list)
    for note in notes:
        groups[note.part.track, note.part.channel, note.pitch].append(note)
    made: list[Fresh] = []
    for group in groups.values():
        stops = sorted(note.stop for note in group)
        group.sort(key=lambda note: note.start)
        made += [note._replace(stop=max(stop, note.start + 1)) for note, stop in zip(group, stops, strict=True)]
    return sorted(made, key=lambda note: (note.start, note.part, note.pitch, note.stop))


def proved(data: bytes, sounding: Sounding, added: int) -> bytes:
    """The finished file if it holds the notes that it should; a FormatError where some would cut others."""
    file = events_of(data)
    parts, _ = paired(file)
    first = len(file.tracks) - added
    heard = Counter(
        (part, note.start, note.stop, note.pitch, note.velocity)
        for part, notes in parts.items()
        if part.track < first
        for note in notes
        if (part.track, part.channel, note.pitch, note.start) not in sounding.stopped
    )
    if heard != sounding.notes:
        raise FormatError("new notes of the same pitch and channel would cut notes that stay")
    return data
