"""Every event of a MIDI file with its tick and its bytes as they stand, so that a file can be changed in one place.

Kept are running status, padded delta times, system exclusive messages and escapes, metas of any kind, what stands
behind the end of a track, chunks of other kinds, what comes before the header and after the last chunk. A track that
nobody changed is written with the bytes it had.

Left out: what the events mean. The reader takes what ``libretto.formats.midi.bytes`` would mend; what is cut off or
makes no sense is a FormatError of one line.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from libretto.errors import FormatError, TooLarge
from libretto.formats.midi.bytes import (
    END_OF_TRACK,
    MAX_BYTES,
    MAX_TRACKS,
    PORT,
    TEXT,
    data_bytes,
    header_at,
    meta_event,
    number_at,
    variable_length,
)

__all__ = ["BEND", "CONTROL", "META", "SYSTEM", "Event", "EventFile", "Track", "events_of", "tally_of", "track_chunk"]

META, SYSTEM = 0xFF, 0xF0  #: the status of a meta event; that of a system message, from where on none has a channel
CONTROL, BEND = 0xB0, 0xE0  #: kinds of messages beside those of ``bytes``
_KIND, _CHANNEL, _FIRST_STATUS = 0xF0, 0x0F, 0x80
_SYSEX = (0xF0, 0xF7)
_END = 0x2F
_LENGTHS = [data_bytes(status) for status in range(256)]  # of what follows a status
_CHUNK = 8  # bytes before the body of a chunk: its name and its length
_TRACKS_AT, _DIVISION_AT = 10, 12  # where a header says how many tracks there are, and how time is counted
T = TypeVar("T")
_LARGEST_DELTA = 2**28 - 1
_MOST_TRACKS = 2**16 - 1  # that a header can count


class Event(NamedTuple):
    """One event: its tick from the beginning of the track, what it is, and its bytes as they stand."""

    tick: int
    status: int  #: the whole status byte, also where running status leaves it out
    meta: int  #: the kind of a meta event; -1 for all others
    data: bytes  #: the data bytes of a message, the body of a meta event or system exclusive message
    delta: bytes  #: the delta time as written
    raw: bytes  #: everything after the delta time as written

    @property
    def kind(self) -> int:
        """The kind of message without its channel, such as 0x90; the status itself of all that has no channel."""
        return self.status & _KIND if self.status < SYSTEM else self.status

    @property
    def channel(self) -> int:
        """The channel of a message, from 0; -1 for what has none."""
        return self.status & _CHANNEL if self.status < SYSTEM else -1

    @property
    def message(self) -> bytes:
        """The event with its status, without its delta time."""
        return self.raw if self.raw[:1] >= b"\x80" else bytes((self.status,)) + self.raw


@dataclass(frozen=True)
class Track:
    """One track: its events, the end of the track last if it has one, and the bytes around them."""

    events: tuple[Event, ...]
    head: bytes  #: the name and length of the chunk as written
    tail: bytes  #: what stands between the end of the track and the end of the chunk
    body: bytes  #: the events as written

    @cached_property
    def port(self) -> int:
        """The port that the track asks for first; 0 where it asks for none."""
        return next((event.data[0] for event in self.events if event.meta == PORT and event.data), 0)

    @property
    def ends(self) -> bool:
        """Whether the track says where it ends."""
        return bool(self.events) and self.events[-1].meta == _END


@dataclass(frozen=True)
class EventFile:
    """A MIDI file as its parts in order: bytes that are no track, and tracks."""

    head: bytes  #: what comes before the header, and the header
    parts: tuple[bytes | Track, ...]
    format: int
    division: int

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        """The tracks in the order of the file."""
        return tuple(part for part in self.parts if isinstance(part, Track))

    def written(self, changed: Mapping[int, Iterable[tuple[int, Event | bytes]]], added: Iterable[bytes] = ()) -> bytes:
        """The file with other events in some tracks (by number), and further tracks behind the last."""
        out, number, more = [], 0, list(added)
        last = len(self.tracks) - 1
        for part in self.parts:
            if isinstance(part, bytes):
                out.append(part)
                continue
            if number in changed:
                body = _body(changed[number])
                out.append(part.head[:4] + struct.pack(">I", len(body) + len(part.tail)) + body + part.tail)
            else:
                out.append(part.head + part.body + part.tail)
            if number == last:
                out.extend(more)
            number += 1
        return self._header(len(more)) + b"".join(out)

    def _header(self, more: int) -> bytes:
        if not more:
            return self.head
        start = header_at(self.head)
        at = start + _TRACKS_AT
        count = int.from_bytes(self.head[at : at + 2], "big") + more
        if count > _MOST_TRACKS:
            raise FormatError("the file has no room for a further track")
        return self.head[:at] + struct.pack(">H", count) + self.head[at + 2 :]


def events_of(data: bytes) -> EventFile:
    """Read a MIDI file event by event; written back unchanged it has the same bytes."""
    start, at, parts = _parts(data, _track)
    number = int.from_bytes(data[start + _CHUNK : start + _CHUNK + 2], "big")
    division = int.from_bytes(data[start + _DIVISION_AT : start + _DIVISION_AT + 2], "big")
    return EventFile(data[:at], tuple(parts), number, division)


def tally_of(data: bytes) -> tuple[list[int], Counter[int]]:
    """How many events of each status a MIDI file has, and of each kind of meta; what ``events_of`` refuses is refused.

    It takes a tenth of the time in which the events are made.
    """
    statuses, metas = [0] * 256, Counter[int]()
    _parts(data, lambda data, at, stop: _tally(data, at + _CHUNK, stop, statuses, metas))
    return statuses, metas


def _parts(data: bytes, read: Callable[[bytes, int, int], T]) -> tuple[int, int, list[bytes | T]]:
    """Where the header of a file starts and ends, and its parts: other bytes as they stand, tracks as they are read."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    start = header_at(data)
    if start < 0 or len(data) < start + _DIVISION_AT + 2:
        raise FormatError("this is not a MIDI file: it has no MThd header")
    at = start + _CHUNK + int.from_bytes(data[start + 4 : start + _CHUNK], "big")
    end, tracks = at, 0
    parts: list[bytes | T] = []
    while at + _CHUNK <= len(data):
        stop = at + _CHUNK + int.from_bytes(data[at + 4 : at + _CHUNK], "big")
        if data[at : at + 4] != b"MTrk":
            parts.append(data[at:stop])
        elif stop > len(data):
            raise FormatError(f"the MIDI data is cut off: {stop - len(data):,} bytes of a track are missing")
        else:
            parts.append(read(data, at, stop))
            tracks += 1
        at = stop
    if at < len(data):
        parts.append(data[at:])
    if not 0 < tracks <= MAX_TRACKS:
        raise FormatError(f"the MIDI file has {tracks or 'no'} tracks")
    return start, end, parts


