"""The bytes of a MIDI file: events put together, and got at; symusic reads, and what symusic refuses is mended first.

symusic refuses data bytes over 127, running status after a meta event, headers of another length and undefined
status bytes. ``mended`` writes such a file anew, keeping what a Score is made of: data bytes are clipped,
undefined messages left out. What is cut off, runs past the end of its track or counts time in SMPTE frames is a
FormatError of one line.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from itertools import islice
from sys import modules
from typing import Any, NamedTuple

from libretto.errors import FormatError, TooLarge

__all__ = [
    "END_OF_TRACK",
    "KEY",
    "MARKER",
    "MAX_BYTES",
    "MAX_TRACKS",
    "METER",
    "NOTE_OFF",
    "NOTE_ON",
    "PORT",
    "PROGRAM",
    "SEQUENCE_NAME",
    "TEMPO",
    "TEXT",
    "data_bytes",
    "header_at",
    "mended",
    "meta_event",
    "midi_file",
    "names_of",
    "number_at",
    "parse_midi",
    "text_of",
    "title_of",
    "variable_length",
]

MAX_BYTES = 16_000_000
MAX_TRACKS = 4_000
NOTE_OFF, NOTE_ON, PROGRAM = 0x80, 0x90, 0xC0  #: kinds of messages; the lower half of the byte is the channel
TEXT, SEQUENCE_NAME, MARKER, PORT, TEMPO, METER, KEY = 0x01, 0x03, 0x06, 0x21, 0x51, 0x58, 0x59  #: meta events
END_OF_TRACK = b"\x00\xff\x2f\x00"
_STATUS, _KIND, _SYSTEM, _META, _END = 0x80, 0xF0, 0xF0, 0xFF, 0x2F  # a status has the top bit; its kind the top half
_SYSEX = (0xF0, 0xF7)
_DATA_BYTES = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2, 0xF1: 1, 0xF2: 2, 0xF3: 1}
_KEPT_METAS = {SEQUENCE_NAME: 1, MARKER: 1, TEMPO: 3, METER: 4, KEY: 2}  # and how long they are at least
_SEVEN_BITS, _BITS = 0x7F, 7  # what a data byte holds
_LONGEST_WAIT = 2**28 - 1  # of a variable-length quantity of four bytes
_FORMAT = 1  # several tracks that sound together
_SMPTE = 0x8000
_CHUNK = 8  # bytes before the body of a chunk: its name and its length
_HEADER = 6  # bytes that the body of a header has at least
_LATEST_HEADER = 4096  # some files have other things before it
_MAX_MENDED_BYTES = 800_000  # mending is a hundred times slower than reading
_MAX_TITLE_EVENTS = 2_000
_CORE = "symusic.core"
_MAX_REASON = 120  # letters of what symusic says


def variable_length(number: int) -> bytes:
    """A number below 2**28 as a variable-length quantity."""
    parts = [number & _SEVEN_BITS]
    while number := number >> _BITS:
        parts.append(number & _SEVEN_BITS | _STATUS)
    return bytes(reversed(parts))


def meta_event(kind: int, body: bytes) -> bytes:
    """A meta event without its delta time."""
    return bytes((_META, kind)) + variable_length(len(body)) + body


def midi_file(division: int, tracks: Sequence[bytes]) -> bytes:
    """A format 1 file of finished tracks."""
    head = b"MThd" + struct.pack(">IHHH", _HEADER, _FORMAT, len(tracks), division)
    return head + b"".join(b"MTrk" + struct.pack(">I", len(track)) + track for track in tracks)


class _Event(NamedTuple):
    """One event: ticks since the one before, status, meta kind (or 0), and its data."""

    delta: int
    status: int
    kind: int
    body: bytes


def parse_midi(data: bytes) -> Any:
    """A symusic Score in ticks, of the file as it is or mended."""
    core = _symusic_core()
    data = _from_header(data)
    try:
        return core.ScoreTick.from_midi(data)
    except (RuntimeError, ValueError, IndexError) as error:
        reason = (
            (str(error).splitlines() or ["unreadable"])[0].removesuffix(": iostream error").rstrip(".!")[:_MAX_REASON]
        )
    if len(data) > _MAX_MENDED_BYTES:
        raise FormatError(f"the MIDI data is damaged ({reason})")
    try:
        return core.ScoreTick.from_midi(mended(data))
    except (RuntimeError, ValueError, IndexError):
        raise FormatError(f"the MIDI data is damaged ({reason})") from None


@cache
def _symusic_core() -> Any:
    """The compiled part of symusic, loaded by itself: the package around it imports what downloads soundfonts."""
    package = find_spec("symusic")
    places = package.submodule_search_locations if package is not None else None
    spec = PathFinder.find_spec(_CORE, places) if places else None
    if _CORE in modules or spec is None or spec.loader is None:
        return import_module(_CORE)
    modules[_CORE] = core = module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


def _from_header(data: bytes) -> bytes:
    """The file from its header on, if its size, tracks and clock are such that it may be read."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    start = header_at(data)
    if start < 0:
        raise FormatError("this is not a MIDI file: it has no MThd header")
    data = data[start:] if start else data
    if len(data) < _CHUNK + _HEADER or int.from_bytes(data[4:8], "big") < _HEADER:
        raise FormatError("the MIDI file ends within its header")
    division = int.from_bytes(data[12:14], "big")
    if not division:
        raise FormatError("the file divides the quarter note into no ticks")
    if division >= _SMPTE:
        raise FormatError("the file counts time in SMPTE frames, not in beats")
    tracks = sum(1 for _ in _chunks(data))
    if tracks > MAX_TRACKS:
        raise TooLarge(f"the file has {tracks:,} tracks; the limit is {MAX_TRACKS:,}")
    return data


