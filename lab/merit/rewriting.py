"""A piece written anew with other notes: what every kind of damage ends with, and every sound piece, too.

A key that is struck again ends the note before it, as on any instrument; nothing sounds after the last bar line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score
from libretto.score.keys import spell, spell_drums
from libretto.score.table import Ints
from libretto.score.voice import Voice

__all__ = ["Rows", "bars_of", "renewed", "with_arrays"]

_HIGHEST = 127

Rows = NDArray[Any]


def renewed(score: Score) -> Score:
    """The same piece written anew, as every worse one is, so that no pair differs by how it was made."""
    return with_arrays(score, [voice.array for voice in score.voices])


def with_arrays(score: Score, arrays: list[Rows]) -> Score:
    """The piece with other notes in its voices: spelled anew, keys struck again ended, nothing after the last bar."""
    voices = tuple(
        voice.with_notes(_playable(rows, voice, score)) for voice, rows in zip(score.voices, arrays, strict=True)
    )
    return Score.build(
        voices,
        bar_lines=score.bar_lines,
        meters=score.meters,
        keys=score.keys,
        tempos=score.tempos,
        first_bar=score.first_bar,
    )


def _playable(rows: Rows, voice: Voice, score: Score) -> Rows:
    rows = rows.copy()
    rows["duration"] = np.minimum(rows["duration"], np.maximum(score.ticks - rows["onset"], 1))
    rows["pitch"] = np.clip(rows["pitch"], 0, _HIGHEST)
    rows["velocity"] = np.clip(rows["velocity"], 1, _HIGHEST)
    rows["spelling"] = spell_drums(rows["pitch"]) if voice.drums else spell(rows["pitch"], score.key)
    rows = rows[np.lexsort((rows["onset"], rows["pitch"]))]
    struck = rows["pitch"].astype(np.int64) + 128 * rows["onset"]
    rows = rows[np.diff(struck, append=-1) != 0]
    same, gap = rows["pitch"][1:] == rows["pitch"][:-1], np.diff(rows["onset"])
    rows["duration"][:-1] = np.where(same, np.minimum(rows["duration"][:-1], np.maximum(gap, 1)), rows["duration"][:-1])
    return rows


def bars_of(score: Score, rows: Rows) -> Ints:
    """The index of the bar in which each note starts."""
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    return np.asarray(np.searchsorted(lines, rows["onset"], side="right") - 1, dtype=np.int64)
