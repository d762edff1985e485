"""What a Score is made with where nobody said it: bar lines from meters, key and grids from notes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.errors import TooLarge
from libretto.score.grid import fit
from libretto.score.keys import Key, infer_key
from libretto.score.time import WHOLE, Grid, Meter
from libretto.score.validate import MAX_BARS
from libretto.score.voice import Voice

__all__ = ["bar_lines_of", "key_of", "refit"]


def bar_lines_of(meters: Sequence[tuple[int, Meter]], end: int, bars: int = 1) -> list[int]:
    """Bar lines up to ``end`` and at least ``bars`` bars; a meter change cuts the bar it falls in."""
    lines = [0]
    for index, (start, meter) in enumerate(meters):
        stop = meters[index + 1][0] if index + 1 < len(meters) else None
        length = meter.ticks
        wanted = stop if stop is not None else max(end, start + 1)
        if (wanted - start) // length > MAX_BARS:
            raise TooLarge(f"the piece would have {(wanted - start) // length:,} bars; the limit is {MAX_BARS:,}")
        lines.extend(range(start + length, wanted, length))
        lines.append(stop if stop is not None else lines[-1] + length)
    while len(lines) - 1 < bars:
        lines.append(lines[-1] + meters[-1][1].ticks)
    return lines


def refit(voices: Sequence[Voice], lines: NDArray[np.int64]) -> tuple[Grid, ...]:
    """The coarsest exact grid for every bar."""
    empty = np.empty(0, dtype=np.int64)
    onset = np.concatenate([empty, *(voice.array["onset"] for voice in voices)])
    duration = np.concatenate([empty, *(voice.array["duration"] for voice in voices)])
    bar = np.searchsorted(lines, onset, side="right") - 1
    return fit(np.diff(lines), bar, onset - lines[bar], duration)


def key_of(voices: Sequence[Voice]) -> Key:
    """The key that the pitched notes suggest, each weighing a whole note at most."""
    pitched = [voice.array for voice in voices if not voice.drums]
    empty = np.empty(0, dtype=np.int64)
    pitches = np.concatenate([empty, *(array["pitch"] for array in pitched)])
    weights = np.concatenate([empty, *(array["duration"] for array in pitched)])
    return infer_key(pitches, np.minimum(weights, WHOLE))
