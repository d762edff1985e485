"""Read a song: what its bars are like, which chords they have, which of them are alike, and who carries the tune.

What the house needs to know of other people's music before it writes into it. Any song will do: many voices, odd
meters, played timing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.core.tones import Heard, hear_label
from libretto.score import QUARTER, Score, hear_chords
from libretto.score.chords import NO_CHORD
from libretto.score.facts import Facts
from libretto.score.table import NOTE, Floats, Ints

__all__ = ["Reading"]

_SLOTS = 16
_NEARBY = 24  # bars around a place that tell which notes are at home there
_HOME = 0.035
_RUNG_OUT = 4  # bars after which nothing rings any more
_LINE = 1 / 0.85 + 1e-9  # no more notes an onset than this, and a voice is a line


@dataclass(frozen=True, eq=False)
class Reading:
    """A song with some bars (indices) missing."""

    score: Score = field(repr=False)
    hidden: tuple[int, int]

    @cached_property
    def facts(self) -> Facts:
        """What is known of any song."""
        return Facts(self.score)

    @cached_property
    def lines(self) -> Ints:
        """The bar lines."""
        return np.asarray(self.score.bar_lines, dtype=np.int64)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Which bars are there."""
        there = np.ones(self.score.bars, dtype=np.bool_)
        there[self.hidden[0] : self.hidden[1] + 1] = False
        return there

    @cached_property
    def heard(self) -> tuple[tuple[str, ...], ...]:
        """The chord labels of every bar as they are heard."""
        return hear_chords(self.score)

    @cached_property
    def has_labels(self) -> bool:
        """Whether the song says which chords it has, as a lead sheet does: its labels are not what is heard.

        A song without a single chord says nothing, and bars into which something may have rung from what is missing do
        not tell.
        """
        if all(label == NO_CHORD for bar in np.flatnonzero(self.known).tolist() for label in self.score.chords[bar]):
            return False
        told = self.known.copy()
        told[self.hidden[1] + 1 : self.hidden[1] + 1 + _RUNG_OUT] = self.hidden[1] < self.hidden[0]
        return any(self.score.chords[bar] != self.heard[bar] for bar in np.flatnonzero(told).tolist())

    @cached_property
    def harmonies(self) -> list[tuple[Heard | None, Heard | None]]:
        """The chord of each half of every bar: as the song says where it does, else as it is heard."""
        own = self.known & self.has_labels
        labels = [self.score.chords[bar] if own[bar] else self.heard[bar] for bar in range(self.score.bars)]
        return [(hear_label(bar[0]), hear_label(bar[-1])) for bar in labels]

    @cached_property
    def counts(self) -> Floats:
        """How many notes each voice starts in each bar."""
        return self.facts.bar_counts

    def features(self, voices: Collection[int]) -> tuple[Floats, Floats, Floats]:
        """Bars as rows: who plays how much, what sounds in each half, and on which places notes start."""
        table = self.score.table
        rows = table[np.isin(table["voice"], list(voices))]
        drums = np.array([voice.drums for voice in self.score.voices], dtype=np.bool_)
        length = self.facts.bar_length[rows["bar"]]
        part = rows["position"] / length
        players = np.log2(1 + self.counts[sorted(voices)].T) if voices else np.zeros((self.score.bars, 1))
        tones = np.zeros((self.score.bars, 24))
        pitched = ~drums[rows["voice"]]
        half = (part >= 0.49).astype(np.int64)
        weight = np.minimum(rows["duration"], length // 2) / QUARTER
        np.add.at(tones, (rows["bar"][pitched], half[pitched] * 12 + rows["pitch"][pitched] % 12), weight[pitched])
        places = np.zeros((self.score.bars, _SLOTS))
        np.add.at(places, (rows["bar"], np.round(part * _SLOTS).astype(np.int64) % _SLOTS), 1.0)
        return players, tones, places

    def unlike(self, voices: Collection[int]) -> Floats:
        """How unlike every two bars are in those voices, from 0 to 1."""
        return np.asarray(np.mean([_apart(rows) for rows in self.features(voices)], axis=0))

    @cached_property
    def other_tones(self) -> Floats:
        """How unlike what sounds in every two bars is, half by half."""
        return _apart(self.features(range(len(self.score.voices)))[1])

    def change(self, bar: int) -> Floats:
        """How much would change if each bar stood next to one: who plays, how much, how high, how loud."""
        notes, table = self.counts, self.score.table
        high, loud = np.zeros_like(notes), np.zeros_like(notes)
        for column, name in ((high, "pitch"), (loud, "velocity")):
            np.add.at(column, (table["voice"], table["bar"]), table[name].astype(np.float64))
        high, loud = high / np.maximum(notes, 1), loud / np.maximum(notes, 1)
        mine, plays = notes[:, bar : bar + 1], notes > 0
        both, some = plays & plays[:, bar : bar + 1], plays | plays[:, bar : bar + 1]
        either, together = np.maximum(some.sum(axis=0), 1), np.maximum(both.sum(axis=0), 1)
        amount = (np.abs(np.log2((notes + 1) / (mine + 1))) * some).sum(axis=0) / either
        up = (np.abs(high - high[:, bar : bar + 1]) * both).sum(axis=0) / together
        louder = (np.abs(loud - loud[:, bar : bar + 1]) * both).sum(axis=0) / together
        return np.asarray(amount + up / 5 + louder / 16 + 2 * (some & ~both).sum(axis=0) / either)

    @cached_property
    def measures(self) -> dict[str, Floats]:
        """What may be asked for more or less of, bar by bar, in spreads above the song's middle."""
        table, bars = self.score.table, self.score.bars
        number = np.bincount(table["bar"], minlength=bars).astype(np.float64)
        beat = table["position"] % QUARTER
        off = np.minimum(beat, QUARTER - beat) > QUARTER // 8
        length = np.log2(np.minimum(table["duration"], 8 * QUARTER))
        tones = self.features(range(len(self.score.voices)))[1]
        starts = np.unique(table["onset"])
        places = np.bincount(np.searchsorted(self.lines, starts, side="right") - 1, minlength=bars)
        safe = np.maximum(number, 1)
        measured = {
            "density": number,
            "layers": (self.counts > 0).sum(axis=0).astype(np.float64),
            "offbeats": np.bincount(table["bar"], off, bars) / safe,
            "lengths": np.bincount(table["bar"], length, bars) / safe,
            "size": number / np.maximum(places, 1),
            "color": ((tones[:, :12] + tones[:, 12:]) > 0).sum(axis=1).astype(np.float64),
        }
        known = self.known & (number > 0)
        for name, values in measured.items():
            middle = values[known].mean() if known.any() else 0.0
            measured[name] = np.clip((values - middle) / max(values[known].std() if known.any() else 1.0, 1e-6), -2, 2)
        return measured

    def home(self, bar: int) -> frozenset[int]:
        """The pitch classes that are at home around a bar: those that sound for more than a moment nearby."""
        facts = self.facts
        near = np.abs(facts.bar - bar) <= _NEARBY
        rows = near if near.any() else np.ones(facts.count, dtype=np.bool_)
        mass = np.bincount(facts.pitch_class[rows], np.minimum(facts.duration[rows], 4 * QUARTER), 12)
        if not mass.any():
            return frozenset(range(12))
        return frozenset(np.flatnonzero(mass >= _HOME * mass.sum()).tolist())

    def notes(self, voice: int, bar: int) -> NDArray[Any]:
        """What a voice starts in a bar."""
        array = self.score.voices[voice].array
        low, high = np.searchsorted(array["onset"], self.lines[bar : bar + 2])
        return array[low:high]

    @cached_property
    def is_line(self) -> list[bool]:
        """Which voices are lines: pitched, and one note at a time nearly throughout."""
        return [bool(density <= _LINE) for density in self.facts.density]

    @cached_property
    def heights(self) -> Floats:
        """How high each voice lies on the whole; 0 where it has no pitches."""
        return np.nan_to_num(self.facts.mean_pitch)

    def tune(self, bars: Collection[int], voices: Collection[int]) -> int | None:
        """The voice that carries the tune in those bars: of the lines that are not the bass the most prominent."""
        best, most = None, 0.0
        pitched = [v for v in range(len(self.score.voices)) if not self.score.voices[v].drums and self.heights[v] > 0]
        lowest = min(pitched, key=lambda v: self.heights[v], default=None)
        for voice in voices:
            if not self.is_line[voice] or (voice == lowest and len(pitched) > 1 and self.heights[voice] < 55):
                continue
            rows = [self.notes(voice, bar) for bar in bars]
            notes = np.concatenate([np.empty(0, NOTE), *rows])
            if len(notes) < 2:
                continue
            variety = len(np.unique(notes["pitch"]))
            playing = sum(1 for row in rows if len(row)) / len(rows)
            prominence = playing * (variety + 2) * (self.heights[voice] / 60) * (float(notes["velocity"].mean()) / 80)
            if prominence > most:
                best, most = voice, prominence
        return best


def _apart(rows: Floats) -> Floats:
    size = np.linalg.norm(rows, axis=1)
    unit = rows / np.maximum(size, 1e-9)[:, None]
    apart = 1.0 - unit @ unit.T
    silent = size == 0
    apart[silent[:, None] & silent[None, :]] = 0.0
    return np.asarray(np.clip(apart, 0.0, 1.0))
