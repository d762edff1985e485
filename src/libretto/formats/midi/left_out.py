"""What a MIDI file holds and its Score does not: counted event by event."""

from __future__ import annotations

from collections import Counter

import numpy as np

from libretto.errors import FormatError
from libretto.formats.midi.bytes import KEY, MARKER, METER, PORT, SEQUENCE_NAME, TEMPO
from libretto.formats.midi.events import SYSTEM, tally_of
from libretto.formats.midi.read import merged_on_grids
from libretto.formats.midi.source import source_of
from libretto.score.marks import BEND, PRESSURE
from libretto.score.model import Score
from libretto.score.said import overruled_keys

__all__ = ["left_out"]

_POLY, _CONTROL, _CHANNEL_PRESSURE, _BEND = 0xA0, 0xB0, 0xD0, 0xE0
_KIND = 0xF0  # a status without its channel
_LYRIC, _END = 0x05, 0x2F
_READ = frozenset((SEQUENCE_NAME, MARKER, PORT, TEMPO, METER, KEY, _END))  # metas that a Score is made of
_TEXTS = range(0x01, 0x10)
_SYSEX = (0xF0, 0xF7)


def left_out(data: bytes, score: Score) -> dict[str, int]:
    """What is not in the Score, each kind with its number; starts and lengths that were moved onto a grid among it."""
    counts = _events(data)
    kinds = np.concatenate([np.empty(0, np.int64), *(voice.controls["kind"] for voice in score.voices)])
    counts["pitch bends"] -= int(np.count_nonzero(kinds == BEND))
    counts["pressures"] -= int(np.count_nonzero(kinds == PRESSURE))
    counts["controllers"] -= int(np.count_nonzero((kinds != BEND) & (kinds != PRESSURE)))
    counts["lyrics"] -= sum(mark.kind == "lyric" for voice in score.voices for mark in voice.marks)
    source = source_of(data)
    placed, became = merged_on_grids(source)
    for name, moved in (("starts moved onto the grid", "onset"), ("lengths moved onto the grid", "duration")):
        played = np.concatenate([np.empty(0, np.int64), *(getattr(part, moved) for part in source.parts)])
        counts[name] = int(np.count_nonzero(played != getattr(placed, moved)[became]))
    counts["keys that the notes overrule"] = len(overruled_keys(score))
    counts["doubled notes"] = len(became) - len(placed.onset)
    return {name: count for name, count in sorted(counts.items()) if count > 0}


def _events(data: bytes) -> Counter[str]:
    """The events of the file of which a Score holds only some, or none."""
    counts: Counter[str] = Counter()
    try:
        statuses, metas = tally_of(data)
    except FormatError:
        return counts  # a damaged file that was mended: its notes are all that was read
    names = {_CONTROL: "controllers", _BEND: "pitch bends", _CHANNEL_PRESSURE: "pressures", _POLY: "key pressures"}
    for status, number in enumerate(statuses):
        if status in _SYSEX:
            counts["system messages"] += number
        elif status < SYSTEM and status & _KIND in names:
            counts[names[status & _KIND]] += number
    for meta, number in metas.items():
        if meta not in _READ:
            counts["lyrics" if meta == _LYRIC else "texts" if meta in _TEXTS else "other events"] += number
    return counts
