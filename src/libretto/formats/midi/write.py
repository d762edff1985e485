"""Write MIDI: Score -> bytes, format 1, the same bytes for the same Score.

The first track holds title, tempo, meters, keys and sections (as markers); each voice has a track of its own, with its
controls, pedal, words and the syllables of its first verse.
Percussion is on channel 10. Fifteen pitched voices have a channel each; further ones go to a further port (meta
event 0x21), on a channel where the first port plays the same program if there is one, so that a player that
ignores ports still sounds right as long as it can.

A bar that is shorter than its meter is marked by stating the meter anew on the next bar line, and so is the end of
a piece that does not end with a full bar in which something starts. A longer bar is read back as several.
"""

from __future__ import annotations

import struct
from math import gcd

import numpy as np

from libretto.errors import TooLarge
from libretto.formats.midi.bytes import (
    END_OF_TRACK,
    KEY,
    MARKER,
    METER,
    NOTE_OFF,
    NOTE_ON,
    PORT,
    PROGRAM,
    SEQUENCE_NAME,
    TEMPO,
    TEXT,
    meta_event,
    midi_file,
    variable_length,
)
from libretto.formats.midi.signs import messages_of_signs
from libretto.score import QUARTER, Score, Voice, played
from libretto.score.general_midi import guess_program

__all__ = ["encode"]

_DRUM_CHANNEL, _CHANNELS, _PORTS = 9, 16, 128
_CLOCKS_A_CLICK, _QUARTER_IN_32NDS = 24, 8  # what every file says of its metronome
_MOST_SHARPS = 7  # or flats, of a key signature
# What comes first of the events of one tick, in the first track and in the others:
_TITLED, _METERED, _KEYED, _TIMED, _MARKED = range(5)
_NAMED, _PORTED, _PROGRAMMED, _STOPPED, _SIGNED, _STARTED = range(6)
_LARGEST_DELTA, _LARGEST_TIME = 2**28 - 1, 2**31 - 1
_USUAL_DIVISIONS = (480, 960, 1920, 3840, 6720, 10080, 13440, 20160)


def encode(score: Score) -> bytes:
    """Write a Score as a standard MIDI file."""
    score = played(score)
    division = _division(score)
    stops = score.sounds["onset"] + score.sounds["duration"]
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
    if len(score.sounds):
        notes = np.gcd.reduce(np.gcd(score.sounds["onset"], score.sounds["duration"]))
        step = gcd(step, int(notes))
    for voice in score.voices:
        if len(voice.controls):
            step = gcd(step, int(np.gcd.reduce(voice.controls["tick"])))
    needed = QUARTER // step
    return next(
        (division for division in _USUAL_DIVISIONS if division % needed == 0), min(needed, _USUAL_DIVISIONS[-1])
    )


def _scaled(tick: int, division: int) -> int:
    return (2 * tick * division + QUARTER) // (2 * QUARTER)


def _channels(score: Score) -> list[tuple[int, int]]:
    """Port and channel of each voice."""
    taken: dict[tuple[int, int], int] = {}
    free = [channel for channel in range(_CHANNELS) if channel != _DRUM_CHANNEL]
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
        places.append((port % _PORTS, channel))
    return places


def _program(voice: Voice) -> int:
    return voice.program if voice.program is not None else (0 if voice.drums else guess_program(voice.name))


def _track(events: list[tuple[int, int, bytes]]) -> bytes:
    """Events (tick, rank, bytes) in order, with delta times and an end."""
    events.sort(key=lambda event: event[:2])
    out, now = [], 0
    for tick, _, body in events:
        while tick - now > _LARGEST_DELTA:  # an empty text bridges a longer wait
            out.append(variable_length(_LARGEST_DELTA) + meta_event(TEXT, b""))
            now += _LARGEST_DELTA
        out.append(variable_length(tick - now) + body)
        now = tick
    return b"".join(out) + END_OF_TRACK


def _conductor(score: Score, division: int) -> bytes:
    """Title, tempo, meters, keys and sections."""
    events = [(0, _TITLED, meta_event(SEQUENCE_NAME, score.title.encode()))] if score.title else []
    stated = dict(score.meters)
    for bar, start in enumerate(score.bar_lines[:-1]):
        meter = score.meter_at(start)
        after = score.bar_lines[bar + 1]
        last = score.sounds["onset"].max(initial=-1) if bar + 1 == score.bars else start
        if after - start != meter.ticks or last < start:
            stated.setdefault(after, meter)
    for tick, meter in stated.items():
        body = bytes((meter.beats, meter.unit.bit_length() - 1, _CLOCKS_A_CLICK, _QUARTER_IN_32NDS))
        events.append((_scaled(tick, division), _METERED, meta_event(METER, body)))
    for tick, key in score.keys:
        body = struct.pack(">bB", max(-_MOST_SHARPS, min(_MOST_SHARPS, key.signature)), key.is_minor)
        events.append((_scaled(tick, division), _KEYED, meta_event(KEY, body)))
    for tick, micros in score.tempos:
        events.append((_scaled(tick, division), _TIMED, meta_event(TEMPO, micros.to_bytes(3, "big"))))
    for tick, name in score.sections:
        events.append((_scaled(tick, division), _MARKED, meta_event(MARKER, name.encode())))
    return _track(events)


def _part(voice: Voice, port: int, channel: int, division: int) -> bytes:
    """One voice: name, port, program, controls, words and notes; of one tick stops come before starts."""
    events = [(0, _NAMED, meta_event(SEQUENCE_NAME, voice.name.encode()))]
    if port:
        events.append((0, _PORTED, meta_event(PORT, bytes((port,)))))
    if not voice.drums or voice.program is not None:
        events.append((0, _PROGRAMMED, bytes((PROGRAM | channel, _program(voice)))))
    for tick, message in messages_of_signs(voice, channel):
        events.append((_scaled(tick, division), _SIGNED, message))
    starts = (2 * voice.sounds["onset"] * division + QUARTER) // (2 * QUARTER)
    stops = (2 * (voice.sounds["onset"] + voice.sounds["duration"]) * division + QUARTER) // (2 * QUARTER)
    stops = np.maximum(stops, starts + 1)
    on, off = NOTE_ON | channel, NOTE_OFF | channel
    for start, stop, pitch, velocity in zip(
        starts.tolist(), stops.tolist(), voice.sounds["pitch"].tolist(), voice.sounds["velocity"].tolist(), strict=True
    ):
        events.append((start, _STARTED, bytes((on, pitch, velocity))))
        events.append((stop, _STOPPED, bytes((off, pitch, 0))))
    return _track(events)
