"""Runs: what a line does with its scale note after note, alone or in doubled intervals.

Conventions: a run is read from the highest notes of a line's onsets, broken by a rest of a beat or more. Moves are
semitones; a step is one or two of them.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import LOOSE, Run, VoiceLine, is_step, runs
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "broken_run",
    "broken_thirds",
    "chromatic_line",
    "contrary_run",
    "degrees",
    "doubled_run",
    "fragment",
    "run",
    "run_up",
    "scalar_run",
    "transposed",
]

_BROKEN = 99  # stands for a move across a rest, which fits no pattern

_STEP = 2


def _joined(line: VoiceLine) -> Bools:
    """Which moves are not broken by a rest of a beat or more."""
    return np.asarray(line.rests < line.top.beat[:-1])


def _seek(moves: Ints, pattern: list[int]) -> Ints:
    """Where a pattern of moves begins."""
    size = len(moves) - len(pattern) + 1
    if size <= 0:
        return np.empty(0, dtype=np.int64)
    good = np.ones(size, dtype=np.bool_)
    for place, move in enumerate(pattern):
        good &= moves[place : place + size] == move
    return np.flatnonzero(good)


@detectors.register("run")
def run(
    sight: Sight, notes: int = 8, smallest: int = 1, largest: int = 2, direction: str = "any", even: bool = False
) -> list[Sighting]:
    """A line that runs by step in one direction over a number of notes.

    Steps are ``smallest`` to ``largest`` semitones; ``direction`` is up, down or any; ``even`` wants equal lengths.
    """
    sightings = []
    for line in sight.lines:
        joined = _joined(line)
        if even:
            alike = np.concatenate(([False], np.abs(np.diff(line.gaps)) <= line.top.beat[1:-1] / 8, [False]))
            joined = joined & (alike[1:] | alike[:-1])[: len(joined)]
        for sign, name in ((1, "up"), (-1, "down")):
            if direction in (name, "any"):
                moves = line.moves * sign
                good = (moves >= smallest) & (moves <= largest) & joined
                sightings += [sight.rows(line.top, run.first, run.end) for run in runs(good, notes - 1)]
    return sightings


@detectors.register("fragment")
def fragment(sight: Sight, pattern: list[int], whole: bool = True) -> list[Sighting]:
    """A group of notes with exactly those moves, up or down the same way, that is a figure of its own.

    Its own: nothing moves on in the same direction before or after it but across a note held twice as long (unless
    ``whole`` is false).
    """
    sightings = []
    for line in sight.lines:
        joined, size = _joined(line), len(pattern)
        moves = np.where(joined, line.moves, _BROKEN)
        for shape, sign in ((pattern, 1), ([-move for move in reversed(pattern)], -1)):
            for first in _seek(moves, shape).tolist():
                if not whole or not _goes_on(line, moves * sign, first, first + size):
                    sightings.append(sight.rows(line.top, first, first + size))
    return sightings


def _goes_on(line: VoiceLine, moves: Ints, first: int, last: int) -> bool:
    """Whether a line moves on the same way right before or after the moves from first to last (exclusive)."""
    before = first > 0 and 0 < moves[first - 1] <= _STEP + 1 and line.gaps[first - 1] < 2 * line.gaps[first]
    after = last < len(moves) and 0 < moves[last] <= _STEP + 1 and line.gaps[last] < 2 * line.gaps[last - 1]
    return bool(before or after)


@detectors.register("degrees")
def degrees(sight: Sight, path: list[int], ending: bool = False, octave: bool = True) -> list[Sighting]:
    """A line that goes along degrees in that order, note after note, as semitones above the key's tonic.

    Below 0 and above 11 are the octaves beside it. ``ending`` wants the last note long (a beat or more) and on a beat;
    without ``octave`` the moves need fit only by pitch class.
    """
    sightings = []
    pattern = [b - a for a, b in pairwise(path)]
    for line in sight.lines:
        top = line.top
        moves = np.where(_joined(line), line.moves, _BROKEN)
        hits = _seek(
            moves if octave else np.where(moves == _BROKEN, _BROKEN, moves % 12),
            pattern if octave else [m % 12 for m in pattern],
        )
        hits = hits[(top.pitch[hits] - sight.tonic[top.bar[hits]]) % 12 == path[0] % 12]
        last = hits + len(pattern)
        if ending:
            away = (top.position[last] + LOOSE) % top.beat[last]
            good = (top.duration[last] >= top.beat[last] - LOOSE) & (away <= 2 * LOOSE)
            hits, last = hits[good], last[good]
        sightings += [sight.rows(line.top, a, b) for a, b in zip(hits.tolist(), last.tolist(), strict=True)]
    return sightings


@detectors.register("doubled_run")
def doubled_run(sight: Sight, apart: list[int], notes: int = 5, straight: int = 4) -> list[Sighting]:
    """Two notes at a time, always one of the intervals ``apart``, that move by step together.

    ``straight`` of them in a row go in one direction.
    """
    sightings = []
    for line in sight.lines:
        top, low = line.top.pitch, line.low.pitch
        pair = (line.sizes == 2) & np.isin(top - low, apart)
        step = (np.abs(line.moves) >= 1) & (np.abs(line.moves) <= _STEP + 1) & (np.abs(np.diff(low)) <= _STEP + 1)
        good = pair[1:] & pair[:-1] & step & _joined(line)
        for stretch in runs(good, notes - 1):
            way = np.sign(line.moves[stretch.first : stretch.end])
            if any(runs(way == sign, straight - 1) for sign in (1, -1)):
                sightings.append(sight.rows(line.top, stretch.first, stretch.end))
    return sightings


@detectors.register("contrary_run")
def contrary_run(sight: Sight, notes: int = 5) -> list[Sighting]:
    """Two notes at a time, of one voice or of melody and bass, that move by step in opposite directions."""
    sightings = []
    for line in sight.lines:
        pair = line.sizes == 2
        near = pair[1:] & pair[:-1] & _joined(line)
        mirrored = _mirrored(line.moves, np.diff(line.low.pitch), near, notes)
        sightings += [sight.rows(line.top, stretch.first, stretch.end) for stretch in mirrored]
    if len(sight.lines) > 1 and sight.melody is not sight.bass:
        upper, lower = sight.melody.top, sight.bass.low
        _, high, deep = np.intersect1d(upper.onset, lower.onset, return_indices=True)
        near = (np.diff(high) == 1) & (np.diff(deep) == 1)
        moves = np.diff(upper.pitch[high]), np.diff(lower.pitch[deep])
        bars = upper.bar[high]
        sightings += [sight.at(bars[pair.first], bars[pair.end]) for pair in _mirrored(*moves, near, notes)]
    return sightings


def _mirrored(upper: Ints, lower: Ints, near: Bools, notes: int) -> list[Run]:
    """Stretches of moves in which two voices move by step away from each other, or toward each other."""
    small = near & (np.abs(upper) <= _STEP + 1) & (np.abs(lower) <= _STEP + 1)
    ways = [small & (np.sign(upper) == sign) & (np.sign(lower) == -sign) for sign in (1, -1)]
    return [stretch for way in ways for stretch in runs(way, notes - 1)]


@detectors.register("broken_run")
def broken_run(sight: Sight, leap: list[int], notes: int = 8) -> list[Sighting]:
    """A scale in broken intervals: every other note climbs (or falls) by step, and between them lies one leap.

    ``leap`` are the sizes of the interval in semitones, always to the same side.
    """
    sightings, pairs = [], notes // 2 - 1
    for line in sight.lines:
        pitch, moves = line.top.pitch, line.moves
        if len(pitch) < notes:
            continue
        leaps = np.isin(np.abs(moves), leap) & _joined(line)
        skip = pitch[2:] - pitch[:-2]
        for sign in (1, -1):
            steady = (skip * sign >= 1) & (skip * sign <= _STEP + 1)
            for way in (1, -1):
                leapt = leaps & (np.sign(moves) == way)
                link = leapt[:-2] & leapt[2:] & steady[:-1] & steady[1:]  # from one leap to the next but one move
                if link.sum() >= pairs:
                    sightings += [
                        sight.rows(line.top, 2 * chain.first + phase, 2 * chain.end + phase + 1)
                        for phase in (0, 1)
                        for chain in runs(link[phase::2], pairs)
                    ]
    return sightings


@detectors.register("transposed")
def transposed(sight: Sight, by: list[int], notes: int = 7) -> list[Sighting]:
    """A tune of the melody that is heard again at once or soon, note for note and in the same rhythm, at another pitch.

    ``by`` are the distances in semitones that count; ``notes`` how many must agree.
    """
    sightings: list[Sighting] = []
    for line in sight.chosen("melody"):
        top, moves = line.top, line.moves
        if len(moves) < 2 * notes - 1:
            continue
        for shift in range(notes, min(4 * notes, len(moves) - notes) + 1):
            same = (moves[shift:] == moves[:-shift]) & (np.abs(line.gaps[shift:] - line.gaps[:-shift]) <= LOOSE)
            good = same & np.isin(top.pitch[shift:-1] - top.pitch[: -shift - 1], by)
            for tune in runs(good, notes - 1):
                if len(np.unique(top.pitch[tune.first : tune.end + 1])) >= 4:
                    sightings.append(sight.rows(top, tune.first, tune.end + shift))
            if sightings:
                break
    return sightings


@detectors.register("broken_thirds")
def broken_thirds(sight: Sight, where: str = "melody", moves: int = 7) -> list[Sighting]:
    """A scale in broken thirds: a third one way and a second back, again and again."""
    sightings = []
    for line in sight.chosen(where):
        size, sign = np.abs(line.moves), np.sign(line.moves)
        third, second = (size == 3) | (size == 4), (size == 1) | (size == 2)
        turn = (sign[1:] == -sign[:-1]) & ((third[1:] & second[:-1]) | (second[1:] & third[:-1]))
        sightings += [sight.rows(line.top, run.first, run.end) for run in runs(turn, moves - 1)]
    return sightings


@detectors.register("scalar_run")
def scalar_run(sight: Sight, where: str = "melody", notes: int = 6, direction: str = "any") -> list[Sighting]:
    """Short notes by step in one direction to a goal on a beat that lasts at least a beat."""
    sightings = []
    for line in sight.chosen(where):
        top, gaps, beat = line.top, line.gaps, line.top.near_beat
        for sign in (1, -1):
            if direction not in ("any", "up" if sign > 0 else "down"):
                continue
            quick = (np.sign(line.moves) == sign) & is_step(line.moves) & (gaps * 2 <= QUARTER)
            for run in runs(quick, notes):
                goal = run.end
                if beat[goal] and top.duration[goal] >= QUARTER and (goal == len(gaps) or gaps[goal] >= QUARTER):
                    sightings.append(sight.rows(line.top, run.first, goal))
    return sorted(sightings)


@detectors.register("chromatic_line")
def chromatic_line(sight: Sight, where: str = "melody", notes: int = 5, direction: str = "any") -> list[Sighting]:
    """Semitones in one direction, at least ``notes`` notes long."""
    sightings = []
    for line in sight.chosen(where):
        for sign in (1, -1):
            if direction in ("any", "up" if sign > 0 else "down"):
                sightings += [sight.rows(line.top, run.first, run.end) for run in runs(line.moves == sign, notes - 1)]
    return sorted(sightings)


@detectors.register("run_up")
def run_up(sight: Sight, notes: int = 8, span: int = 12, step: int = 4) -> list[Sighting]:
    """A fast run upward, sixteenths or faster and mostly by step, of an octave or more, that lands on a downbeat."""
    sightings = []
    for line in sight.chosen("upper"):
        top = line.top
        if len(top) <= notes:
            continue
        move, gap = line.moves, line.gaps
        fast = (move > 0) & (move <= step) & (gap <= QUARTER // 4 + LOOSE // 2)
        for first, last in runs(np.asarray(fast), notes - 1):
            end = last + 1
            into = min(end + 1, len(top) - 1)
            lands = any(_on_one(sight, top, row) for row in (end, into))
            if lands and top.pitch[end] - top.pitch[first] >= span:
                sightings.append(sight.at(top.bar[first], top.bar[into], line.voice))
    return sightings


def _on_one(sight: Sight, line: VoiceLine, row: int) -> bool:
    late = int(sight.bar_length[line.bar[row]]) - int(line.position[row])
    return int(line.position[row]) <= LOOSE or late <= LOOSE
