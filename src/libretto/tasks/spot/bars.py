"""What speaks against a whole bar: one row of evidence a bar, for its time (meter) and for its notes (foreign bar).

Conventions: a bar is a vector of who strikes when (and, for the notes, which pitch); bars are compared by cosine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score import QUARTER
from libretto.score.facts import Facts, Floats, Ints
from libretto.tasks.spot.notes import NOTE_EVIDENCE

__all__ = ["BAR_EVIDENCE", "METER_EVIDENCE", "bar_evidence", "meter_evidence"]

_FINE = 12  # bins a quarter
_SHIFTS = (-6, -3, 3, 6)  # sixteenths and eighths, in bins
_MOST_BINS = 24 * _FINE
_MOST_VOICES = 24

#: What is measured of the time of every bar.
METER_EVIDENCE = (
    "odd length",
    "part of a beat",
    "lengths like it",
    "alike as it is",
    "alike if shifted",
    "gain by shifting",
    "usual as it is",
    "usual if shifted",
    "gain over the usual",
    "gain of the drums",
    "gain of the pitched",
    "strikes",
    "voices",
    "neighbours as it is",
    "gain over the neighbours",
    "downbeat missing",
)

_MEANS = (
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
    *(f"mean {name}" for name in _MEANS),
)


def _unit(rows: NDArray[np.floating[Any]]) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9))


def _strikes(facts: Facts) -> tuple[Floats, Floats]:
    """Who strikes when: a row a bar for the pitched voices and one for the drum keys, slightly blurred."""
    busy = np.argsort(-np.bincount(facts.voice, minlength=max(facts.voices, 1)), kind="stable")[:_MOST_VOICES]
    rank = np.full(max(facts.voices, 1), -1)
    rank[busy] = np.arange(len(busy))
    pitched = _rolled(facts, facts.bar, facts.notes["position"], rank[facts.voice], len(busy))
    keys, key = np.unique(facts.kit["pitch"], return_inverse=True)
    common = np.argsort(-np.bincount(key, minlength=1), kind="stable")[:_MOST_VOICES]
    rank = np.full(max(len(keys), 1), -1)
    rank[common] = np.arange(len(common))
    return pitched, _rolled(facts, facts.kit["bar"].astype(np.int64), facts.kit["position"], rank[key], len(common))


def _rolled(facts: Facts, bar: Ints, position: Ints, who: Ints, many: int) -> Floats:
    bins = _bins(facts)
    roll = np.zeros((facts.bars, max(many, 1), bins), dtype=np.float32)
    when = np.rint(position * _FINE / QUARTER).astype(np.int64)
    real = (who >= 0) & (when < bins)
    roll[bar[real], who[real], when[real]] = 1
    return np.asarray(roll + 0.5 * (np.roll(roll, 1, axis=2) + np.roll(roll, -1, axis=2)))


def _bins(facts: Facts) -> int:
    usual = int(np.median(facts.bar_length)) if facts.bars else QUARTER
    return max(min(round(usual * _FINE / QUARTER), _MOST_BINS), 1)


def _best(mine: Floats, all_bars: Floats) -> Floats:
    """How like each bar the most alike of the others is (the mean of the best three)."""
    like = mine @ all_bars.T
    np.fill_diagonal(like, 0)
    top = np.partition(like, -3, axis=1)[:, -3:] if like.shape[1] > 3 else like
    return np.asarray(top.mean(axis=1), dtype=np.float64)


def _gain(roll: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Best likeness as it is and shifted, likeness to the mean bar as it is and shifted, to the neighbours, shifted."""
    flat = _unit(roll.reshape(len(roll), -1))
    total = roll.sum(axis=0)
    as_is, mean = _best(flat, flat), _to_mean(roll, roll, total)
    near = _unit(np.sum([np.roll(flat, k, axis=0) for k in (-4, -2, -1, 1, 2, 4)], axis=0))
    local = (flat * near).sum(axis=1)
    best, usual, beside = np.zeros(len(roll)), np.zeros(len(roll)), np.zeros(len(roll))
    for shift in _SHIFTS:
        moved = np.roll(roll, shift, axis=2)
        other = _unit(moved.reshape(len(roll), -1))
        best = np.maximum(best, _best(other, flat))
        usual = np.maximum(usual, _to_mean(moved, roll, total))
        beside = np.maximum(beside, (other * near).sum(axis=1))
    return as_is, best, mean, usual, local, beside


def _to_mean(moved: Floats, roll: Floats, total: Floats) -> Floats:
    rest = (total[None] - roll).reshape(len(roll), -1)
    return np.asarray((_unit(moved.reshape(len(roll), -1)) * _unit(rest)).sum(axis=1))


