"""How a song that was cut off comes to an end: the last chord is struck and held."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.fill.reading import Harmony, Reading
from libretto.house.fill.remap import moved
from libretto.score import QUARTER
from libretto.score.keys import spell_drums
from libretto.score.pitch import pitch_class_of
from libretto.score.table import NOTE

__all__ = ["closed"]

Notes = NDArray[Any]
_CRASH, _KICK = 49, 36


def closed(reading: Reading, made: dict[int, Notes], source: tuple[Harmony, Harmony]) -> dict[int, Notes]:
    """The same parts, with the home chord held in the last bar; percussion strikes once."""
    lines, last = reading.lines, reading.hidden[1]
    start, length = int(lines[last]), int(lines[last + 1] - lines[last])
    key = reading.score.keys[-1][1]
    tonic = pitch_class_of(key.tonic)
    target: Harmony = (tonic, frozenset({tonic, (tonic + (3 if key.is_minor else 4)) % 12, (tonic + 7) % 12}))
    result = {}
    for voice, notes in made.items():
        final = notes[notes["onset"] >= start]
        if len(final):
            notes = np.concatenate(
                [notes[notes["onset"] < start], _last(reading, voice, final, start, length, source[0], target)]
            )
        result[voice] = notes
    return result


def _last(
    reading: Reading, voice: int, final: Notes, start: int, length: int, source: Harmony, target: Harmony
) -> Notes:
    """What a voice still plays in the last bar: its first notes, on the home chord, held."""
    first = final[final["onset"] < int(final["onset"].min()) + QUARTER // 8].copy()
    if reading.score.voices[voice].drums:
        known = set(reading.score.voices[voice].array["pitch"].tolist())
        loud = int(final["velocity"].max())
        keys = [key for key in (_KICK, _CRASH) if key in known] or [int(first["pitch"][0])]
        rows = np.array([(start, QUARTER, key, loud, 0) for key in keys], dtype=NOTE)
        rows["spelling"] = spell_drums(rows["pitch"])
        return rows
    assert target is not None
    for row in first:
        pitch = moved(int(row["pitch"]), source, target, target[1])
        tones = sorted(range(pitch - 6, pitch + 6), key=lambda each: (each % 12 not in target[1], abs(each - pitch)))
        row["pitch"] = min(127, max(0, tones[0]))
    first["onset"] = start
    first["duration"] = max(QUARTER // 4, length - QUARTER // 8)
    return first
