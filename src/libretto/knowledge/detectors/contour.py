"""Contour: the shape that a melody draws, its span, its goal, and how it breathes.

Conventions: a melody is the highest note of each onset. A *phrase* ends where the line falls silent for at least an
eighth and a quarter and a half pass to the next note, or where it holds a note of two quarters or more that is at
least twice as long as usual.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "breathing",
    "climax",
    "contour",
    "dense",
    "melodic_range",
    "motion",
    "on_beats",
    "phrase_endings",
    "phrases",
    "recitation",
    "waves",
]

_SPLIT = 0.33  # how much of a rise may be taken back without it ceasing to be one


def phrases(sight: Sight, line: Line) -> list[tuple[int, int]]:
    """The phrases of a line as rows of its highest notes: the first, and the one after the last."""
    known = ("phrases", id(line))
    if known not in sight.cache:
        gaps, usual = line.gaps, float(np.median(line.gaps)) if len(line.gaps) else 0.0
        breath = (line.rests * 2 >= QUARTER) & (gaps * 2 >= QUARTER * 3)
        cut = breath | ((gaps >= 2 * QUARTER) & (gaps >= 2 * usual))
        edges = [0, *(np.flatnonzero(cut) + 1).tolist(), len(line.starts)]
        sight.cache[known] = [(a, b) for a, b in pairwise(edges) if b > a]
    found: list[tuple[int, int]] = sight.cache[known]
    return found


def dense(sight: Sight, bar: Ints, rows: Ints, among: Ints, times: int, portion: float, bars: int = 8) -> Bools:
    """Which bars lie in a passage of ``bars`` bars with ``rows`` at least ``times`` and a ``portion`` of ``among``.

    A long piece shows something where a passage of it does; bars that hold none of ``rows`` are left out.
    """
    width = min(bars, sight.bars)
    count = [np.bincount(bar[each], minlength=sight.bars) for each in (rows, among)]
    total = [np.concatenate(([0], np.cumsum(each))) for each in count]
    mine, every = (each[width:] - each[: len(each) - width] for each in total)
    starts = np.flatnonzero((mine >= times) & (mine >= portion * every))
    edges = np.zeros(sight.bars + 1, dtype=np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, starts + width, -1)
    return np.asarray((np.cumsum(edges)[:-1] > 0) & (count[0] > 0))


def on_beats(line: Line) -> Bools:
    """Which notes of a line stand on a beat or within a 32nd of one."""
    near = QUARTER // 8
    return np.asarray(np.abs((line.position + near) % line.beat - near) <= near)


def _place(sight: Sight, line: Line, first: int, last: int) -> Sighting:
    bar = line.top.bar
    return Sighting(sight.number(int(bar[first])), sight.number(int(bar[last])), line.voice)


def _climbs(pitch: Ints) -> bool:
    """Whether a line rises and takes little of it back."""
    moves = np.diff(pitch)
    up, down = moves[moves > 0].sum(), -moves[moves < 0].sum()
    return bool(up > 0 and down <= _SPLIT * up)


def _arches(pitch: Ints, time: Ints, height: int) -> bool:
    top = np.flatnonzero(pitch == pitch.max())
    first, last, length = int(top[0]), int(top[-1]), int(time[-1] - time[0])
    if last - first != len(top) - 1 or not 0.25 * length <= time[first] - time[0] <= 0.8 * length:
        return False
    if pitch[first] - max(pitch[0], pitch[-1]) < height:
        return False
    return _climbs(pitch[: first + 1]) and _climbs(pitch[last:][::-1])


@detectors.register("contour")
def contour(
    sight: Sight, where: str = "melody", shape: str = "arch", notes: int = 6, height: int = 5, steps: float = 0.0
) -> list[Sighting]:
    """A phrase of one shape: ``arch``, ``valley``, ``rising`` or ``falling``, by at least ``height`` semitones."""
    found = []
    for line in sight.chosen(where):
        for first, end in phrases(sight, line):
            if end - first < notes:
                continue
            pitch, time = line.top.pitch[first:end], line.top.onset[first:end]
            moves = np.abs(np.diff(pitch))
            if moves.max() == 0 or np.mean(moves[moves > 0] <= 2) < steps:
                continue
            signed = -pitch if shape in ("valley", "falling") else pitch
            if shape in ("arch", "valley"):
                good = _arches(signed, time, height)
            else:
                good = _climbs(signed) and signed[-1] - signed[0] >= height and signed[-1] == signed.max()
            if good:
                found.append(_place(sight, line, first, end - 1))
    return found


@detectors.register("waves")
def waves(sight: Sight, where: str = "melody", swings: int = 4, height: int = 5, widest: int = 12) -> list[Sighting]:
    """A line that rises and falls by turns mostly by step, each swing wide enough to hear and none very wide."""
    found = []
    for line in sight.chosen(where):
        pitch = line.top.pitch
        moving = np.flatnonzero(np.diff(pitch, prepend=-1))
        sign = np.sign(np.diff(pitch[moving]))
        if len(sign) < swings:
            continue
        turns = moving[np.concatenate(([0], np.flatnonzero(np.diff(sign)) + 1, [len(moving) - 1]))]
        if len(turns) < swings + 1:
            continue
        size, count = np.abs(np.diff(pitch[turns])), np.diff(turns)
        good = (size >= height) & (size <= widest) & (size <= 2.6 * count)
        ones = np.concatenate(([0], np.cumsum(good)))
        for first in np.flatnonzero(ones[swings:] - ones[:-swings] == swings).tolist():
            found.append(_place(sight, line, int(turns[first]), int(turns[first + swings])))
    return found


@detectors.register("recitation")
def recitation(sight: Sight, where: str = "melody", notes: int = 6, quarters: float = 3.0) -> list[Sighting]:
    """One note struck again and again before the line moves on, in more than one rhythm."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        edges = np.flatnonzero(np.diff(top.pitch, prepend=-1))
        sizes = np.diff(edges, append=len(top))
        for first, size in zip(edges[sizes >= notes].tolist(), sizes[sizes >= notes].tolist(), strict=True):
            gaps = line.gaps[first : first + size - 1]
            if gaps.sum() >= quarters * QUARTER and gaps.min() < gaps.max() <= 3 * QUARTER:
                found.append(_place(sight, line, first, first + size - 1))
    return found


