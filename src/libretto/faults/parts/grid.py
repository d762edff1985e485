"""A piece as voices over time: which pitch classes each voice sounds in every sixteenth, and where it strikes.

Conventions: time is cut into sixteenths, to which starts and ends are rounded; a note fills one at least and is held
for two whole notes at most. A voice is *heard* where it has enough notes to be judged. Struck and noisy programs of
General MIDI (wood block, taiko, effects) have no pitch that goes with others: they count as drums.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints, distinct
from libretto.score.time import QUARTER

__all__ = ["SLOT", "Parts"]

#: A sixteenth, in ticks.
SLOT = QUARTER // 4
_FEWEST = 8  # notes below which a voice cannot be judged
_MOST_VOICES = 40  # that are judged in one piece: those with most notes
_NOISES = (113, 115, 116, 117, 118, 119, *range(120, 128))  # programs without a pitch that matters, counted from 0
_MOST_DOUBLES = 2.0  # of a pitch class in the others' sound that count


class Parts:
    """The voices of a piece on a grid of sixteenths."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._others: dict[int, NDArray[np.float32]] = {}  # of the voice that was asked for last
        self._beside: dict[int, tuple[Floats, Floats]] = {}
        lines = np.asarray(facts.score.bar_lines, dtype=np.int64)
        self.slots = int(-(-lines[-1] // SLOT)) + 1
        self.lines: Ints = np.minimum(np.rint(lines / SLOT).astype(np.int64), self.slots)
        self.start: Ints = np.minimum(np.rint(facts.onset / SLOT).astype(np.int64), self.slots - 1)
        end = np.rint(facts.end / SLOT).astype(np.int64)
        self.stop: Ints = np.minimum(np.maximum(end, self.start + 1), self.slots)

    @cached_property
    def heard(self) -> list[int]:
        """The pitched voices that have enough notes to be judged, by index."""
        many = np.bincount(self.facts.voice, minlength=self.facts.voices)
        most = np.argsort(-many, kind="stable")[:_MOST_VOICES]
        return sorted(int(voice) for voice in most if many[voice] >= _FEWEST and int(voice) in self.sounds)

    @cached_property
    def bar_of_slot(self) -> Ints:
        """The bar in which each sixteenth lies, as an index."""
        return np.clip(np.searchsorted(self.lines, np.arange(self.slots), side="right") - 1, 0, self.facts.bars - 1)

    def sound(self, voice: int) -> NDArray[np.float32]:
        """Which pitch classes a voice sounds in each sixteenth: 1 or 0."""
        mine = self.facts.voice == voice
        change = np.zeros((self.slots + 1, CLASSES), dtype=np.float32)
        np.add.at(change, (self.start[mine], self.facts.pitch_class[mine]), 1.0)
        np.add.at(change, (self.stop[mine], self.facts.pitch_class[mine]), -1.0)
        return np.asarray(np.cumsum(change, axis=0)[:-1] > 0, dtype=np.float32)

    @cached_property
    def sounds(self) -> dict[int, NDArray[np.float32]]:
        """The sound of every voice that plays at all and has pitches."""
        voices = self.facts.score.voices
        played = [int(voice) for voice in distinct(self.facts.voice) if voices[int(voice)].program not in _NOISES]
        return {voice: self.sound(voice) for voice in played}

    @cached_property
    def together(self) -> NDArray[np.float32]:
        """How many voices sound each pitch class in each sixteenth."""
        total = np.zeros((self.slots, CLASSES), dtype=np.float32)
        for sound in self.sounds.values():
            total += sound
        return total

    def others(self, voice: int) -> NDArray[np.float32]:
        """What all other voices sound in each sixteenth, doublings counted little; a pitch class is part of a whole."""
        if voice not in self._others:
            rest = np.minimum(self.together - self.sounds[voice], _MOST_DOUBLES)
            self._others = {voice: np.asarray(rest / np.maximum(rest.sum(axis=1, keepdims=True), 1.0), np.float32)}
        return self._others[voice]

    def beside(self, voice: int) -> tuple[Floats, Floats]:
        """What a voice and what all others sound in each sixteenth, in numbers that are added up without loss."""
        if voice not in self._beside:
            self._beside = {voice: (self.sounds[voice].astype(np.float64), self.others(voice).astype(np.float64))}
        return self._beside[voice]

    @cached_property
    def strikes(self) -> NDArray[np.float32]:
        """In how many voices, drums too, a note starts in each sixteenth; voices as rows."""
        facts = self.facts
        strikes = np.zeros((facts.voices, self.slots), dtype=np.float32)
        strikes[facts.voice, self.start] = 1.0
        kit = np.clip(np.rint(facts.kit["onset"] / SLOT).astype(np.int64), 0, self.slots - 1)
        strikes[facts.kit["voice"], kit] = 1.0
        return strikes

    @cached_property
    def struck(self) -> tuple[NDArray[np.float32], NDArray[np.float32], Bools]:
        """In each sixteenth how many voices strike, how many of those have pitches, and whether any drum does."""
        pitched = np.zeros(self.facts.voices, dtype=np.bool_)
        pitched[list(self.sounds)] = True
        drums = self.strikes[~pitched].sum(axis=0) > 0
        return self.strikes.sum(axis=0), self.strikes[pitched].sum(axis=0), drums

    def inside(self, slots: Ints) -> Ints:
        """Sixteenths of the piece; what lies before it is the first, what lies after it the last."""
        return np.minimum(np.maximum(slots, 0), self.slots - 1)

    @cached_property
    def half_beat(self) -> int:
        """Half a beat of the piece's usual meter, in sixteenths."""
        return max(1, round(float(np.median(self.facts.bar_beat)) / (2 * SLOT)))

    @cached_property
    def place(self) -> Ints:
        """Where in its bar each sixteenth lies."""
        return np.asarray(np.arange(self.slots) - self.lines[self.bar_of_slot])

    def by_bar(self, values: Floats | NDArray[np.float32]) -> Floats:
        """Values of sixteenths added up bar by bar."""
        rows = values if values.ndim > 1 else values[:, None]
        total = np.concatenate((np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)))
        summed = total[self.lines[1:]] - total[self.lines[:-1]]
        return np.asarray(summed if values.ndim > 1 else summed[:, 0])
