"""Plant one fault in a piece: for tests of the ear, a machine's or a student's.

Conventions: a planter is a registered function from ``Soil`` (the piece, its facts, a seeded die) to ``Planted``, or
None where the piece has no place for such a fault. It changes what it says and nothing else; ``diff`` shows it.
A fault is *plain* where a listener notices it at once: notes of a quarter or more, as loud as the rest, that stand out.
A *subtle* one keeps the definition of its kind and drops what makes it stand out. The same seed plants the same fault.
A bar of another song needs that song: the ``donor``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.faults.lines import passages, windows
from libretto.registry import Registry
from libretto.score import QUARTER, Score, spell
from libretto.score.edit import regrid
from libretto.score.facts import Facts
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.score.table import Bools, Floats, Ints

__all__ = ["DEGREES", "HIGHEST", "LOWEST", "Planted", "Soil", "planters"]

#: How striking a planted fault may be.
DEGREES = ("plain", "subtle")
#: Between these pitches planted notes lie.
LOWEST, HIGHEST = 3, 124
_RUBBING = (1, 13)  # semitones: minor second and ninth
_AROUND = 2  # bars on either side in which nobody rubs where it is calm
_LONG, _LONG_SUBTLE = 0.9, 0.45  # quarters, nearly: a note worth spoiling
_FULL = 3  # notes of a bar in which there is music


@dataclass(frozen=True)
class Planted:
    """A piece with one fault: which kind, in which bar and voice (None: in all), and what was done, in words."""

    score: Score
    kind: str
    bar: int
    voice: str | None
    words: str


class Soil:
    """A piece in which something is to be planted: its facts, how striking it may be, and chance with a seed."""

    def __init__(self, score: Score, kind: str, seed: int, *, plain: bool = True, donor: Score | None = None) -> None:
        self.score, self.kind, self.plain, self.donor = score, kind, plain, donor
        self.chance = Random(f"{kind} {seed}")

    @cached_property
    def facts(self) -> Facts:
        """What is known of the piece's notes."""
        return Facts(self.score)

    @cached_property
    def passages(self) -> tuple[Bools, Floats]:
        """For each bar the scale of the passage around it, and how much of the passage keeps to it."""
        return passages(self.facts)

    @cached_property
    def calm(self) -> Bools:
        """For each bar whether in it and the two on either side no two voices rub by a semitone or minor ninth."""
        first, second, together = self.facts.pairs
        gap = np.abs(self.facts.pitch[first] - self.facts.pitch[second])
        apart = self.facts.voice[first] != self.facts.voice[second]
        rubs = np.isin(gap, _RUBBING) & apart & (together >= QUARTER // 2)
        many = np.bincount(self.facts.bar[second[rubs]], minlength=self.facts.bars).astype(np.float64)
        return np.asarray(windows(many[:, None], _AROUND)[:, 0] == 0)

    @cached_property
    def loud(self) -> Bools:
        """Which notes are at least two thirds as loud as the usual note of the piece."""
        velocity = self.facts.notes["velocity"].astype(np.float64)
        return np.asarray(velocity >= np.median(velocity) * 2 / 3)

    def repitched(self, pitches: Mapping[int, int], bar: int, words: str) -> Planted:
        """The piece with other pitches for some notes of one voice (by their index among the facts)."""
        facts = self.facts
        voice = int(facts.voice[next(iter(pitches))])
        old = self.score.voices[voice]
        notes = old.array.copy()
        for index, pitch in pitches.items():
            row = facts.notes[index]
            which = (notes["onset"] == row["onset"]) & (notes["pitch"] == row["pitch"])
            which &= notes["duration"] == row["duration"]
            at = int(np.flatnonzero(which)[0])
            notes["pitch"][at] = pitch
            notes["spelling"][at] = int(spell(np.array([pitch]), self.score.key)[0])
        return self.planted({voice: notes}, bar, old.name, words)

    def planted(self, changed: Mapping[int, NDArray[Any]], bar: int, voice: str | None, words: str) -> Planted:
        """The piece with other notes for some voices; bars that changed are written on a grid that holds them."""
        score = self.score
        voices = tuple(v.with_notes(changed[i]) if i in changed else v for i, v in enumerate(score.voices))
        touched = np.zeros(score.bars, dtype=np.bool_)
        touched[bar : bar + 2] = True
        after = replace(score, voices=voices, grids=regrid(voices, score.bar_lines, score.grids, touched))
        return Planted(after, self.kind, bar + score.first_bar, voice, words)

    def where(self, index: int) -> str:
        """Bar, beat and voice of a note, for a person."""
        bar, beat = place(self.score, int(self.facts.onset[index]))
        return f"bar {bar}, beat {beat:.4g}, {self.score.voices[int(self.facts.voice[index])].name}"

    def name(self, pitch: int) -> str:
        """How a pitch is written in the piece's key."""
        return pitch_name(pitch, int(spell(np.array([pitch]), self.score.key)[0]))

    def inner(self) -> Ints:
        """The notes worth spoiling: a quarter (subtle: an eighth) or longer, loud, with music in the bars around."""
        facts = self.facts
        full = np.bincount(facts.bar, minlength=facts.bars + 1) >= _FULL
        near = full[np.maximum(facts.bar - 1, 0)] & full[np.minimum(facts.bar + 1, facts.bars)]
        inside = (facts.bar > 0) & (facts.bar < facts.bars - 1)
        return np.flatnonzero((facts.beats >= (_LONG if self.plain else _LONG_SUBTLE)) & near & inside & self.loud)


#: For every kind of fault, what plants one; None where a piece has no place for it.
planters: Registry[Callable[[Soil], Planted | None]] = Registry("kind of fault")
