"""What speaks against the time of a bar: is it of another length, would it be more like the others a little earlier?

Conventions: a bar is a vector of who strikes when, slightly blurred; bars are compared by cosine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from libretto.faults.columns import Columns
from libretto.faults.lines import most_alike, unit_rows
from libretto.score import QUARTER
from libretto.score.facts import Facts
from libretto.score.table import Floats, Ints

__all__ = ["METER_EVIDENCE", "meter_evidence"]

_FINE = 12  # bins a quarter
_SHIFTS = (-6, -3, 3, 6)  # sixteenths and eighths, in bins
_MOST_BINS = 24 * _FINE
_MOST_VOICES = 24  # voices, and keys of the drums, that are listened to
_BESIDE = (-4, -2, -1, 1, 2, 4)  # bars that a bar is held against where phrases go by twos and fours
_STRUCK = 0.9  # a bin holds a strike itself, not the blur of one beside it

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


def _strikes(facts: Facts) -> tuple[Floats, Floats]:
    """Who strikes when: a row a bar for the pitched voices and one for the drum keys, slightly blurred."""
    pitched_rank, pitched_count = _busiest(facts.voice, max(facts.voices, 1))
    pitched = _rolled(facts, facts.bar, facts.notes["position"], pitched_rank[facts.voice], pitched_count)
    keys, key = np.unique(facts.kit["pitch"], return_inverse=True)
    key_rank, key_count = _busiest(key, max(len(keys), 1))
    kit = facts.kit
    return pitched, _rolled(facts, kit["bar"].astype(np.int64), kit["position"], key_rank[key], key_count)


def _busiest(who: Ints, count: int) -> tuple[Ints, int]:
    """The place of each player among those who play most, -1 for all others, and how many those are."""
    plays = np.bincount(who, minlength=count)
    busy = np.argsort(-plays, kind="stable")[:_MOST_VOICES]
    rank = np.full(count, -1)
    rank[busy] = np.arange(len(busy))
    return rank, len(busy)


def _rolled(facts: Facts, bar: Ints, position: Ints, who: Ints, many: int) -> Floats:
    """For each bar, player and bin whether something is struck there; half as much in the bins beside."""
    bins = _bins(facts)
    roll = np.zeros((facts.bars, max(many, 1), bins), dtype=np.float32)
    when = np.rint(position * _FINE / QUARTER).astype(np.int64)
    real = (who >= 0) & (when < bins)
    roll[bar[real], who[real], when[real]] = 1
    return np.asarray(roll + 0.5 * (np.roll(roll, 1, axis=2) + np.roll(roll, -1, axis=2)))


def _bins(facts: Facts) -> int:
    usual = int(np.median(facts.bar_length)) if facts.bars else QUARTER
    return max(min(round(usual * _FINE / QUARTER), _MOST_BINS), 1)


class _Likeness(NamedTuple):
    """How like the others each bar is, as it is and at the best shift: the most alike, the mean, those beside it."""

    alike: Floats
    alike_shifted: Floats
    usual: Floats
    usual_shifted: Floats
    beside: Floats
    beside_shifted: Floats

    @property
    def gain(self) -> Floats:
        """How much a shift helps, by the most alike bars or by the mean bar."""
        return np.maximum(self.alike_shifted - self.alike, self.usual_shifted - self.usual)


def _likeness(roll: Floats) -> _Likeness:
    flat = unit_rows(roll.reshape(len(roll), -1))
    total = roll.sum(axis=0)
    near = unit_rows(np.sum([np.roll(flat, step, axis=0) for step in _BESIDE], axis=0))
    alike, usual, beside = np.zeros(len(roll)), np.zeros(len(roll)), np.zeros(len(roll))
    for shift in _SHIFTS:
        moved = np.roll(roll, shift, axis=2)
        other = unit_rows(moved.reshape(len(roll), -1))
        alike = np.maximum(alike, most_alike(other, flat))
        usual = np.maximum(usual, _to_mean(moved, roll, total))
        beside = np.maximum(beside, (other * near).sum(axis=1))
    as_it_is = most_alike(flat, flat), _to_mean(roll, roll, total), (flat * near).sum(axis=1)
    return _Likeness(as_it_is[0], alike, as_it_is[1], usual, as_it_is[2], beside)


def _to_mean(moved: Floats, roll: Floats, total: Floats) -> Floats:
    """How like the mean of the others each bar is, once moved."""
    rest = (total[None] - roll).reshape(len(roll), -1)
    return np.asarray((unit_rows(moved.reshape(len(roll), -1)) * unit_rows(rest)).sum(axis=1))


def meter_evidence(facts: Facts) -> Columns:
    """One row a bar: is it of another length, and would it be more like the others if it came earlier or later."""
    pitched, kit = _strikes(facts)
    both = np.concatenate((pitched, kit), axis=1)
    like, struck = _likeness(both), (both > _STRUCK).sum(axis=(1, 2))
    length = facts.bar_length
    lengths, which, many = np.unique(length, return_inverse=True, return_counts=True)
    usual_length = lengths[np.argmax(many)]
    odd = (np.roll(length, 1) == np.roll(length, -1)) & (length != np.roll(length, 1))
    odd[[0, -1]] = False
    downbeat = both[:, :, :1].max(axis=(1, 2)) > 0
    return Columns.of(
        METER_EVIDENCE,
        {
            "odd length": odd,
            "part of a beat": odd & (length % QUARTER != 0) & (length != usual_length),
            "lengths like it": np.log2(many[which]) * odd,
            "alike as it is": like.alike,
            "alike if shifted": like.alike_shifted,
            "gain by shifting": like.alike_shifted - like.alike,
            "usual as it is": like.usual,
            "usual if shifted": like.usual_shifted,
            "gain over the usual": like.usual_shifted - like.usual,
            "gain of the drums": _likeness(kit).gain,
            "gain of the pitched": _likeness(pitched).gain,
            "strikes": np.log1p(struck),
            "voices": np.log1p((both > _STRUCK).any(axis=2).sum(axis=1)),
            "neighbours as it is": like.beside,
            "gain over the neighbours": like.beside_shifted - like.beside,
            "downbeat missing": (~downbeat & (struck > 0)).astype(float) * downbeat.mean(),
        },
    )
