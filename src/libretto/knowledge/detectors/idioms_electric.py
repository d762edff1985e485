"""Figures of one part: how a guitar, a bass, keys or horns strike the bar, read against tabs of sixteen slots.

Conventions: tabs are those of ``drum_grooves``; lengths are quarter notes; programs are [first, last] of General MIDI.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.drum_grooves import fits, runs, slots_of
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["Figure", "chord_cycle", "figures", "part_tab", "riff_moves"]

_FIFTHS = 0.7


@dataclass(frozen=True, eq=False)
class Figure:
    """What one part does in each bar: its slots, onsets, notes an onset, length, low pitch, and shares of a kind."""

    line: Line
    slots: Bools
    count: Ints
    size: NDArray[np.float64]
    length: NDArray[np.float64]
    pitch: NDArray[np.float64]
    fifths: NDArray[np.float64]
    same: NDArray[np.float64]
    octaves: Ints
    touch: NDArray[np.float64]


def figures(sight: Sight) -> list[Figure]:
    """The figure of every pitched part, worked out once."""
    if "figures" not in sight.cache:
        sight.cache["figures"] = [_figure(sight, line) for line in sight.lines]
    found: list[Figure] = sight.cache["figures"]
    return found


def _figure(sight: Sight, line: Line) -> Figure:
    low, bars = line.low, sight.bars
    count = np.bincount(low.bar, minlength=bars)
    many = np.maximum(count, 1)
    above = (line.pitch - np.repeat(low.pitch, line.sizes)) % 12
    only = np.logical_and.reduceat((above == 0) | (above == 7), line.starts)
    power = only & np.logical_or.reduceat(above == 7, line.starts)
    move = np.diff(low.pitch, prepend=low.pitch[:1])
    again = move == 0
    again[0] = False
    square = np.bincount(line.bar, line.velocity.astype(np.float64) ** 2, minlength=bars)
    all_notes = np.maximum(np.bincount(line.bar, minlength=bars), 1)
    mean = np.bincount(line.bar, line.velocity, minlength=bars) / all_notes
    return Figure(
        line,
        slots_of(sight, low.onset, low.bar),
        count,
        np.bincount(low.bar, line.sizes, minlength=bars) / many,
        np.bincount(low.bar, low.duration, minlength=bars) / many / QUARTER,
        np.bincount(low.bar, low.pitch, minlength=bars) / many,
        np.bincount(low.bar, power, minlength=bars) / many,
        np.bincount(low.bar, again, minlength=bars) / many,
        np.bincount(low.bar, np.abs(move) == 12, minlength=bars),
        np.sqrt(np.maximum(square / all_notes - mean**2, 0)),
    )


def _plays(line: Line, programs: Sequence[Sequence[int]] | None) -> bool:
    return programs is None or any(first <= line.program <= last for first, last in programs)


def _between(values: NDArray[np.float64] | Ints, bounds: Sequence[float] | None) -> Bools | bool:
    return np.asarray((values >= bounds[0]) & (values <= bounds[1])) if bounds else True


@detectors.register("part_tab")
def part_tab(
    sight: Sight,
    tabs: Sequence[str] = (),
    where: str = "any",
    programs: Sequence[Sequence[int]] | None = None,
    count: Sequence[int] | None = None,
    size: Sequence[float] | None = None,
    length: Sequence[float] | None = None,
    pitch: Sequence[float] | None = None,
    tempo: Sequence[float] | None = None,
    fifths: float = 0.0,
    same: float = 0.0,
    octaves: int = 0,
    touch: float = 0.0,
    off: float = 0.0,
    bars: int = 2,
) -> list[Sighting]:
    """Unbroken stretches of bars in which one part strikes as one of the tabs says.

    Bounds [least, most], each for a bar: ``count`` of onsets, ``size`` (notes an onset), ``length`` (of its notes),
    ``pitch`` (mean of the lowest notes), ``tempo``. Least shares or numbers: ``fifths`` (onsets that are bare fifths),
    ``same`` (onsets on the pitch before), ``octaves`` (leaps of one), ``touch`` (spread of velocities), ``off``
    (slots off the beat).
    """
    chosen = {id(line) for line in sight.chosen(where)}
    found = []
    for figure in figures(sight):
        if id(figure.line) not in chosen or not _plays(figure.line, programs):
            continue
        good = (figure.count > 0) & (sight.bar_length == 4 * QUARTER)
        for values, bounds in (
            (figure.count, count),
            (figure.size, size),
            (figure.length, length),
            (figure.pitch, pitch),
            (sight.quarters_a_minute, tempo),
        ):
            good = good & _between(values, bounds)
        good &= (
            (figure.fifths >= fifths) & (figure.same >= same) & (figure.octaves >= octaves) & (figure.touch >= touch)
        )
        if off:
            on_beat = figure.slots[:, ::4].sum(axis=1)
            all_slots = np.maximum(figure.slots.sum(axis=1), 1)
            good &= 1 - on_beat / all_slots >= off
        if tabs and good.any():
            good &= np.any([fits(figure.slots, tab) for tab in tabs], axis=0)
        found += [Sighting(sight.number(a), sight.number(b), figure.line.voice) for a, b in runs(good, bars)]
    return found


@detectors.register("riff_moves")
def riff_moves(
    sight: Sight,
    intervals: Sequence[int],
    programs: Sequence[Sequence[int]] | None = None,
    moves: int = 2,
    bars: int = 2,
    top: float = 60,
) -> list[Sighting]:
    """Bars of a low part in which at least so many moves between its lowest notes are of the named semitones."""
    found = []
    for figure in figures(sight):
        if not _plays(figure.line, programs):
            continue
        low = figure.line.low
        near = np.diff(low.onset) <= 2 * QUARTER
        hit = np.isin(np.abs(np.diff(low.pitch)), list(intervals)) & near
        good = (np.bincount(low.bar[1:][hit], minlength=sight.bars) >= moves) & (figure.pitch <= top)
        found += [Sighting(sight.number(a), sight.number(b), figure.line.voice) for a, b in runs(good, bars)]
    return found


@detectors.register("chord_cycle")
def chord_cycle(sight: Sight, roots: Sequence[int] = (0, 5, 7, 9), times: int = 2, longest: int = 5) -> list[Sighting]:
    """As many chords as there are roots, in any order, played round at least so many times without anything between.

    Roots are semitones above the tonic; one round lasts at most ``longest`` bars.
    """
    chords = [chord for chord in sight.harmony if chord.supported]
    change = [place for place, chord in enumerate(chords) if not place or chords[place - 1].root != chord.root]
    chain = [chords[place] for place in change]
    size, found = len(roots), []
    place = 0
    while place + size * times <= len(chain):
        around = [chord.degree for chord in chain[place : place + size * times]]
        last = chain[place + size * times - 1]
        short = last.bar - chain[place].bar < longest * times
        if sorted(around[:size]) == sorted(roots) and around == around[:size] * times and short:
            found.append(Sighting(sight.number(chain[place].bar), sight.number(last.bar)))
            place += size * times
        else:
            place += 1
    return found
