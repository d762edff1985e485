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

__all__ = ["BLOCK", "DRUM_CHANNEL", "MAX_SAMPLES_AT_ONCE", "RATE", "Event", "control", "play", "set_level"]

RATE, BLOCK = 48_000, 64
DRUM_CHANNEL = 9
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
    return bytes((0xB0 | channel, number, max(0, min(127, round(value)))))


def set_level(channel: int, number: int, decibels: float) -> list[bytes]:
    """Volume (7) or expression (11) in decibels below full, in fourteen bits; the synthesiser squares them."""
    value = max(0, min(16383, round(16383 * 10 ** (decibels / 40))))
    return [control(channel, number, value >> 7), control(channel, number + 32, value & 127)]


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
        raise FormatError(f"the synthesiser cannot play this soundfont: {' '.join(str(error).split())[:200]}") from None
    return _samples(data)


def _midi(events: Iterable[Event], blocks: int) -> bytes:
    out, now = [], 0
    for block, _, message in sorted(events, key=lambda event: event[:2]):
        tick = max(0, 2 * block - 1)
        out.append(variable_length(tick - now) + message)
        now = tick
    out.append(variable_length(min(_LARGEST_DELTA, max(0, 2 * blocks - now))) + END_OF_TRACK[1:])
    return midi_file(_DIVISION, [b"".join(out)])


def _samples(data: bytes) -> NDArray[Any]:
    """The rows of a 16-bit stereo WAV."""
    start = data.index(b"data", 12) + 8
    return np.frombuffer(data, "<i2", (len(data) - start) // 4 * 2, start).reshape(-1, 2)
