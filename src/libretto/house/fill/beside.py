"""What a new part finds beside it: in which bars to play, on which chords, and with which rhythms to go.

All places are true ticks of the song, so that a part goes with music that was played and not written. A second tune
answers the first in its own rhythms, a phrase later, where it leaves room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import Heard, hear_label
from libretto.house.fill.reading import Reading
from libretto.house.fill.retelling import retold
from libretto.score import QUARTER, Score
from libretto.score.chords import NO_CHORD
from libretto.score.table import NOTE, Floats, Ints

__all__ = ["Beside", "answer_tune", "with_ends"]

_KICKS = (35, 36)
_PHRASE, _MEMORY = 4, 8  # bars, and how many a chord is remembered
_NEAR = QUARTER // 6  # what is no further from a place stands there
_BAND = 0.4  # where so much of the usual band plays, the others would, too
_TOGETHER = 2  # players of an upbeat that is not left alone
_HELD_OVER = QUARTER // 2  # what rings so far into a bar still sounds there
_QUARTERS, _FEW = 4, 3  # of meters: the unit that is a beat of its own, and so few beats as are all tapped
_USUAL_LOUDNESS = 80
_TICK = 0.1  # how much of an accent a stroke is that is not the bass drum's
_STANDS_OUT, _FIGURE = 0.5, 3  # beside the strongest place, those that belong to the figure; and how many make one


@dataclass(frozen=True, eq=False)
class Beside:
    """A song and the index of the voice that is to be written."""

    score: Score = field(repr=False)
    voice: int

    @cached_property
    def reading(self) -> Reading:
        """The song, read."""
        return Reading(self.score, (0, -1))

    @cached_property
    def lines(self) -> Ints:
        """The bar lines."""
        return self.reading.lines

    @cached_property
    def harmonies(self) -> list[tuple[Heard | None, Heard | None]]:
        """The chord of each half of every bar: what its label says, else what is heard."""
        return [
            (hear_label(labels[0]) or first, hear_label(labels[-1]) or second)
            for labels, (first, second) in zip(self.score.chords, self.reading.harmonies, strict=True)
        ]

    @cached_property
    def tacet(self) -> frozenset[tuple[int, int]]:
        """The halves of bars (both as indices) for which a song that has labels says that there is no chord."""
        chords = self.score.chords
        begun = next((bar for bar, labels in enumerate(chords) if labels[0] != NO_CHORD), len(chords))
        halves = ((bar, half) for bar in range(begun, len(chords)) for half in (0, 1))
        return frozenset(at for at in halves if self.reading.has_labels and chords[at[0]][-at[1]] == NO_CHORD)

    def counted(self, bar: int) -> int:
        """The place of a bar, from 0: phrases are counted from the first full one, and an upbeat is before it."""
        return bar + self.score.first_bar - 1

    @cached_property
    def _sounding(self) -> NDArray[np.bool_]:
        """Who sounds in which bar: whoever starts a note there, or holds one into it."""
        sounding = self.reading.counts > 0
        rows = self.score.table
        last = np.searchsorted(self.lines, rows["onset"] + rows["duration"] - _HELD_OVER, side="left") - 1
        last = np.minimum(last, self.score.bars - 1)
        for row in np.flatnonzero(last > rows["bar"]).tolist():
            sounding[rows["voice"][row], rows["bar"][row] : last[row] + 1] = True
        return np.asarray(sounding)

    @cached_property
    def playing(self) -> NDArray[np.bool_]:
        """The bars in which a part of the band would play: where enough others do, in an upbeat all and not one."""
        others = self._sounding.sum(axis=0)
        sounding = others[others > 0]
        if not len(sounding):
            return np.asarray(others > 0)
        usual = float(np.median(sounding))
        full = others >= max(1.0, _BAND * usual)
        if self.counted(0) < 0:
            full[0] = others[0] >= max(_TOGETHER, usual)
        between = np.zeros_like(full)
        between[1:-1] = full[:-2] & full[2:]  # a thin bar between two full ones is no rest
        return np.asarray(full | (between & (others > 0)))

    @cached_property
    def loudness(self) -> int:
        """How loud the others are on the whole."""
        table = self.score.table
        return int(np.median(table["velocity"])) if len(table) else _USUAL_LOUDNESS

    def beats(self, bar: int) -> list[int]:
        """The beats of a bar, in ticks of the song."""
        start, end = int(self.lines[bar]), int(self.lines[bar + 1])
        return list(range(start, end, max(1, self.score.meter_at(start).pulse)))

    def taps(self, bar: int) -> list[int]:
        """The beats of a bar that one taps: three eighths in 6/8, two in 7/8, whose last is short."""
        start, end = int(self.lines[bar]), int(self.lines[bar + 1])
        meter = self.score.meter_at(start)
        paired = meter.unit > _QUARTERS and meter.beats > _FEW and not meter.is_compound
        return list(range(start, end, 2 * meter.pulse if paired else meter.beat))

    def chord(self, tick: int) -> Heard | None:
        """The chord at a tick; the last one heard where none is, and none where the song says so."""
        bar = self.score.bar_at(tick)
        half = int((tick - self.lines[bar]) * 2 >= self.lines[bar + 1] - self.lines[bar])
        if (bar, half) in self.tacet:
            return None
        harmonies = self.harmonies
        for at in range(bar, max(-1, bar - _MEMORY), -1):
            chord = harmonies[at][half if at == bar else 1] or harmonies[at][0]
            if chord is not None:
                return chord
        return None

    def changes(self, bar: int) -> list[int]:
        """Where in a bar chords begin: its start, and its middle where the chord changes or stops there."""
        start, end = int(self.lines[bar]), int(self.lines[bar + 1])
        first, second = self.harmonies[bar]
        stops = (bar, 1) in self.tacet and (bar, 0) not in self.tacet
        return [start, (start + end) // 2] if stops or (second is not None and first != second) else [start]

    def _starts(self, table: NDArray[Any], bar: int) -> list[int]:
        low, high = np.searchsorted(table["onset"], self.lines[bar : bar + 2])
        return [int(tick) for tick in np.unique(table["onset"][low:high])]

    @cached_property
    def _by_time(self) -> NDArray[Any]:
        return np.sort(self.score.table, order="onset")

    @cached_property
    def _kick_rows(self) -> NDArray[Any]:
        kit = self.reading.facts.kit
        return np.asarray(np.sort(kit[np.isin(kit["pitch"], _KICKS)], order="onset"))

    @cached_property
    def _bass_rows(self) -> NDArray[Any]:
        pitched = [v for v, voice in enumerate(self.score.voices) if not voice.drums and len(voice.array)]
        if not pitched:
            return np.asarray(self._by_time[:0])
        lowest = min(pitched, key=lambda v: self.reading.heights[v])
        return np.asarray(self._by_time[self._by_time["voice"] == lowest])

    def kicks(self, bar: int) -> list[int]:
        """Where the bass drum is struck."""
        return self._starts(self._kick_rows, bar)

    def lows(self, bar: int) -> list[int]:
        """Where the lowest voice starts notes."""
        return self._starts(self._bass_rows, bar)

    def starts(self, bar: int) -> list[int]:
        """Where anything starts."""
        return self._starts(self._by_time, bar)

    @cached_property
    def _accents(self) -> Floats:
        """How much each note, in order of time, is an accent: long, loud, and low ones are; short ones hardly."""
        rows = self._by_time
        held = np.minimum(rows["duration"], 2 * QUARTER) / QUARTER
        low = np.isin(rows["voice"], np.unique(self._bass_rows["voice"]))
        kick = np.array([voice.drums for voice in self.score.voices])[rows["voice"]] & np.isin(rows["pitch"], _KICKS)
        drums = np.array([voice.drums for voice in self.score.voices])[rows["voice"]]
        weight = np.where(drums, np.where(kick, 1.0, _TICK), held) * (1.0 + low)
        return np.asarray(weight * rows["velocity"] / _USUAL_LOUDNESS)

    def usual(self, bar: int, count: int, steps: int = 2) -> list[int]:
        """The places of a bar on which the song has its accents in that phrase, so many at most.

        They are on true ticks where something is there. ``steps`` is into how many parts a beat is divided. Where a few
        places stand out (three, three and two eighths) those are the figure; where none do, it is the busiest ones.
        """
        first = max(0, bar - self.counted(bar) % _PHRASE)
        beats = self.beats(bar)
        step = (beats[1] - beats[0] if len(beats) > 1 else int(self.lines[bar + 1]) - beats[0]) // steps
        length = int(self.lines[bar + 1] - self.lines[bar])
        weight = np.zeros(max(1, length // max(step, 1)))
        rows = self._by_time
        low, high = np.searchsorted(
            rows["onset"], [self.lines[first], self.lines[min(first + _PHRASE, self.score.bars)]]
        )
        slots = np.round(rows["position"][low:high] / max(step, 1)).astype(np.int64)
        inside = slots < len(weight)
        np.add.at(weight, slots[inside], self._accents[low:high][inside])
        weight[0] = max(weight[0], float(weight.max()))
        order = np.argsort(-weight, kind="stable")[:count]
        strong = order[weight[order] >= _STANDS_OUT * weight.max()]
        order = strong if len(strong) >= _FIGURE else order
        wanted = sorted(int(self.lines[bar]) + int(place) * step for place in order)
        return [self.snapped(tick, bar) for tick in wanted]

    def snapped(self, tick: int, bar: int) -> int:
        """The nearest true start to a place, where there is one close by."""
        near = [start for start in self.starts(bar) if abs(start - tick) <= _NEAR]
        return min(near, key=lambda start: abs(start - tick), default=tick)


def with_ends(places: list[int], end: int) -> Iterator[tuple[int, int, int]]:
    """Each place with its number and where the next one is; the last one goes on to the end."""
    for index, tick in enumerate(places):
        yield index, tick, places[index + 1] if index + 1 < len(places) else end


_PERIOD = 8  # bars
_ACCENT = 4
_LEAD, _LEAD_LOWEST, _LEAD_HIGHEST, _LEAD_REGISTER = 71, 58, 84, (60, 82)
_LEAD_MOST = 12  # notes of a bar that are still taken for an answer
_LEAD_FREEDOM, _LEAD_LOUDNESS = 0.8, 80


def answer_tune(beside: Beside, seed: int, controls: Controls) -> list[Sketch]:
    """A second tune that answers the first: in its rhythms, a phrase later, where it leaves room."""
    reading, lines = beside.reading, beside.lines
    bars = np.flatnonzero(beside.playing).tolist()
    others = [index for index in range(len(reading.score.voices)) if index != beside.voice]
    tune = reading.tune(bars, others)
    notes: list[tuple[int, int, int, int, int]] = []
    for bar in bars:
        if beside.counted(bar) // _PHRASE % 4 == 3 and controls.layers <= 0:
            continue
        notes += _answer(beside, tune, bar) or _own_notes(beside, bar, seed)
    if not notes:
        return []
    array = np.sort(np.array(notes, dtype=NOTE), order=["onset", "pitch"])
    array = array[np.append(True, np.diff(array["onset"]) > 0)]
    following = np.append(array["onset"][1:], lines[-1])
    array["duration"] = np.maximum(QUARTER // 8, np.minimum(array["duration"], following - array["onset"]))
    array["pitch"] = np.clip(array["pitch"], _LEAD_LOWEST, _LEAD_HIGHEST)

    def start_of_bar(tick: int) -> int:
        return int(lines[max(0, int(np.searchsorted(lines, tick, side="right")) - 1)])

    drawn = retold(
        array, beside.chord, reading.home(reading.score.bars // 2), start_of_bar, _LEAD_REGISTER, controls, seed,
        freedom=_LEAD_FREEDOM, before=None,
    )  # fmt: skip
    return [Sketch(int(row["onset"]), int(row["duration"]), int(row["pitch"]), _ACCENT) for row in drawn]


def _answer(beside: Beside, tune: int | None, bar: int) -> list[tuple[int, int, int, int, int]]:
    """What the tune played two bars ago, in the register of a lead; nothing where that is no answer."""
    reading, lines = beside.reading, beside.lines
    if tune is None or bar < 2 or lines[bar + 1] - lines[bar] != lines[bar - 1] - lines[bar - 2]:
        return []
    rows = reading.notes(tune, bar - 2)
    if len(rows) > _LEAD_MOST:
        return []
    shift, higher = int(lines[bar] - lines[bar - 2]), _LEAD - round(reading.heights[tune])
    return [
        (int(row["onset"]) + shift, int(row["duration"]), int(row["pitch"]) + higher, _LEAD_LOUDNESS, 0) for row in rows
    ]


def _own_notes(beside: Beside, bar: int, seed: int) -> list[tuple[int, int, int, int, int]]:
    """A few notes on the places that the song likes."""
    places = beside.usual(bar, 3 + dice(seed, "lead", beside.counted(bar) % _PERIOD).randrange(3))
    return [
        (tick, max(QUARTER // 4, after - tick), _LEAD, _LEAD_LOUDNESS, 0)
        for _, tick, after in with_ends(places, int(beside.lines[bar + 1]))
    ]
