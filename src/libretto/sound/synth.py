"""The synthesiser: events in, samples out. The only place that calls ``midirenderer``.

Conventions: its clock runs in blocks of 64 samples at 48 kHz, and time here is counted in such blocks. A block is two
ticks of the MIDI file we hand over, and an event is written one tick before its block: rounding can then not move it,
and a stretch of a piece sounds the same wherever it is cut out.

The synthesiser gives 16 bits and clips without a word, so whoever calls it looks for full-scale samples. It plays at
most 64 samples at once on 16 channels.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, MissingExtra
from libretto.formats.midi.bytes import END_OF_TRACK, midi_file, variable_length

__all__ = [
    "ALL_SOUND_OFF",
    "BLOCK",
    "BLOCKS_A_SECOND",
    "DRUM_CHANNEL",
    "EXPRESSION",
    "FULL_SCALE",
    "MAX_SAMPLES_AT_ONCE",
    "PAN",
    "RATE",
    "REVERB",
    "VOLUME",
    "Event",
    "control",
    "note_off",
    "note_on",
    "play",
    "program_change",
    "set_level",
]

RATE, BLOCK = 48_000, 64
BLOCKS_A_SECOND = RATE // BLOCK
FULL_SCALE = 1 << 15  #: of a sample of 16 bits
DRUM_CHANNEL = 9
#: Controllers of MIDI.
VOLUME, PAN, EXPRESSION, REVERB, ALL_SOUND_OFF = 7, 10, 11, 91, 120
_NOTE_OFF, _NOTE_ON, _CONTROL, _PROGRAM = 0x80, 0x90, 0xB0, 0xC0
_FINE = 32  # a controller's finer seven bits are set by the one so much higher
_STEPS, _FINE_STEPS = 127, (1 << 14) - 1  # the highest value in seven bits, and in fourteen
_WAV_HEAD, _CHUNK_HEAD, _FRAME_BYTES = 12, 8, 4  # bytes: before the chunks, before what one holds, of left and right
_LONGEST_ERROR = 200  # characters
MAX_SAMPLES_AT_ONCE = 64
_DIVISION = 2 * RATE // BLOCK // 2  # at the default tempo a quarter note lasts half a second
_LARGEST_DELTA = 2**28 - 1


class Event(NamedTuple):
    """A MIDI message at a block; of one block, lower ranks come first."""

    block: int
    rank: int
    message: bytes


def control(channel: int, number: int, value: float) -> bytes:
    """A control change to the nearest step of 0-127."""
    return bytes((_CONTROL | channel, number, max(0, min(_STEPS, round(value)))))


def program_change(channel: int, program: int) -> bytes:
    """The message after which a channel plays that program."""
    return bytes((_PROGRAM | channel, program))


def note_on(channel: int, key: int, velocity: int) -> bytes:
    """The message that strikes a key."""
    return bytes((_NOTE_ON | channel, key, velocity))


def note_off(channel: int, key: int) -> bytes:
    """The message that lets a key go."""
    return bytes((_NOTE_OFF | channel, key, 0))


def set_level(channel: int, number: int, decibels: float) -> list[bytes]:
    """``VOLUME`` or ``EXPRESSION`` in decibels below full, in fourteen bits; the synthesiser squares them."""
    value = max(0, min(_FINE_STEPS, round(_FINE_STEPS * 10 ** (decibels / 40))))
    return [control(channel, number, value >> 7), control(channel, number + _FINE, value & _STEPS)]


def play(font: bytes, events: Iterable[Event], blocks: int) -> NDArray[np.int16]:
    """The sound of events over that many blocks, as rows of left and right."""
    try:
        from midirenderer import render_wave_from
    except ImportError:
        raise MissingExtra("rendering sound", "audio") from None
    try:
        data = render_wave_from(font, _midi(events, blocks))
    except BaseException as error:  # a panic of the synthesiser does not derive from Exception
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise FormatError(
            f"the synthesiser cannot play this soundfont: {' '.join(str(error).split())[:_LONGEST_ERROR]}"
        ) from None
    return _samples(data)


def _midi(events: Iterable[Event], blocks: int) -> bytes:
    """The events as a MIDI file of one track that lasts that many blocks."""
    out, now = [], 0
    for block, _, message in sorted(events, key=lambda event: event[:2]):
        tick = max(0, 2 * block - 1)
        out.append(variable_length(tick - now) + message)
        now = tick
    out.append(variable_length(min(_LARGEST_DELTA, max(0, 2 * blocks - now))) + END_OF_TRACK[1:])
    return midi_file(_DIVISION, [b"".join(out)])


def _samples(data: bytes) -> NDArray[Any]:
    """The rows of a 16-bit stereo WAV."""
    start = data.index(b"data", _WAV_HEAD) + _CHUNK_HEAD
    return np.frombuffer(data, "<i2", (len(data) - start) // _FRAME_BYTES * 2, start).reshape(-1, 2)
