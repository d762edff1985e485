"""Facts about a piece: the one reader of a Score for whoever measures, judges, detects or writes into it.

Every fact is an array, worked out once, when it is first asked for.

Conventions: only pitched notes, in order of time. ``bar`` is an index from 0, ``slot`` a place in the bar in
sixteenths, rounded, so that played music can be compared with itself. Notes are held to last two whole notes at most.
A *pair* is two notes that sound together. A voice is a *line* where it mostly plays one note at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from libretto.score.model import Score
from libretto.score.table import Bools, Floats, Ints, distinct, note_order, taken_rows
from libretto.score.time import QUARTER, WHOLE, bpm_of_micros
from libretto.score.twins import twins_among

__all__ = ["Bools", "Facts", "Floats", "Ints"]

T = TypeVar("T")

_LONGEST = 2 * WHOLE
_MOST_PAIRS = 1_500_000
_SLOT = QUARTER // 4
_HABIT = 24  # notes, at least, before a voice has habits
_BUSY, _MIDDLE = 8, 55  # a bass has so many notes at least, and lies below the middle of the keyboard (G3)
_MOST_NEAR = 4  # notes of a chord that are looked at
_LINE = 1.15  # notes an onset, at most, in a voice that counts as a line


class Facts:
    """The pitched notes of a piece in order of time, and what follows from them."""

    def __init__(self, score: Score) -> None:
        table = score.sounds
        pitched = np.array([not voice.drums for voice in score.voices] or [False], dtype=np.bool_)
        self.score = score
        tuned = pitched[table["voice"]]
        self.kit: NDArray[Any] = table[~tuned]
        rows = np.flatnonzero(tuned)
        onset, pitch, voice = (table[name][rows].astype(np.int64) for name in ("onset", "pitch", "voice"))
        notes = taken_rows(table, rows[note_order(np.zeros_like(onset), onset, pitch, voice)])
        self.notes: NDArray[Any] = notes
        self.onset: Ints = notes["onset"].astype(np.int64)
        self.duration: Ints = np.minimum(notes["duration"], _LONGEST).astype(np.int64)
        self.end: Ints = self.onset + self.duration
        self.pitch: Ints = notes["pitch"].astype(np.int64)
        self.voice: Ints = notes["voice"].astype(np.int64)
        self.bar: Ints = notes["bar"].astype(np.int64)
        self.slot: Ints = np.rint(notes["position"] / _SLOT).astype(np.int64)
        self.pitch_class: Ints = self.pitch % 12
        self.count = len(notes)
        self.bars = score.bars
        self.bar_length: Ints = np.asarray(np.diff(np.asarray(score.bar_lines, dtype=np.int64)), dtype=np.int64)
        self.voices = len(score.voices)

    def by_bar(self, changes: Sequence[tuple[int, T]]) -> list[T]:
        """What holds at the start of each bar, of (tick, value) pairs."""
        at = np.searchsorted([tick for tick, _ in changes], self.score.bar_lines[:-1], side="right") - 1
        return [changes[number][1] for number in np.maximum(at, 0).tolist()]

    @cached_property
    def bar_beat(self) -> Ints:
        """The length of a beat of each bar in ticks."""
        return np.array([meter.beat for meter in self.by_bar(self.score.meters)], dtype=np.int64)

    @cached_property
    def bar_tonic(self) -> Ints:
        """The tonic of each bar as a pitch class."""
        return np.array([key.tonic_class for key in self.by_bar(self.score.keys)], dtype=np.int64)

    @cached_property
    def bar_minor(self) -> Bools:
        """Whether the key of each bar has a minor third."""
        return np.array([key.is_minor for key in self.by_bar(self.score.keys)], dtype=np.bool_)

    @cached_property
    def bar_bpm(self) -> Floats:
        """The tempo at the start of each bar in quarter notes a minute."""
        return np.array([bpm_of_micros(micros) for micros in self.by_bar(self.score.tempos)], dtype=np.float64)

    @cached_property
    def bar_counts(self) -> Floats:
        """How many notes each voice, drums too, starts in each bar: voices as rows, bars as columns."""
        table, counts = self.score.sounds, np.zeros((self.voices, self.bars))
        np.add.at(counts, (table["voice"], table["bar"]), 1.0)
        return counts

    @cached_property
    def beats(self) -> Floats:
        """How long each note lasts, in quarters."""
        return self.duration / QUARTER

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Which notes sound together (the earlier first), and for how many ticks."""
        last = np.searchsorted(self.onset, self.end, side="left")
        many = np.maximum(last - np.arange(self.count) - 1, 0)
        if many.sum() > _MOST_PAIRS:
            many = np.minimum(many, _MOST_PAIRS // max(self.count, 1))
        first = np.repeat(np.arange(self.count), many)
        start = np.concatenate(([0], np.cumsum(many)[:-1])) if self.count else many
        second = first + 1 + np.arange(len(first)) - np.repeat(start, many)
        together = np.minimum(self.end[first], self.end[second]) - self.onset[second]
        real = together > 0
        return first[real], second[real], together[real]

    @cached_property
    def pair_gap(self) -> Ints:
        """How many semitones apart the two notes of each pair are."""
        first, second, _ = self.pairs
        return np.asarray(np.abs(self.pitch[first] - self.pitch[second]))

    @cached_property
    def pair_voices(self) -> tuple[Ints, Ints]:
        """The voices of the first and of the second note of each pair."""
        first, second, _ = self.pairs
        return self.voice[first], self.voice[second]

    @cached_property
    def both_ways(self) -> tuple[Ints, Ints, Ints]:
        """The pairs, each seen from both its notes: the note, the other, ticks together."""
        first, second, together = self.pairs
        return np.concatenate((first, second)), np.concatenate((second, first)), np.concatenate((together, together))

    @cached_property
    def companions(self) -> Floats:
        """For each note how long every pitch class of the others sounds with it, as a share of its length."""
        note, other, together = self.both_ways
        mass = np.bincount(note * 12 + self.pitch_class[other], together, minlength=12 * self.count)
        return np.minimum(mass.reshape(-1, 12) / self.duration[:, None], 1.0)

    @cached_property
    def bar_mass(self) -> Floats:
        """How long each pitch class sounds in each bar (by where notes start), in quarters, at most four a note."""
        length = np.minimum(self.beats, 4.0)
        return np.asarray(
            np.bincount(self.bar * 12 + self.pitch_class, length, minlength=12 * self.bars).reshape(-1, 12),
            dtype=np.float64,
        )

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """For each note the nearest pitch of the onset before and after in its voice; -1 where there is none."""
        order = np.argsort(self.voice, kind="stable")
        voice, onset, own = self.voice[order], self.onset[order], self.pitch[order]
        change = np.ones(self.count, dtype=np.bool_)
        change[1:] = (voice[1:] != voice[:-1]) | (onset[1:] != onset[:-1])
        start, group = np.flatnonzero(change), np.cumsum(change) - 1
        size, near = np.diff(start, append=self.count), list[Ints]()
        for step in (-1, 1):
            where = np.minimum(np.maximum(group + step, 0), len(start) - 1)
            inside, many, first = (where != group) & (voice[start][where] == voice), size[where], start[where]
            best = np.where(inside, own[first], -1)
            for member in range(1, min(int(size.max(initial=0)), _MOST_NEAR)):
                more = np.flatnonzero(inside & (member < many))
                pitch, mine = own[first[more] + member], own[more]
                closer = np.abs(pitch - mine) < np.abs(best[more] - mine)
                best[more[closer]] = pitch[closer]
            nearest = np.empty(self.count, dtype=np.int64)
            nearest[order] = best
            near.append(nearest)
        return near[0], near[1]

    @cached_property
    def density(self) -> Floats:
        """Notes an onset, voice by voice; NaN where a voice has none."""
        many = np.bincount(self.voice, minlength=self.voices)
        ratio = np.divide(many, self.different(self.onset), out=np.full(self.voices, np.nan), where=many > 0)
        return np.asarray(ratio, dtype=np.float64)

    def different(self, values: Ints) -> Ints:
        """How many different values, of one a note and none below 0, the notes of each voice have."""
        span = int(values.max(initial=0)) + 1
        return np.bincount(distinct(self.voice * span + values) // span, minlength=self.voices)

    @cached_property
    def lines(self) -> Ints:
        """The voices that mostly play one note at a time and play often enough to have habits."""
        size = np.bincount(self.voice, minlength=self.voices)
        return np.flatnonzero((np.nan_to_num(self.density, nan=9.0) <= _LINE) & (size >= _HABIT))

    @cached_property
    def mean_pitch(self) -> Floats:
        """The mean pitch of each voice; NaN where it has no notes."""
        size = np.bincount(self.voice, minlength=self.voices)
        total = np.bincount(self.voice, self.pitch, minlength=self.voices)
        return np.asarray(np.divide(total, size, out=np.full(self.voices, np.nan), where=size > 0), dtype=np.float64)

    @cached_property
    def bass(self) -> int | None:
        """The voice that plays the bass: the lowest with at least a note every other bar, below the middle."""
        size = np.bincount(self.voice, minlength=self.voices)
        busy = (size >= max(_BUSY, self.bars // 2)) & (self.mean_pitch < _MIDDLE)
        if not busy.any():
            return None
        return int(np.argmin(np.where(busy, self.mean_pitch, np.inf)))

    @cached_property
    def twins(self) -> tuple[Ints, Ints, Ints, Ints]:
        """What ``twins_of`` says of all notes."""
        return self.twins_of(np.arange(self.count))

    def twins_of(self, notes: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """How parallel passages read some notes: agree, contradict, contradict by a step, contradict by octaves.

        A twin of a note is another bar in which its voice plays the same, this note perhaps excepted.
        """
        return twins_among(self.voice * self.bars + self.bar, self.slot, self.pitch, self.bars, notes)
