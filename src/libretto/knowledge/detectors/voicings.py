"""Voicings: how the notes of struck chords lie, and how whole chords move.

Conventions: gaps are semitones between neighboring notes of a chord from the lowest up.
"""

from __future__ import annotations

import numpy as np

from libretto.knowledge.detectors.chords import Struck, mask_of, struck_chords
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FOURTH, runs
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Ints

__all__ = [
    "CLASS_COUNTS",
    "FOREIGN_BASSES",
    "TRIAD_MASKS",
    "class_bits",
    "parallel",
    "polychord",
    "rows_of_size",
    "slash_chord",
    "stack",
]

_TWO_TRIADS, _APART = 6, 5  # notes, and how many of them differ

_TRIADS = ((0, 4, 7), (0, 3, 7))
_SIXTHS = {4: 9, 3: 8}  # by the third: the third below the root, which as a bass adds no more than that
#: How many pitch classes every set of them has, sets as bits.
CLASS_COUNTS = np.array([bits.bit_count() for bits in range(1 << 12)], dtype=np.int64)
#: The root of every major and minor triad, by its bits.
TRIAD_MASKS = {mask_of(triad, root): root for triad in _TRIADS for root in range(12)}
_PLANE = 4  # the largest move of a chord that slides
_LARGEST_CHORD = 6  # notes of the largest chord that is followed


def _foreign_basses() -> Bools:
    """Which bass is foreign to which triad: rows are triads as bits, columns basses; other sets have none."""
    foreign = np.zeros((1 << 12, 12), dtype=np.bool_)
    for triad in _TRIADS:
        for root in range(12):
            own = {(root + tone) % 12 for tone in (*triad, _SIXTHS[triad[1]])}
            foreign[mask_of(triad, root)] = [bass not in own for bass in range(12)]
    return foreign


FOREIGN_BASSES = _foreign_basses()


def rows_of_size(chords: Struck, size: int) -> tuple[Ints, Ints]:
    """Which chords have that many notes, and their pitches as a table."""
    which = np.flatnonzero(chords.size == size)
    return which, chords.pitch[chords.first[which][:, None] + np.arange(size)]


def class_bits(pitch: Ints) -> Ints:
    """The pitch classes of each chord as bits."""
    return np.asarray(np.bitwise_or.reduce(1 << (pitch % 12), axis=1))


@detectors.register("stack")
def stack(sight: Sight, gaps: list[int], notes: int = 3, most: int = 8, must: int = -1) -> list[Sighting]:
    """A chord whose neighboring notes all lie one of these gaps apart: fourths, fifths, seconds.

    It has ``notes`` to ``most`` different pitches; ``must`` is a gap that has to be among them.
    """
    sightings = []
    for chords in struck_chords(sight):
        bars = [np.empty(0, dtype=np.int64)]
        for size in range(notes, most + 1):
            which, pitch = rows_of_size(chords, size)
            if len(which):
                apart = np.diff(pitch, axis=1)
                good = np.isin(apart, gaps).all(axis=1)
                if must >= 0:
                    good &= (apart == must).any(axis=1)
                bars.append(chords.bar[which[good]])
        sightings += sight.spans(np.concatenate(bars), chords.voice, join=0)
    return sightings


@detectors.register("polychord")
def polychord(sight: Sight) -> list[Sighting]:
    """Two different major or minor triads struck together, one wholly above the other, without a note in common
    or with one at most."""
    sightings = []
    for chords in struck_chords(sight):
        which, pitch = rows_of_size(chords, _TWO_TRIADS)
        if not len(which):
            continue
        lower, upper = class_bits(pitch[:, :3]), class_bits(pitch[:, 3:])
        triads = np.isin(lower, list(TRIAD_MASKS)) & np.isin(upper, list(TRIAD_MASKS))
        apart = CLASS_COUNTS[class_bits(pitch)] >= _APART
        sightings += sight.spans(np.asarray(chords.bar[which[triads & apart]]), chords.voice, join=0)
    return sightings


@detectors.register("slash_chord")
def slash_chord(sight: Sight) -> list[Sighting]:
    """A major or minor triad over a bass that is no tone of it and is struck with it or held under it.

    The bass lies a fourth or more below the triad and does not merely add a third below it.
    """
    sightings = []
    for chords in struck_chords(sight):
        good = np.zeros(len(chords.own), dtype=np.bool_)
        for size in (3, 4):
            which, pitch = rows_of_size(chords, size)
            upper = class_bits(pitch[:, -3:])
            under = pitch[:, 0] if size == 4 else chords.bass[which]
            good[which] |= FOREIGN_BASSES[upper, chords.bass[which] % 12] & (pitch[:, -3] - under >= FOURTH)
        sightings += sight.spans(np.asarray(chords.bar[good & (chords.bound == 1)]), chords.voice, join=0)
    return sightings


@detectors.register("parallel_chords")
def parallel(sight: Sight, notes: int = 3, run: int = 4, exact: bool = True) -> list[Sighting]:
    """Chords of one shape that slide by small moves: every note goes the same distance, several times in a row.

    Without ``exact`` the shape may bend within the key by a semitone.
    """
    sightings = []
    for chords in struck_chords(sight):
        for size in range(notes, _LARGEST_CHORD + 1):
            which, pitch = rows_of_size(chords, size)
            if len(which) < run:
                continue
            moves = np.diff(pitch, axis=0)
            spread = moves.max(axis=1) - moves.min(axis=1)
            near = (np.abs(moves) <= _PLANE).all(axis=1) & (moves != 0).all(axis=1)
            good = near & (spread <= (0 if exact else 1)) & (np.diff(which) == 1)
            bars = chords.bar[which]
            sightings += [sight.at(bars[slide.first], bars[slide.end], chords.voice) for slide in runs(good, run - 1)]
    return sightings
