"""What speaks for a bar that belongs elsewhere: its chroma, scale, notes, rhythm, register and voices.

One row a bar; a bar is always held against the others, never itself. ``BAR_EVIDENCE`` asks whether its notes would fit
better in another key, ``FOREIGN_EVIDENCE`` what of it is not around.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.faults.columns import CLASSES, PITCHES, RUBBING_CLASSES, TINY, Columns
from libretto.faults.lines import most_alike, passages, unit_rows, windows
from libretto.score.facts import Facts
from libretto.score.table import Floats, distinct

__all__ = ["BAR_EVIDENCE", "FOREIGN_EVIDENCE", "bar_evidence", "foreign_evidence"]

_AROUND, _CLOSE = 4, 2  # bars on either side
_UNHEARD = 0.02  # of what sounds, spread over all pitch classes, so that none is impossible
_WEIGHT = 2  # quarters for which a note counts at most in the mean of its bar
_FURTHEST = 6  # semitones by which a bar's notes are moved to see whether they fit better
_MOST_SLOTS = 64
_HARDLY = 0.012  # a pitch class that sounds for a smaller share of the piece is hardly in it
_NEW = 0.5  # the logarithm of times that a pitch is played, counted from one: less means never
_USUAL_REACH = 2  # semitones added to a voice's usual distance from its middle, so that a drone has one

#: What the mean is taken of over the notes of a bar, from ``NOTE_EVIDENCE``.
_NOTE_MEANS = (
    "rare in the piece",
    "rare nearby",
    "absent nearby",
    "minor second",
    "semitone by class",
    "support",
    "strange clash",
    "twins agree",
    "twins contradict",
    "seldom at its place",
    "new in its voice",
    "leap in",
)

#: What is measured of the notes of every bar.
BAR_EVIDENCE = (
    "chroma against the piece",
    "chroma against the neighbours",
    "most like chroma",
    "mean like chroma",
    "notes as elsewhere",
    "notes as elsewhere if moved",
    "gain by moving",
    "rubbing",
    "rubbing beyond the piece",
    "notes",
    "surprise of the worst",
    "next as before",
    "in the key around",
    "gain in the key around",
    "in the key of the piece",
    "gain in the key of the piece",
    *(f"mean {name}" for name in _NOTE_MEANS),
)

_TIME = ("alike as it is", "usual as it is", "neighbours as it is", "gain by shifting")
#: What the mean is taken of over the notes of a bar, long ones counting for more, from ``CONTEXT_EVIDENCE``.
_CONTEXT_MEANS = (
    "expected", "a semitone off expected", "moments alike", "bars alike", "alike bars agree", "alike bars silent",
    "between its neighbours", "as a turn", "same pitch in its voice",
)  # fmt: skip

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
    *(f"mean {name}" for name in _CONTEXT_MEANS),
)


def bar_evidence(facts: Facts, notes: Columns) -> Columns:
    """One row a bar: how far its notes are from the rest of the piece, and whether they would fit in another key.

    ``notes`` is the evidence of every note.
    """
    mass = facts.bar_mass
    whole = mass.sum(axis=0)
    share = mass / np.maximum(mass.sum(axis=1), TINY)[:, None]
    rest = whole[None] - mass + _UNHEARD * (whole.sum() or 1.0) / CLASSES  # any, where none sounds
    near = windows(mass, _AROUND) - mass
    near += _UNHEARD * np.maximum(near.sum(axis=1, keepdims=True), 1) / CLASSES
    chroma = unit_rows(mass)
    like = chroma @ chroma.T
    np.fill_diagonal(like, 0)
    as_is, moved = _moving(facts)
    rub, usual_rub = _rubbing(facts)
    count = np.bincount(facts.bar, minlength=facts.bars)
    around, around_gain = _in_key(chroma, unit_rows(near))
    home, home_gain = _in_key(chroma, unit_rows(rest))
    means = {
        f"mean {name}": np.bincount(facts.bar, notes[name], minlength=facts.bars) / np.maximum(count, 1)
        for name in _NOTE_MEANS
    }
    return Columns.of(
        BAR_EVIDENCE,
        {
            "chroma against the piece": -(share * np.log2(rest / rest.sum(axis=1, keepdims=True))).sum(axis=1),
            "chroma against the neighbours": -(share * np.log2(near / near.sum(axis=1, keepdims=True))).sum(axis=1),
            "most like chroma": np.sort(like, axis=1)[:, -3:].mean(axis=1),
            "mean like chroma": like.mean(axis=1),
            "notes as elsewhere": as_is,
            "notes as elsewhere if moved": moved,
            "gain by moving": moved - as_is,
            "rubbing": rub,
            "rubbing beyond the piece": rub - usual_rub,
            "notes": np.log1p(count),
            "surprise of the worst": _mean(facts, notes["rare in the piece"]),
            "next as before": (_beside(chroma, -1) * _beside(chroma, 1)).sum(axis=1),
            "in the key around": around,
            "gain in the key around": around_gain,
            "in the key of the piece": home,
            "gain in the key of the piece": home_gain,
            **means,
        },
    )


def _beside(chroma: Floats, side: int) -> Floats:
    """The chroma of the three bars before (-1) or after (1) each bar."""
    return unit_rows(np.sum([np.roll(chroma, -side * distance, axis=0) for distance in (1, 2, 3)], axis=0))


def _in_key(chroma: Floats, around: Floats) -> tuple[Floats, Floats]:
    """How well each bar fits a chroma as it is, and how much better it would in another key."""
    fits = np.stack([(np.roll(chroma, step, axis=1) * around).sum(axis=1) for step in range(CLASSES)])
    return fits[0], fits[1:].max(axis=0) - fits[0]


def _moving(facts: Facts) -> tuple[Floats, Floats]:
    """How like another bar's notes each bar's are, as they are and moved by up to six semitones."""
    slots = int(np.clip(facts.slot.max(initial=0) + 1, 1, _MOST_SLOTS))
    roll = np.zeros((facts.bars, slots, PITCHES), dtype=np.float32)
    real = (facts.slot >= 0) & (facts.slot < slots)
    roll[facts.bar[real], facts.slot[real], facts.pitch[real]] = 1
    used = np.flatnonzero(roll.any(axis=(0, 1)))
    low, high = (0, 1)
    if len(used):
        low, high = max(int(used[0]) - _FURTHEST, 0), min(int(used[-1]) + _FURTHEST + 1, PITCHES)
    roll = roll[:, :, low:high]
    flat = unit_rows(roll.reshape(len(roll), -1))
    as_is, moved = most_alike(flat, flat), np.zeros(facts.bars)
    for step in range(-_FURTHEST, _FURTHEST + 1):
        if step:
            other = np.roll(roll, step, axis=2).reshape(len(roll), -1)
            moved = np.maximum(moved, most_alike(unit_rows(other), flat))
    return as_is, moved


def _rubbing(facts: Facts) -> tuple[Floats, float]:
    """The share of sounding pairs in each bar that are a semitone apart by class, and the piece's usual share."""
    first, second, together = facts.pairs
    rubs = np.isin(np.abs(facts.pitch_class[first] - facts.pitch_class[second]), RUBBING_CLASSES)
    total = np.bincount(facts.bar[second], together, minlength=facts.bars)
    part = np.bincount(facts.bar[second], together * rubs, minlength=facts.bars)
    share = np.divide(part, total, out=np.zeros(facts.bars), where=total > 0)
    return share, float(part.sum() / max(total.sum(), 1))


