"""Write MIDI: Score -> bytes, format 1, the same bytes for the same Score.

The first track holds title, tempo, meters, keys and sections (as markers); each voice has a track of its own.
Percussion is on channel 10. Fifteen pitched voices have a channel each; further ones go to a further port (meta
event 0x21), on a channel where the first port plays the same program if there is one, so that a player that
ignores ports still sounds right as long as it can.

A bar that is shorter than its meter is marked by stating the meter anew on the next bar line, and so is the end of
a piece that does not end with a full bar in which something starts. A longer bar is read back as several.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from math import gcd

import numpy as np

from libretto.errors import TooLarge
from libretto.formats.midi.bytes import END_OF_TRACK, meta_event, midi_file, variable_length
from libretto.score import QUARTER, Score, Voice
from libretto.score.general_midi import guess_program

__all__ = ["encode"]

_DRUM_CHANNEL = 9
_LARGEST_DELTA, _LARGEST_TIME = 2**28 - 1, 2**31 - 1
_USUAL_DIVISIONS = (480, 960, 1920, 3840, 6720, 10080, 13440, 20160)


def encode(score: Score) -> bytes:
    """Write a Score as a standard MIDI file."""
    division = _division(score)
    stops = score.table["onset"] + score.table["duration"]
    if max(score.ticks, int(stops.max(initial=0))) * division // QUARTER > _LARGEST_TIME:
        raise TooLarge(f"MIDI cannot count {division:,} ticks a quarter note to the end of this piece")
    tracks = [_conductor(score, division)]
    for voice, (port, channel) in zip(score.voices, _channels(score), strict=True):
        tracks.append(_part(voice, port, channel, division))
    return midi_file(division, tracks)


def _division(score: Score) -> int:
    """The smallest usual division that is exact for everything; the finest there is where none is."""
    ticks = [QUARTER, *score.bar_lines]
    for changes in (score.tempos, score.keys):
        ticks.extend(tick for tick, _ in changes)
    step = gcd(*ticks)
    if len(score.table):
        notes = np.gcd.reduce(np.gcd(score.table["onset"], score.table["duration"]))
        step = gcd(step, int(notes))
    needed = QUARTER // step
    return next((division for division in _USUAL_DIVISIONS if division % needed == 0), min(needed, 20160))


def _scaled(tick: int, division: int) -> int:
    return (2 * tick * division + QUARTER) // (2 * QUARTER)


def _channels(score: Score) -> list[tuple[int, int]]:
    """Port and channel of each voice."""
    taken: dict[tuple[int, int], int] = {}
    free = [channel for channel in range(16) if channel != _DRUM_CHANNEL]
    places = []
    for voice in score.voices:
        if voice.drums:
            places.append((0, _DRUM_CHANNEL))
            continue
        program = _program(voice)
        port = 0
        while all((port, channel) in taken for channel in free):
            port += 1
        open_here = [channel for channel in free if (port, channel) not in taken]
        alike = [channel for channel in open_here if port and taken.get((0, channel)) == program]
        channel = (alike or open_here)[0]
        taken[port, channel] = program
        places.append((port % 128, channel))
    return places


def _program(voice: Voice) -> int:
    return voice.program if voice.program is not None else (0 if voice.drums else guess_program(voice.name))


def _track(events: list[tuple[int, int, bytes]]) -> bytes:
    """Events (tick, rank, bytes) in order, with delta times and an end."""
    events.sort(key=lambda event: event[:2])
    out, now = [], 0
    for tick, _, body in events:
        while tick - now > _LARGEST_DELTA:  # an empty text bridges a longer wait
            out.append(variable_length(_LARGEST_DELTA) + meta_event(0x01, b""))
            now += _LARGEST_DELTA
        out.append(variable_length(tick - now) + body)
        now = tick
    return b"".join(out) + END_OF_TRACK


def _conductor(score: Score, division: int) -> bytes:
    """Title, tempo, meters, keys and sections."""
    events = [(0, 0, meta_event(0x03, score.title.encode()))] if score.title else []
    starts = [tick for tick, _ in score.meters]
    stated = dict(score.meters)
    for bar, start in enumerate(score.bar_lines[:-1]):
        meter = score.meters[bisect_right(starts, start) - 1][1]
        after = score.bar_lines[bar + 1]
        last = score.table["onset"].max(initial=-1) if bar + 1 == score.bars else start
        if after - start != meter.ticks or last < start:
            stated.setdefault(after, meter)
    for tick, meter in stated.items():
        body = bytes((meter.beats, meter.unit.bit_length() - 1, 24, 8))
        events.append((_scaled(tick, division), 1, meta_event(0x58, body)))
    for tick, key in score.keys:
        body = struct.pack(">bB", max(-7, min(7, key.signature)), key.is_minor)
        events.append((_scaled(tick, division), 2, meta_event(0x59, body)))
    for tick, micros in score.tempos:
        events.append((_scaled(tick, division), 3, meta_event(0x51, micros.to_bytes(3, "big"))))
    for tick, name in score.sections:
        events.append((_scaled(tick, division), 4, meta_event(0x06, name.encode())))
    return _track(events)


def _part(voice: Voice, port: int, channel: int, division: int) -> bytes:
    """One voice: name, port, program, and its notes; of one tick stops come before starts."""
    events = [(0, -3, meta_event(0x03, voice.name.encode()))]
    if port:
        events.append((0, -2, meta_event(0x21, bytes((port,)))))
    if not voice.drums or voice.program is not None:
        events.append((0, -1, bytes((0xC0 | channel, _program(voice)))))
    starts = (2 * voice.array["onset"] * division + QUARTER) // (2 * QUARTER)
    stops = (2 * (voice.array["onset"] + voice.array["duration"]) * division + QUARTER) // (2 * QUARTER)
    stops = np.maximum(stops, starts + 1)
    on, off = 0x90 | channel, 0x80 | channel
    for start, stop, pitch, velocity in zip(
        starts.tolist(), stops.tolist(), voice.array["pitch"].tolist(), voice.array["velocity"].tolist(), strict=True
    ):
        events.append((start, 1, bytes((on, pitch, velocity))))
        events.append((stop, 0, bytes((off, pitch, 0))))
    return _track(events)
