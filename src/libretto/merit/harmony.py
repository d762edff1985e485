"""Harmony as numbers: notes that rub, notes that fit, chords that follow each other, bars that fall out of their place.

``habits`` (measured on other songs) say how usual it is that a chord follows another in its key.
"""

from __future__ import annotations

import numpy as np

from libretto.merit.habits import Habits
from libretto.merit.heard import PITCHES, STRONG, Heard, mean_of, share
from libretto.score.table import Floats, Ints, distinct, middle, percentile
from libretto.score.time import QUARTER

__all__ = ["chord_states", "fit_by_bar", "harmony_of", "rubs_by_bar"]

_SEMITONES, _TRITONE = (1, 11), 6
_MUD, _CLOSE = 52, 4  # below E3, notes within a third
_AROUND = 4  # bars on either side that a bar is heard in
_TINY = 1e-9
_LONG = 4.0  # quarters that a note counts at most
_FIFTHS, _FAR = (5, 7), (1, 6, 11)  # semitones between roots
_MANY, _FEW = 90, 10  # percentiles


def chord_states(heard: Heard) -> Ints:
    """The chord of every half bar in its key: the degree of its root, twelve more where its third is minor; -1 none."""
    return np.where(heard.roots < 0, -1, (heard.roots - heard.tonic) % 12 + 12 * heard.minor)


def rubs_by_bar(heard: Heard) -> tuple[Floats, Floats]:
    """For each bar, and for each voice, the share of time together that is a semitone rub."""
    facts = heard.facts
    first, second, together = facts.pairs
    apart = np.abs(facts.pitch[first] - facts.pitch[second])
    other = facts.voice[first] != facts.voice[second]
    rub = np.isin(apart % 12, _SEMITONES)
    weight = together.astype(np.float64)
    bar = facts.bar[second]
    bars = np.bincount(bar, weight * rub, minlength=heard.bars) / np.maximum(
        np.bincount(bar, weight, minlength=heard.bars), 1
    )
    many = np.zeros(facts.voices)
    whole = np.zeros(facts.voices)
    for side in (first, second):
        many += np.bincount(facts.voice[side[other]], (weight * rub)[other], minlength=facts.voices)
        whole += np.bincount(facts.voice[side[other]], weight[other], minlength=facts.voices)
    return bars, np.where(whole > 0, many / np.maximum(whole, 1), np.nan)


def fit_by_bar(heard: Heard) -> Floats:
    """How well each bar goes with the bars around it in what pitch classes sound; NaN where it is silent."""
    mass = heard.facts.bar_mass
    total = np.concatenate((np.zeros((1, 12)), np.cumsum(mass, axis=0)))
    low = np.maximum(np.arange(heard.bars) - _AROUND, 0)
    high = np.minimum(np.arange(heard.bars) + _AROUND + 1, heard.bars)
    around = total[high] - total[low] - mass
    size = np.linalg.norm(mass, axis=1) * np.linalg.norm(around, axis=1)
    return np.where(size > _TINY, (mass * around).sum(axis=1) / np.maximum(size, _TINY), np.nan)


def harmony_of(heard: Heard, habits: Habits) -> dict[str, float]:
    """Every number about harmony."""
    facts = heard.facts
    if not facts.count:
        return {}
    length = np.minimum(facts.beats, _LONG)
    foreign = ~heard.in_key[facts.pitch_class]
    outside = np.bincount(facts.bar, length * foreign, minlength=heard.bars) / np.maximum(
        np.bincount(facts.bar, length, minlength=heard.bars), _TINY
    )
    numbers = {
        "fits_chord": share(length * heard.in_chord, length),
        "foreign": share(length * foreign, length),
        "foreign_most": percentile(outside, _MANY),
        "foreign_worst": float(outside.max()),
    }
    covered = _covered(heard, length)
    if len(covered):
        numbers |= {"covered_least": percentile(covered, _FEW), "covered_spread": float(covered.std())}
    around = fit_by_bar(heard)
    around = around[~np.isnan(around)]
    if len(around) > 2:
        numbers |= {
            "around": float(around.mean()),
            "around_few": percentile(around, _FEW),
            "around_least": float(around.min()),
            "around_spread": float(around.std()),
        }
    return numbers | _rubbing(heard) | _moving(heard, habits) | _bass(heard)


