"""Layers: which parts play in each bar, how they enter, double, join and build."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.idioms import figures
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, LOOSE, PITCHES, runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "active_parts",
    "countermelody_entry",
    "growing_layers",
    "harmonized",
    "layered_entry",
    "pad_enters",
    "parallel_lines",
    "played_by",
    "slow_countermelody",
    "unison_riff",
]

_EVEN_STEPS = (2, 4, 8)  # bars between entries
_PAD_NOTES, _PAD_LENGTH = 2.6, 0.7  # notes an onset, and the share of the bar that they last, at the least
_SINGLE, _NEARLY_SINGLE, _MOSTLY_SINGLE = 1.15, 1.2, 1.3  # notes an onset, at most, of a line of single notes
_MOST_NOTES = 10  # a bar of a countermelody
_MOVING = 0.6  # of a line's notes that move on
_SUSTAINED_BAR = 0.6  # of a bar that a slow line sounds
_BY_STEP, _SMALL = 0.75, 4  # the share of small moves, and how large they are
_AS_BUSY = 0.8  # notes of a line for each of the tune's, at the least

_SUSTAINED = ((16, 23), (40, 79), (88, 95))


@shared
def active_parts(sight: Sight) -> Bools:
    """Which parts sound in each bar: one row a pitched part, the drums last."""
    rows = []
    for line in sight.lines:
        last = np.searchsorted(sight.lines_at, line.onset + line.duration - 1, side="right") - 1
        last = np.clip(last, line.bar, sight.bars - 1)
        edge = np.bincount(line.bar, minlength=sight.bars + 1) - np.bincount(last + 1, minlength=sight.bars + 1)
        rows.append(np.cumsum(edge[:-1]) > 0)
    rows.append(np.bincount(sight.drums.bar, minlength=sight.bars) > 0)
    return np.array(rows, dtype=np.bool_)


@detectors.register("layered_entry")
def layered_entry(sight: Sight, steps: int = 3, within: int = 16, even: bool = False) -> list[Sighting]:
    """Parts that enter one after another, from at most two, while those that play stay: so many steps in so many bars.

    With ``even`` the entries are 2, 4 or 8 bars apart, always the same.
    """
    active = active_parts(sight)
    count = active.sum(axis=0)
    stays = (active[:, :-1] <= active[:, 1:]).all(axis=0)
    sightings, after = [], -1
    for first, last in runs(np.concatenate((stays, [False])), 2):
        start, end = max(first, after + 1), min(last + 1, first + within)
        if not 0 < count[start] <= 2:
            continue
        entries = start + 1 + np.flatnonzero(np.diff(count[start : end + 1]))
        gaps = np.diff(np.concatenate(([start], entries)))
        if len(entries) < steps or (even and not (len(np.unique(gaps)) == 1 and gaps[0] in _EVEN_STEPS)):
            continue
        sightings.append(sight.at(start, end))
        after = end
    return sightings


@detectors.register("parallel_lines")
def parallel_lines(
    sight: Sight,
    intervals: Sequence[int],
    notes: int = 8,
    moves: int = 4,
    programs: Sequence[Sequence[int]] | None = None,
    mixed: int = 1,
) -> list[Sighting]:
    """Two parts that strike together and keep one of the intervals in semitones for so many notes that really move.

    ``mixed`` asks that at least so many of the intervals occur (2 for thirds of a scale, which are major and minor).
    """
    chosen = [
        index
        for index, line in enumerate(sight.lines)
        if programs is None or any(first <= line.program <= last for first, last in programs)
    ]
    roll, wanted, sightings = _roll(sight).pitch, np.zeros(2 * PITCHES, dtype=np.bool_), []
    wanted[list(intervals)] = True
    for place, one in enumerate(chosen):
        for other in chosen[place + 1 :]:
            apart = np.abs(roll[one] - roll[other])
            if np.count_nonzero(wanted[apart]) < notes:
                continue
            struck = np.flatnonzero(apart | roll[one])
            sightings += _parallel(sight, one, struck, apart[struck], wanted[apart[struck]], (notes, moves, mixed))
    return sightings


class _Roll(NamedTuple):
    """The highest pitch that each line strikes on each 32nd on which any line does (0 where it strikes none), and the
    ticks of those 32nds."""

    pitch: NDArray[np.int16]
    ticks: Ints


@shared
def _roll(sight: Sight) -> _Roll:
    size = int(sight.lines_at[-1]) // LOOSE + 2
    roll = np.zeros((len(sight.lines), size), dtype=np.int16)
    for index, line in enumerate(sight.lines):
        roll[index, np.minimum((line.top.onset + LOOSE // 2) // LOOSE, size - 1)] = line.top.pitch
    struck = np.flatnonzero(roll.any(axis=0))
    return _Roll(roll[:, struck], struck * LOOSE)


def _parallel(
    sight: Sight, one: int, places: Ints, apart: Ints, good: Bools, least: tuple[int, int, int]
) -> list[Sighting]:
    """The stretches in which everything that two lines strike is struck together and at a wanted distance."""
    sightings, pitch = [], _roll(sight).pitch[one, places]
    ticks = _roll(sight).ticks
    for first, last in runs(good & (pitch > 0), least[0]):
        span = slice(first, last + 1)
        if np.count_nonzero(np.diff(pitch[span])) >= least[1] and len(np.unique(apart[span])) >= least[2]:
            at = np.searchsorted(sight.lines_at, ticks[places[[first, last]]], side="right") - 1
            bars = [sight.number(int(bar)) for bar in np.clip(at, 0, sight.bars - 1)]
            sightings.append(Sighting(bars[0], bars[1], sight.lines[one].voice))
    return sightings


@detectors.register("unison_riff")
def unison_riff(sight: Sight, parts: int = 3, notes: int = 6, moves: int = 4) -> list[Sighting]:
    """So many parts strike the same note (in any octave) together, note after note, and nothing pitched besides."""
    rows = [
        (np.round(line.onset / LOOSE), line.pitch, np.full(len(line), index)) for index, line in enumerate(sight.lines)
    ]
    if len(rows) < parts:
        return []
    key, pitch, part = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.lexsort((part, key))
    key, pitch, part = key[order], pitch[order] % 12, part[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    new_part = np.diff(part, prepend=-1) != 0
    new_part[starts] = True
    alone = np.minimum.reduceat(pitch, starts) == np.maximum.reduceat(pitch, starts)
    good = alone & (np.add.reduceat(new_part.astype(np.int64), starts) >= parts)
    bar = np.clip(np.searchsorted(sight.lines_at, key[starts] * LOOSE + 1, side="right") - 1, 0, sight.bars - 1)
    tone = pitch[starts]
    return [
        sight.at(bar[first], bar[last])
        for first, last in runs(good, notes)
        if np.count_nonzero(np.diff(tone[first : last + 1])) >= moves
    ]


@detectors.register("pad_enters")
def pad_enters(sight: Sight, bars: int = 2, before: int = 2, fewest: int = 2) -> list[Sighting]:
    """A sustaining part that enters with long chords after bars in which others played without any such chord."""
    active = active_parts(sight)
    length = sight.bar_length / QUARTER
    pads, sightings = np.zeros(sight.bars, dtype=np.bool_), []
    for figure in figures(sight):
        if any(first <= figure.line.program <= last for first, last in _SUSTAINED):
            pads |= (
                (figure.size >= _PAD_NOTES)
                & (figure.length >= _PAD_LENGTH * length)
                & (figure.count <= 2)
                & (figure.count > 0)
            )
    others = active.sum(axis=0)
    for first, last in runs(pads, bars):
        if (
            first >= before
            and not pads[first - before : first].any()
            and (others[first - before : first] >= fewest).all()
        ):
            sightings.append(sight.at(first, last))
    return sightings


@detectors.register("countermelody_entry")
def countermelody_entry(sight: Sight, bars: int = 2, before: int = 2) -> list[Sighting]:
    """A second single-note part that joins the melody in a rhythm of its own after the melody had gone without it."""
    melody = sight.melody.top
    tune = np.bincount(melody.bar, minlength=sight.bars) >= 2
    keys, sightings = np.unique(np.round(melody.onset / LOOSE)), []
    for line in sight.chosen("inner"):
        if not line.is_single(_SINGLE) or line is sight.melody or len(sight.lines) < 2:
            continue
        top = line.top
        count = np.bincount(top.bar, minlength=sight.bars)
        shared = np.bincount(top.bar[np.isin(np.round(top.onset / LOOSE), keys)], minlength=sight.bars)
        moving = np.bincount(top.bar[1:][np.diff(top.pitch) != 0], minlength=sight.bars)
        good = tune & (count >= 2) & (count <= _MOST_NOTES) & (shared <= 0.5 * count) & (moving >= _MOVING * count)
        for first, last in runs(np.asarray(good), bars):
            span = slice(first - before, first)
            if first >= before and tune[span].all() and not count[span].any():
                sightings.append(sight.at(first, last, line.voice))
    return sightings


@detectors.register("growing_layers")
def growing_layers(
    sight: Sight, bars: int = 4, more: int = 3, louder: int = 12, programs: list[int] | None = None
) -> list[Sighting]:
    """Bars in which voices (of those General MIDI programs) join one or two at a time and none leaves, so many more at
    the end than at the start, while the music gets louder."""
    table = sight.notes
    if not len(table) or sight.bars < bars:
        return []
    active = np.zeros(sight.bars, dtype=np.int64)
    for line in sight.on_programs(programs):
        on = np.zeros(sight.bars, dtype=np.bool_)
        on[line.bar] = True
        active += on
    count = np.maximum(sight.per_bar(table.bar), 1)
    loud = np.bincount(table.bar, table.velocity, minlength=sight.bars) / count
    size = sight.bars - bars + 1
    steps = np.ones(size, dtype=np.bool_)
    for place in range(bars - 1):
        rise = active[place + 1 : size + place + 1] - active[place : size + place]
        steps &= (rise >= 0) & (rise <= 2)
    good = steps & (active[:size] >= 1) & (active[bars - 1 :] - active[:size] >= more)
    good &= loud[bars - 1 :] - loud[:size] >= louder
    return [sight.at(bar, bar + bars - 1) for bar in np.flatnonzero(good).tolist()]


@detectors.register("played_by")
def played_by(
    sight: Sight, programs: list[int], where: str = "any", bars: int = 4, single: bool = True
) -> list[Sighting]:
    """A voice on one of those General MIDI programs (first to last) that plays a line for several bars."""
    sightings = []
    for line in sight.chosen(where):
        if not programs[0] <= line.program <= programs[-1] or (single and not line.is_single(_MOSTLY_SINGLE)):
            continue
        count = sight.per_bar(line.top.bar)
        moves = np.bincount(line.top.bar[1:], line.moves != 0, minlength=sight.bars)
        sightings += sight.spans((count >= 1) & (moves >= 1), line.voice, join=2, least=bars)
    return sightings


@detectors.register("slow_countermelody")
def slow_countermelody(sight: Sight, bars: int = 4, longer: float = 2.0) -> list[Sighting]:
    """A single line between bass and tune, or above, that moves by small steps in notes much longer than the tune's."""
    tune, sightings = sight.melody.top, []
    lively = sight.per_bar(tune.bar) >= 3
    for line in sight.chosen("inner"):
        top = line.top
        if not len(top) or not line.is_single(_SINGLE) or line.pitch.mean() < sight.bass.pitch.mean() + FIFTH:
            continue
        count = sight.per_bar(top.bar)
        long = np.bincount(top.bar, top.duration, minlength=sight.bars) >= _SUSTAINED_BAR * sight.bar_length
        usual = float(np.median(tune.duration)) if len(tune) else 1.0
        slow = float(np.median(top.duration)) >= longer * usual
        for place in sight.spans(lively & (count >= 1) & (count <= 3) & long & slow, line.voice, least=bars):
            first, last = (
                np.searchsorted(top.bar, number - sight.score.first_bar) for number in (place.first, place.last + 1)
            )
            move = np.abs(np.diff(top.pitch[first:last]))
            if (move > 0).sum() >= bars - 1 and (move[move > 0] <= _SMALL).mean() >= _BY_STEP:
                sightings.append(place)
    return sightings


