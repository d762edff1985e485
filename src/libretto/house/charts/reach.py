"""What an instrument reaches: lines that leave it are moved by octaves, phrase by phrase and then bar by bar."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch

__all__ = ["Reach"]

_PHRASE, _OCTAVES = 4, (0, -12, 12)  # bars of a phrase, and semitones by which one is moved
_FEW = 8  # notes of a phrase of which one may lie beyond the instrument
_SEVERAL = 4  # and of a bar of so many notes
_NEAR = 5  # semitones beyond it that are played on the nearest tone of the chord


class Reach(NamedTuple):
    """The lowest and the highest pitch of an instrument in a piece."""

    plan: Plan
    low: int
    high: int

    def moved(self, notes: list[Sketch]) -> list[Sketch]:
        """The same notes; a phrase that leaves the instrument is played an octave higher or lower as a whole, then a
        bar that still does."""
        ticks = self.plan.meter.ticks
        phrases = [first + place for section in self.plan.sections for first in [section.first]
                   for place in range(0, section.bars, _PHRASE)]  # fmt: skip
        for firsts in (phrases, range(self.plan.bars)):
            notes = self._shifted(notes, [first * ticks for first in firsts])
        return [note._replace(pitch=self._within(note)) for note in notes]

    def beyond(self, notes: Sequence[Sketch], by: int = 0) -> int:
        """How many notes are out of reach when they are moved."""
        return sum(not self.low <= note.pitch + by <= self.high for note in notes)

    def fitted(self, pitch: int) -> int:
        """A pitch brought by octaves into what the instrument has."""
        while pitch < self.low:
            pitch += 12
        while pitch > self.high and pitch - 12 >= self.low:
            pitch -= 12
        return pitch

    def _shifted(self, notes: list[Sketch], edges: Sequence[int]) -> list[Sketch]:
        """Notes of which every stretch lies where most of it is within reach."""
        stretches: dict[int, list[Sketch]] = {}
        for note in notes:
            stretches.setdefault(bisect_right(edges, note.onset), []).append(note)
        moves = {place: self._best(mine) for place, mine in stretches.items()}
        return [note._replace(pitch=note.pitch + moves[bisect_right(edges, note.onset)]) for note in notes]

    def _best(self, notes: Sequence[Sketch]) -> int:
        """By how much notes are moved: not at all for the sake of a few."""
        few = max(len(notes) // _FEW, int(len(notes) >= _SEVERAL))
        return min(_OCTAVES, key=lambda by: (max(self.beyond(notes, by), few), abs(by), by))

    def _within(self, note: Sketch) -> int:
        """The pitch of a note; what lies just beyond the instrument is played on the nearest tone of the chord."""
        edge = max(self.low, min(self.high, note.pitch))
        if abs(edge - note.pitch) > _NEAR or edge == note.pitch:
            return self.fitted(note.pitch)
        near = ladder(self.plan.chord_at(note.onset).chord.classes, edge - _NEAR, edge + _NEAR)
        tones = [tone for tone in near if self.low <= tone <= self.high]
        return min(tones, key=lambda tone: abs(tone - note.pitch), default=self.fitted(note.pitch))