def _covered(heard: Heard, length: Floats) -> Floats:
    """The share of each half bar's sound that belongs to its chord."""
    total = np.bincount(heard.half, length, minlength=2 * heard.bars)
    inside = np.bincount(heard.half, length * heard.in_chord, minlength=2 * heard.bars)
    return np.asarray((inside / np.maximum(total, _TINY))[total > 0])


def _rubbing(heard: Heard) -> dict[str, float]:
    facts = heard.facts
    first, second, together = facts.pairs
    if not len(first):
        return {}
    apart = np.abs(facts.pitch[first] - facts.pitch[second])
    low = np.maximum(facts.pitch[first], facts.pitch[second]) < _MUD
    long = np.minimum(together, _LONG * QUARTER).astype(np.float64)
    bars, voices = rubs_by_bar(heard)
    voices = voices[~np.isnan(voices)]
    numbers = {
        "rubs": share(long * np.isin(apart % 12, _SEMITONES), long),
        "tritones": share(long * (apart % 12 == _TRITONE), long),
        "seconds": share(long * np.isin(apart, (1, 2)), long),
        "mud": share(long * (low & (apart > 0) & (apart <= _CLOSE)), long),
        "unisons": share(long * (apart == 0), long),
        "octaves": share(long * ((apart % 12 == 0) & (apart > 0)), long),
        "rubs_most": percentile(bars, _MANY),
        "rubs_worst": float(bars.max()),
        "rubs_spread": float(bars.std()),
    }
    if len(voices) > 1:
        numbers |= {"rubs_voice": float(voices.max()), "rubs_voice_above": float(voices.max() - middle(voices))}
    return numbers


def _moving(heard: Heard, habits: Habits) -> dict[str, float]:
    """How usual the chords and their successions are."""
    states = chord_states(heard)[::2]
    known = states >= 0
    here, there = states[:-1], states[1:]
    both = known[:-1] & known[1:]
    changes = both & (here != there)
    numbers = {"chord_usual": mean_of(habits.chord[states[known]]), "chord_changes": mean_of(here[both] != there[both])}
    if both.any():
        numbers["chord_follows"] = mean_of(habits.follows[here[both], there[both]])
    if changes.sum() > 1:
        lift = habits.follows[here[changes], there[changes]] - habits.chord[there[changes]]
        numbers["chord_leads"] = mean_of(lift)
        numbers["chord_leads_least"] = percentile(lift, _FEW)
        motion = (heard.roots[::2][1:] - heard.roots[::2][:-1])[changes] % 12
        numbers["fifths"] = mean_of(np.isin(motion, _FIFTHS))
        numbers["far_roots"] = mean_of(np.isin(motion, _FAR))
    return numbers


def _bass(heard: Heard) -> dict[str, float]:
    """Whether the lowest note carries the chord, and whether the same part is always lowest and highest."""
    facts = heard.facts
    strong = np.flatnonzero(heard.strength >= STRONG)
    order = strong[np.lexsort((facts.pitch[strong], heard.half[strong]))]
    if not len(order):
        return {}
    lowest = order[np.append(True, np.diff(heard.half[order]) > 0)]
    highest = order[np.append(np.diff(heard.half[order]) > 0, True)]
    bottom = min(heard.lines, key=lambda line: float(line.pitch.mean()), default=None)
    kinds = (
        distinct(bottom.bar * PITCHES + bottom.pitch) // PITCHES if bottom is not None else np.empty(0, dtype=np.int64)
    )
    many = [np.bincount(facts.voice[ends]).max() / len(ends) for ends in (lowest, highest)]
    return {
        "bass_root": mean_of(heard.on_root[lowest]),
        "bass_in_chord": mean_of(heard.in_chord[lowest]),
        "bass_pitches": mean_of(np.unique(kinds, return_counts=True)[1]) if len(kinds) else float("nan"),
        "lowest_stays": float(many[0]),
        "highest_stays": float(many[1]),
    }