@detectors.register("melodic_range")
def melodic_range(
    sight: Sight, where: str = "melody", low: int = 0, high: int = 12, pitches: int = 3, notes: int = 12
) -> list[Sighting]:
    """A melody whose lowest and highest note lie between ``low`` and ``high`` semitones apart."""
    found = []
    for line in sight.chosen(where):
        pitch = line.top.pitch
        if len(pitch) >= notes and low <= int(np.ptp(pitch)) <= high and len(np.unique(pitch)) >= pitches:
            found.append(_place(sight, line, 0, len(pitch) - 1))
    return found


@detectors.register("motion")
def motion(
    sight: Sight, where: str = "melody", low: int = 1, high: int = 2, portion: float = 0.8, notes: int = 10
) -> list[Sighting]:
    """A melody most of whose moves are between ``low`` and ``high`` semitones, repeated notes left aside."""
    found = []
    for line in sight.chosen(where):
        size = np.abs(line.moves)
        size = size[size > 0]
        if len(size) >= notes and np.mean((size >= low) & (size <= high)) >= portion:
            found.append(_place(sight, line, 0, len(line.starts) - 1))
    return found


@detectors.register("climax")
def climax(
    sight: Sight, where: str = "melody", early: float = 0.5, late: float = 0.9, above: int = 2, notes: int = 12
) -> list[Sighting]:
    """A highest note that comes once, late in the piece, clear of all others, long and strong."""
    found = []
    for line in sight.chosen(where):
        top = line.top
        if len(top) < notes:
            continue
        row = int(np.argmax(top.pitch))
        others = np.delete(top.pitch, row)
        part = (top.onset[row] - top.onset[0]) / max(1, top.onset[-1] + top.duration[-1] - top.onset[0])
        strong = top.duration[row] >= np.mean(top.duration) and top.velocity[row] >= np.quantile(top.velocity, 0.9)
        if top.pitch[row] - others.max() >= above and early <= part <= late and strong:
            found.append(_place(sight, line, row, row))
    return found


@detectors.register("breathing")
def breathing(
    sight: Sight, where: str = "melody", least_notes: int = 4, most_notes: int = 16, times: int = 3
) -> list[Sighting]:
    """Phrases that are parted by silence: several in a row of a length that one could sing."""
    found = []
    for line in sight.chosen(where):
        parts = phrases(sight, line)
        good = [
            least_notes <= end - first <= most_notes and (end == len(line.starts) or line.rests[end - 1] * 2 >= QUARTER)
            for first, end in parts
        ]
        for place in range(len(parts) - times + 1):
            if all(good[place : place + times]):
                found.append(_place(sight, line, parts[place][0], parts[place + times - 1][1] - 1))
    return found


@detectors.register("phrase_endings")
def phrase_endings(
    sight: Sight,
    where: str = "melody",
    first: tuple[int, ...] = (2, 7, 11),
    second: tuple[int, ...] = (0,),
    notes: int = 4,
) -> list[Sighting]:
    """Two phrases that begin alike in rhythm: one ends on a degree of ``first``, the next on one of ``second``."""
    found = []
    for line in sight.chosen(where):
        top, parts = line.top, phrases(sight, line)
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        for (a, b), (c, d) in pairwise(parts):
            if min(b - a, d - c) < notes or degree[b - 1] not in first or degree[d - 1] not in second:
                continue
            alike = np.abs(line.gaps[a : a + 2] - line.gaps[c : c + 2]).max() <= QUARTER // 8
            balanced = 0.5 <= (top.onset[d - 1] - top.onset[c]) / max(1, top.onset[b - 1] - top.onset[a]) <= 2
            if alike and balanced and top.duration[d - 1] >= np.median(top.duration):
                found.append(_place(sight, line, a, d - 1))
    return found