@detectors.register("harmonized_line")
def harmonized(
    sight: Sight, intervals: list[int], parts: int = 2, notes: int = 4, bars: int = 2, ratio: float = 0.85
) -> list[Sighting]:
    """Single lines that strike with the tune all through the bar, at those intervals below it, and move with it."""
    tune = sight.melody
    moving: Bools = sight.per_bar(tune.top.bar[1:], np.abs(tune.moves) > 0) >= _MOVING * notes
    count = sight.per_bar(tune.top.bar)
    together = np.zeros(sight.bars, dtype=np.int64)
    for line in sight.lines:
        if line is tune or not line.is_single(_NEARLY_SINGLE):
            continue
        at = np.minimum(np.searchsorted(line.top.onset, tune.top.onset - LOOSE // 2), len(line.top) - 1)
        near = np.abs(line.top.onset[at] - tune.top.onset) <= LOOSE // 2
        fits = near & np.isin(tune.top.pitch - line.top.pitch[at], intervals)
        size = sight.per_bar(line.top.bar)
        together += (
            (sight.per_bar(tune.top.bar, fits) >= ratio * count) & (size >= _AS_BUSY * count) & (size <= count + 1)
        )
    return sight.spans((together >= parts - 1) & (count >= notes) & moving, tune.voice, least=bars)
