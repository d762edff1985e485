"""The tune of a gap: the rhythm and the habits of the song's own tune, over the chords planned, as another line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.fill.reading import Harmony, Reading
from libretto.score import QUARTER
from libretto.score.keys import spell_drums
from libretto.score.pitch import pitch_class_of
from libretto.score.table import NOTE

__all__ = ["closed", "moved", "moved_notes", "retold"]

_CHUNK = 64
_ROOM = 3


def retold(
    notes: NDArray[Any],
    chord_at: Callable[[int], Harmony],
    home: frozenset[int],
    start_of_bar: Callable[[int], int],
    register: tuple[int, int],
    controls: Controls,
    seed: int,
    *,
    freedom: float,
    before: int | None,
) -> NDArray[Any]:
    """The same rhythm with another line: near the old one where ``freedom`` is 0, far from it at 1."""
    if len(notes) < 2:
        return notes
    made = notes.copy()
    low = max(0, min(register[0], int(notes["pitch"].min())))
    high = min(127, max(register[1], int(notes["pitch"].max())))
    low, high = max(0, low - _ROOM), min(127, high + _ROOM)
    middle = int(np.median(notes["pitch"]))
    low, high = max(low, middle - 22), min(high, middle + 22)
    steps = steps_of(sorted(home), low, high)
    moves = np.diff(notes["pitch"].astype(np.int64))
    repeats = float((moves == 0).mean())
    leaps = float((np.abs(moves) > 4).mean())
    taste = Taste(
        leaps=float(np.clip(2 * (leaps - 0.15) + controls.leaps, -1.0, 1.0)),
        repeats=float(np.clip(0.9 - 2.0 * repeats, 0.0, 0.9)),
        chance=0.5 + 1.2 * freedom,
        contour=0.8 - 0.4 * freedom,
        curve=0.05 - 0.03 * freedom,
    )
    last = before
    for begin in range(0, len(notes), _CHUNK):
        rows = notes[begin : begin + _CHUNK]
        places = [_place(row, chord_at, home, start_of_bar) for row in rows]
        rng = dice(seed, "tune", begin)
        noise = [[rng.random() for _ in range(high - low + 1)] for _ in rows]
        line = draw_line(places, low, high, steps, taste, noise, _contour(rows, steps, low, high), last)
        made["pitch"][begin : begin + _CHUNK] = line
        last = line[-1]
    return made


def _place(
    row: Any, chord_at: Callable[[int], Harmony], home: frozenset[int], start_of_bar: Callable[[int], int]
) -> Place:
    onset, pitch = int(row["onset"]), int(row["pitch"])
    chord = chord_at(onset)
    beat = (onset - start_of_bar(onset)) % QUARTER
    strong = min(beat, QUARTER - beat) < QUARTER // 8
    long = min(1.0, int(row["duration"]) / (2 * QUARTER))
    weight = min(1.0, (0.5 if strong else 0.1) + 0.5 * long)
    tones = chord[1] if chord is not None else home
    return Place(tones, home, weight, float(pitch))


def _contour(rows: NDArray[Any], steps: NDArray[np.float64], low: int, high: int) -> Sequence[float | None]:
    at = np.clip(rows["pitch"].astype(np.int64), low, high) - low
    moves = np.round(np.diff(steps[at]))
    return [None, *moves.tolist()]


#: Which part of a chord an interval above the root is: root, second, third, fourth, fifth, sixth, seventh.
_DEGREE = (0, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 6)


def moved(pitch: int, source: Harmony, target: Harmony, home: frozenset[int]) -> int:
    """The note that does over the target chord what this one does over the source, as near as can be.

    >>> c, f = (0, frozenset({0, 4, 7})), (5, frozenset({5, 9, 0}))
    >>> [moved(pitch, c, f, frozenset({0, 2, 4, 5, 7, 9, 11})) for pitch in (60, 64, 67, 62)]
    [65, 69, 72, 67]
    """
    if source is None or target is None or source == target:
        return pitch
    interval = (pitch - source[0]) % 12
    if pitch % 12 in source[1]:
        degree = _DEGREE[interval]
        fitting = [tone for tone in target[1] if _DEGREE[(tone - target[0]) % 12] == degree] or list(target[1])
        return min((_near(pitch, tone) for tone in sorted(fitting)), key=lambda each: (abs(each - pitch), each))
    if pitch % 12 in target[1]:
        return pitch
    wanted = _near(pitch, (interval + target[0]) % 12)
    at_home = home | target[1]
    return min(range(wanted - 2, wanted + 3), key=lambda each: (each % 12 not in at_home, abs(each - wanted), each))


def _near(pitch: int, tone: int) -> int:
    """The pitch of that class nearest to another."""
    up = (tone - pitch) % 12
    return pitch + (up if up <= 6 else up - 12)


def moved_notes(
    notes: NDArray[Any],
    source: tuple[Harmony, Harmony],
    target: tuple[Harmony, Harmony],
    home: frozenset[int],
    half: int,
) -> NDArray[Any]:
    """The notes of a bar brought from its chords to others; notes that start before ``half`` belong to the first."""
    if source == target:
        return notes
    made = notes.copy()
    later = (notes["onset"] >= half).astype(np.int64)
    for index in range(len(made)):
        which = int(later[index])
        made["pitch"][index] = np.clip(moved(int(notes["pitch"][index]), source[which], target[which], home), 0, 127)
    return made


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
