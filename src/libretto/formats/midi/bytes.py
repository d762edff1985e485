"""The bytes a MIDI file is put together from."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from libretto.errors import FormatError, TooLarge

__all__ = [
    "END_OF_TRACK",
    "MAX_BYTES",
    "MAX_TRACKS",
    "mended",
    "meta_event",
    "midi_file",
    "names_of",
    "parse_midi",
    "text_of",
    "title_of",
    "variable_length",
]

END_OF_TRACK = b"\x00\xff\x2f\x00"


def variable_length(number: int) -> bytes:
    """A number below 2**28 as a variable-length quantity."""
    parts = [number & 0x7F]
    while number := number >> 7:
        parts.append(number & 0x7F | 0x80)
    return bytes(reversed(parts))


def meta_event(kind: int, body: bytes) -> bytes:
    """A meta event without its delta time."""
    return bytes((0xFF, kind)) + variable_length(len(body)) + body


def midi_file(division: int, tracks: Sequence[bytes]) -> bytes:
    """A format 1 file of finished tracks."""
    head = b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), division)
    return head + b"".join(b"MTrk" + struct.pack(">I", len(track)) + track for track in tracks)


MAX_BYTES = 16_000_000
MAX_TRACKS = 4_000
_MAX_MENDED_BYTES = 800_000  # mending is a hundred times slower than reading
_SMPTE = 0x8000
_SEQUENCE_NAME, _MARKER, _END, _TEMPO, _METER, _KEY = 0x03, 0x06, 0x2F, 0x51, 0x58, 0x59
_KEPT_METAS = {_SEQUENCE_NAME: 1, _MARKER: 1, _TEMPO: 3, _METER: 4, _KEY: 2}  # and how long they are at least
_META = 0xFF
_SYSEX = (0xF0, 0xF7)
_DATA_BYTES = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2, 0xF1: 1, 0xF2: 2, 0xF3: 1}
_MAX_TITLE_EVENTS = 2_000


class _Event(NamedTuple):
    """One event: ticks since the one before, status, meta kind (or 0), and its data."""

    delta: int
    status: int
    kind: int
    body: bytes


def parse_midi(data: bytes) -> Any:
    """A symusic Score in ticks, of the file as it is or mended."""
    import symusic

    data = _from_header(data)
    try:
        return symusic.Score.from_midi(data)
    except (RuntimeError, ValueError, IndexError) as error:
        reason = (str(error).splitlines() or ["unreadable"])[0].removesuffix(": iostream error").rstrip(".!")[:120]
    if len(data) > _MAX_MENDED_BYTES:
        raise FormatError(f"the MIDI data is damaged ({reason})")
    try:
        return symusic.Score.from_midi(mended(data))
    except (RuntimeError, ValueError, IndexError):
        raise FormatError(f"the MIDI data is damaged ({reason})") from None


def _from_header(data: bytes) -> bytes:
    """The file from its header on, if its size, tracks and clock are such that it may be read."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    start = data.find(b"MThd", 0, 4096)
    if start < 0:
        raise FormatError("this is not a MIDI file: it has no MThd header")
    data = data[start:] if start else data
    if len(data) < 14 or int.from_bytes(data[4:8], "big") < 6:
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
    at = 8 + int.from_bytes(data[4:8], "big")
    while at + 8 <= len(data):
        stop = at + 8 + int.from_bytes(data[at + 4 : at + 8], "big")
        if data[at : at + 4] == b"MTrk":
            yield at + 8, stop
        at = stop


def _number(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """A variable-length quantity of at most four bytes, and what follows it."""
    value = 0
    for here in range(at, min(at + 4, stop)):
        value = value << 7 | data[here] & 0x7F
        if data[here] < 0x80:
            return value, here + 1
    raise FormatError(f"the MIDI data is damaged (byte {at:,}: a number has no end)")


def _events(data: bytes, at: int, stop: int) -> Iterator[_Event]:
    """The events of a track up to its end; running status outlives meta events and system messages."""
    running = 0
    while at < stop:
        delta, at = _number(data, at, stop)
        if at >= stop:
            break
        status, kind = data[at], 0
        if status < 0x80:
            status = running
        else:
            at += 1
            running = status if status < 0xF0 else running
        if not status:
            raise FormatError(f"the MIDI data is damaged (byte {at:,}: data without a status)")
        if status == _META and at < stop:
            kind, at = data[at], at + 1
        if status == _META or status in _SYSEX:
            length, at = _number(data, at, stop)
        else:
            length = _DATA_BYTES.get(status if status >= 0xF0 else status & 0xF0, 0)
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
            kept = status & 0xF0 in (0x80, 0x90, 0xC0)
            message = bytes((status, *(min(value, 127) for value in body)))
        if kept:
            out.append(variable_length(min(waited, 0x0FFFFFFF)) + message)
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
    data = data[max(0, data.find(b"MThd", 0, 4096)) :]
    names: dict[str, str] = {}
    for start, stop in _chunks(data):
        try:
            events = islice(_events(data, start, min(stop, len(data))), _MAX_TITLE_EVENTS)
            raw = next((e.body for e in events if e.status == _META and e.kind == _SEQUENCE_NAME), b"")
        except FormatError:
            continue  # a damaged track keeps the name that symusic found
        names[raw.decode("utf-8", "replace")] = text_of(raw)
    return names


def title_of(data: bytes) -> bytes:
    """The sequence name as it stands: that of the first track, if that track plays nothing; else empty."""
    data = data[max(0, data.find(b"MThd", 0, 4096)) :]
    start, stop = next(_chunks(data), (0, 0))
    name = b""
    try:
        for event in islice(_events(data, start, min(stop, len(data))), _MAX_TITLE_EVENTS):
            if event.status & 0xF0 == 0x90:
                return b""
            if event.status == _META and event.kind == _SEQUENCE_NAME:
                name = name or event.body
    except FormatError:
        pass  # what came before the damage still counts
    return name