def meter_evidence(facts: Facts) -> Floats:
    """One row a bar: is it of another length, and would it be more like the others if it came earlier or later."""
    pitched, kit = _strikes(facts)
    both = np.concatenate((pitched, kit), axis=1)
    as_is, best, mean, usual, local, beside = _gain(both)
    drum, tune = _gain(kit), _gain(pitched)
    length = facts.bar_length
    lengths, which, many = np.unique(length, return_inverse=True, return_counts=True)
    usual_length = lengths[np.argmax(many)]
    around = (np.roll(length, 1) == np.roll(length, -1)) & (length != np.roll(length, 1))
    around[[0, -1]] = False
    struck = (both > 0.9).sum(axis=(1, 2))
    first = both[:, :, :1].max(axis=(1, 2)) > 0
    columns = [
        around.astype(float),
        (around & (length % QUARTER != 0) & (length != usual_length)).astype(float),
        np.log2(many[which]) * around,
        as_is,
        best,
        best - as_is,
        mean,
        usual,
        usual - mean,
        np.maximum(drum[1] - drum[0], drum[3] - drum[2]),
        np.maximum(tune[1] - tune[0], tune[3] - tune[2]),
        np.log1p(struck),
        np.log1p((both > 0.9).any(axis=2).sum(axis=1)),
        local,
        beside - local,
        (~first & (struck > 0)).astype(float) * first.mean(),
    ]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def bar_evidence(facts: Facts, notes: Floats) -> Floats:
    """One row a bar: how far its notes are from the rest of the piece, and whether they would fit in another key."""
    mass = facts.bar_mass
    whole, size = mass.sum(axis=0), mass.sum(axis=1)
    share = mass / np.maximum(size, 1e-9)[:, None]
    rest = whole[None] - mass + 0.02 * whole.sum() / 12
    edge = np.concatenate((np.zeros((1, 12)), np.cumsum(mass, axis=0)))
    index = np.arange(facts.bars)
    near = edge[np.minimum(index + 5, facts.bars)] - edge[np.maximum(index - 4, 0)] - mass
    near += 0.02 * np.maximum(near.sum(axis=1, keepdims=True), 1) / 12
    chroma = _unit(mass)
    like = chroma @ chroma.T
    np.fill_diagonal(like, 0)
    as_is, moved = _moving(facts)
    rub, usual = _rubbing(facts)
    count = np.bincount(facts.bar, minlength=facts.bars)
    chosen = [notes[:, NOTE_EVIDENCE.index(name)] for name in _MEANS]
    means = [np.bincount(facts.bar, column, minlength=facts.bars) / np.maximum(count, 1) for column in chosen]
    surprise = notes[:, 1] * np.minimum(facts.beats, 2)
    worst = np.bincount(facts.bar, surprise, minlength=facts.bars) / np.maximum(
        np.bincount(facts.bar, np.minimum(facts.beats, 2), minlength=facts.bars), 1e-9
    )
    columns = [
        -(share * np.log2(rest / rest.sum(axis=1, keepdims=True))).sum(axis=1),
        -(share * np.log2(near / near.sum(axis=1, keepdims=True))).sum(axis=1),
        np.sort(like, axis=1)[:, -3:].mean(axis=1),
        like.mean(axis=1),
        as_is,
        moved,
        moved - as_is,
        rub,
        rub - usual,
        np.log1p(count),
        worst,
        (_around(chroma, -1) * _around(chroma, 1)).sum(axis=1),
        *_in_key(chroma, _unit(near)),
        *_in_key(chroma, _unit(rest)),
        *means,
    ]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _around(chroma: Floats, side: int) -> Floats:
    """The chroma of the three bars before (-1) or after (1) each bar."""
    return _unit(np.sum([np.roll(chroma, -side * distance, axis=0) for distance in (1, 2, 3)], axis=0))


def _in_key(chroma: Floats, around: Floats) -> tuple[Floats, Floats]:
    """How well each bar fits a chroma as it is, and how much better it would in another key."""
    fits = np.stack([(np.roll(chroma, step, axis=1) * around).sum(axis=1) for step in range(12)])
    return fits[0], fits[1:].max(axis=0) - fits[0]


def _moving(facts: Facts) -> tuple[Floats, Floats]:
    """How like another bar's notes each bar's are, as they are and moved by up to six semitones."""
    slots = int(np.clip(facts.slot.max(initial=0) + 1, 1, 64))
    roll = np.zeros((facts.bars, slots, 128), dtype=np.float32)
    real = (facts.slot >= 0) & (facts.slot < slots)
    roll[facts.bar[real], facts.slot[real], facts.pitch[real]] = 1
    used = np.flatnonzero(roll.any(axis=(0, 1)))
    low, high = (max(int(used[0]) - 6, 0), min(int(used[-1]) + 7, 128)) if len(used) else (0, 1)
    roll = roll[:, :, low:high]
    flat = _unit(roll.reshape(len(roll), -1))
    as_is, moved = _best(flat, flat), np.zeros(facts.bars)
    for step in (-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6):
        other = np.roll(roll, step, axis=2).reshape(len(roll), -1)
        moved = np.maximum(moved, _best(_unit(other), flat))
    return as_is, moved


def _rubbing(facts: Facts) -> tuple[Floats, float]:
    """The share of sounding pairs in each bar that are a semitone apart by class, and the piece's usual share."""
    first, second, together = facts.pairs
    rubs = np.isin(np.abs(facts.pitch_class[first] - facts.pitch_class[second]), (1, 11))
    total = np.bincount(facts.bar[second], together, minlength=facts.bars)
    part = np.bincount(facts.bar[second], together * rubs, minlength=facts.bars)
    share = np.divide(part, total, out=np.zeros(facts.bars), where=total > 0)
    return share, float(part.sum() / max(total.sum(), 1))
