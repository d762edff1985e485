"""The bytes a MIDI file is put together from."""

from __future__ import annotations

import struct
from collections.abc import Sequence

__all__ = ["END_OF_TRACK", "meta_event", "midi_file", "variable_length"]

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
