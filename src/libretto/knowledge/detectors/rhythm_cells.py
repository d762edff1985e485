"""Rhythm as lengths and as patterns: cells, whole bars, repetition and change of a rhythm.

Conventions: lengths are in quarters, from one onset to the next (the last note counts as long as it sounds). A pattern
is written with one sign a slot: ``x`` is struck, ``.`` is not, ``?`` may be; a speed of 2 doubles its size.
Onsets may miss their place by ``SLACK``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.axes.counting import KINDS
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import VoiceLine
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "SLACK",
    "bar_rhythm",
    "bars_in",
    "cell",
    "even_bars",
    "lengths",
    "parts",
    "related_rhythm",
    "repeated_rhythm",
    "settled",
]

_HELD = 0.75  # of its length that a held note sounds
_MISSED = 0.3  # of a slot: how far beside it a stroke counts as beside the grid
_ALMOST = 0.01  # of a note, for rounding
_TICKS = 24  # parts of a quarter in which lengths are compared

#: How far an onset may lie from its place, in ticks: less than half the way from a sixteenth to a triplet.
SLACK = QUARTER // 25
_SHARP = 0.12  # in a cell, never more than this part of the length


@shared
def parts(sight: Sight, where: str) -> tuple[VoiceLine, ...]:
    """The highest notes of the chosen lines; ``all`` adds each drum; a drum's name (snare, kick) means it alone."""
    if where in KINDS:
        lines = [_drum(sight, np.flatnonzero(sight.drums.kind(where)))]
    else:
        lines = [settled(line) for line in sight.chosen("any" if where == "all" else where)]
        if where == "all":
            order = np.argsort(sight.drums.key, kind="stable")
            cuts = np.flatnonzero(np.diff(sight.drums.key[order])) + 1
            lines += [_drum(sight, rows) for rows in np.split(order, cuts)]
    return tuple(line for line in lines if len(line))


