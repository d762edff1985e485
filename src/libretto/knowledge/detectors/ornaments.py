"""Ornaments as they are played: quick notes that decorate a longer one."""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["alternation", "grace_note", "mordent", "repeated_fast", "rolled_chord", "slide", "turn"]


def _one(sight: Sight, line: Line, rows: Ints | Bools) -> list[Sighting]:
    return [Sighting(sight.number(bar), sight.number(bar), line.voice) for bar in line.bar[rows].tolist()]


def _tops(sight: Sight, where: str, notes: int) -> list[Line]:
    return [line.top for line in sight.chosen(where) if len(line.starts) >= notes]


@detectors.register("grace_note")
def grace_note(sight: Sight, longest: float = 0.13, widest: int = 2, where: str = "any") -> list[Sighting]:
    """One very short note, alone, leads by step into a note at least three times as long."""
    found = []
    for line in _tops(sight, where, 3):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        quick = gaps <= longest * QUARTER
        alone = quick & ~np.append(False, quick[:-1]) & ~np.append(quick[1:], False)
        lead = alone & (np.abs(moves) <= widest) & (moves != 0) & (line.duration[1:] >= 3 * gaps)
        found += _one(sight, line, np.flatnonzero(lead))
    return found


@detectors.register("mordent")
def mordent(sight: Sight, longest: float = 0.17, direction: str = "both", where: str = "any") -> list[Sighting]:
    """Main note, neighbor and main note again: the first two quick, the third long."""
    found = []
    for line in _tops(sight, where, 4):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        quick = gaps <= longest * QUARTER
        away, back = moves[:-1], moves[1:]
        good = quick[:-1] & quick[1:] & (np.abs(away) <= 2) & (away != 0) & (back == -away)
        good &= line.duration[2:] >= 2 * gaps[:-1]
        good &= ~np.append(quick[2:], False) & ~np.append(False, quick[:-2])
        good &= {"both": away != 0, "upper": away > 0, "lower": away < 0}[direction]
        found += _one(sight, line, np.flatnonzero(good))
    return found


@detectors.register("turn")
def turn(sight: Sight, longest: float = 0.26, where: str = "any") -> list[Sighting]:
    """Upper neighbor, main note, lower neighbor, main note: three quick notes round a longer one."""
    found = []
    for line in _tops(sight, where, 5):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        first, second, third = moves[:-2], moves[1:-1], moves[2:]
        quick = gaps <= longest * QUARTER
        good = quick[:-2] & quick[1:-1] & quick[2:]
        for each, sign in ((first, -1), (second, -1), (third, 1)):
            good &= (each * sign >= 1) & (each * sign <= 2)
        good &= second == -third
        good &= line.duration[3:] >= 2 * gaps[2:]
        found += _one(sight, line, np.flatnonzero(good))
    return found


@detectors.register("rapid_alternation")
def alternation(
    sight: Sight, least_step: int = 1, most_step: int = 2, notes: int = 8, longest: float = 0.26, where: str = "any"
) -> list[Sighting]:
    """Two notes alternate quickly, again and again: a trill where they are a step apart, a tremolo where wider."""
    found = []
    for line in _tops(sight, where, notes):
        gaps, pitch = np.diff(line.onset), line.pitch
        size = np.abs(pitch[1:] - pitch[:-1])
        good = (gaps <= longest * QUARTER) & (size >= least_step) & (size <= most_step)
        good[1:] &= (pitch[2:] == pitch[:-2]) | ~good[:-1]
        found += _stretch(sight, line, good, notes)
    return found


@detectors.register("repeated_fast")
def repeated_fast(sight: Sight, notes: int = 8, longest: float = 0.26, where: str = "any") -> list[Sighting]:
    """One note or chord is struck again and again in quick notes."""
    found = []
    for line in _tops(sight, where, notes):
        good = (np.diff(line.onset) <= longest * QUARTER) & (np.diff(line.pitch) == 0)
        found += _stretch(sight, line, good, notes)
    return found


def _stretch(sight: Sight, line: Line, good: Bools, notes: int) -> list[Sighting]:
    """Sightings of stretches in which every step is good."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], good, [False])).astype(np.int8)))
    return [
        Sighting(sight.number(int(line.bar[a])), sight.number(int(line.bar[b])), line.voice)
        for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
        if b - a + 1 >= notes
    ]


@detectors.register("rolled_chord")
def rolled_chord(sight: Sight, notes: int = 3, longest: float = 0.17, where: str = "any") -> list[Sighting]:
    """Three or more notes rise quickly one after the other by skips and all sound on together."""
    found = []
    for line in sight.chosen(where):
        if len(line) < notes:
            continue
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        ends = line.onset + line.duration
        good = (gaps > 0) & (gaps <= longest * QUARTER) & (moves >= 3) & (ends[:-1] >= line.onset[1:] + QUARTER // 2)
        found += _stretch(sight, line, good, notes)
    return found


@detectors.register("slide")
def slide(sight: Sight, longest: float = 0.13, where: str = "any") -> list[Sighting]:
    """Two very short notes run by step, the same way, into a main note at least four times as long."""
    found = []
    for line in _tops(sight, where, 4):
        gaps, moves = np.diff(line.onset), np.diff(line.pitch)
        quick = gaps <= longest * QUARTER
        one, two = moves[:-1], moves[1:]
        good = quick[:-1] & quick[1:] & (one * two > 0) & (np.abs(one) <= 2) & (np.abs(two) <= 2)
        good &= ~np.append(False, quick[:-2]) & (line.duration[2:] >= 4 * gaps[:-1])
        found += _one(sight, line, np.flatnonzero(good))
    return found
