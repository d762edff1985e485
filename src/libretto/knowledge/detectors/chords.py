"""Chords: notes that are struck together or one after another, what they are above their root, and which is the bass.

Conventions: a chord is what one voice strikes within a 32nd note, three different pitches or more (two for fifths);
below it counts the bass that still sounds, in the voice itself or in the lowest voice. Tones are semitones above the
root. What a label says is not asked. An arpeggio is read from single notes (nothing struck with them); no two
neighbors lie a step apart, and each follows the last within two beats.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FOURTH, MINOR_SEVENTH, VoiceLine
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["Struck", "arpeggio", "chord", "chord_moves", "mask_of", "resolution", "struck_chords", "turned"]

_ALL_CLASSES = (1 << 12) - 1  # as bits
_TRITONE_TONES = (4, MINOR_SEVENTH)  # above the root of a dominant

_TOGETHER = QUARTER // 8
_SMALLEST_LEAP, _LARGEST_LEAP = 3, 12
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


@shared
def struck_chords(sight: Sight) -> list[Struck]:
    """All chords that are struck, voice by voice, worked out once."""
    voices = [_struck(sight, line) for line in sight.lines]
    return [chords for chords in voices if chords is not None]


def _struck(sight: Sight, line: VoiceLine) -> Struck | None:
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


def _held_below(line: VoiceLine, start: Ints, low: Ints) -> Ints:
    """The lowest of a line's own last few notes that still sound when a chord is struck; the chord's lowest if none."""
    here, lowest = np.searchsorted(line.onset, start), low.copy()
    for back in range(1, _LOOK_BACK + 1):
        row = np.maximum(here - back, 0)
        rings = (here >= back) & (line.onset[row] + line.duration[row] > start)
        lowest = np.where(rings, np.minimum(lowest, line.pitch[row]), lowest)
    return lowest


def _sounding(bass: VoiceLine, start: Ints, low: Ints) -> tuple[Ints, Bools]:
    """The note of the bass that sounds when each chord is struck (the chord's lowest where it is silent), and whether
    it is struck with it."""
    if not len(bass):
        return low, np.ones(len(low), dtype=np.bool_)
    row = np.maximum(np.searchsorted(bass.onset, start + _TOGETHER) - 1, 0)
    rings = (bass.onset[row] < start + _TOGETHER) & (bass.onset[row] + bass.duration[row] > start)
    return np.where(rings, np.minimum(low, bass.pitch[row]), low), np.abs(bass.onset[row] - start) < _TOGETHER


def mask_of(tones: Iterable[int], root: int = 0) -> int:
    """Pitch classes as bits."""
    return sum(1 << tone_class for tone_class in {(tone + root) % 12 for tone in tones})


@lru_cache(maxsize=256)
def _places(kinds: tuple[tuple[int, ...], ...], without: tuple[int, ...], bass: int) -> Ints:
    """For every set of pitch classes that is such a chord over a bass at 0: its root above that bass; else -1."""
    roots = np.full(1 << 12, -1, dtype=np.int64)
    for tones in kinds:
        spare = [tone for tone in without if tone in tones]
        gone = [set(some) for size in range(len(spare) + 1) for some in combinations(spare, size)]
        for member in [tones[bass]] if bass >= 0 else tones:
            for some in gone:
                if member not in some:
                    roots[mask_of([tone - member for tone in tones if tone not in some])] = -member % 12
    return roots


def turned(mask: Ints, root: Ints) -> Ints:
    """Bits moved so that each chord's own root stands at 0."""
    root = root % 12
    return np.asarray(((mask >> root) | (mask << (12 - root))) & _ALL_CLASSES)


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
    sightings = []
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
        sightings += sight.spans(np.asarray(chords.bar[good]), chords.voice, join=0)
    return sightings


def _next_bass(chords: Struck, tonic: Ints) -> Ints:
    """The bass of the next chord of other notes, as semitones above the tonic; -1 after the last."""
    degrees = (chords.bass - tonic) % 12
    bass = np.full(len(degrees), -1, dtype=np.int64)
    changes = np.flatnonzero(np.diff(chords.own) != 0)
    place = np.searchsorted(changes, np.arange(len(degrees)))
    inside = place < len(changes)
    bass[inside] = degrees[changes[place[inside]] + 1]
    return bass


@detectors.register("chord_moves")
def chord_moves(
    sight: Sight, kinds: list[list[int]], shapes: int = 2, without: list[int] | None = None
) -> list[Sighting]:
    """One chord that is struck in several inversions in a row: the same root and kind, another member in the bass."""
    sightings = []
    for chords in struck_chords(sight):
        roots = _roots(chords, kinds, -1, without or [], full=False)
        if len(roots) < shapes:
            continue
        same = (np.diff(roots) == 0) & (roots[1:] >= 0)
        block = np.concatenate(([0], np.cumsum(~same)))
        for number in np.unique(block[1:][same]).tolist():
            rows = np.flatnonzero(block == number)
            if len(np.unique(chords.low[rows] % 12)) >= shapes:
                first, last = int(chords.bar[rows[0]]), int(chords.bar[rows[-1]])
                sightings.append(sight.at(first, last, chords.voice))
    return sightings


@detectors.register("arpeggio")
def arpeggio(
    sight: Sight,
    kinds: list[list[int]],
    notes: int = 4,
    direction: str = "any",
    root: str = "any",
) -> list[Sighting]:
    """Single notes in a row that are the tones of one chord, all of them and nothing else, by leaps.

    One sighting for each bar in which such a group begins. ``direction`` is up, down, turn (up and down again or the
    reverse) or any; ``root`` says where the root is: first, lowest or any.
    """
    sightings = []
    for line in sight.lines:
        begins = np.flatnonzero(_hits(line, kinds, notes, direction, root))
        sightings += sight.spans(line.top.bar[begins], line.voice, join=0)
    return sightings


def _hits(line: VoiceLine, kinds: list[list[int]], notes: int, direction: str, root: str) -> Bools:
    """At which onset such a group of notes begins."""
    size = len(line.top) - notes + 1
    if size <= 0:
        return np.zeros(0, dtype=np.bool_)
    pitch, moves = line.top.pitch, line.moves
    apart = (np.abs(moves) >= _SMALLEST_LEAP) & (np.abs(moves) <= _LARGEST_LEAP)
    apart &= (line.gaps <= 2 * line.top.beat[:-1]) & (line.sizes[1:] == 1) & (line.sizes[:-1] == 1)
    good, mask = np.ones(size, dtype=np.bool_), np.zeros(size, dtype=np.int64)
    up, down = np.ones(size, dtype=np.bool_), np.ones(size, dtype=np.bool_)
    lowest = pitch[:size].copy()
    for place in range(notes):
        mask |= 1 << (pitch[place : place + size] % 12)
        lowest = np.minimum(lowest, pitch[place : place + size])
        if place < notes - 1:
            step = moves[place : place + size]
            good &= apart[place : place + size]
            up &= step > 0
            down &= step < 0
    ways = {"up": up, "down": down, "turn": ~up & ~down, "any": good}
    good &= ways[direction]
    if not good.any():
        return good
    table = np.zeros(1 << 12, dtype=np.bool_)
    table[[mask_of(tones, up_by) for tones in kinds for up_by in ((0,) if root != "any" else range(12))]] = True
    base = {"first": pitch[:size], "lowest": lowest}.get(root)
    return np.asarray(good & table[mask if base is None else turned(mask, base)])


@detectors.register("tritone_resolution")
def resolution(sight: Sight, notes: int = 3) -> list[Sighting]:
    """A dominant seventh whose tritone resolves: the third climbs a semitone and the seventh falls by a step."""
    sightings = []
    for chords in struck_chords(sight):
        enough = (chords.size[:-1] >= notes) & (chords.size[1:] >= notes)
        for root in range(12):
            wanted = mask_of((0, *_TRITONE_TONES), root)
            ready = enough & (chords.own[:-1] & wanted == wanted) & (chords.full[1:] >> ((root + FOURTH) % 12) & 1 == 1)
            for row in np.flatnonzero(ready).tolist():
                if _resolves(_pitches(chords, row), _pitches(chords, row + 1), root):
                    first, last = (sight.number(int(bar)) for bar in chords.bar[row : row + 2])
                    sightings.append(Sighting(first, last, chords.voice))
    return sorted(sightings)


def _pitches(chords: Struck, row: int) -> set[int]:
    first = int(chords.first[row])
    return set(chords.pitch[first : first + int(chords.size[row])].tolist())


def _resolves(one: set[int], two: set[int], root: int) -> bool:
    """Whether the third above the root climbs a semitone and the seventh falls by step from one chord to the other."""
    thirds, sevenths = ({pitch for pitch in one if (pitch - root) % 12 == tone} for tone in _TRITONE_TONES)
    rises = any(pitch + 1 in two and pitch not in two for pitch in thirds)
    falls = any((pitch - 1 in two or pitch - 2 in two) and pitch not in two for pitch in sevenths)
    return rises and falls
