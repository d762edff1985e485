"""Damage done to one part of a song, by a seeded script: what a judge that hears must notice.

Conventions: the part is a pitched voice of *middling length*: of all pitched voices with enough notes the one in the
middle by the number of its notes. Nothing else of the song changes. The same seed does the same damage. A song has no
damage of a kind where fewer than two pitched voices play, or where the part has not the notes for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError
from libretto.registry import Registry
from libretto.score import Score, Voice, spell
from libretto.score.edit import regrid
from libretto.score.table import Bools

__all__ = ["Damaged", "damage", "damages"]

_SEMITONE, _TRITONE = 1, 6
_HIGHEST = 127
_BARS = 8  # that are damaged where not the whole part is
_NOTES = 12  # that are moved one by one
_FEWEST = 16  # notes of a part worth damaging
_SOUNDING = 6  # of these bars, at least, in which the part plays


@dataclass(frozen=True)
class Damaged:
    """A song with damage of a kind: the voice it was done to, and the first and last bar by number."""

    score: Score
    kind: str
    voice: str
    bars: tuple[int, int]


#: Every kind of damage: from a song, the notes of a voice (by index) and chance to which notes change, and how.
damages: Registry[Callable[[Score, int, Random], Damaged | None]] = Registry("kind of damage")


def damage(score: Score, kind: str, seed: int = 0, *, voice: int | None = None) -> Damaged | None:
    """One part of the song damaged, the middling one or another by index; None where the song has no part for it."""
    if kind not in damages:
        raise LibrettoError(f"there is no damage called {kind!r}; there are: {', '.join(damages)}")
    least = _NOTES if kind == "wrong notes" else 0
    voices = [
        (len(voice.array), index)
        for index, voice in enumerate(score.voices)
        if not voice.drums and len(voice.array) >= _FEWEST and len(_long_notes(score, voice)) >= least
    ]
    playing = sum(1 for voice in score.voices if not voice.drums and len(voice.array))
    if not voices or playing < 2:
        return None
    _, middling = sorted(voices)[(len(voices) - 1) // 2]
    if voice is not None and voice not in [index for _, index in voices]:
        return None
    return damages[kind](score, middling if voice is None else voice, Random(f"{kind} {seed}"))


@damages.register("semitone")
def _semitone(score: Score, voice: int, chance: Random) -> Damaged | None:
    return _moved(score, "semitone", voice, np.ones(len(score.voices[voice].array), dtype=np.bool_), _SEMITONE)


@damages.register("tritone")
def _tritone(score: Score, voice: int, chance: Random) -> Damaged | None:
    return _moved(score, "tritone", voice, np.ones(len(score.voices[voice].array), dtype=np.bool_), _TRITONE)


@damages.register("semitone for 8 bars")
def _eight_bars(score: Score, voice: int, chance: Random) -> Damaged | None:
    lines = np.asarray(score.bar_lines)
    bar = np.searchsorted(lines, score.voices[voice].array["onset"], side="right") - 1
    counts = np.bincount(bar, minlength=score.bars)
    playing = np.convolve(counts > 0, np.ones(_BARS, dtype=np.int64), "valid") if score.bars >= _BARS else np.zeros(0)
    starts = np.flatnonzero(playing >= _SOUNDING).tolist()
    if not starts:
        return None
    first = chance.choice(starts)
    return _moved(score, "semitone for 8 bars", voice, (bar >= first) & (bar < first + _BARS), _SEMITONE)


@damages.register("half a beat late")
def _late(score: Score, voice: int, chance: Random) -> Damaged | None:
    part = score.voices[voice]
    notes = part.array.copy()
    notes["onset"] += np.array([score.meter_at(int(tick)).beat // 2 for tick in notes["onset"]], dtype=np.int64)
    notes = notes[notes["onset"] < score.ticks]
    notes["duration"] = np.minimum(notes["duration"], score.ticks - notes["onset"])
    return _damaged(score, "half a beat late", voice, notes, np.ones(len(notes), dtype=np.bool_))


@damages.register("wrong notes")
def _wrong_notes(score: Score, voice: int, chance: Random) -> Damaged | None:
    notes = score.voices[voice].array.copy()
    chosen = np.zeros(len(notes), dtype=np.bool_)
    for index in chance.sample(_long_notes(score, score.voices[voice]), _NOTES):
        chosen[index] = True
        notes["pitch"][index] = min(int(notes["pitch"][index]) + chance.choice((-1, 1)), _HIGHEST)
    return _respelled(score, "wrong notes", voice, notes, chosen)


def _long_notes(score: Score, voice: Voice) -> list[int]:
    """The notes of a voice that last a beat at least, by index."""
    notes = voice.array
    if len({meter.beat for _, meter in score.meters}) == 1:
        return np.flatnonzero(notes["duration"] >= score.meter.beat).tolist()
    beats = np.array([score.meter_at(int(tick)).beat for tick in notes["onset"]], dtype=np.int64)
    return np.flatnonzero(notes["duration"] >= beats).tolist()


def _moved(score: Score, kind: str, voice: int, which: Bools, semitones: int) -> Damaged | None:
    notes = score.voices[voice].array.copy()
    notes["pitch"][which] = np.minimum(notes["pitch"][which].astype(np.int64) + semitones, _HIGHEST)
    return _respelled(score, kind, voice, notes, which)


def _respelled(score: Score, kind: str, voice: int, notes: NDArray[Any], which: Bools) -> Damaged | None:
    """The damaged part, its changed notes spelled anew; of two that fall together one stays."""
    notes["spelling"][which] = spell(notes["pitch"][which].astype(np.int64), score.key)
    order = np.lexsort((notes["pitch"], notes["onset"]))
    notes, which = notes[order], which[order]
    kept = np.sort(np.unique(notes[["onset", "pitch"]], return_index=True)[1])
    return _damaged(score, kind, voice, notes[kept], which[kept])


def _damaged(score: Score, kind: str, voice: int, notes: NDArray[Any], which: Bools) -> Damaged | None:
    if not which.any():
        return None
    bars = np.searchsorted(np.asarray(score.bar_lines), notes["onset"][which], side="right") - 1
    name = score.voices[voice].name
    parts = tuple(part.with_notes(notes) if index == voice else part for index, part in enumerate(score.voices))
    grids = regrid(parts, score.bar_lines, score.grids, np.ones(score.bars, dtype=np.bool_))
    numbers = (int(bars.min()) + score.first_bar, int(bars.max()) + score.first_bar)
    return Damaged(replace(score, voices=parts, grids=grids), kind, name, numbers)
