"""Intervals: what a melody's moves are made of, and the patterns that small moves build.

Conventions: sizes are semitones between neighbouring highest notes; a step is one or two, a leap five or more.
"""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.contour import dense
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, LOOSE, is_step, runs
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.time import QUARTER

__all__ = [
    "compound_melody",
    "feature_interval",
    "gap_fill",
    "leap_recovery",
    "octave_displacement",
    "only_degrees",
    "returning_note",
    "sighs",
    "triadic",
]

_THROWN = (10, 11, 13, 14)  # sevenths and ninths: steps in another octave
_BY_STEP = 0.7  # of the moves of a line whose steps are thrown


@detectors.register("feature_interval")
def feature_interval(
    sight: Sight,
    where: str = "melody",
    sizes: tuple[int, ...] = (7,),
    direction: str = "any",
    times: int = 3,
    portion: float = 0.5,
    among: int = 3,
) -> list[Sighting]:
    """An interval that marks a passage: heard several times in eight bars, and among the moves of at least ``among``
    semitones the chief one."""
    sightings = []
    for line in sight.chosen(where):
        moves = line.moves
        wide = np.abs(moves) >= among
        mine = wide & np.isin(np.abs(moves), sizes)
        if direction != "any":
            mine &= moves > 0 if direction == "up" else moves < 0
        passages = dense(sight, line.top.bar, np.flatnonzero(mine), np.flatnonzero(wide), times, portion)
        sightings += sight.spans(passages, line.voice)
    return sightings


@detectors.register("leap_recovery")
def leap_recovery(
    sight: Sight,
    where: str = "melody",
    leap: int = 5,
    widest: int = 127,
    times: int = 3,
    portion: float = 0.8,
    window: int = 8,
    joined: bool = False,
    most: float = 1.0,
) -> list[Sighting]:
    """Leaps of at least ``leap`` semitones that are followed by a step the other way, nearly all of them.

    They are counted in passages of ``window`` bars (0: the whole piece); ``joined`` leaves out leaps across a rest of a
    quarter, and at most that share of all moves may be leaps.
    """
    sightings = []
    for line in sight.chosen(where):
        come, go = line.moves[:-1], line.moves[1:]
        leaps = (np.abs(come) >= leap) & (np.abs(come) <= widest)
        if joined:
            leaps &= line.rests[:-1] < QUARTER
        if not leaps.any() or leaps.mean() > most:
            continue
        back = leaps & is_step(go) & (np.sign(go) == -np.sign(come))
        rows, among = np.flatnonzero(back), np.flatnonzero(leaps)
        passages = dense(sight, line.top.bar, rows, among, times, portion, window or sight.bars)
        sightings += sight.spans(passages, line.voice)
    return sightings


@detectors.register("gap_fill")
def gap_fill(sight: Sight, where: str = "melody", leap: int = 7, left: int = 2) -> list[Sighting]:
    """A leap whose gap is then filled by steps the other way, all but ``left`` semitones of it."""
    sightings = []
    for line in sight.chosen(where):
        moves = line.moves
        for row in np.flatnonzero(np.abs(moves) >= leap).tolist():
            filled, at = 0, row + 1
            while at < len(moves) and 1 <= abs(moves[at]) <= 2 and moves[at] * moves[row] < 0:
                filled, at = filled + abs(int(moves[at])), at + 1
            if filled >= abs(int(moves[row])) - left:
                sightings.append(sight.rows(line.top, row, at))
    return sightings


@detectors.register("triadic")
def triadic(
    sight: Sight, where: str = "melody", notes: int = 7, quality: str = "any", repeated: int = 0, dotted: int = 0
) -> list[Sighting]:
    """A stretch of melody made of one triad's three notes, with ``repeated`` notes struck again at once and ``dotted``
    pairs of a long note and one a third of it."""
    thirds = {"any": (3, 4), "major": (4,), "minor": (3,)}[quality]
    sightings = []
    for line in sight.chosen(where):
        tone, moves, gaps = line.top.pitch % 12, line.moves, line.gaps
        pairs = np.abs(gaps[:-1] - 3 * gaps[1:]) <= LOOSE
        for root in range(12):
            for third in thirds:
                classes = [root, (root + third) % 12, (root + FIFTH) % 12]
                for first, last in runs(np.isin(tone, classes), notes):
                    again = int((moves[first:last] == 0).sum())
                    full = len(np.unique(tone[first : last + 1])) == 3 and last - first + 1 - again >= 4
                    if full and again >= repeated and pairs[first:last].sum() >= dotted:
                        sightings.append(sight.rows(line.top, first, last))
    return sorted(sightings)


