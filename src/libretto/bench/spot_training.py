"""Measure the ear that spots faults: weights from planted faults, levels from untouched songs.

Conventions: an example is a song's evidence of one kind: its candidates, and which of them is the planted fault (none
in an untouched song). Weights are logistic with a ridge, found by Newton's steps over the faults and the most deceptive
places of real songs; levels are what untouched songs reach under weights learned without them (two folds).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from libretto.score import Score
from libretto.tasks.faults import plant
from libretto.tasks.spot_ear import NUMBERS, Ear, crossed, habits
from libretto.tasks.spot_evidence import NOTE_KINDS, Candidates, Seen, evidence
from libretto.tasks.spot_facts import Bools, Facts, Floats, Ints

__all__ = ["Example", "ear_to_dict", "examples_of", "learn", "reached", "train"]

_RANDOM, _HARD, _ROUNDS, _RIDGE, _FOLDS, _LEVELS = 12, 8, 3, 3.0, 2, 201


@dataclass(frozen=True)
class Example:
    """A song's candidates of one kind, and which of them are the fault."""

    song: int
    found: Candidates
    fault: Bools


def learn(examples: Sequence[Example]) -> tuple[Ear, Floats]:
    """The ear for one kind, and what each untouched song reached when the ear had not heard it."""
    levels = _held_out(examples)
    ear = _fit(examples)
    grid = np.quantile(levels, np.linspace(0, 1, _LEVELS)) if len(levels) else np.zeros(_LEVELS)
    return Ear(ear.mean, ear.scale, ear.weights, ear.habit, np.maximum.accumulate(grid)), levels


def reached(ear: Ear, example: Example) -> float:
    """How striking the most striking place of a song is."""
    return float(ear.strength(example.found).max(initial=-30.0))


def _held_out(examples: Sequence[Example]) -> Floats:
    values = []
    for fold in range(_FOLDS):
        kept = [one for one in examples if one.song % _FOLDS != fold]
        rest = [one for one in examples if one.song % _FOLDS == fold and not one.fault.any()]
        if rest and any(one.fault.any() for one in kept):
            ear = _fit(kept)
            values += [reached(ear, one) for one in rest]
    return np.array(values)


def _fit(examples: Sequence[Example]) -> Ear:
    chance = np.random.default_rng(0)
    faults = np.concatenate([one.found.rows[one.fault] for one in examples if one.fault.any()])
    clean = [one for one in examples if not one.fault.any() and len(one.found.bar)]
    picked = [set(chance.integers(0, len(one.found.bar), _RANDOM).tolist()) for one in clean]
    sample = _rows(clean, picked)
    mean, scale = np.r_[faults, sample].mean(axis=0), np.r_[faults, sample].std(axis=0) + 1e-3
    weights = np.zeros(1)
    for _ in range(_ROUNDS):
        sound = _rows(clean, picked)
        weights = _newton(crossed(np.r_[faults, sound], mean, scale), len(faults), len(sound))
        for one, chosen in zip(clean, picked, strict=True):
            heard = crossed(one.found.rows, mean, scale) @ weights
            chosen.update(np.argsort(-heard)[:_HARD].tolist())
    ear = Ear(mean, scale, weights, np.array([0.0, 1.0, 0, 0, 0]), np.zeros(2))
    return Ear(mean, scale, weights, _habit(ear, examples), np.zeros(2))


def _rows(clean: Sequence[Example], picked: Sequence[set[int]]) -> Floats:
    return np.concatenate([one.found.rows[sorted(some)] for one, some in zip(clean, picked, strict=True)])


def _habit(ear: Ear, examples: Sequence[Example]) -> Floats:
    """Weights of a place's own value and of the piece's others, from the most striking place of every song."""
    faults, sound = [], []
    for one in examples:
        if not len(one.found.bar):
            continue
        heard = ear.hear(one.found.rows)
        rows = habits(heard, one.found.bar)
        if one.fault.any():
            faults.append(rows[np.flatnonzero(one.fault)[np.argmax(heard[one.fault])]])
        else:
            sound.append(rows[np.argmax(heard)])
    return _newton(np.array(faults + sound), len(faults), len(sound))


def _newton(rows: Floats, faults: int, sound: int) -> Floats:
    """Logistic weights with a ridge, faults first; both sides count alike."""
    truth = np.r_[np.ones(faults), np.zeros(sound)]
    share = np.r_[np.full(faults, 0.5 / faults), np.full(sound, 0.5 / sound)] * (faults * 2)
    weights = np.zeros(rows.shape[1])
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[0] = 1e-3
    for _ in range(12):
        heard = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (share * (truth - heard)) - ridge * weights
        bend = (rows * (share * np.maximum(heard * (1 - heard), 1e-6))[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-3:
            break
    return np.asarray(weights)


def ear_to_dict(ear: Ear) -> dict[str, Any]:
    """An ear as plain numbers, five digits each."""
    numbers = {name: [float(f"{value:.5g}") for value in getattr(ear, name)] for name in NUMBERS}
    return {**numbers, "least": round(ear.least, 5)}


def examples_of(score: Score, kind: str, song: int, seed: int) -> Iterator[Example]:
    """A song as it is and, where it has a place for the fault, the same song with one planted."""
    before = Seen(score)
    found = evidence[kind](before)
    yield Example(song, found, np.zeros(len(found.bar), dtype=np.bool_))
    planted = plant(score, kind, seed)
    if planted is None:
        return
    after = Seen(planted.score)
    found = evidence[kind](after)
    bar = planted.bar - score.first_bar
    if kind == "parallels":
        fault = (np.abs(found.bar - bar) <= 1) & (found.rows[:, 0] >= 2)
    elif kind in NOTE_KINDS:
        fault = ~np.isin(_places(after), _places(before))[found.note]
    else:
        fault = found.bar == bar
    if fault.any():
        yield Example(song, found, fault)


def _places(facts: Facts) -> Ints:
    """Every note's voice, start and pitch as one number."""
    return (facts.voice << 50) + (facts.onset << 7) + facts.pitch


def train(scores: Iterable[Score], kinds: Sequence[str] = tuple(evidence)) -> dict[str, Any]:
    """The whole ear from untouched songs, as it is kept in ``tasks/spot_ear.json``; a seed for each song."""
    examples: dict[str, list[Example]] = {kind: [] for kind in kinds}
    for song, score in enumerate(scores):
        for kind in kinds:
            examples[kind] += examples_of(score, kind, song, song)
    return {"kinds": {kind: ear_to_dict(learn(found)[0]) for kind, found in examples.items()}}