def _track(data: bytes, at: int, stop: int) -> Track:
    first = at + _CHUNK
    rows = list(_read(data, first, stop))
    last = rows[-1][1] if rows else first
    events = (event for event, _ in rows)
    return Track(tuple(events), data[at:first], data[last:stop], data[first:last])


def _read(data: bytes, at: int, stop: int) -> Iterator[tuple[Event, int]]:
    """The events of a track, each with where it ends; running status outlives metas and system messages."""
    running = tick = 0
    while at < stop:
        begin = at
        delta, at = (data[at], at + 1) if data[at] < _FIRST_STATUS else number_at(data, at, stop)
        if at >= stop:
            return  # a delta time with nothing behind it is kept as a tail
        tick += delta
        written = at
        status, meta = data[at], -1
        if status < _FIRST_STATUS:
            status = running
        else:
            at += 1
            running = status if status < SYSTEM else running
        if not status:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: data without a status)")
        if status == META and at < stop:
            meta, at = data[at], at + 1
        if status == META or status in _SYSEX:
            length, at = number_at(data, at, stop)
        else:
            length = _LENGTHS[status]
        end = at + length
        if end > stop:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: an event runs past the end of its track)")
        yield Event(tick, status, meta, data[at:end], data[begin:written], data[written:end]), end
        if meta == _END:
            return
        at = end


def _tally(data: bytes, at: int, stop: int, statuses: list[int], metas: Counter[int]) -> None:
    """Count the events of a track as ``_read`` would read them."""
    running = 0
    while at < stop:
        at = at + 1 if data[at] < _FIRST_STATUS else number_at(data, at, stop)[1]
        if at >= stop:
            return
        status = data[at]
        if status < _FIRST_STATUS:
            status = running
        else:
            at += 1
            running = status if status < SYSTEM else running
        if not status:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: data without a status)")
        meta, length = -1, _LENGTHS[status]
        if status >= SYSTEM:
            if status == META and at < stop:
                meta, at = data[at], at + 1
            if status == META or status in _SYSEX:
                length, at = number_at(data, at, stop)
        if at + length > stop:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: an event runs past the end of its track)")
        at += length
        statuses[status] += 1
        if status == META:
            metas[meta] += 1
            if meta == _END:
                return


def _body(events: Iterable[tuple[int, Event | bytes]]) -> bytes:
    """Events with their ticks, in order, as the bytes of a track; what needs no other bytes keeps those it had."""
    out: list[bytes] = []
    now = running = 0
    for tick, event in events:
        while tick - now > _LARGEST_DELTA:  # an empty text bridges a longer wait
            out.append(variable_length(_LARGEST_DELTA) + meta_event(TEXT, b""))
            now += _LARGEST_DELTA
        if isinstance(event, bytes):
            delta, raw, status = variable_length(tick - now), event, event[0]
        else:
            same = number_at(event.delta, 0, len(event.delta))[0] == tick - now
            delta = event.delta if same else variable_length(tick - now)
            raw = event.raw if event.raw[0] >= _FIRST_STATUS or running == event.status else event.message
            status = event.status
        out.append(delta + raw)
        if status < SYSTEM:
            running = status
        elif isinstance(event, bytes):
            running = 0  # many readers take no running status after a meta event
        now = tick
    return b"".join(out)


def track_chunk(events: Iterable[tuple[int, bytes]]) -> bytes:
    """A whole track of new events in order, with its end."""
    body = _body(events) + END_OF_TRACK
    return b"MTrk" + struct.pack(">I", len(body)) + body
