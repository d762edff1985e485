"""Some bars of a piece as features read them: one grid, no velocities, no tempo, no instruments, no names.

Conventions: every start and length is on sixteenths or triplets (``libretto.score.paper``); ticks count from the first
bar taken. Pitched notes are in order of time, then pitch, then voice; voices without a note in these bars are left out,
and notes are held to last two whole notes at most. Percussion stands apart and has starts and strokes only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import Score
from libretto.score.paper import paper_table
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import WHOLE

__all__ = ["Line", "Sheet", "disorder", "mean", "sheet_of", "variation"]

_LONGEST = 2 * WHOLE


@dataclass(frozen=True, eq=False)
class Line:
    """Notes one at a time in order: of a voice the highest of each start, or of a whole piece."""

    onset: Ints = field(repr=False)
    duration: Ints = field(repr=False)
    pitch: Ints = field(repr=False)
    bar: Ints = field(repr=False)
    position: Ints = field(repr=False)

    @cached_property
    def moves(self) -> Ints:
        """Semitones from note to note."""
        return np.diff(self.pitch)

    @cached_property
    def waits(self) -> Ints:
        """Ticks from start to start."""
        return np.diff(self.onset)


@dataclass(frozen=True, eq=False)
class Sheet:
    """The notes of some bars: pitched ones as columns, percussion apart, where bars begin, and their beats."""

    lines: Ints = field(repr=False)
    beats: Ints = field(repr=False)
    notes: NDArray[Any] = field(repr=False)
    kit: NDArray[Any] = field(repr=False)

    @property
    def bars(self) -> int:
        """How many bars there are."""
        return len(self.lines) - 1

    @cached_property
    def voices(self) -> int:
        """How many pitched voices play."""
        return int(self.notes["voice"].max(initial=-1)) + 1

    @cached_property
    def by_voice(self) -> tuple[NDArray[Any], ...]:
        """The notes of each voice."""
        return tuple(self.notes[self.notes["voice"] == voice] for voice in range(self.voices))

    @cached_property
    def tops(self) -> tuple[Line, ...]:
        """The upper line of each voice."""
        return tuple(_line(notes, highest=True) for notes in self.by_voice)

    @cached_property
    def skyline(self) -> Line:
        """The highest note of every start in the whole piece."""
        return _line(self.notes, highest=True)

    @cached_property
    def ground(self) -> Line:
        """The lowest note of every start in the whole piece."""
        return _line(self.notes, highest=False)

    @cached_property
    def per_bar(self) -> Floats:
        """How many notes each voice starts in each bar: voices as rows."""
        counts = np.zeros((max(1, self.voices), self.bars))
        np.add.at(counts, (self.notes["voice"], self.notes["bar"]), 1.0)
        return counts

    @cached_property
    def pulse(self) -> Ints:
        """The tick of every beat."""
        spans = zip(pairwise(self.lines.tolist()), self.beats.tolist(), strict=True)
        return np.concatenate([np.arange(first, stop, beat) for (first, stop), beat in spans])

    @cached_property
    def sounding(self) -> Bools:
        """Which notes sound at which beat: beats as rows."""
        onset, end = self.notes["onset"], self.notes["onset"] + self.notes["duration"]
        return np.asarray((onset[None, :] <= self.pulse[:, None]) & (end[None, :] > self.pulse[:, None]))

    @cached_property
    def chroma(self) -> Floats:
        """How long each pitch class sounds in each bar, by where its notes start, as directions."""
        length = np.minimum(self.notes["duration"], WHOLE) / WHOLE
        mass = np.zeros((self.bars, 12))
        np.add.at(mass, (self.notes["bar"], self.notes["pitch"] % 12), length)
        size = np.linalg.norm(mass, axis=1, keepdims=True)
        return np.asarray(np.divide(mass, size, out=np.zeros_like(mass), where=size > 0))


def _line(notes: NDArray[Any], *, highest: bool) -> Line:
    """One note of every start."""
    height = notes["pitch"].astype(np.int64)
    order = np.lexsort((-height if highest else height, notes["onset"]))
    _, first = np.unique(notes["onset"][order], return_index=True)
    chosen = notes[order[first]]
    columns = (chosen[name].astype(np.int64) for name in ("onset", "duration", "pitch", "bar", "position"))
    return Line(*columns)


def sheet_of(score: Score, first: int = 0, bars: int | None = None) -> Sheet:
    """The bars of a piece from an index on, as many as there are where no number is given."""
    stop = score.bars if bars is None else min(score.bars, first + bars)
    table, _ = paper_table(score)
    table = table[(table["bar"] >= first) & (table["bar"] < stop)].copy()
    start = score.bar_lines[first]
    table["onset"] -= start
    table["bar"] -= first
    table["duration"] = np.minimum(table["duration"], _LONGEST)
    drums = np.asarray([voice.drums for voice in score.voices] or [False], dtype=np.bool_)
    is_kit = drums[table["voice"]]
    notes, kit = table[~is_kit], table[is_kit]
    notes = notes[np.lexsort((notes["voice"], notes["pitch"], notes["onset"]))]
    notes["voice"] = np.unique(notes["voice"], return_inverse=True)[1].reshape(-1)
    lines = np.asarray(score.bar_lines[first : stop + 1], dtype=np.int64) - start
    beats = np.asarray([score.meter_at(line).beat for line in score.bar_lines[first:stop]], dtype=np.int64)
    return Sheet(lines, beats, notes, kit)


def mean(values: Any) -> float:
    """The mean of what there is; NaN where there is nothing."""
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    array = array[np.isfinite(array)]
    return float(array.mean()) if len(array) else float("nan")


def variation(values: Any) -> float:
    """The standard deviation as a part of the mean; NaN where there are no two."""
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    return float(array.std() / array.mean()) if len(array) > 1 and array.mean() else float("nan")


def disorder(keys: Any) -> float:
    """The entropy of what occurs, in bits; NaN where nothing does.

    >>> disorder([1, 2, 1, 2])
    1.0
    """
    array = np.asarray(keys)
    if not len(array):
        return float("nan")
    _, counts = np.unique(array, return_counts=True, axis=0)
    share = counts / counts.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0
