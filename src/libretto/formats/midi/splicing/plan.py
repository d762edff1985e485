"""What is to be done to the events of a file: some go, some change, some move, some are new; all others stay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from libretto.formats.midi.bytes import END_OF_TRACK, meta_event
from libretto.formats.midi.events import META, Event, EventFile
from libretto.formats.midi.splicing.aligning import Clock

__all__ = ["AFTER", "BEFORE", "Place", "Plan", "with_data"]

Place = tuple[int, int]  #: the number of a track, and of an event in it
BEFORE, AFTER = -1, 1  #: whether a new event comes before or after those of the file at its tick
_END = 0x2F
_FIRST_STATUS = 0x80


class _New(NamedTuple):
    tick: int
    side: int
    rank: int
    message: bytes


@dataclass
class Plan:
    """The changes to a file, gathered; ``result`` carries them out."""

    file: EventFile
    clock: Clock
    gone: set[Place] = field(default_factory=set)
    changed: dict[Place, Event] = field(default_factory=dict)
    moved: dict[Place, int] = field(default_factory=dict)
    new: dict[int, list[_New]] = field(default_factory=lambda: defaultdict(list))
    tracks: list[bytes] = field(default_factory=list)  #: whole new tracks

    def tick(self, track: int, index: int) -> int:
        """When an event of the file will be."""
        if (track, index) in self.moved:
            return self.moved[track, index]
        return self.clock.moved(self.file.tracks[track].events[index])

    def add(self, track: int, tick: int, message: bytes, side: int = AFTER, rank: int = 0) -> None:
        """A new event; of one tick and side those of lesser rank come first, then those that were added first."""
        self.new[track].append(_New(tick, side, rank, message))

    def events(self) -> Iterator[tuple[int, int, Event]]:
        """Every event of the file that stays, as track, number and event."""
        for track, part in enumerate(self.file.tracks):
            for index, event in enumerate(part.events):
                if (track, index) not in self.gone:
                    yield track, index, self.changed.get((track, index), event)

    def result(self) -> bytes:
        """The file with all that done; tracks in which nothing happens keep their bytes."""
        touched = {track for track, _ in (*self.gone, *self.changed, *self.moved)} | set(self.new)
        if self.clock.more:
            touched |= set(range(len(self.file.tracks)))
        return self.file.written({track: self._track(track) for track in sorted(touched)}, self.tracks)

    def _track(self, number: int) -> list[tuple[int, Event | bytes]]:
        rows: list[tuple[int, int, int, int, Event | bytes]] = []
        end: tuple[int, Event | bytes] | None = None
        for index, event in enumerate(self.file.tracks[number].events):
            if (number, index) in self.gone:
                continue
            made, tick = self.changed.get((number, index), event), self.tick(number, index)
            if event.meta == _END:
                end = tick, made
            else:
                rows.append((tick, 0, 0, index, made))
        for order, new in enumerate(self.new.get(number, ())):
            rows.append((new.tick, new.side, new.rank, order, new.message))
        rows.sort(key=lambda row: row[:4])
        made_track = [(row[0], row[4]) for row in rows]
        last = made_track[-1][0] if made_track else 0
        if end is not None:
            made_track.append((max(end[0], last), end[1]))
        elif self.new.get(number):
            made_track.append((last, END_OF_TRACK[1:]))
        return made_track


def with_data(event: Event, data: bytes) -> Event:
    """The same event with other data, written as it was: with its status, or without where that runs on."""
    if event.status == META:
        return event._replace(data=data, raw=meta_event(event.meta, data))
    head = event.raw[:1] if event.raw[0] >= _FIRST_STATUS else b""
    return event._replace(data=data, raw=head + data)
