"""Read a song: what its bars are like, which chords they have, which of them are alike, and who carries the tune.

What the house needs to know of other people's music before it writes into it. Any song will do: many voices, odd
meters, played timing. ``models`` says for every bar of a gap whose manner it takes up: of all ways through the song
the one that goes over best from what precedes the gap into what follows it, keeps its place in the phrase, and jumps
seldom; what findings ask for, and a little chance, weigh in.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.line import cheapest_way
from libretto.house.core.tones import Heard, hear_label
from libretto.score import QUARTER, Score, hear_chords
from libretto.score.facts import Facts
from libretto.score.table import NOTE, Floats, Ints

__all__ = ["Reading", "models"]

_SLOTS = 16
_NEARBY = 24  # bars around a place that tell which notes are at home there
_HOME = 0.035
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
    def harmonies(self) -> list[tuple[Heard | None, Heard | None]]:
        """The chord of each half of every bar."""
        return [(hear_label(labels[0]), hear_label(labels[-1])) for labels in hear_chords(self.score)]

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
    def apart(self) -> Floats:
        """How unlike every two bars are."""
        return self.unlike(range(len(self.score.voices)))

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


_PHRASE, _PERIOD, _AROUND = 4, 8, 32  # bars: what keeps its place in both is no break; further off is far
_JUMP, _FOUR, _EIGHT, _FAR = 0.85, 0.3, 0.15, 0.2  # a jump, another place in phrase or period, a bar from far off
_LENGTH, _REST, _SEAM, _STEER, _AGAIN = 8.0, 2.5, 1.2, 0.35, 0.45
_CHANGE, _JOINED = 0.35, 2.0  # what changes at a seam, and how much more where it must join
_UNKNOWN = 0.5  # how unlike a bar is taken to be that nobody knows


def models(
    reading: Reading,
    rest: Floats | None,
    controls: Controls,
    seed: int,
    name: str,
    *,
    chance: float = 0.35,
    avoided: Collection[int] = (),
) -> list[int]:
    """For every bar of the gap the bar to model it on (indices); ``rest`` is how unlike bars are in what still sounds.

    ``avoided`` are bars that would rather not be used again.
    """
    first, last = reading.hidden
    usable = np.flatnonzero(reading.known & (reading.counts.sum(axis=0) > 0))
    lengths = np.diff(reading.lines)
    price = np.zeros((last - first + 1, len(usable)))
    rng = dice(seed, "models", name)
    blocks: dict[tuple[int, int], float] = {}
    again = np.isin(usable, list(avoided)) * _AGAIN
    steered = sum(
        (getattr(controls, knob) * values[usable] for knob, values in reading.measures.items()), np.zeros(len(usable))
    )
    for index, bar in enumerate(range(first, last + 1)):
        row = price[index]
        row += _FOUR * ((usable - bar) % _PHRASE != 0) + _EIGHT * ((usable - bar) % _PERIOD != 0)
        row += _FAR * np.minimum(np.abs(usable - bar) / _AROUND, 1.0)
        row += _LENGTH * (lengths[usable] != lengths[bar]) + again - _STEER * steered
        if rest is not None:
            row += _REST * rest[bar, usable]
        for column, source in enumerate(usable.tolist()):
            block = (index // _PHRASE, (source - bar) // 2)
            if block not in blocks:
                blocks[block] = rng.random()
            row[column] += chance * blocks[block]
    return _path(reading, price, usable, 1.0 + _JOINED * controls.joining)


def _path(reading: Reading, price: Floats, usable: NDArray[np.int64], joined: float) -> list[int]:
    """The cheapest way: a jump costs what it sounds like, and so do both seams, the more the better they must join."""
    first, last = reading.hidden
    apart, bars = reading.apart, reading.score.bars
    following = np.minimum(usable + 1, bars - 1)
    price = price.copy()
    if first > 0:
        price[0] += joined * _CHANGE * reading.change(first - 1)[usable]
    if last + 1 < bars:
        price[-1] += joined * _CHANGE * reading.change(last + 1)[usable]
    step = _JUMP + apart[np.ix_(following, usable)]
    hidden_next = ~reading.known[following] | (usable + 1 >= bars)
    step[hidden_next] = _JUMP + _UNKNOWN
    step[usable[None, :] == (usable + 1)[:, None]] = 0.0
    if first > 0:
        before = np.maximum(usable - 1, 0)
        price[0] += joined * _SEAM * np.where((usable > 0) & reading.known[before], apart[first - 1, before], _UNKNOWN)
    if last + 1 < bars:
        price[-1] += joined * _SEAM * np.where(hidden_next, _UNKNOWN, apart[last + 1, following])
    return [int(usable[state]) for state in cheapest_way(list(price), lambda _: step)]