@detectors.register("octave_displacement")
def octave_displacement(sight: Sight, where: str = "melody", times: int = 3) -> list[Sighting]:
    """Steps that are written as sevenths and ninths: a scale line thrown into another octave."""
    sightings = []
    for line in sight.chosen(where):
        size = np.abs(line.moves)
        thrown = np.isin(size, _THROWN)
        near = thrown | is_step(line.moves)
        if thrown.sum() >= times and near.mean() >= _BY_STEP:
            sightings += sight.spans(line.top.bar[np.flatnonzero(thrown)], line.voice)
    return sightings


@detectors.register("returning_note")
def returning_note(sight: Sight, where: str = "melody", returns: int = 5, others: int = 3) -> list[Sighting]:
    """One note that comes back after every other note, while those between it move."""
    sightings = []
    for line in sight.chosen(where):
        pitch = line.top.pitch
        for half in (0, 1):
            mine, rest = pitch[half::2], pitch[1 - half :: 2]
            for run in runs(np.diff(mine) == 0, returns - 1):
                between = rest[run.first + half : run.end + half]
                if mine[run.first] not in between and len(np.unique(between)) >= others:
                    sightings.append(sight.rows(line.top, 2 * run.first + half, 2 * run.end + half))
    return sightings


@detectors.register("compound_melody")
def compound_melody(
    sight: Sight, where: str = "melody", notes: int = 8, apart: int = 5, pitches: int = 3
) -> list[Sighting]:
    """Two lines in one: every other note belongs to a higher and a lower strand, each of which moves by step."""
    sightings = []
    for line in sight.chosen(where):
        pitch, moves = line.top.pitch, line.moves
        near = np.abs(pitch[2:] - pitch[:-2]) <= 2
        wide = (np.abs(moves) >= apart) & (line.gaps <= QUARTER)
        zigzag = near & wide[1:] & wide[:-1] & (np.sign(moves[1:]) == -np.sign(moves[:-1]))
        for first, last in runs(zigzag, notes - 2):
            strands = pitch[first : last + 3 : 2], pitch[first + 1 : last + 3 : 2]
            if all(len(np.unique(strand)) >= pitches for strand in strands):
                sightings.append(sight.rows(line.top, first, last + 2))
    return sightings


@detectors.register("sighs")
def sighs(sight: Sight, where: str = "melody", times: int = 4, portion: float = 0.25) -> list[Sighting]:
    """Falling steps from a strong note on a beat to a softer one, each followed by a rest or by a move upward."""
    sightings = []
    for line in sight.chosen(where):
        top, moves = line.top, line.moves
        falls = is_step(moves) & (moves < 0) & top.near_beat[:-1] & (top.velocity[:-1] > top.velocity[1:] + 3)
        after = np.ones(len(moves), dtype=np.bool_)
        after[:-1] = (moves[1:] > 0) | (line.rests[1:] * 4 >= QUARTER)
        joined = line.rests == 0
        good = np.flatnonzero(falls & after & joined)
        sightings += sight.spans(dense(sight, top.bar, good, np.arange(len(top)), times, portion), line.voice)
    return sightings


@detectors.register("only_degrees")
def only_degrees(
    sight: Sight,
    where: str = "melody",
    degrees: tuple[int, ...] = (0, 2, 4, 7, 9),
    distinct: int = 5,
    notes: int = 8,
    bars: int = 4,
) -> list[Sighting]:
    """A passage of ``bars`` bars or more that uses nothing but certain degrees, semitones above the tonic, and nearly
    all of those."""
    sightings = []
    for line in sight.chosen(where):
        bar = line.top.bar
        degree = (line.top.pitch - sight.tonic[bar]) % 12
        played = np.bincount(bar, minlength=sight.bars) > 0
        foreign = np.bincount(bar, ~np.isin(degree, degrees), minlength=sight.bars) > 0
        for place in sight.spans(played & ~foreign, line.voice):
            inside = degree[(bar >= place.first - sight.number(0)) & (bar <= place.last - sight.number(0))]
            long = place.last - place.first + 1 >= min(bars, sight.bars)
            if long and len(inside) >= notes and len(np.unique(inside)) >= distinct:
                sightings.append(place)
    return sightings
