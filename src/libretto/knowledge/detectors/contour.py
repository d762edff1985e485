"""Contour: the shape that a melody draws, its span, its goal, and how it breathes.

Conventions: a melody is the highest note of each onset. A *phrase* ends where the line falls silent for at least an
eighth and a quarter and a half pass to the next note, or where it holds a note of two quarters or more that is at
least twice as long as usual.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.dynamics import loudness
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import VoiceLine
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "Phrase",
    "climax",
    "contour",
    "dense",
    "melodic_range",
    "motion",
    "phrases",
    "recitation",
    "waves",
]

_PEAK_FROM, _PEAK_UNTIL = 0.25, 0.8  # of an arch's time
_STEEPEST = 2.6  # semitones a note, at most, of a wave that goes mostly by step

_SPLIT = 0.33  # how much of a rise may be taken back without it ceasing to be one
_AMONG_THE_LOUD = 0.9  # of all velocities, as a share


class Phrase(NamedTuple):
    """The rows of a phrase's highest notes: the first, and the one after the last."""

    first: int
    end: int

    @property
    def size(self) -> int:
        """How many notes it has."""
        return self.end - self.first


@shared
def phrases(sight: Sight, line: VoiceLine) -> list[Phrase]:
    """The phrases of a line."""
    gaps, usual = line.gaps, float(np.median(line.gaps)) if len(line.gaps) else 0.0
    breath = (line.rests * 2 >= QUARTER) & (gaps * 2 >= QUARTER * 3)
    cut = breath | ((gaps >= 2 * QUARTER) & (gaps >= 2 * usual))
    edges = [0, *(np.flatnonzero(cut) + 1).tolist(), len(line.starts)]
    return [Phrase(first, end) for first, end in pairwise(edges) if end > first]


def dense(sight: Sight, bar: Ints, rows: Ints, among: Ints, times: int, portion: float, bars: int = 8) -> Bools:
    """Which bars lie in a passage of ``bars`` bars with ``rows`` at least ``times`` and a ``portion`` of ``among``.

    A long piece shows something where a passage of it does; bars that hold none of ``rows`` are left out.
    """
    width = min(bars, sight.bars)
    count = [np.bincount(bar[part], minlength=sight.bars) for part in (rows, among)]
    total = [np.concatenate(([0], np.cumsum(part))) for part in count]
    mine, every = (part[width:] - part[: len(part) - width] for part in total)
    starts = np.flatnonzero((mine >= times) & (mine >= portion * every))
    edges = np.zeros(sight.bars + 1, dtype=np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, starts + width, -1)
    return np.asarray((np.cumsum(edges)[:-1] > 0) & (count[0] > 0))


def _climbs(pitch: Ints) -> bool:
    """Whether a line rises and takes little of it back."""
    moves = np.diff(pitch)
    up, down = moves[moves > 0].sum(), -moves[moves < 0].sum()
    return bool(up > 0 and down <= _SPLIT * up)


def _arches(pitch: Ints, time: Ints, height: int) -> bool:
    top = np.flatnonzero(pitch == pitch.max())
    first, last, length = int(top[0]), int(top[-1]), int(time[-1] - time[0])
    if last - first != len(top) - 1 or not _PEAK_FROM * length <= time[first] - time[0] <= _PEAK_UNTIL * length:
        return False
    if pitch[first] - max(pitch[0], pitch[-1]) < height:
        return False
    return _climbs(pitch[: first + 1]) and _climbs(pitch[last:][::-1])


@detectors.register("contour")
def contour(
    sight: Sight, where: str = "melody", shape: str = "arch", notes: int = 6, height: int = 5, steps: float = 0.0
) -> list[Sighting]:
    """A phrase of one shape: ``arch``, ``valley``, ``rising`` or ``falling``, by at least ``height`` semitones."""
    sightings = []
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
                sightings.append(sight.rows(line.top, first, end - 1))
    return sightings


@detectors.register("waves")
def waves(sight: Sight, where: str = "melody", swings: int = 4, height: int = 5, widest: int = 12) -> list[Sighting]:
    """A line that rises and falls by turns mostly by step, each swing wide enough to hear and none very wide."""
    sightings = []
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
        good = (size >= height) & (size <= widest) & (size <= _STEEPEST * count)
        ones = np.concatenate(([0], np.cumsum(good)))
        for first in np.flatnonzero(ones[swings:] - ones[:-swings] == swings).tolist():
            sightings.append(sight.rows(line.top, int(turns[first]), int(turns[first + swings])))
    return sightings


