"""Modulations: the music settles in another key than it began in, by its notes and a cadence there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.changes import Change, changes
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.sight import Sight, Sighting

__all__ = ["bar_classes", "modulation"]

_MAJOR = frozenset((0, 2, 4, 5, 7, 9, 11))
_MINOR = frozenset((0, 2, 3, 5, 7, 8, 11))
_STRAY = 0.06


def bar_classes(sight: Sight) -> NDArray[np.float64]:
    """How long each pitch class sounds among the notes that start in each bar."""
    if "bar_classes" not in sight.cache:
        notes = sight.notes
        keys = notes.bar * 12 + notes.pitch % 12
        sight.cache["bar_classes"] = np.bincount(keys, notes.duration, minlength=12 * sight.bars).reshape(-1, 12)
    found: NDArray[np.float64] = sight.cache["bar_classes"]
    return found


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
    mass, row, found = bar_classes(sight), changes(sight), []
    before = {(home + step) % 12 for step in old}
    for step in steps:
        tonic = (home + step) % 12
        after = {(tonic + each) % 12 for each in (_MINOR if minor else _MAJOR)}
        fresh, gone = sorted(after - before), sorted(before - after)
        for number in range(1, len(row)):
            one, two = row[number - 1], row[number]
            if not _cadence(one, two, tonic, minor) or one.bar < 1:
                continue
            first = _settled(mass, range(two.last - bars + 1, one.bar + 1), bars, after, fresh, gone)
            if first < 1:
                continue
            if _began_home(sight, mass, before, first) and _prepared(row, number, before, after, pivot):
                found.append(Sighting(sight.number(first), sight.number(first + bars - 1)))
    return found


def _settled(
    mass: NDArray[np.float64], starts: range, bars: int, after: set[int], fresh: list[int], gone: list[int]
) -> int:
    """The first of some bars that belong to the new key alone and show its new notes twice; 0 where none do."""
    others = [each for each in range(12) if each not in after]
    for first in starts:
        if not 1 <= first <= len(mass) - bars:
            continue
        held = mass[first : first + bars]
        quiet = held[:, others].sum() <= _STRAY * held.sum() and held[:, gone].sum() <= _STRAY / 2 * held.sum()
        if quiet and (held[:, fresh].sum(axis=1) > 0).sum() >= min(2, bars):
            return first
    return 0


def _cadence(one: Change, two: Change, tonic: int, minor: bool) -> bool:
    """Whether two chords are dominant and tonic of a key."""
    if min(one.degree, two.degree) < 0 or one.end != two.start:
        return False
    kind = 3 if minor else 4
    return (
        (one.root - tonic) % 12 == 7
        and 4 in one.tones
        and two.root == tonic
        and kind in two.tones
        and 10 not in two.tones
    )


def _began_home(sight: Sight, mass: NDArray[np.float64], before: set[int], first: int) -> bool:
    """Whether the first bars keep to the first key, whose tonic chord is heard there."""
    held = mass[: min(2, first)].sum(axis=0)
    chord = any(each.supported and each.degree == 0 for each in sight.harmony if each.bar < first)
    return chord and held.sum() > 0 and held[sorted(before)].sum() >= (1 - _STRAY) * held.sum()


def _prepared(row: Sequence[Change], number: int, before: set[int], after: set[int], pivot: str) -> bool:
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


def _classes(change: Change) -> set[int]:
    return {(change.root + tone) % 12 for tone in change.tones}
