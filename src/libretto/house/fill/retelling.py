"""The tune of a gap: the rhythm and the habits of the song's own tune, over the chords planned, as another line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.compose.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.line import Place, Taste, draw_line, steps_of
from libretto.house.fill.reading import Harmony
from libretto.score import QUARTER

__all__ = ["retold"]

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
