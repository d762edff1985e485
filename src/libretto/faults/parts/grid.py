"""A piece as voices over time: which pitch classes each voice sounds in every sixteenth, and where it strikes.

Conventions: time is cut into sixteenths, to which starts and ends are rounded; a note fills one at least and is held
for two whole notes at most. A voice is *heard* where it has enough notes to be judged. Struck and noisy programs of
General MIDI (wood block, taiko, effects) have no pitch that goes with others: they count as drums.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from libretto.faults.columns import CLASSES
from libretto.score.facts import Facts
from libretto.score.table import Bools, Floats, Ints, Singles, distinct
from libretto.score.time import QUARTER

__all__ = ["SLOT", "Parts"]

#: A sixteenth, in ticks.
SLOT = QUARTER // 4
_FEWEST = 8  # notes below which a voice cannot be judged
_MOST_VOICES = 40  # that are judged in one piece: those with most notes
_NOISES = (113, 115, 116, 117, 118, 119, *range(120, 128))  # programs without a pitch that matters, counted from 0
_MOST_CELLS = 40_000  # sixteenths of all voices that are worked on at a time
_MOST_DOUBLES = 2.0  # of a pitch class in the others' sound that count


class Parts:
    """The voices of a piece on a grid of sixteenths.

    Tables have a row for each of some voices, and the sixteenths last. What they hold are whole numbers and parts of
    them in single precision: sums in double precision are exact, in whatever order they are made.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        lines = np.asarray(facts.score.bar_lines, dtype=np.int64)
        self.slots = int(-(-lines[-1] // SLOT)) + 1
        self.lines: Ints = np.minimum(np.rint(lines / SLOT).astype(np.int64), self.slots)
        self.start: Ints = np.minimum(np.rint(facts.onset / SLOT).astype(np.int64), self.slots - 1)
        end = np.rint(facts.end / SLOT).astype(np.int64)
        self.stop: Ints = np.minimum(np.maximum(end, self.start + 1), self.slots)

    @cached_property
    def played(self) -> list[int]:
        """The voices that play at all and have pitches, by index."""
        voices = self.facts.score.voices
        return [voice for voice in distinct(self.facts.voice).tolist() if voices[voice].program not in _NOISES]

    @cached_property
    def heard(self) -> list[int]:
        """The pitched voices that have enough notes to be judged, by index."""
        many = np.bincount(self.facts.voice, minlength=self.facts.voices)
        most = np.argsort(-many, kind="stable")[:_MOST_VOICES]
        return sorted(int(voice) for voice in most if many[voice] >= _FEWEST and int(voice) in self.played)

    def lots(self, voices: list[int]) -> list[list[int]]:
        """The voices some at a time: so many that their tables stay small."""
        size = max(1, _MOST_CELLS // self.slots)
        return [voices[first : first + size] for first in range(0, len(voices), size)]

    @cached_property
    def bar_of_slot(self) -> Ints:
        """The bar in which each sixteenth lies, as an index."""
        return np.clip(np.searchsorted(self.lines, np.arange(self.slots), side="right") - 1, 0, self.facts.bars - 1)

    @cached_property
    def _sounds(self) -> Singles:
        """For each voice that is ``played`` which pitch classes it sounds in each sixteenth: 1 or 0."""
        facts, row = self.facts, np.full(self.facts.voices, -1)
        row[self.played] = np.arange(len(self.played))
        mine = np.flatnonzero(row[facts.voice] >= 0)
        first = (row[facts.voice[mine]] * CLASSES + facts.pitch_class[mine]) * self.slots + self.start[mine]
        long = (self.stop - self.start)[mine]
        sounds = np.zeros((len(self.played), CLASSES, self.slots), dtype=np.float32)
        sounds.ravel()[np.repeat(first - np.cumsum(long) + long, long) + np.arange(long.sum())] = 1
        return sounds

    @cached_property
    def _together(self) -> Singles:
        """How many voices sound each pitch class in each sixteenth."""
        return np.asarray(self._sounds.sum(axis=0))

    def sound(self, voices: Sequence[int]) -> tuple[Singles, Singles]:
        """Which pitch classes some voices sound in each sixteenth, 1 or 0; and what all others than each of them sound,
        doublings counted little: a pitch class is part of a whole."""
        mine = self._sounds[[self.played.index(voice) for voice in voices]]
        rest = self._together - mine
        np.minimum(rest, np.float32(_MOST_DOUBLES), out=rest)
        rest /= np.maximum(rest.sum(axis=1, keepdims=True), np.float32(1))
        return mine, np.asarray(rest)

    @cached_property
    def strikes(self) -> Singles:
        """In how many voices, drums too, a note starts in each sixteenth; voices as rows."""
        facts = self.facts
        strikes = np.zeros((facts.voices, self.slots), dtype=np.float32)
        strikes[facts.voice, self.start] = 1.0
        kit = np.clip(np.rint(facts.kit["onset"] / SLOT).astype(np.int64), 0, self.slots - 1)
        strikes[facts.kit["voice"], kit] = 1.0
        return strikes

    @cached_property
    def struck(self) -> tuple[Singles, Singles, Bools]:
        """In each sixteenth how many voices strike, how many of those have pitches, and whether any drum does."""
        pitched = np.zeros(self.facts.voices, dtype=np.bool_)
        pitched[self.played] = True
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

    def by_bar(self, values: Singles) -> Floats:
        """Values of sixteenths, which come last, added up bar by bar."""
        first, end = self.lines[:-1], int(self.lines[-1])
        if not end:
            return np.zeros((*values.shape[:-1], len(first)))
        rows = values[..., :end].astype(np.float64)
        sums = np.add.reduceat(rows, np.minimum(first, end - 1), axis=-1)
        sums[..., first == self.lines[1:]] = 0.0  # bars that are shorter than half a sixteenth
        return np.asarray(sums)
