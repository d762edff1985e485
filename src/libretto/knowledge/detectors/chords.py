"""Chords: notes that are struck together, what they are above their root, and which of them is the bass.

Conventions: a chord is what one voice strikes within a 32nd note, three different pitches or more (two for fifths);
below it counts the bass that still sounds, in the voice itself or in the lowest voice. Tones are semitones above the
root. What a label says is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Bools, Ints, Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = ["Struck", "chord", "chord_moves", "mask_of", "struck_chords", "turned"]

_TOGETHER = QUARTER // 8
_LOOK_BACK = 6


class Struck(NamedTuple):
    """The chords of one voice: where each begins among ``pitch`` (sorted within a chord), how many notes it has, onset,
    bar, pitch classes as bits (its own, and with the bass that sounds below), its lowest note and that bass as
    pitches, and whether the bass is struck with it or held under it (1) or was there before another part moved (0)."""

    voice: str
    pitch: Ints
    first: Ints
    size: Ints
    onset: Ints
    bar: Ints
    own: Ints
    full: Ints
    low: Ints
    bass: Ints
    bound: Ints


def struck_chords(sight: Sight) -> list[Struck]:
    """All chords that are struck, voice by voice, worked out once."""
    key = ("chords", "struck")
    if key not in sight.cache:
        found = [_struck(sight, line) for line in sight.lines]
        sight.cache[key] = [each for each in found if each is not None]
    chords: list[Struck] = sight.cache[key]
    return chords


def _struck(sight: Sight, line: Line) -> Struck | None:
    group = np.cumsum(np.diff(line.onset, prepend=line.onset[0]) >= _TOGETHER)
    order = np.lexsort((line.pitch, group))
    pitch, group, onset = line.pitch[order], group[order], line.onset[order]
    keep = np.concatenate(([True], (np.diff(group) > 0) | (np.diff(pitch) > 0)))
    pitch, group, onset, bar = pitch[keep], group[keep], onset[keep], line.bar[order][keep]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    size = np.diff(first, append=len(pitch))
    own = np.bitwise_or.reduceat(1 << (pitch % 12), first)
    low, start = pitch[first], np.minimum.reduceat(onset, first)
    chosen = size >= 2
    if not chosen.any():
        return None
    held = _held_below(line, start, low)
    under, struck = _sounding(sight.bass, start, low)
    bass = np.minimum(held, under)
    bound = ((held <= under) | struck).astype(np.int64)
    rows = (first, size, start, bar[first], own, own | (1 << (bass % 12)), low, bass, bound)
    return Struck(line.voice, pitch, *(row[chosen] for row in rows))


def _held_below(line: Line, start: Ints, low: Ints) -> Ints:
    """The lowest of a line's own last few notes that still sound when a chord is struck; the chord's lowest if none."""
    here, found = np.searchsorted(line.onset, start), low.copy()
    for back in range(1, _LOOK_BACK + 1):
        row = np.maximum(here - back, 0)
        rings = (here >= back) & (line.onset[row] + line.duration[row] > start)
        found = np.where(rings, np.minimum(found, line.pitch[row]), found)
    return found


def _sounding(bass: Line, start: Ints, low: Ints) -> tuple[Ints, Bools]:
    """The note of the bass that sounds when each chord is struck (the chord's lowest where it is silent), and whether
    it is struck with it."""
    if not len(bass):
        return low, np.ones(len(low), dtype=np.bool_)
    row = np.maximum(np.searchsorted(bass.onset, start + _TOGETHER) - 1, 0)
    rings = (bass.onset[row] < start + _TOGETHER) & (bass.onset[row] + bass.duration[row] > start)
    return np.where(rings, np.minimum(low, bass.pitch[row]), low), np.abs(bass.onset[row] - start) < _TOGETHER


def mask_of(tones: Iterable[int], root: int = 0) -> int:
    """Pitch classes as bits."""
    return sum(1 << each for each in {(tone + root) % 12 for tone in tones})


@lru_cache(maxsize=256)
def _places(kinds: tuple[tuple[int, ...], ...], without: tuple[int, ...], bass: int) -> Ints:
    """For every set of pitch classes that is such a chord over a bass at 0: its root above that bass; else -1."""
    found = np.full(1 << 12, -1, dtype=np.int64)
    for tones in kinds:
        spare = [tone for tone in without if tone in tones]
        gone = [set(some) for size in range(len(spare) + 1) for some in combinations(spare, size)]
        for member in [tones[bass]] if bass >= 0 else tones:
            for some in gone:
                if member not in some:
                    found[mask_of([tone - member for tone in tones if tone not in some])] = -member % 12
    return found


def turned(mask: Ints, root: Ints) -> Ints:
    """Bits moved so that each chord's own root stands at 0."""
    root = root % 12
    return np.asarray(((mask >> root) | (mask << (12 - root))) & 0xFFF)


def _roots(chords: Struck, kinds: list[list[int]], bass: int, without: list[int], full: bool = True) -> Ints:
    """The root of each chord that is one of these kinds, with that member in the bass; -1 for the others."""
    table = _places(tuple(map(tuple, kinds)), tuple(without), bass)
    mask, lowest = (chords.full, chords.bass) if full else (chords.own, chords.low)
    above = table[turned(mask, lowest)]
    return np.where(above >= 0, (lowest + above) % 12, -1)


@detectors.register("chord")
def chord(
    sight: Sight,
    kinds: list[list[int]],
    bass: int = 0,
    without: list[int] | None = None,
    notes: int = 3,
    degree: int = -1,
    then: int = -1,
) -> list[Sighting]:
    """A chord of one of these kinds that is struck with a certain member in the bass.

    ``bass`` is the place in the list of tones (0 the root, 1 the third; -1 any, and then the voice's notes alone count
    too); tones in ``without`` may be missing; ``degree`` is the root as semitones above the tonic; ``then`` the bass
    of the next chord likewise.
    """
    found = []
    for chords in struck_chords(sight):
        roots = _roots(chords, kinds, bass, without or [])
        if bass < 0:
            roots = np.where(roots < 0, _roots(chords, kinds, bass, without or [], full=False), roots)
        good = (roots >= 0) & (chords.size + (chords.bass < chords.low) >= notes)
        good &= (chords.full == chords.own) | (chords.bound == 1)
        if bass > 0:
            good &= chords.bound == 1
        if not good.any():
            continue
        tonic = sight.tonic[chords.bar]
        if degree >= 0:
            good &= (roots - tonic) % 12 == degree
        if then >= 0:
            good &= _next_bass(chords, tonic) == then
        found += sight.spans(np.asarray(chords.bar[good]), chords.voice, join=0)
    return found


def _next_bass(chords: Struck, tonic: Ints) -> Ints:
    """The bass of the next chord of other notes, as semitones above the tonic; -1 after the last."""
    degrees = (chords.bass - tonic) % 12
    found = np.full(len(degrees), -1, dtype=np.int64)
    changes = np.flatnonzero(np.diff(chords.own) != 0)
    place = np.searchsorted(changes, np.arange(len(degrees)))
    inside = place < len(changes)
    found[inside] = degrees[changes[place[inside]] + 1]
    return found


@detectors.register("chord_moves")
def chord_moves(
    sight: Sight, kinds: list[list[int]], shapes: int = 2, without: list[int] | None = None
) -> list[Sighting]:
    """One chord that is struck in several inversions in a row: the same root and kind, another member in the bass."""
    found = []
    for chords in struck_chords(sight):
        roots = _roots(chords, kinds, -1, without or [], full=False)
        if len(roots) < shapes:
            continue
        same = (np.diff(roots) == 0) & (roots[1:] >= 0)
        block = np.concatenate(([0], np.cumsum(~same)))
        for each in np.unique(block[1:][same]).tolist():
            rows = np.flatnonzero(block == each)
            if len(np.unique(chords.low[rows] % 12)) >= shapes:
                first, last = int(chords.bar[rows[0]]), int(chords.bar[rows[-1]])
                found.append(Sighting(sight.number(first), sight.number(last), chords.voice))
    return found
