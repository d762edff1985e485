"""What speaks for a bar that belongs elsewhere: beside its chroma (``spot_bars``) its scale, rhythm, register, voices.

One row a bar, columns in the order of ``FOREIGN_EVIDENCE``; a bar is always held against the others, never itself.
"""

from __future__ import annotations

import numpy as np

from libretto.score.facts import Facts, Floats
from libretto.tasks.spot.bars import METER_EVIDENCE
from libretto.tasks.spot.context import CONTEXT_EVIDENCE
from libretto.tasks.spot.passages import passages, windows

__all__ = ["FOREIGN_EVIDENCE", "foreign_evidence"]

_TIME = ("alike as it is", "usual as it is", "neighbours as it is", "gain by shifting")
_MEANS = ("expected", "a semitone off expected", "moments alike", "bars alike", "alike bars agree", "alike bars silent")
_TURNS = ("between its neighbours", "as a turn", "same pitch in its voice")

#: What is measured of every bar beside ``BAR_EVIDENCE``.
FOREIGN_EVIDENCE = (
    "outside the scale around",
    "outside the scale close by",
    "passage around in its scale",
    "outside beyond the piece",
    "sound that is not around",
    "sound that is not close by",
    "classes that are not close by",
    "classes that are not around",
    "sound that is hardly in the piece",
    "outside before",
    "outside after",
    "register",
    "pitches new in their voices",
    "notes beside the neighbours",
    "voices beside the neighbours",
    "voices",
    "pitched voices",
    "size of the piece",
    *_TIME,
    *(f"mean {name}" for name in (*_MEANS, *_TURNS)),
)


def foreign_evidence(facts: Facts, context: Floats, time: Floats) -> Floats:
    """One row a bar, from the context of its notes (``context_evidence``) and its time (``meter_evidence``)."""
    mass, index = facts.bar_mass, np.arange(facts.bars)
    size = np.maximum(mass.sum(axis=1), 1e-9)
    around, close = windows(mass, 4, without=True), windows(mass, 2, without=True)
    wide, kept = passages(facts, 4, without=True)
    near, _ = passages(facts, 2, without=True)
    outside = (mass * ~wide).sum(axis=1) / size
    whole = (mass.sum(axis=0)[None] - mass) / np.maximum(mass.sum() - size, 1e-9)[:, None]
    count = np.bincount(facts.bar, minlength=facts.bars).astype(np.float64)
    beside = (np.roll(count, 1) + np.roll(count, -1)) / 2
    active = np.zeros((facts.bars, max(facts.voices, 1)), dtype=np.bool_)
    active[facts.bar, facts.voice] = True
    common = [
        (active & np.roll(active, step, axis=0)).sum(axis=1)
        / np.maximum((active | np.roll(active, step, axis=0)).sum(axis=1), 1)
        for step in (-1, 1)
    ]
    columns = [
        outside,
        (mass * ~near).sum(axis=1) / size,
        kept,
        outside - (outside.sum() - outside) / max(facts.bars - 1, 1),
        (mass * (around <= 1e-9)).sum(axis=1) / size,
        (mass * (close <= 1e-9)).sum(axis=1) / size,
        ((mass > 0) & (close <= 1e-9)).sum(axis=1),
        ((mass > 0) & (around <= 1e-9)).sum(axis=1),
        (mass * (whole < 0.012)).sum(axis=1) / size,
        outside[np.maximum(index - 1, 0)],
        outside[np.minimum(index + 1, facts.bars - 1)] if facts.bars else outside,
        _register(facts),
        _mean(facts, (context[:, CONTEXT_EVIDENCE.index("same pitch in its voice")] < 0.5).astype(np.float64)),
        np.log2((count + 1) / (beside + 1)),
        np.mean(common, axis=0),
        active.sum(axis=1),
        np.full(facts.bars, active.any(axis=0).sum()),
        np.full(facts.bars, np.log2(max(facts.bars, 1))),
        *(time[:, METER_EVIDENCE.index(name)] for name in _TIME),
        *(_mean(facts, context[:, CONTEXT_EVIDENCE.index(name)]) for name in (*_MEANS, *_TURNS)),
    ]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _mean(facts: Facts, values: Floats) -> Floats:
    """The mean over the notes of each bar, long notes counting for more."""
    weight = np.minimum(facts.beats, 2.0)
    total = np.bincount(facts.bar, weight, minlength=facts.bars)
    return np.asarray(np.bincount(facts.bar, weight * values, minlength=facts.bars) / np.maximum(total, 1e-9))


def _register(facts: Facts) -> Floats:
    """How far the notes of each bar are from where their voices usually lie, in usual distances."""
    away = np.zeros(facts.count)
    for voice in np.unique(facts.voice):
        mine = facts.voice == voice
        distance = np.abs(facts.pitch[mine] - np.median(facts.pitch[mine]))
        away[mine] = distance / (distance.mean() + 2)
    return _mean(facts, away)
