"""Voices that the file did not have: a track of their own, or a free channel of the one track there is."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median_low

from libretto.errors import FormatError
from libretto.formats.midi.bytes import NOTE_ON, PORT, PROGRAM, SEQUENCE_NAME, meta_event
from libretto.formats.midi.events import CONTROL, SYSTEM, EventFile, track_chunk
from libretto.formats.midi.splicing.pairs import Part
from libretto.formats.midi.splicing.plan import Plan
from libretto.formats.midi.splicing.voices import Fresh, stop_style
from libretto.score.general_midi import guess_program
from libretto.score.voice import Voice

__all__ = ["add_parts"]

_DRUM_CHANNEL, _CHANNELS, _PORTS = 9, 16, 128
_VOLUME, _BALANCE, _EXPRESSION = 7, 10, 11
_USUAL_VOLUME, _MIDDLE, _FULL = 100, 64, 127
_STOPPED, _SET_UP, _STARTED = range(3)  # what comes first of the events of one tick


def add_parts(plan: Plan, voices: Iterable[Voice]) -> list[Fresh]:
    """Give new voices a channel, a program and a place; returns notes that go into a track that is there."""
    taken = _taken(plan.file)
    volume = _volume(plan.file)
    fresh: list[Fresh] = []
    for voice in voices:
        program = _program(voice)
        port, channel = _free(taken, voice.drums, plan.file.format == 0)
        taken.add((port, channel))
        setting = [bytes((CONTROL | channel, *pair)) for pair in _settings(volume)]
        setting.insert(0, bytes((PROGRAM | channel, program)))
        part = Part(0, channel, program)
        notes = [_on_clock(plan, part, *row[:4]) for row in voice.array.tolist()]
        first = _set_up(plan, notes[0].start)
        if plan.file.format == 0:
            fresh += notes
            if not voice.drums:
                for message in setting:
                    plan.add(0, first, message)
            continue
        head = [meta_event(SEQUENCE_NAME, voice.name.encode())]
        if port:
            head.append(meta_event(PORT, bytes((port,))))
        start = [*((0, message) for message in head), *((first, message) for message in setting)]
        plan.tracks.append(_chunk(plan.file, channel, start, notes))
    return fresh


def _set_up(plan: Plan, start: int) -> int:
    """Where a channel is set up for its first note: at the last system message before it, which may reset all."""
    systems = (plan.tick(track, index) for track, index, event in plan.events() if event.status == SYSTEM)
    return max((tick for tick in systems if tick <= start), default=0)


def _program(voice: Voice) -> int:
    return voice.program if voice.program is not None else (0 if voice.drums else guess_program(voice.name))


def _on_clock(plan: Plan, part: Part, onset: int, duration: int, pitch: int, velocity: int) -> Fresh:
    start = plan.clock.file_tick(onset)
    return Fresh(part, start, max(start + 1, plan.clock.file_tick(onset + duration)), pitch, velocity)


def _taken(file: EventFile) -> set[tuple[int, int]]:
    """Every port and channel on which the file says anything."""
    return {(track.port, event.channel) for track in file.tracks for event in track.events if event.channel >= 0}


def _free(taken: set[tuple[int, int]], drums: bool, one_track: bool) -> tuple[int, int]:
    """A port and channel that nobody uses; percussion shares channel 10."""
    if drums:
        return 0, _DRUM_CHANNEL
    for port in range(1 if one_track else _PORTS):
        for channel in range(_CHANNELS):
            if channel != _DRUM_CHANNEL and (port, channel) not in taken:
                return port, channel
    raise FormatError("the file has no channel left for a new voice")


def _volume(file: EventFile) -> int:
    """The middle one of the volumes that channels of the file begin with."""
    first: dict[tuple[int, int], int] = {}
    for track in file.tracks:
        for event in track.events:
            if event.kind == CONTROL and event.data[0] == _VOLUME and event.data[1]:
                first.setdefault((track.port, event.channel), event.data[1])
    return median_low(first.values()) if first else _USUAL_VOLUME


def _settings(volume: int) -> tuple[tuple[int, int], ...]:
    return (_VOLUME, volume), (_BALANCE, _MIDDLE), (_EXPRESSION, _FULL)


def _chunk(file: EventFile, channel: int, head: list[tuple[int, bytes]], notes: list[Fresh]) -> bytes:
    kind, release = stop_style(file, 0)
    events = [(tick, _SET_UP, message) for tick, message in head]
    for note in notes:
        events.append((note.start, _STARTED, bytes((NOTE_ON | channel, note.pitch, note.velocity))))
        events.append((note.stop, _STOPPED, bytes((kind | channel, note.pitch, release))))
    events.sort(key=lambda event: event[:2])
    return track_chunk((tick, message) for tick, _, message in events)
