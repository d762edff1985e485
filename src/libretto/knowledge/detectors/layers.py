"""Layers: which parts play in each bar, how they enter, leave, double, answer and build."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.drum_grooves import runs
from libretto.knowledge.detectors.idioms_electric import figures
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "active_parts",
    "call_response",
    "countermelody",
    "layered_entry",
    "pad_enters",
    "parallel_lines",
    "register_shift",
    "rising",
    "sight_runs",
    "unison_riff",
]

_FINE = QUARTER // 8
_SUSTAINED = ((16, 23), (40, 79), (88, 95))


def active_parts(sight: Sight) -> Bools:
    """Which parts sound in each bar: one row a pitched part, the drums last."""
    if "active_parts" not in sight.cache:
        rows = []
        for line in sight.lines:
            last = np.searchsorted(sight.lines_at, line.onset + line.duration - 1, side="right") - 1
            last = np.clip(last, line.bar, sight.bars - 1)
            edge = np.bincount(line.bar, minlength=sight.bars + 1) - np.bincount(last + 1, minlength=sight.bars + 1)
            rows.append(np.cumsum(edge[:-1]) > 0)
        rows.append(np.bincount(sight.drums.bar, minlength=sight.bars) > 0)
        sight.cache["active_parts"] = np.array(rows, dtype=np.bool_)
    found: Bools = sight.cache["active_parts"]
    return found


@detectors.register("layered_entry")
def layered_entry(sight: Sight, steps: int = 3, within: int = 16, even: bool = False) -> list[Sighting]:
    """Parts that enter one after another, from at most two, while those that play stay: so many steps in so many bars.

    With ``even`` the entries are 2, 4 or 8 bars apart, always the same.
    """
    active = active_parts(sight)
    count = active.sum(axis=0)
    stays = (active[:, :-1] <= active[:, 1:]).all(axis=0)
    found, after = [], -1
    for first, last in runs(np.concatenate((stays, [False])), 2):
        start, end = max(first, after + 1), min(last + 1, first + within)
        if not 0 < count[start] <= 2:
            continue
        entries = start + 1 + np.flatnonzero(np.diff(count[start : end + 1]))
        gaps = np.diff(np.concatenate(([start], entries)))
        if len(entries) < steps or (even and not (len(np.unique(gaps)) == 1 and gaps[0] in (2, 4, 8))):
            continue
        found.append(Sighting(sight.number(start), sight.number(end)))
        after = end
    return found


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
    roll, wanted, found = _roll(sight), np.zeros(256, dtype=np.bool_), []
    wanted[list(intervals)] = True
    for place, one in enumerate(chosen):
        for other in chosen[place + 1 :]:
            apart = np.abs(roll[one] - roll[other])
            if np.count_nonzero(wanted[apart]) < notes:
                continue
            struck = np.flatnonzero(apart | roll[one])
            found += _parallel(sight, one, struck, apart[struck], wanted[apart[struck]], (notes, moves, mixed))
    return found


def _roll(sight: Sight) -> Ints:
    """The highest pitch that each line strikes on each 32nd on which any line does, 0 where it strikes none."""
    if "top_roll" not in sight.cache:
        size = int(sight.lines_at[-1]) // _FINE + 2
        roll = np.zeros((len(sight.lines), size), dtype=np.int16)
        for index, line in enumerate(sight.lines):
            roll[index, np.minimum((line.top.onset + _FINE // 2) // _FINE, size - 1)] = line.top.pitch
        sight.cache["struck_places"] = np.flatnonzero(roll.any(axis=0))
        sight.cache["top_roll"] = roll[:, sight.cache["struck_places"]]
    found: Ints = sight.cache["top_roll"]
    return found


def _parallel(
    sight: Sight, one: int, places: Ints, apart: Ints, good: Bools, least: tuple[int, int, int]
) -> list[Sighting]:
    """The stretches in which everything that two lines strike is struck together and at a wanted distance."""
    found, pitch = [], _roll(sight)[one, places]
    ticks = sight.cache["struck_places"] * _FINE
    for first, last in runs(good & (pitch > 0), least[0]):
        span = slice(first, last + 1)
        if np.count_nonzero(np.diff(pitch[span])) >= least[1] and len(np.unique(apart[span])) >= least[2]:
            at = np.searchsorted(sight.lines_at, ticks[places[[first, last]]], side="right") - 1
            bars = [sight.number(int(bar)) for bar in np.clip(at, 0, sight.bars - 1)]
            found.append(Sighting(bars[0], bars[1], sight.lines[one].voice))
    return found


@detectors.register("unison_riff")
def unison_riff(sight: Sight, parts: int = 3, notes: int = 6, moves: int = 4) -> list[Sighting]:
    """So many parts strike the same note (in any octave) together, note after note, and nothing pitched besides."""
    rows = [
        (np.round(line.onset / _FINE), line.pitch, np.full(len(line), index)) for index, line in enumerate(sight.lines)
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
    bar = np.clip(np.searchsorted(sight.lines_at, key[starts] * _FINE + 1, side="right") - 1, 0, sight.bars - 1)
    tone = pitch[starts]
    return [
        Sighting(sight.number(int(bar[first])), sight.number(int(bar[last])))
        for first, last in runs(good, notes)
        if np.count_nonzero(np.diff(tone[first : last + 1])) >= moves
    ]


@detectors.register("section_answers")
def call_response(sight: Sight, turns: int = 4, least_notes: int = 3) -> list[Sighting]:
    """Two parts that take turns: one plays while the other starts nothing, then the reverse, in equal spans."""
    lines = [line for line in sight.lines if line is not sight.bass or len(sight.lines) < 3]
    found: list[Sighting] = []
    for halves in (1, 2, 4):
        count = _units(sight, lines, halves)
        busy, still = count >= least_notes, count == 0
        alone = busy[:, None, :] & still[None, :, :]
        units = alone.shape[2]
        if units < turns:
            continue
        chain = np.ones((*alone.shape[:2], units - turns + 1), dtype=np.bool_)
        for turn in range(turns):
            side = alone if turn % 2 == 0 else alone.transpose(1, 0, 2)
            chain &= side[:, :, turn : units - turns + 1 + turn]
        for one, _, unit in np.argwhere(chain)[:64].tolist():
            first, last = unit * halves // 2, min((unit + turns) * halves // 2, sight.bars) - 1
            found.append(Sighting(sight.number(first), sight.number(max(first, last)), lines[one].voice))
    return sorted(set(found))


def _units(sight: Sight, lines: Sequence[Line], halves: int) -> Ints:
    """How many onsets each line has in each stretch of so many half-bars."""
    size = -(-2 * sight.bars // halves)
    rows = []
    for line in lines:
        top = line.top
        half = top.bar * 2 + (top.position * 2 >= sight.bar_length[top.bar])
        rows.append(np.bincount(half // halves, minlength=size)[:size])
    return np.array(rows) if rows else np.zeros((0, size), dtype=np.int64)


@detectors.register("pad_enters")
def pad_enters(sight: Sight, bars: int = 2, before: int = 2, fewest: int = 2) -> list[Sighting]:
    """A sustaining part that enters with long chords after bars in which others played without any such chord."""
    active = active_parts(sight)
    length = sight.bar_length / QUARTER
    pads, found = np.zeros(sight.bars, dtype=np.bool_), []
    for figure in figures(sight):
        if any(first <= figure.line.program <= last for first, last in _SUSTAINED):
            pads |= (figure.size >= 2.6) & (figure.length >= 0.7 * length) & (figure.count <= 2) & (figure.count > 0)
    others = active.sum(axis=0)
    for first, last in runs(pads, bars):
        if (
            first >= before
            and not pads[first - before : first].any()
            and (others[first - before : first] >= fewest).all()
        ):
            found.append(Sighting(sight.number(first), sight.number(last)))
    return found


@detectors.register("register_shift")
def register_shift(sight: Sight, semitones: float = 5, bars: int = 4, where: str = "melody") -> list[Sighting]:
    """A part whose mean pitch over so many bars is that much higher than over as many before; negative for lower."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        number = np.concatenate(([0], np.cumsum(np.bincount(top.bar, minlength=sight.bars))))
        total = np.concatenate(([0], np.cumsum(np.bincount(top.bar, top.pitch, minlength=sight.bars))))
        notes, mass = number[bars:] - number[:-bars], total[bars:] - total[:-bars]
        mean = mass / np.maximum(notes, 1)
        if len(mean) <= bars:
            continue
        move = (mean[bars:] - mean[:-bars]) * np.sign(semitones)
        enough = (notes[bars:] >= 2 * bars) & (notes[:-bars] >= 2 * bars)
        at = np.flatnonzero((move >= abs(semitones)) & enough) + bars
        found += sight.spans(at, line.voice)
    return found


