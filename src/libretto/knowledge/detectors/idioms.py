"""Idioms of instruments: how a guitar, a bass, keys, horns, strings or a Latin band strike the bar.

Conventions: tabs are those of ``grooves``; lengths are quarter notes; programs are [first, last] of General MIDI. A
pattern of two bars is written with ``x`` for a stroke and ``.`` for none, one sign a place; spaces are for the eye.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from libretto.knowledge.detectors.grooves import bar_slots, fits, slots_of
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, LOOSE, PITCHES, VoiceLine, runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import QUARTER

__all__ = [
    "Figure",
    "bossa_guitar",
    "drones",
    "figures",
    "montuno",
    "part_tab",
    "riff_moves",
    "rolling",
    "thumb_and_fingers",
]

_GUITARS, _BANJOS, _FIDDLES, _FOLK_FIDDLE = [24, 27], [104, 107], [40, 42], [110, 110]  # General MIDI
_THIN, _PLUCKED = 1.6, 1.25  # notes an onset, at most, of fingers and of a roll
_ROLL = 8  # notes a bar of a roll at the least, and two bars of it in the piece
_ROLL_PITCHES = (3, 6)  # different ones in a bar of a roll
_THREES = 0.3  # of a roll's notes that come back after three
_SECONDS = 60  # of a minute
_DOUBLE_STOPS = 0.6  # of the onsets
_EIGHTHS = 8  # of a bar
_MONTUNO_ABOVE = 60  # the mean pitch
_MONTUNO = 9  # onsets in two bars at the least
_SYNCOPATED, _MOVING = 0.6, 0.75  # shares of a montuno's onsets
_FEWEST_CHORDS, _MOST_CHORDS = 8, 6  # of a bossa in all, and in a bar


@dataclass(frozen=True, eq=False)
class Figure:
    """What one part does in each bar: its slots, onsets, notes an onset, length, low pitch, and shares of a kind."""

    line: VoiceLine
    slots: Bools
    count: Ints
    size: Floats
    length: Floats
    pitch: Floats
    fifths: Floats
    same: Floats
    octaves: Ints
    touch: Floats


@shared
def figures(sight: Sight) -> list[Figure]:
    """The figure of every pitched part, worked out once."""
    return [_figure(sight, line) for line in sight.lines]


def _figure(sight: Sight, line: VoiceLine) -> Figure:
    low, bars = line.low, sight.bars
    count = np.bincount(low.bar, minlength=bars)
    many = np.maximum(count, 1)
    above = (line.pitch - np.repeat(low.pitch, line.sizes)) % 12
    only = np.logical_and.reduceat((above == 0) | (above == FIFTH), line.starts)
    power = only & np.logical_or.reduceat(above == FIFTH, line.starts)
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


def _plays(line: VoiceLine, programs: Sequence[Sequence[int]] | None) -> bool:
    return programs is None or any(first <= line.program <= last for first, last in programs)


def _between(values: Floats | Ints, bounds: Sequence[float] | None) -> Bools | bool:
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
    sightings = []
    for figure in figures(sight):
        if id(figure.line) not in chosen or not _plays(figure.line, programs):
            continue
        good = (figure.count > 0) & (sight.bar_length == 4 * QUARTER)
        for values, bounds in (
            (figure.count, count),
            (figure.size, size),
            (figure.length, length),
            (figure.pitch, pitch),
            (sight.facts.bar_bpm, tempo),
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
        sightings += [sight.at(a, b, figure.line.voice) for a, b in runs(good, bars)]
    return sightings


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
    sightings = []
    for figure in figures(sight):
        if not _plays(figure.line, programs):
            continue
        low = figure.line.low
        near = np.diff(low.onset) <= 2 * QUARTER
        hit = np.isin(np.abs(np.diff(low.pitch)), list(intervals)) & near
        good = (np.bincount(low.bar[1:][hit], minlength=sight.bars) >= moves) & (figure.pitch <= top)
        sightings += [sight.at(a, b, figure.line.voice) for a, b in runs(good, bars)]
    return sightings


@detectors.register("thumb_and_fingers")
def thumb_and_fingers(sight: Sight, bars: int = 2, programs: list[int] | None = None) -> list[Sighting]:
    """One plucked voice whose thumb alternates low notes on the beats while its fingers play higher notes between."""
    sightings = []
    for line in sight.on_programs(programs or _GUITARS):
        low = line.low
        place = sight.places(low.bar, low.position)
        middle = np.median(line.pitch)
        thumb = (place >= 0) & (low.pitch < middle)
        fingers = (sight.places(line.bar, line.position) < 0) & (line.pitch >= middle - 2)
        wanted = sight.bar_length // sight.beat
        beats = low.where(thumb)
        changes = np.bincount(beats.bar[1:], np.diff(beats.pitch) != 0, minlength=sight.bars)
        good = (sight.per_bar(low.bar, thumb) >= wanted) & (sight.per_bar(line.bar, fingers) >= wanted // 2)
        thin = sight.per_bar(line.bar) <= _THIN * sight.per_bar(low.bar)
        good &= thin & (changes >= wanted - 2) & (wanted >= 3)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("rolling_strings")
def rolling(sight: Sight, bars: int = 2, programs: list[int] | None = None, a_second: float = 6.0) -> list[Sighting]:
    """One plucked voice in unbroken eighths or sixteenths that never strikes a pitch twice in a row, in groups of three
    against the beat, over few different pitches, at least so many notes ``a_second``."""
    sightings = []
    for line in sight.on_programs(programs or _GUITARS) + ([] if programs else sight.on_programs(_BANJOS)):
        top = line.top
        if len(top) < 2 * _ROLL or not line.is_single(_PLUCKED):
            continue
        gap, count = np.diff(top.onset), sight.per_bar(top.bar)
        even = np.bincount(top.bar[1:], gap <= QUARTER // 2 + LOOSE, minlength=sight.bars)
        same = np.bincount(top.bar[1:], line.moves == 0, minlength=sight.bars)
        back = np.bincount(top.bar[3:], top.pitch[3:] == top.pitch[:-3], minlength=sight.bars)
        kinds = np.zeros((sight.bars, PITCHES), dtype=np.bool_)
        kinds[top.bar, top.pitch] = True
        few = (kinds.sum(axis=1) >= _ROLL_PITCHES[0]) & (kinds.sum(axis=1) <= _ROLL_PITCHES[1])
        few &= count * sight.facts.bar_bpm / _SECONDS >= a_second * sight.bar_length / QUARTER
        good = (count >= _ROLL) & (even >= count - 1) & (same <= 1) & (back >= _THREES * count) & few
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("drones")
def drones(sight: Sight, bars: int = 2, programs: list[int] | None = None, notes: int = 4) -> list[Sighting]:
    """One bowed voice in double stops: one string keeps its pitch while the tune moves on the other."""
    sightings = []
    for line in sight.on_programs(programs or _FIDDLES) + ([] if programs else sight.on_programs(_FOLK_FIDDLE)):
        rows = line.starts[line.sizes == 2]
        if len(rows) < notes:
            continue
        low, high, bar = line.pitch[rows], line.pitch[rows + 1], line.bar[rows]
        kept = (low[1:] == low[:-1]) != (high[1:] == high[:-1])
        near = np.abs(low[1:] - low[:-1]) + np.abs(high[1:] - high[:-1]) <= FIFTH
        drone = np.bincount(bar[1:], kept & near, minlength=sight.bars)
        good = (drone >= notes - 1) & (sight.per_bar(bar) >= _DOUBLE_STOPS * sight.per_bar(line.top.bar))
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings


@detectors.register("montuno")
def montuno(sight: Sight, where: str = "upper", bars: int = 4) -> list[Sighting]:
    """A voice that repeats a two-bar rhythm of chords or octaves with single notes between, mostly off the beat, that
    comes onto the beat in one of its bars."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        taken, _ = bar_slots(sight, top.bar, top.onset, _EIGHTHS)
        count, off = taken.sum(axis=1), taken[:, 1::2].sum(axis=1)
        both = np.append(taken[:-1].sum(axis=1) + taken[1:].sum(axis=1), 0)
        late = np.append(off[:-1] + off[1:], 0)
        again = np.zeros(sight.bars, dtype=np.bool_)
        if sight.bars >= 4:
            alike = (taken[:-2] != taken[2:]).sum(axis=1) <= 1
            again[:-3] = alike[:-1] & alike[1:]
        doubled = np.bincount(top.bar, line.sizes > 1, minlength=sight.bars)
        single = np.bincount(top.bar, line.sizes == 1, minlength=sight.bars)
        mixed = (doubled >= 2) & ((single >= 1) | (doubled == count))
        moves = np.bincount(top.bar[:-1], line.moves != 0, minlength=sight.bars)
        high = np.bincount(top.bar, top.pitch, minlength=sight.bars) >= _MONTUNO_ABOVE * np.maximum(
            sight.per_bar(top.bar), 1
        )
        steady = (
            (both >= _MONTUNO) & (late >= _SYNCOPATED * both) & (late <= both - 1) & high & (moves >= _MOVING * count)
        )
        good = again & steady & mixed & (count >= 4) & (sight.bar_length == 4 * QUARTER)
        shown = np.zeros(sight.bars, dtype=np.bool_)
        for k in range(4):
            shown[k:] |= good[: sight.bars - k]
        sightings += sight.spans(shown, line.voice, least=bars)
    return sightings


