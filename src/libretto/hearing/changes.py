"""The ear for chords that follow each other: which triad sounds in each moment, and where it changes.

Every twentieth of a second is folded into the twelve pitch classes, all pitches and the low ones apart. A triad speaks
for itself by its three notes and by its root in the bass. The way through all triads that explains the most, each
change at a price, is what is heard; a triad of less than a fifth of a second is passed over.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np

from libretto.hearing.audio import Clip
from libretto.hearing.partials import LOWEST, TINY, Explained, explained, hearable
from libretto.hearing.reading import Reading, clearness
from libretto.score.table import Floats

__all__ = ["Care", "read_harmony"]

_STEP = 5  # frames that are taken together: 50 ms
_CLASSES = 12
_BASS_BELOW = 53 - LOWEST  # rows of which one may be the bass
_TRIADS = ((0, 4, 7), (0, 3, 7))  # major, then minor
_SHORTEST = 4  # steps that a chord lasts at least
_QUIET = 0.05  # of the usual step: softer ones say nothing
_FOREIGN = 0.5  # what a note outside a triad takes away


class Care(NamedTuple):
    """What the root in the bass counts, and what a change of chord costs."""

    bass: float = 0.5
    change: float = 1.5


_OTHERS = (Care(bass=0.2), Care(bass=0.9), Care(change=0.7), Care(change=3.0), Care(0.2, 3.0), Care(0.9, 0.7))


def read_harmony(clip: Clip) -> Reading:
    """The triads of a clip in order, each change once: roots 0-11 from C, 12 more for a minor one."""
    sound = hearable(clip)
    if not len(sound):
        return Reading(())
    heard = explained(sound)
    whole, bass = _folded(heard)
    if not len(whole):
        return Reading(())
    first, *others = (tuple(_chords(whole, bass, care)) for care in (Care(), *_OTHERS))
    return Reading(first, tuple(others), clearness(heard))


def _folded(heard: Explained) -> tuple[Floats, Floats]:
    """The pitch classes of each step, of all pitches and of low ones; steps in which hardly anything sounds are out."""
    steps = len(heard.amounts) // _STEP
    amounts = heard.amounts[: steps * _STEP].reshape(steps, _STEP, -1).mean(axis=1).astype(np.float64)
    loud = amounts.sum(axis=1)
    amounts = amounts[loud > _QUIET * np.median(loud)] if steps else amounts
    whole, bass = np.zeros((len(amounts), _CLASSES)), np.zeros((len(amounts), _CLASSES))
    for row in range(amounts.shape[1]):
        whole[:, (row + LOWEST) % _CLASSES] += amounts[:, row]
        if row < _BASS_BELOW:
            bass[:, (row + LOWEST) % _CLASSES] += amounts[:, row]
    return _shares(whole), _shares(bass)


def _shares(classes: Floats) -> Floats:
    return np.asarray(classes / np.maximum(TINY, classes.sum(axis=1, keepdims=True)))


def _chords(whole: Floats, bass: Floats, care: Care) -> list[int]:
    """The cheapest way through all triads, short stays left out."""
    gains = []
    for tones in _TRIADS:
        for root in range(_CLASSES):
            own = whole[:, [(root + tone) % _CLASSES for tone in tones]]
            gains.append(own.sum(axis=1) - _FOREIGN * (1 - own.sum(axis=1)) + care.bass * bass[:, root])
    ways = _best_way(np.stack(gains, axis=1), care.change)
    stays = [(chord, len(list(steps))) for chord, steps in groupby(ways)]
    kept = [chord for chord, count in stays if count >= _SHORTEST]
    return [chord for chord, _ in groupby(kept)]


def _best_way(gains: Floats, change: float) -> list[int]:
    """Which column is taken in each row, so that gains less the price of changes are the most."""
    total = gains[0].copy()
    back = np.zeros(gains.shape, dtype=np.int64)
    stay = np.arange(gains.shape[1])
    for row in range(1, len(gains)):
        best = int(np.argmax(total))
        leaves = total[best] - change > total
        back[row] = np.where(leaves, best, stay)
        total = np.where(leaves, total[best] - change, total) + gains[row]
    at = int(np.argmax(total))
    way = [at]
    for row in range(len(gains) - 1, 0, -1):
        at = int(back[row, at])
        way.append(at)
    return way[::-1]
