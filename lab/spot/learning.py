"""Teach one ear: trees over single places, then trees over places in their pieces, both tried on songs left out.

Conventions: songs of one artist stay together in one of four folds. What a song reached is always what trees said that
had not met its artist. Among the many sound places of a song the most deceptive count: they are found by a first,
smaller grove and taught to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.spot.examples import Heard, Lesson
from lab.spot.growing import Growing, grow
from libretto.bench.spotting import number_of
from libretto.faults.ear import FaultEar, habits
from libretto.faults.trees import Grove
from libretto.score.table import Bools, Floats

__all__ = ["FOLDS", "Taught", "teach"]

FOLDS = 4
_RANDOM, _HARD = 10, 14  # sound places of a song that teach the first hearing: drawn, and the most deceptive
_WORST = 6  # sound places of a song that teach the second
_DRAW = 3  # the seed by which places are drawn
_SILENT = -30.0  # what is reached where an ear has no place at all
_LAST_DIGIT = 10  # of an artist's number; it decides what is kept for tests, and folds go by the digits before
_SUBTLE = 0.2  # how much a subtle fault counts beside a plain one
_SCOUT = Growing(trees=30, depth=4, rate=0.2)
_FIRST = Growing(trees=100, depth=4, rate=0.09, columns=0.25)
_SECOND = Growing(trees=100, depth=3, rate=0.08, columns=0.25, ridge=5.0)


@dataclass(frozen=True, eq=False)
class Taught:
    """An ear, and held out: what each untouched song reached, and each fault (by lesson and example)."""

    ear: FaultEar
    clean: Floats
    faults: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False)
class _Table:
    rows: list[Floats]
    truth: list[Bools]
    weight: list[Floats]

    def add(self, rows: Floats, truth: bool, weight: float) -> None:
        self.rows.append(rows)
        self.truth.append(np.full(len(rows), truth))
        self.weight.append(np.full(len(rows), weight / max(len(rows), 1)))

    def grown(self, how: Growing) -> Grove:
        """Trees from the table; faults and sound places count alike in all."""
        rows = np.concatenate(self.rows).astype(np.float64)
        truth, weight = np.concatenate(self.truth), np.concatenate(self.weight)
        for side in (truth, ~truth):
            weight[side] *= truth.sum() / max(float(weight[side].sum()), 1e-9)
        return grow(rows, truth, weight, how)


def _faults(table: _Table, lessons: Sequence[Lesson], ear: str) -> None:
    for lesson in lessons:
        for example in lesson.examples:
            heard = example.around[ear]
            if heard.fault.any():
                table.add(heard.rows[heard.fault], True, 1.0 if example.degree == "plain" else _SUBTLE)


def _first(lessons: Sequence[Lesson], ear: str) -> Grove:
    """Trees for a place by itself."""
    chance = np.random.default_rng(_DRAW)
    clean = [lesson.clean[ear] for lesson in lessons if len(lesson.clean[ear].bar)]
    picked = [set(chance.integers(0, len(one.bar), _RANDOM).tolist()) for one in clean]
    scout = _grown(lessons, ear, clean, picked, _SCOUT)
    for heard, chosen in zip(clean, picked, strict=True):
        chosen.update(np.argsort(-scout(heard.rows), kind="stable")[:_HARD].tolist())
    return _grown(lessons, ear, clean, picked, _FIRST)


def _grown(
    lessons: Sequence[Lesson], ear: str, clean: Sequence[Heard], picked: Sequence[set[int]], how: Growing
) -> Grove:
    """Trees from all faults and from the sound places that were picked."""
    table = _Table([], [], [])
    _faults(table, lessons, ear)
    for heard, chosen in zip(clean, picked, strict=True):
        table.add(heard.rows[sorted(chosen)], False, 1.0)
    return table.grown(how)


@dataclass(frozen=True, eq=False)
class _Second:
    """The rows of the second hearing of a lesson: of the song as it is, and of each example's places."""

    clean: Floats
    order: Floats
    examples: tuple[tuple[Floats, Bools], ...]


def _rows(grove: Grove, heard: Heard, rest: Heard | None, said: Floats | None) -> Floats:
    """The rows of the second hearing; ``rest`` is the song as it is, of which the bars further off still hold."""
    own = grove(heard.rows)
    if rest is None or said is None:
        return np.concatenate((habits(own, heard.bar), heard.rows), axis=1)
    if not len(heard.bar):
        return np.empty((0, habits(np.zeros(1), np.zeros(1, dtype=np.int64)).shape[1] + rest.rows.shape[1]))
    far = (rest.bar < heard.bar.min()) | (rest.bar > heard.bar.max())
    everything = habits(np.concatenate((own, said[far])), np.concatenate((heard.bar, rest.bar[far])))
    return np.concatenate((everything[: len(own)], heard.rows), axis=1)


def _second_rows(grove: Grove, lesson: Lesson, ear: str) -> _Second:
    clean = lesson.clean[ear]
    said = grove(clean.rows)
    near = tuple(
        (_rows(grove, one.around[ear], clean, said), np.abs(one.around[ear].bar - one.bar) <= 1)
        for one in lesson.examples
    )
    return _Second(_rows(grove, clean, None, None) if len(clean.bar) else np.empty((0, 1)), said, near)


def _second(lessons: Sequence[Lesson], heard: Sequence[_Second], ear: str) -> Grove:
    """Trees for a place in its piece."""
    table = _Table([], [], [])
    for lesson, one in zip(lessons, heard, strict=True):
        if len(one.clean):
            table.add(one.clean[np.argsort(-one.order, kind="stable")[:_WORST]], False, 1.0)
        for example, (rows, _) in zip(lesson.examples, one.examples, strict=True):
            fault = example.around[ear].fault
            if fault.any():
                table.add(rows[fault], True, 1.0 if example.degree == "plain" else _SUBTLE)
    return table.grown(_SECOND)


def teach(lessons: Sequence[Lesson], ear: str) -> Taught:
    """One ear, a pair of hearings for every fold left out, and what each lesson reached when its artist was left out.

    A song that taught nothing is heard by all pairs, and each hears it as it heard the songs that it left out.
    """
    fold = np.array([number_of(lesson.group) // _LAST_DIGIT % FOLDS for lesson in lessons])
    heard: list[_Second | None] = [None] * len(lessons)
    firsts, pairs = [], []
    for out in range(FOLDS):
        grove = _first([one for one, mine in zip(lessons, fold, strict=True) if mine != out], ear)
        firsts.append(grove)
        for index in np.flatnonzero(fold == out).tolist():
            heard[index] = _second_rows(grove, lessons[index], ear)
    known = [one for one in heard if one is not None]
    clean = np.full(len(lessons), _SILENT)
    faults: list[tuple[float, ...]] = [()] * len(lessons)
    for out in range(FOLDS):
        kept = np.flatnonzero(fold != out).tolist()
        grove = _second([lessons[i] for i in kept], [known[i] for i in kept], ear)
        pairs.append((firsts[out], grove))
        for index in np.flatnonzero(fold == out).tolist():
            one = known[index]
            clean[index] = grove(one.clean).max() if len(one.clean) else _SILENT
            faults[index] = tuple(float(grove(rows[near]).max(initial=_SILENT)) for rows, near in one.examples)
    return Taught(FaultEar(tuple(pairs), np.zeros(1)), clean, tuple(faults))