def foreign_evidence(facts: Facts, context: Columns, time: Columns) -> Columns:
    """One row a bar, from the context of its notes (``context_evidence``) and its time (``meter_evidence``)."""
    return Columns.of(
        FOREIGN_EVIDENCE,
        {
            **_scale_columns(facts),
            **_sound_columns(facts),
            **_voice_columns(facts),
            "register": _register(facts),
            "pitches new in their voices": _mean(facts, context["same pitch in its voice"] < _NEW),
            "size of the piece": np.full(facts.bars, np.log2(max(facts.bars, 1))),
            **{name: time[name] for name in _TIME},
            **{f"mean {name}": _mean(facts, context[name]) for name in _CONTEXT_MEANS},
        },
    )


def _scale_columns(facts: Facts) -> dict[str, Floats]:
    """How much of each bar is outside the scale of the bars around it."""
    mass, index = facts.bar_mass, np.arange(facts.bars)
    size = np.maximum(mass.sum(axis=1), TINY)
    wide, kept = passages(facts, _AROUND, without=True)
    near, _ = passages(facts, _CLOSE, without=True)
    outside = (mass * ~wide).sum(axis=1) / size
    return {
        "outside the scale around": outside,
        "outside the scale close by": (mass * ~near).sum(axis=1) / size,
        "passage around in its scale": kept,
        "outside beyond the piece": outside - (outside.sum() - outside) / max(facts.bars - 1, 1),
        "outside before": outside[np.maximum(index - 1, 0)],
        "outside after": outside[np.minimum(index + 1, facts.bars - 1)] if facts.bars else outside,
    }