def _chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each track's events begin and where they should end."""
    at = _CHUNK + int.from_bytes(data[4:8], "big")
    while at + _CHUNK <= len(data):
        stop = at + _CHUNK + int.from_bytes(data[at + 4 : at + _CHUNK], "big")
        if data[at : at + 4] == b"MTrk":
            yield at + _CHUNK, stop
        at = stop


def data_bytes(status: int) -> int:
    """How many data bytes follow a status that is no meta event and no system exclusive message."""
    return _DATA_BYTES.get(status if status >= _SYSTEM else status & _KIND, 0)


def header_at(data: bytes) -> int:
    """Where the header of a MIDI file begins; -1 where there is none."""
    return data.find(b"MThd", 0, _LATEST_HEADER)


def number_at(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """A variable-length quantity of at most four bytes, and what follows it."""
    value = 0
    for here in range(at, min(at + 4, stop)):
        value = value << _BITS | data[here] & _SEVEN_BITS
        if data[here] < _STATUS:
            return value, here + 1
    raise FormatError(f"the MIDI data is damaged (byte {at:,}: a number has no end)")


def _events(data: bytes, at: int, stop: int) -> Iterator[_Event]:
    """The events of a track up to its end; running status outlives meta events and system messages."""
    running = 0
    while at < stop:
        delta, at = number_at(data, at, stop)
        if at >= stop:
            break
        status, kind = data[at], 0
        if status < _STATUS:
            status = running
        else:
            at += 1
            running = status if status < _SYSTEM else running
        if not status:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: data without a status)")
        if status == _META and at < stop:
            kind, at = data[at], at + 1
        if status == _META or status in _SYSEX:
            length, at = number_at(data, at, stop)
        else:
            length = data_bytes(status)
        if at + length > stop:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: an event runs past the end of its track)")
        yield _Event(delta, status, kind, data[at : at + length])
        if status == _META and kind == _END:
            return
        at += length


def mended(data: bytes) -> bytes:
    """The same music as a file that any reader takes; a FormatError where the file is cut off or makes no sense."""
    tracks = []
    for start, stop in _chunks(data):
        if stop > len(data):
            raise FormatError(f"the MIDI data is cut off: {stop - len(data):,} bytes of a track are missing")
        tracks.append(_mended_track(data, start, stop))
    if not tracks:
        raise FormatError("the MIDI file has no tracks")
    return midi_file(int.from_bytes(data[12:14], "big"), tracks)


def _mended_track(data: bytes, start: int, stop: int) -> bytes:
    out, waited = [], 0
    for delta, status, kind, body in _events(data, start, stop):
        waited += delta
        if status == _META:
            kept = len(body) >= _KEPT_METAS.get(kind, stop)
            message = meta_event(kind, body)
        else:
            kept = status & _KIND in (NOTE_OFF, NOTE_ON, PROGRAM)
            message = bytes((status, *(min(value, _SEVEN_BITS) for value in body)))
        if kept:
            out.append(variable_length(min(waited, _LONGEST_WAIT)) + message)
            waited = 0
    return b"".join(out) + END_OF_TRACK


def text_of(raw: bytes) -> str:
    """Text of no stated encoding: UTF-8, else as Windows wrote it, else byte by byte."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def names_of(data: bytes) -> dict[str, str]:
    """What symusic makes of each track's name, and what the name is, where the two differ."""
    data = data[max(0, header_at(data)) :]
    names: dict[str, str] = {}
    for start, stop in _chunks(data):
        try:
            events = islice(_events(data, start, min(stop, len(data))), _MAX_TITLE_EVENTS)
            raw = next((e.body for e in events if e.status == _META and e.kind == SEQUENCE_NAME), b"")
        except FormatError:
            continue  # a damaged track keeps the name that symusic found
        names[raw.decode("utf-8", "replace")] = text_of(raw)
    return names


def title_of(data: bytes) -> bytes:
    """The sequence name as it stands: that of the first track, if that track plays nothing; else empty."""
    data = data[max(0, header_at(data)) :]
    start, stop = next(_chunks(data), (0, 0))
    name = b""
    if data.find(bytes((_META, SEQUENCE_NAME)), start, stop) < 0:
        return name  # and no event needs to be looked at
    try:
        for event in islice(_events(data, start, min(stop, len(data))), _MAX_TITLE_EVENTS):
            if event.status & _KIND == NOTE_ON:
                return b""
            if event.status == _META and event.kind == SEQUENCE_NAME:
                name = name or event.body
    except FormatError:
        pass  # what came before the damage still counts
    return name
