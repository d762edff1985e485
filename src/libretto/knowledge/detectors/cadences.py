"""Cadences and modulations: how phrases close, and how the music settles in another key than it began in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.changes import ChordChange, changes, chord_at, fits
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.tunes import Close, closes
from libretto.knowledge.line import FIFTH, FOURTH, MINOR_SEVENTH, TRITONE
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Floats

__all__ = ["bar_classes", "cadence", "degree_walk", "melodic_close", "modulation"]

_MAJOR = frozenset((0, 2, 4, 5, 7, 9, 11))
_MINOR = frozenset((0, 2, 3, 5, 7, 8, 11))
_STRAY = 0.06


def _placed(sight: Sight, close: Close, place: str) -> bool:
    """Whether a close stands where it should: ``final``, ``inner`` or ``any``."""
    last = close is closes(sight)[-1]
    return place == "any" or (place == "final") == last


@detectors.register("cadence")
def cadence(
    sight: Sight,
    *,
    chords: Sequence[str],
    top: Sequence[int] = (),
    mode: str = "",
    place: str = "any",
    weak: bool = False,
) -> list[Sighting]:
    """A phrase closes with these chords, the last under its last note: ``top`` are the degrees that note may have above
    the tonic, ``place`` is final, inner or any, ``weak`` wants the last chord to come off the downbeat."""
    row, sightings = changes(sight, True), []
    for close in closes(sight):
        number = chord_at(sight, close.onset, True)
        part = row[max(0, number - len(chords) + 1) : number + 1]
        if (
            number < 0
            or len(part) < len(chords)
            or not _placed(sight, close, place)
            or not sight.in_mode(close.bar, mode)
        ):
            continue
        position = part[-1].start - int(sight.lines_at[part[-1].bar])
        if (weak and position == 0) or (top and close.degree not in top):
            continue
        joined = all(one.end == two.start for one, two in pairwise(part))
        if joined and all(fits(*pair) for pair in zip(part, chords, strict=True)):
            sightings.append(sight.at(part[0].bar, close.bar))
    return sightings


@detectors.register("melodic_close")
def melodic_close(sight: Sight, *, degrees: Sequence[int], place: str = "any") -> list[Sighting]:
    """The melody's last notes of a phrase are these degrees (semitones above the tonic), each within a fourth of the
    one before."""
    top, sightings = sight.melody.top, []
    for close in closes(sight):
        row = int(np.searchsorted(top.onset, close.onset))
        first = row - len(degrees) + 1
        if first < 0 or not _placed(sight, close, place):
            continue
        pitches = top.pitch[first : row + 1]
        sung = (pitches - sight.tonic[close.bar]) % 12
        if sung.tolist() == list(degrees) and np.abs(np.diff(pitches)).max(initial=0) <= FOURTH:
            sightings.append(sight.at(top.bar[first], close.bar, sight.melody.voice))
    return sightings


@detectors.register("degree_walk")
def degree_walk(sight: Sight, *, degrees: Sequence[int], bars: int = 0, within: int = 3) -> list[Sighting]:
    """One part walks through these degrees by the shortest way, each within so many onsets of the one before; ``bars``
    looks only at so many bars at the end of the piece."""
    sightings = []
    begin = int(sight.lines_at[-1 - min(bars, sight.bars)]) if bars else 0
    steps = [(two - one + TRITONE) % 12 - TRITONE for one, two in pairwise(degrees)]
    for line in sight.lines:
        mine = line.where(line.onset >= begin)
        if not len(mine):
            continue
        group = np.repeat(np.arange(len(mine.starts)), mine.sizes)
        starts = np.flatnonzero((mine.pitch - sight.tonic[mine.bar]) % 12 == degrees[0])
        for at in starts.tolist():
            here, pitch = at, int(mine.pitch[at])
            for step in steps:
                pitch += step
                first, last = np.searchsorted(group, (group[here] + 1, group[here] + within + 1))
                hit = np.flatnonzero(mine.pitch[first:last] == pitch)
                if not len(hit):
                    break
                here = int(first + hit[0])
            else:
                sightings.append(sight.at(mine.bar[at], mine.bar[here], line.voice))
    return sightings


@shared
def bar_classes(sight: Sight) -> Floats:
    """How long each pitch class sounds among the notes that start in each bar."""
    notes = sight.notes
    keys = notes.bar * 12 + notes.pitch % 12
    return np.asarray(np.bincount(keys, notes.duration, minlength=12 * sight.bars).reshape(-1, 12), dtype=np.float64)


@detectors.register("modulation")
def modulation(
    sight: Sight, *, steps: Sequence[int], minor: bool = False, pivot: str = "any", bars: int = 3
) -> list[Sighting]:
    """From the key of its first bar the music settles ``steps`` semitones higher: dominant and tonic of the new key are
    heard, and for ``bars`` bars nothing belongs to the old key only; ``pivot`` is yes, no or any (the chord before the
    new key's first foreign one belongs to both)."""
    if not len(sight.notes):
        return []
    home, old = int(sight.tonic[0]), _MINOR if sight.minor[0] else _MAJOR
    mass, row, sightings = bar_classes(sight), changes(sight), []
    before = {(home + step) % 12 for step in old}
    for step in steps:
        tonic = (home + step) % 12
        after = {(tonic + tone) % 12 for tone in (_MINOR if minor else _MAJOR)}
        fresh, gone = sorted(after - before), sorted(before - after)
        for number in range(1, len(row)):
            one, two = row[number - 1], row[number]
            if not _cadence(one, two, tonic, minor) or one.bar < 1:
                continue
            first = _settled(mass, range(two.last - bars + 1, one.bar + 1), bars, after, fresh, gone)
            if first < 1:
                continue
            if _began_home(sight, mass, before, first) and _prepared(row, number, before, after, pivot):
                sightings.append(sight.at(first, first + bars - 1))
    return sightings


def _settled(mass: Floats, starts: range, bars: int, after: set[int], fresh: list[int], gone: list[int]) -> int:
    """The first of some bars that belong to the new key alone and show its new notes twice; 0 where none do."""
    others = [tone for tone in range(12) if tone not in after]
    for first in starts:
        if not 1 <= first <= len(mass) - bars:
            continue
        held = mass[first : first + bars]
        quiet = held[:, others].sum() <= _STRAY * held.sum() and held[:, gone].sum() <= _STRAY / 2 * held.sum()
        if quiet and (held[:, fresh].sum(axis=1) > 0).sum() >= min(2, bars):
            return first
    return 0


def _cadence(one: ChordChange, two: ChordChange, tonic: int, minor: bool) -> bool:
    """Whether two chords are dominant and tonic of a key."""
    if min(one.degree, two.degree) < 0 or one.end != two.start:
        return False
    kind = 3 if minor else 4
    return (
        (one.root - tonic) % 12 == FIFTH
        and 4 in one.tones
        and two.root == tonic
        and kind in two.tones
        and MINOR_SEVENTH not in two.tones
    )


def _began_home(sight: Sight, mass: Floats, before: set[int], first: int) -> bool:
    """Whether the first bars keep to the first key, whose tonic chord is heard there."""
    held = mass[: min(2, first)].sum(axis=0)
    chord = any(heard.supported and heard.degree == 0 for heard in sight.harmony if heard.bar < first)
    return chord and held.sum() > 0 and held[sorted(before)].sum() >= (1 - _STRAY) * held.sum()


def _prepared(row: Sequence[ChordChange], number: int, before: set[int], after: set[int], pivot: str) -> bool:
    """Whether a chord of both keys stands before the first that only the new key has (``yes``), or not (``no``)."""
    if pivot == "any":
        return True
    place = number - 1
    while place > 0 and not _classes(row[place - 1]) <= before and _classes(row[place - 1]) <= after:
        place -= 1
    shared = 0
    while place - shared > 0 and _classes(row[place - shared - 1]) <= (before & after):
        shared += 1
    return (shared > 0) == (pivot == "yes")


def _classes(change: ChordChange) -> set[int]:
    return {(change.root + tone) % 12 for tone in change.tones}