def _sound_columns(facts: Facts) -> dict[str, NDArray[Any]]:
    """How much of each bar, and how many of its pitch classes, do not sound around it."""
    mass = facts.bar_mass
    size = np.maximum(mass.sum(axis=1), TINY)
    absent_around = windows(mass, _AROUND, without=True) <= TINY
    absent_close = windows(mass, _CLOSE, without=True) <= TINY
    whole = (mass.sum(axis=0)[None] - mass) / np.maximum(mass.sum() - size, TINY)[:, None]
    return {
        "sound that is not around": (mass * absent_around).sum(axis=1) / size,
        "sound that is not close by": (mass * absent_close).sum(axis=1) / size,
        "classes that are not close by": ((mass > 0) & absent_close).sum(axis=1),
        "classes that are not around": ((mass > 0) & absent_around).sum(axis=1),
        "sound that is hardly in the piece": (mass * (whole < _HARDLY)).sum(axis=1) / size,
    }


def _voice_columns(facts: Facts) -> dict[str, NDArray[Any]]:
    """How many notes and voices each bar has, beside its neighbours."""
    count = np.bincount(facts.bar, minlength=facts.bars).astype(np.float64)
    beside = (np.roll(count, 1) + np.roll(count, -1)) / 2
    active = np.zeros((facts.bars, max(facts.voices, 1)), dtype=np.bool_)
    active[facts.bar, facts.voice] = True
    common = [
        (active & np.roll(active, step, axis=0)).sum(axis=1)
        / np.maximum((active | np.roll(active, step, axis=0)).sum(axis=1), 1)
        for step in (-1, 1)
    ]
    return {
        "notes beside the neighbours": np.log2((count + 1) / (beside + 1)),
        "voices beside the neighbours": np.mean(common, axis=0),
        "voices": active.sum(axis=1),
        "pitched voices": np.full(facts.bars, active.any(axis=0).sum()),
    }


def _mean(facts: Facts, values: NDArray[Any]) -> Floats:
    """The mean over the notes of each bar, long notes counting for more."""
    weight = np.minimum(facts.beats, _WEIGHT)
    total = np.bincount(facts.bar, weight, minlength=facts.bars)
    return np.asarray(np.bincount(facts.bar, weight * values, minlength=facts.bars) / np.maximum(total, TINY))


def _register(facts: Facts) -> Floats:
    """How far the notes of each bar are from where their voices usually lie, in usual distances."""
    away = np.zeros(facts.count)
    for voice in distinct(facts.voice):
        mine = facts.voice == voice
        distance = np.abs(facts.pitch[mine] - np.median(facts.pitch[mine]))
        away[mine] = distance / (distance.mean() + _USUAL_REACH)
    return _mean(facts, away)
