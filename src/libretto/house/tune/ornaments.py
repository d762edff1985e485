"""Small notes put into a tune that is known: a passing note in a third, a neighbour between two equal notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.house.core.dice import dice
from libretto.house.tune.places import local_scale
from libretto.house.tune.room import Room
from libretto.house.tune.themes import TuneNote

__all__ = ["ornamented"]

_THIRDS = (3, 4)  # semitones
_SMALL = 2  # parts of a beat that an ornament takes; three in compound meters


def ornamented(notes: Sequence[TuneNote], room: Room, rate: float, seed: object) -> tuple[TuneNote, ...]:
    """The tune with small notes in so many of the places that have room for one."""
    source = dice(0, seed, "ornaments")
    small = room.meter.beat // (3 if room.meter.is_compound else _SMALL)
    result: list[TuneNote] = []
    for index, note in enumerate(notes):
        after = notes[index + 1] if index + 1 < len(notes) else None
        chance = source.random()
        fits = after is not None and note.end == after.start and note.length >= 2 * small
        pitch = _between(note, after, room) if after and fits and chance < rate else None
        if pitch is None:
            result.append(note)
        else:
            result.append(replace(note, length=note.length - small))
            result.append(TuneNote(note.end - small, small, pitch, note.accent))
    return tuple(result)


def _between(note: TuneNote, after: TuneNote, room: Room) -> int | None:
    """The pitch of a small note between two, if one sings there."""
    scale = local_scale(room.key, room.chord(note.start), room.scale)
    if abs(after.pitch - note.pitch) in _THIRDS:
        low, high = sorted((note.pitch, after.pitch))
        inside = [pitch for pitch in range(low + 1, high) if pitch % 12 in scale]
        return inside[0] if inside else None
    if after.pitch == note.pitch:
        above = [pitch for pitch in (note.pitch + 1, note.pitch + 2) if pitch % 12 in scale and pitch <= room.high]
        return above[0] if above else None
    return None
