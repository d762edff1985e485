"""The moments at which heard notes begin, what kind of moment each is, and after which times they come again.

Notes that begin together are one moment. A moment may be long, low, full, loud, a change of harmony, or a stroke on the
snare; where such moments fall is what tells bars, each kind counted by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from libretto.hearing.notes import HeardNote
from libretto.score.table import Floats

__all__ = ["CLASSES", "Lags", "Moments", "is_kit", "moments_of"]

#: What a moment may be, each counted by itself.
CLASSES = ("any", "long", "low", "full", "change", "loud", "back")
_KICK, _SNARE, _HAT = 36, 38, 42  # what the ear for drums writes
_MOST = 400  # moments that are looked at
_TOGETHER = 0.04  # seconds: notes that begin so near to each other are one moment
_LONG, _LOW = 1.4, 0.34  # of the usual step, and of the notes: what is long, and what lies low
_UPPER = 0.67  # the part of moments below what counts as full, loud or changed
_USUAL_STEP = 0.5
_AROUND = 1.0  # seconds on either side whose harmony is compared
_CLASSES_OF_PITCH = 12
_LAG_SECONDS, _LAGS = 0.01, 1600  # how finely times between onsets are counted, and how far
_NEAR_LAGS = 3  # of these on either side count as the same time
_COUNTED = ("long", "low", "full", "change")  # classes whose times between are counted, too
_LEAST = 1e-3


class Moments(NamedTuple):
    """When notes begin, how much each moment counts in every class (as in ``CLASSES``), and whether it is a kit."""

    times: Floats
    classes: Floats
    kit: bool


class Lags(NamedTuple):
    """How often something comes again after each time, beside its usual: onsets, the same pitch, moments by class."""

    rows: Floats

    @classmethod
    def of(cls, notes: Sequence[HeardNote], moments: Moments) -> Lags:
        """Counted over the notes up to the last moment."""
        end = float(moments.times[-1])
        kept = [note for note in sorted(notes) if note.start <= end][: 2 * _MOST]
        start = np.array([note.start for note in kept])
        pitch = np.array([note.pitch for note in kept])
        rows = [_again(start, end), _again(start, end, pitch)]
        rows += [_again(moments.times[moments.classes[CLASSES.index(name)] > 0], end) for name in _COUNTED]
        return cls(np.stack(rows))

    def at(self, seconds: Floats) -> Floats:
        """What comes again after each of these times, row by row; nothing beyond what was counted."""
        places = np.round(seconds / _LAG_SECONDS).astype(np.int64)
        return np.where(places < _LAGS, self.rows[:, np.minimum(places, _LAGS - 1)], 0.0)


def _again(start: Floats, end: float, pitch: np.ndarray | None = None) -> Floats:
    """How often a start (of the same pitch) comes again after each time, beside the mean of all times."""
    away = np.round((start[None, :] - start[:, None]) / _LAG_SECONDS).astype(np.int64)
    inside = (away > 0) & (away < _LAGS)
    if pitch is not None:
        inside &= pitch[None, :] == pitch[:, None]
    counts = np.bincount(away[inside], minlength=_LAGS).astype(np.float64)
    left = len(start) - np.searchsorted(np.sort(end - start), np.arange(_LAGS) * _LAG_SECONDS)
    rates = np.convolve(counts, np.ones(2 * _NEAR_LAGS + 1), "same") / np.maximum(1, left)
    return np.asarray(rates / (float(rates.mean()) + _LEAST))


def is_kit(notes: Sequence[HeardNote]) -> bool:
    """Whether the notes are strokes of kick, snare and hat."""
    return {note.pitch for note in notes} <= {_KICK, _SNARE, _HAT}


def moments_of(notes: Sequence[HeardNote]) -> Moments:
    """The moments of heard notes, at most 400 of them."""
    groups: list[list[HeardNote]] = []
    for note in sorted(notes):
        if groups and note.start - groups[-1][0].start <= _TOGETHER:
            groups[-1].append(note)
        else:
            groups.append([note])
    groups = groups[:_MOST]
    kit = is_kit(notes)
    times = np.array([group[0].start for group in groups])
    steps = np.diff(times, append=times[-1] + 1.0) if len(times) else times
    usual = float(np.median(steps[:-1])) if len(steps) > 1 else _USUAL_STEP
    rows = [
        np.ones(len(groups), dtype=np.bool_),
        steps >= _LONG * usual,
        _low(groups, kit),
        _upper(np.array([float(len(group)) for group in groups])),
        np.zeros(len(groups), dtype=np.bool_) if kit else _upper(_changes(notes, times)),
        _upper(np.array([max(note.strength for note in group) for group in groups])),
        np.array([kit and any(note.pitch == _SNARE for note in group) for group in groups], dtype=np.bool_),
    ]
    return Moments(times, np.stack(rows).astype(np.float64), kit)


def _low(groups: Sequence[Sequence[HeardNote]], kit: bool) -> np.ndarray:
    """Moments whose lowest note lies low and is another than before; in a kit those with a kick."""
    lowest = np.array([min(note.pitch for note in group) for group in groups])
    if kit:
        return np.asarray(lowest == _KICK)
    if len(set(lowest.tolist())) < 2:
        return np.zeros(len(groups), dtype=np.bool_)
    return np.asarray((lowest <= float(np.quantile(lowest, _LOW))) & (np.diff(lowest, prepend=-1) != 0))


def _upper(values: Floats) -> np.ndarray:
    """The moments in the upper third; none where all are alike."""
    if not len(values) or values.max() == values.min():
        return np.zeros(len(values), dtype=np.bool_)
    bound = float(np.quantile(values, _UPPER))
    return np.asarray(values > bound if bound == values.min() else values >= bound)


def _changes(notes: Sequence[HeardNote], times: Floats) -> Floats:
    """How different the pitch classes of the second after each moment are from those of the second before."""
    start = np.array([note.start for note in notes])
    stop = np.array([note.stop for note in notes])
    classes = np.eye(_CLASSES_OF_PITCH)[np.array([note.pitch for note in notes], dtype=np.int64) % _CLASSES_OF_PITCH]
    edge = times[:, None] - _TOGETHER / 2
    after = np.clip(np.minimum(stop, edge + _AROUND) - np.maximum(start, edge), 0, None) @ classes
    before = np.clip(np.minimum(stop, edge) - np.maximum(start, edge - _AROUND), 0, None) @ classes
    size = np.linalg.norm(after, axis=1) * np.linalg.norm(before, axis=1)
    return np.where(size > 0, 1 - (after * before).sum(axis=1) / np.maximum(size, 1e-9), 0.0)