@detectors.register("countermelody")
def countermelody(sight: Sight, bars: int = 2, before: int = 2) -> list[Sighting]:
    """A second single-note part that joins the melody in a rhythm of its own after the melody had gone without it."""
    melody = sight.melody.top
    tune = np.bincount(melody.bar, minlength=sight.bars) >= 2
    keys, found = np.unique(np.round(melody.onset / _FINE)), []
    for line in sight.chosen("inner"):
        if len(line) > 1.15 * len(line.starts) or line is sight.melody or len(sight.lines) < 2:
            continue
        top = line.top
        count = np.bincount(top.bar, minlength=sight.bars)
        shared = np.bincount(top.bar[np.isin(np.round(top.onset / _FINE), keys)], minlength=sight.bars)
        moving = np.bincount(top.bar[1:][np.diff(top.pitch) != 0], minlength=sight.bars)
        good = tune & (count >= 2) & (count <= 10) & (shared <= 0.5 * count) & (moving >= 0.6 * count)
        for first, last in runs(np.asarray(good), bars):
            span = slice(first - before, first)
            if first >= before and tune[span].all() and not count[span].any():
                found.append(Sighting(sight.number(first), sight.number(last), line.voice))
    return found


@detectors.register("rising")
def rising(sight: Sight, what: str = "loudness", bars: int = 4, by: float = 12) -> list[Sighting]:
    """So many bars in a row, each at least as loud (or as busy) as the one before, and the last far more so."""
    onset_bar = np.concatenate((sight.notes.bar, sight.drums.bar))
    number = np.bincount(onset_bar, minlength=sight.bars)
    if what == "loudness":
        velocity = np.concatenate((sight.notes.velocity, sight.drums.velocity))
        value: NDArray[np.float64] = np.bincount(onset_bar, velocity, minlength=sight.bars) / np.maximum(number, 1)
    else:
        value = number.astype(np.float64)
    up = (np.diff(value) >= 0) & (number[:-1] > 0) & (number[1:] > 0)
    return [
        Sighting(sight.number(first), sight.number(last + 1))
        for first, last in runs(np.asarray(up), bars - 1)
        if value[last + 1] - value[first] >= by
    ]


def sight_runs(sight: Sight, shown: Bools, bars: int) -> list[Sighting]:
    """Stretches of at least so many bars as sightings."""
    return [Sighting(sight.number(first), sight.number(last)) for first, last in runs(shown, bars)]
