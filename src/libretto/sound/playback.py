"""A performance as MIDI for a synthesiser elsewhere, such as the one in a page: seconds and levels as we play them.

Every voice has a track and a channel of its own, so that it can be silenced alone: pitched ones fifteen a port,
percussion one a port. The file's clock is a plain count of seconds: repeats are written out and tempi are played.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from libretto.formats.midi.bytes import (
    END_OF_TRACK,
    PORT,
    SEQUENCE_NAME,
    TEMPO,
    meta_event,
    midi_file,
    variable_length,
)
from libretto.score import Score, Voice
from libretto.sound.mix import StageSeat, program_of, seats
from libretto.sound.perform import Performance, perform
from libretto.sound.synth import (
    DRUM_CHANNEL,
    PAN,
    REVERB,
    VOLUME,
    control,
    note_off,
    note_on,
    program_change,
    set_level,
)

__all__ = ["channels_of", "performance_midi"]

#: Ticks a second of the file's clock: finer than an ear.
TICKS_A_SECOND = 10_000
_MICROS = (1_000_000).to_bytes(3, "big")  # a quarter note is a second
_PITCHED = tuple(channel for channel in range(16) if channel != DRUM_CHANNEL)
_PORTS = 128
_STRUCK_ANEW = 10  # ticks: a key is let go so much before it is struck again
_PAN_MIDDLE, _PAN_SIDE = 64, 63
_HEADROOM = -2.0  # decibels below full that the lead voice has
_ROOM = 70  # of 127 that a seat far from the microphones sends into the room
_LONGEST_WAIT = 2**28 - 1
_OFF, _ON = 0, 1


def channels_of(voices: Sequence[Voice]) -> list[tuple[int, int]]:
    """The port and the channel on which each voice plays."""
    places, pitched, drums = [], 0, 0
    for voice in voices:
        if voice.drums:
            places.append((drums % _PORTS, DRUM_CHANNEL))
            drums += 1
        else:
            places.append((pitched // len(_PITCHED) % _PORTS, _PITCHED[pitched % len(_PITCHED)]))
            pitched += 1
    return places


def performance_midi(score: Score, seed: int = 0, *, exact: bool = False) -> bytes:
    """A piece as it is played, as a MIDI file; ``exact`` plays what is written, without a player's touch."""
    performance = Performance.exact(score) if exact else perform(score, seed)
    head = b"\x00" + meta_event(TEMPO, _MICROS) + END_OF_TRACK
    seated = seats(performance.voices)
    places = channels_of(performance.voices)
    tracks = [
        _track(performance, index, seat, port, channel)
        for index, (seat, (port, channel)) in enumerate(zip(seated, places, strict=True))
    ]
    return midi_file(TICKS_A_SECOND, [head, *tracks])


def _track(performance: Performance, index: int, seat: StageSeat, port: int, channel: int) -> bytes:
    """What one voice plays."""
    voice = performance.voices[index]
    opening = [meta_event(SEQUENCE_NAME, voice.name.encode()[:127]), meta_event(PORT, bytes((port,)))]
    opening += [program_change(channel, program_of(voice))]
    opening += [control(channel, PAN, _PAN_MIDDLE + _PAN_SIDE * seat.pan)]
    opening += [control(channel, REVERB, _ROOM * seat.reverb)]
    opening += set_level(channel, VOLUME, min(0.0, _HEADROOM + seat.level))
    out = [b"\x00" + message for message in opening]
    now = 0
    for tick, kind, pitch, velocity in _keys(performance, index):
        wait = min(tick - now, _LONGEST_WAIT)
        message = note_on(channel, pitch, velocity) if kind == _ON else note_off(channel, pitch)
        out.append(variable_length(wait) + message)
        now += wait
    return b"".join(out) + END_OF_TRACK


def _keys(performance: Performance, index: int) -> list[tuple[int, int, int, int]]:
    """Keys struck and let go, in order of time; a key that is struck while it is held is let go just before."""
    notes = performance.notes[performance.notes["voice"] == index]
    notes = notes[np.lexsort((-notes["stop"], notes["start"], notes["pitch"]))]
    fresh = np.ones(len(notes), dtype=np.bool_)  # of notes that strike a key together the longest stands for all
    fresh[1:] = (np.diff(notes["pitch"]) != 0) | (np.diff(notes["start"]) != 0)
    notes = notes[fresh]
    start = np.rint(notes["start"] * TICKS_A_SECOND).astype(np.int64)
    stop = np.maximum(np.rint(notes["stop"] * TICKS_A_SECOND).astype(np.int64), start + 1)
    pitch = notes["pitch"].astype(np.int64)
    again = pitch[1:] == pitch[:-1]
    before = np.maximum(start[1:] - _STRUCK_ANEW, start[:-1] + 1)
    stop[:-1] = np.where(again, np.minimum(stop[:-1], before), stop[:-1])
    rows = zip(start.tolist(), stop.tolist(), pitch.tolist(), notes["velocity"].tolist(), strict=True)
    events = []
    for begin, end, key, velocity in rows:
        events += [(begin, _ON, key, velocity), (end, _OFF, key, 0)]
    return sorted(events)