def _drum(sight: Sight, mine: Ints) -> VoiceLine:
    """Some strokes as a line; it has no name, since drums may lie in several voices."""
    strokes = sight.drums
    mine = mine[np.diff(strokes.onset[mine], prepend=-1) > 0]
    onset, bar = strokes.onset[mine], strokes.bar[mine]
    short = np.full(len(mine), QUARTER // 4, dtype=np.int64)
    return VoiceLine(
        "", 0, onset, short, strokes.key[mine], strokes.velocity[mine], bar, strokes.position[mine], sight.beat[bar]
    )


def settled(line: VoiceLine, lowest: bool = False) -> VoiceLine:
    """The highest (or lowest) note of each onset, where onsets within ``SLACK`` are one: a chord as played."""
    outer = line.low if lowest else line.top
    close = np.diff(outer.onset) <= SLACK
    if not close.any():
        return outer
    first = np.append(0, np.flatnonzero(~close) + 1)
    choose = np.minimum if lowest else np.maximum
    kept = outer.where(first)
    duration = np.maximum.reduceat(outer.onset + outer.duration, first) - kept.onset
    loud = np.maximum.reduceat(outer.velocity, first)
    return replace(kept, duration=duration, pitch=choose.reduceat(outer.pitch, first), velocity=loud)


def lengths(line: VoiceLine) -> Ints:
    """Ticks from each note to the next; the last one's own length."""
    return np.append(np.diff(line.onset), line.duration[-1:])


def bars_in(sight: Sight, meters: Sequence[str]) -> Bools:
    """Which bars are in one of these meters; all where none is named."""
    if not meters:
        return np.ones(sight.bars, dtype=np.bool_)
    return np.array([str(meter) in meters for meter in sight.facts.by_bar(sight.score.meters)], dtype=np.bool_)


def _starting(sight: Sight, line: VoiceLine, start: str) -> Bools:
    """Which notes stand where a cell may begin: on a beat, a bar, between beats, or anywhere."""
    if start == "any":
        return np.ones(len(line), dtype=np.bool_)
    span = sight.bar_length[line.bar] if start == "bar" else line.beat
    late = line.position % span
    on = np.asarray(np.minimum(late, span - late) <= SLACK)
    return ~on if start == "off" else on


@detectors.register("rhythm_cell")
def cell(
    sight: Sight,
    cell: Sequence[float],
    start: str = "beat",
    times: int = 1,
    bars: int = 1,
    meters: Sequence[str] = (),
    where: str = "any",
    held: bool = False,
) -> list[Sighting]:
    """One voice plays a series of lengths ``times`` a bar for ``bars`` bars; ``held``: each sounds most of its time."""
    sightings, size = [], len(cell)
    allowed = bars_in(sight, meters)
    for line in parts(sight, where):
        gaps = lengths(line)
        if len(gaps) < size:
            continue
        fits = (_starting(sight, line, start) & allowed[line.bar])[: len(gaps) - size + 1].copy()
        for place, wanted in enumerate(cell):
            part = gaps[place : place + len(fits)]
            if held:
                fits &= line.duration[place : place + len(fits)] >= _HELD * part
            fits &= np.abs(part - wanted * QUARTER) <= min(SLACK, _SHARP * wanted * QUARTER)
        count = np.bincount(line.bar[: len(fits)][fits], minlength=sight.bars)
        sightings += sight.spans(count >= times, line.voice, least=bars)
    return sightings


@detectors.register("bar_rhythm")
def bar_rhythm(
    sight: Sight,
    patterns: Sequence[str],
    grid: int = 4,
    repeats: int = 2,
    speeds: Sequence[int] = (1,),
    meters: Sequence[str] = (),
    where: str = "any",
) -> list[Sighting]:
    """One voice strikes exactly one of the patterns (all of one size), ``repeats`` times without a break."""
    sightings: list[Sighting] = []
    if not bars_in(sight, meters).any():
        return []
    needed = repeats * min(pattern.count("x") for pattern in patterns)
    for line in (part for part in parts(sight, where) if len(part) >= needed):
        for speed in speeds:
            stretched = ["".join(sign + "." * (speed - 1) for sign in pattern) for pattern in patterns]
            starts = np.unique(
                np.concatenate([_windows(sight, line, cells, grid, tuple(meters)) for cells in stretched])
            )
            sightings += sight.spans(_repeated(sight, starts, len(stretched[0]), grid, repeats), line.voice)
    return sightings


def _repeated(sight: Sight, starts: Ints, size: int, grid: int, repeats: int) -> Ints:
    """The bars of patterns that begin at these slots and follow each other often enough."""
    run: dict[int, int] = {}
    shown: list[int] = []
    for at in starts.tolist():
        run[at] = run.get(at - size, 0) + 1
        if run[at] >= repeats:
            edges = np.searchsorted(_offsets(sight, grid), [at - (repeats - 1) * size, at + size - 1], side="right")
            shown += range(int(edges[0]) - 1, int(edges[1]))
    return np.array(shown, dtype=np.int64)


@shared
def _offsets(sight: Sight, grid: int) -> Ints:
    """The slot at which each bar begins, and the end."""
    slots = (sight.bar_length * grid + QUARTER // 2) // QUARTER
    return np.concatenate(([0], np.cumsum(slots)))


@shared
def _struck(sight: Sight, line: VoiceLine, grid: int) -> NDArray[np.int8]:
    """For each slot of the piece 0, 1 where the line strikes, 2 where it strikes beside the grid."""
    offsets = _offsets(sight, grid)
    slot = (line.position * grid + QUARTER // 2) // QUARTER
    missed = np.abs(line.position * grid - slot * QUARTER) > QUARTER * min(_MISSED, grid / 8)
    struck = np.zeros(int(offsets[-1]) + 1, dtype=np.int8)
    at = np.minimum(offsets[line.bar] + slot, offsets[-1])
    struck[at] = 1
    struck[at[missed]] = 2
    return struck


@shared
def _beginnings(sight: Sight, size: int, grid: int, meters: tuple[str, ...]) -> Ints:
    """Slots at which a pattern may begin: bar lines, and even parts of the bar where it is shorter."""
    offsets = _offsets(sight, grid)
    slots = np.diff(offsets)
    begin: list[Ints] = [np.empty(0, dtype=np.int64)]
    for length in np.unique(slots[slots > 0]).tolist():
        mine = offsets[:-1][(slots == length) & bars_in(sight, meters)]
        if length % size == 0:
            begin.append((mine[:, None] + np.arange(0, length, size)).ravel())
        elif size % length == 0:
            begin.append(mine[np.isin(mine + size - length, mine)])
    starts = np.concatenate(begin)
    return np.asarray(starts[starts + size <= offsets[-1]])


def _windows(sight: Sight, line: VoiceLine, pattern: str, grid: int, meters: tuple[str, ...]) -> Ints:
    """Slots at which a line strikes a pattern, in order."""
    struck, starts = _struck(sight, line, grid), _beginnings(sight, len(pattern), grid, meters)
    for place, sign in sorted(enumerate(pattern), key=lambda slot: slot[1] != "x"):
        if not len(starts):
            break
        seen = struck[starts + place]
        starts = starts[seen == 1 if sign == "x" else seen == 0 if sign == "." else seen < 2]
    return np.asarray(starts)


@detectors.register("even_bars")
def even_bars(
    sight: Sight, length: float, bars: int = 2, meters: Sequence[str] = (), where: str = "any"
) -> list[Sighting]:
    """One voice moves in notes of one length alone, through whole bars, for ``bars`` bars in a row."""
    sightings, allowed = [], bars_in(sight, meters)
    for line in parts(sight, where):
        gaps = lengths(line)
        right = np.abs(gaps - length * QUARTER) <= SLACK
        last = np.append(np.diff(line.bar) > 0, True)
        right |= last & (gaps >= length * QUARTER - SLACK)
        right &= (line.position + SLACK) % (length * QUARTER) <= 2 * SLACK
        count = np.bincount(line.bar, minlength=sight.bars)
        good = np.bincount(line.bar, right, minlength=sight.bars) == count
        wanted = np.maximum(sight.bar_length / (length * QUARTER), 2)
        sightings += sight.spans(good & (count >= wanted - _ALMOST) & allowed, line.voice, least=bars)
    return sightings


def _bar_lengths(sight: Sight, line: VoiceLine) -> list[tuple[int, ...]]:
    """The lengths of each bar that begins with a note, its last cut at the bar line; empty where it does not."""
    ends = np.append(line.onset[1:], line.onset[-1:] + line.duration[-1:])
    cut = np.minimum(ends, sight.lines_at[line.bar + 1]) - line.onset
    values = np.round(cut / QUARTER * _TICKS).astype(np.int64)
    edges = np.searchsorted(line.bar, np.arange(sight.bars + 1))
    rows = values.tolist()
    return [
        tuple(rows[a:b]) if b > a and line.position[a] <= SLACK else ()
        for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]


@detectors.register("related_rhythm")
def related_rhythm(
    sight: Sight, relation: str = "augmented", notes: int = 4, kinds: int = 2, where: str = "melody"
) -> list[Sighting]:
    """A bar's rhythm returns at once ``augmented`` over two bars, ``diminished`` from two bars, or ``reversed``."""
    sightings = []
    for line in parts(sight, where):
        bars = _bar_lengths(sight, line)
        size = 2 if relation == "reversed" else 3
        for bar in range(len(bars) - size + 1):
            group = bars[bar : bar + size]
            small = group[-1] if relation == "diminished" else group[0]
            if len(small) >= notes and len(set(small)) >= kinds and all(group) and _relates(group, small, relation):
                sightings.append(sight.at(bar, bar + size - 1, line.voice))
    return sightings


def _relates(group: list[tuple[int, ...]], small: tuple[int, ...], relation: str) -> bool:
    """Whether neighboring bars are a rhythm and its mirror, or a rhythm and its double."""
    if relation == "reversed":
        return group[1] == small[::-1] != small
    first, second = group[1:] if relation == "augmented" else group[:2]
    return first + second == tuple(2 * length for length in small)


@detectors.register("repeated_rhythm")
def repeated_rhythm(sight: Sight, bars: int = 4, notes: int = 3, kinds: int = 2, where: str = "any") -> list[Sighting]:
    """One voice repeats the uneven rhythm of a bar for ``bars`` bars or more while its pitches change."""
    sightings = []
    for line in parts(sight, where):
        rhythms = _bar_lengths(sight, line)
        worth = [len(rhythm) >= notes and len(set(rhythm)) >= kinds for rhythm in rhythms]
        edges = [0, *(b for b in range(1, len(rhythms)) if rhythms[b] != rhythms[b - 1]), len(rhythms)]
        for first, end in pairwise(edges):
            if end - first >= bars and worth[first]:
                pitches = {tuple(line.pitch[line.bar == bar].tolist()) for bar in range(first, first + bars)}
                if len(pitches) >= bars // 2:
                    sightings.append(sight.at(first, end - 1, line.voice))
    return sightings
