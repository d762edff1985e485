"""What every attack is made with: the registry, and a piece with other notes in it, made legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.registry import Registry
from libretto.score import Score, Voice
from libretto.score.keys import spell, spell_drums
from libretto.score.table import NOTE, Ints, sorted_notes

__all__ = ["Attack", "Rows", "attacks", "for_each", "lines_of", "notes_of", "ranges_of", "rewritten"]

Rows = NDArray[Any]
Attack = Callable[[Score, Sequence[Score], np.random.Generator], Score | str | None]
#: Every attack by name.
attacks: Registry[Attack] = Registry("attack", "libretto.attacks")

_LOW, _HIGH, _NARROWEST = 48, 84, 5  # where notes are drawn for a voice that has none; of a range, in semitones
_LOUDEST = 127


def rewritten(score: Score, rows: Sequence[Rows]) -> Score:
    """The piece with other notes in its voices, made legal: within its bars, one note a key at a time."""
    voices = tuple(_voice(voice, notes, score) for voice, notes in zip(score.voices, rows, strict=True))
    return Score.build(
        voices,
        bar_lines=score.bar_lines,
        meters=score.meters,
        keys=score.keys,
        tempos=score.tempos,
        first_bar=score.first_bar,
    )


def _voice(voice: Voice, notes: Rows, score: Score) -> Voice:
    rows = notes[(notes["onset"] >= 0) & (notes["onset"] < score.ticks)].copy()
    rows["pitch"], rows["velocity"] = np.clip(rows["pitch"], 0, _LOUDEST), np.clip(rows["velocity"], 1, _LOUDEST)
    rows = rows[np.lexsort((rows["onset"], rows["pitch"]))]
    again = np.append((np.diff(rows["pitch"]) == 0) & (np.diff(rows["onset"]) == 0), False)[: len(rows)]
    rows = rows[~again]
    gap = np.append(np.where(np.diff(rows["pitch"]) == 0, np.diff(rows["onset"]), score.ticks), score.ticks)
    room = np.minimum(gap[: len(rows)], score.ticks - rows["onset"])
    rows["duration"] = np.maximum(np.minimum(rows["duration"], room), 1)
    rows["spelling"] = spell_drums(rows["pitch"]) if voice.drums else spell(rows["pitch"], score.key)
    return replace(voice, marks=(), controls=voice.controls[:0]).with_notes(sorted_notes(rows))


def notes_of(onset: Ints, length: Ints | int, pitch: Ints | int, velocity: Ints | int = 80) -> Rows:
    """Notes as rows."""
    rows = np.zeros(len(onset), dtype=NOTE)
    rows["onset"], rows["duration"], rows["pitch"], rows["velocity"] = onset, length, pitch, velocity
    return rows


def ranges_of(score: Score) -> list[tuple[int, int]]:
    """The lowest and highest pitch of each voice."""
    pitches = [voice.array["pitch"] for voice in score.voices]
    spans = [(int(pitch.min()), int(pitch.max())) if len(pitch) else (_LOW, _HIGH) for pitch in pitches]
    return [(low, max(high, low + _NARROWEST)) for low, high in spans]


def lines_of(score: Score) -> Ints:
    """The bar lines as an array."""
    return np.asarray(score.bar_lines, dtype=np.int64)


def for_each(score: Score, make: Callable[[int, int, int], Rows]) -> Score:
    """The piece with what is made for every pitched voice from its number and range; percussion falls silent."""
    ranges = ranges_of(score)
    rows = [
        voice.array[:0] if voice.drums else make(number, *ranges[number]) for number, voice in enumerate(score.voices)
    ]
    return rewritten(score, rows)