@detectors.register("recitation")
def recitation(sight: Sight, where: str = "melody", notes: int = 6, quarters: float = 3.0) -> list[Sighting]:
    """One note struck again and again before the line moves on, in more than one rhythm."""
    sightings = []
    for line in sight.chosen(where):
        top = line.top
        edges = np.flatnonzero(np.diff(top.pitch, prepend=-1))
        sizes = np.diff(edges, append=len(top))
        for first, size in zip(edges[sizes >= notes].tolist(), sizes[sizes >= notes].tolist(), strict=True):
            gaps = line.gaps[first : first + size - 1]
            if gaps.sum() >= quarters * QUARTER and gaps.min() < gaps.max() <= 3 * QUARTER:
                sightings.append(sight.rows(line.top, first, first + size - 1))
    return sightings


@detectors.register("melodic_range")
def melodic_range(
    sight: Sight, where: str = "melody", low: int = 0, high: int = 12, pitches: int = 3, notes: int = 12
) -> list[Sighting]:
    """A melody whose lowest and highest note lie between ``low`` and ``high`` semitones apart."""
    sightings = []
    for line in sight.chosen(where):
        pitch = line.top.pitch
        if len(pitch) >= notes and low <= int(np.ptp(pitch)) <= high and len(np.unique(pitch)) >= pitches:
            sightings.append(sight.rows(line.top, 0, len(pitch) - 1))
    return sightings


@detectors.register("motion")
def motion(
    sight: Sight, where: str = "melody", low: int = 1, high: int = 2, portion: float = 0.8, notes: int = 10
) -> list[Sighting]:
    """A melody most of whose moves are between ``low`` and ``high`` semitones, repeated notes left aside."""
    sightings = []
    for line in sight.chosen(where):
        size = np.abs(line.moves)
        size = size[size > 0]
        if len(size) >= notes and np.mean((size >= low) & (size <= high)) >= portion:
            sightings.append(sight.rows(line.top, 0, len(line.starts) - 1))
    return sightings


@detectors.register("climax")
def climax(
    sight: Sight,
    where: str = "melody",
    early: float = 0.5,
    late: float = 0.9,
    above: int = 2,
    notes: int = 12,
    time: str = "line",
    weight: str = "strong",
    rise: int = 0,
) -> list[Sighting]:
    """A highest note that comes once, ``above`` semitones over all others, between two shares of the time.

    ``time`` is that of the ``line``, of its ``onsets`` (its last note not counted) or of the ``piece``. Its ``weight``:
    ``strong`` is long and among the loud, ``loudest`` that nothing is louder, ``alone`` that all else is softer and the
    beginning and the end are by ``rise``.
    """
    sightings = []
    for line, level in loudness(sight, where):
        if len(line) < notes:
            continue
        row = int(np.argmax(line.pitch))
        clear = line.pitch[row] - np.delete(line.pitch, row).max() >= above
        share = _share_of_time(sight, line, row, time)
        if clear and early <= share <= late and _weighs(line, level, row, weight, rise):
            sightings.append(sight.rows(line, row, row))
    return sightings


def _share_of_time(sight: Sight, line: VoiceLine, row: int, time: str) -> float:
    """Where a note begins, as a share of the time of its line, of the line's onsets or of the piece."""
    if time == "piece":
        return float(line.onset[row] / sight.lines_at[-1])
    end = line.onset[-1] + (line.duration[-1] if time == "line" else 0)
    return float((line.onset[row] - line.onset[0]) / max(1, end - line.onset[0]))


def _weighs(line: VoiceLine, level: Ints, row: int, weight: str, rise: int) -> bool:
    """Whether a note has the weight that a climax is asked for."""
    if weight == "loudest":
        return bool(line.velocity[row] >= line.velocity.max())
    if weight == "alone":
        opening = max(2, len(level) // 4)
        away = min(level[row] - level[:opening].mean(), level[row] - level[-2:].mean())
        return row == int(np.argmax(level)) and (level == level.max()).sum() == 1 and bool(away >= rise)
    loud = np.quantile(line.velocity, _AMONG_THE_LOUD)
    return bool(line.duration[row] >= np.mean(line.duration) and line.velocity[row] >= loud)