@detectors.register("bossa_comping")
def bossa_guitar(sight: Sight, bars: int = 4, where: str = "upper") -> list[Sighting]:
    """A bass on one and three (with or without the eighth before each) under a voice whose chords repeat a syncopated
    rhythm of two bars, on and off the beat in turn."""
    low = sight.bass.low
    taken, stray = bar_slots(sight, low.bar, low.onset, _EIGHTHS)
    surdo = taken[:, 0] & taken[:, 4] & ~taken[:, [1, 2, 5, 6]].any(axis=1) & (stray == 0)
    surdo &= sight.bar_length == 4 * QUARTER
    sightings = []
    for line in sight.chosen(where):
        chord = line.low.where(line.sizes >= 3)
        if len(chord) < _FEWEST_CHORDS:
            continue
        struck, _ = bar_slots(sight, chord.bar, chord.onset, _EIGHTHS)
        count, off = struck.sum(axis=1), struck[:, 1::2].sum(axis=1)
        again = np.zeros(sight.bars, dtype=np.bool_)
        if sight.bars > 2:
            again[:-2] = (struck[:-2] != struck[2:]).sum(axis=1) <= 2
            again[2:] |= again[:-2]
        pair = np.append(off[:-1] + off[1:], off[-1:])
        good = surdo & again & (count >= 2) & (count <= _MOST_CHORDS) & (pair >= 2) & (off < count)
        sightings += sight.spans(good, line.voice, least=bars)
    return sightings
