"""How the judge of tempos and meters learns: small steps against its errors (Adam), each stretch a choice among ways.

A stretch's ways are weighed one by one; the softmax of their weights is to lie on those that are right. In each step
only some of the wrong ways are looked at. The mean of late weights is kept.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.score.table import Singles

__all__ = ["Course", "Layers", "Lessons", "judged", "learned", "scale_of", "scaled"]

_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8  # as is usual
_WARM = 100  # steps
_KEEP = 0.998  # of the mean of weights, a step
_FARTHEST = 6.0  # usual sizes beyond which a sign says no more
_LEAST_SPREAD = 0.05  # a sign that hardly differs is not blown up
_NEVER = 1e4
_AT_ONCE = 500  # stretches

#: The weights and offsets of each layer.
Layers = list[tuple[Singles, Singles]]


class Lessons(NamedTuple):
    """Stretches of many ways each: signs in their usual size, which ways there are, and which of them are right."""

    signs: np.ndarray
    there: np.ndarray
    right: np.ndarray


class Course(NamedTuple):
    """Cells of each inner layer, rounds, stretches and ways in a step, largest step, decay, and cells left out."""

    cells: tuple[int, ...] = (96, 48)
    rounds: int = 5
    batch: int = 64
    ways: int = 45
    step: float = 2e-3
    decay: float = 1e-2
    left_out: float = 0.2


def scale_of(signs: np.ndarray, there: np.ndarray) -> tuple[Singles, Singles]:
    """The middle and the usual size of every sign."""
    rows = signs[there].astype(np.float32)
    return rows.mean(axis=0), rows.std(axis=0) + np.float32(_LEAST_SPREAD)


def scaled(signs: np.ndarray, middle: Singles, spread: Singles) -> np.ndarray:
    """Signs in their usual size, as halves, written over what was given."""
    for first in range(0, len(signs), _AT_ONCE):
        some = signs[first : first + _AT_ONCE]
        some[:] = np.clip((some.astype(np.float32) - middle) / spread, -_FARTHEST, _FARTHEST)
    return signs


def judged(layers: Layers, signs: Singles) -> Singles:
    """How good each row of signs is."""
    for number, (weights, offsets) in enumerate(layers):
        signs = signs @ weights + offsets
        if number < len(layers) - 1:
            signs = np.maximum(signs, 0)
    return signs[..., 0]


def learned(lessons: Lessons, course: Course, seed: int) -> Layers:
    """A net taught on lessons, the same for the same lessons, course and seed."""
    dice = np.random.default_rng(seed)
    sizes = (lessons.signs.shape[2], *course.cells, 1)
    numbers = [dice.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in pairwise(sizes)]
    numbers += [np.zeros(size, dtype=np.float32) for size in sizes[1:]]
    mean, first, second = ([np.zeros_like(number) for number in numbers] for _ in range(3))
    usable = np.flatnonzero(lessons.right.any(axis=1))
    total, done = course.rounds * (len(usable) // course.batch), 0
    for _ in range(course.rounds):
        order = dice.permutation(usable)
        for place in range(0, len(order) - course.batch + 1, course.batch):
            slopes = _slopes(numbers, lessons, order[place : place + course.batch], course, dice)
            done += 1
            rate = course.step * min(1.0, done / _WARM) * (0.5 + 0.5 * np.cos(np.pi * done / total))
            _stepped(numbers, slopes, (first, second), rate, course.decay, done)
            keep = min(_KEEP, done / (done + 10))
            for old, new in zip(mean, numbers, strict=True):
                old += (1 - keep) * (new - old)
    half = len(mean) // 2
    return list(zip(mean[:half], mean[half:], strict=True))


def _stepped(
    numbers: list[Singles], slopes: list[Singles], moved: tuple[list[Singles], list[Singles]],
    rate: float, decay: float, done: int,
) -> None:  # fmt: skip
    """Move every number against its slope."""
    for number, slope, first, second in zip(numbers, slopes, *moved, strict=True):
        first += (1 - _FIRST) * (slope - first)
        second += (1 - _SECOND) * (slope * slope - second)
        move = first / (1 - _FIRST**done) / (np.sqrt(second / (1 - _SECOND**done)) + _TINY)
        number -= (rate * (move + (decay * number if number.ndim > 1 else 0))).astype(np.float32)


def _slopes(
    numbers: list[Singles], lessons: Lessons, some: np.ndarray, course: Course, dice: np.random.Generator
) -> list[Singles]:
    """The slope of the error on some stretches, by each number of the net."""
    there, right = lessons.there[some], lessons.right[some]
    lot = dice.random(there.shape, dtype=np.float32) + 2 * right - 2 * ~there
    ways = np.argpartition(-lot, course.ways, axis=1)[:, : course.ways]
    there, right = np.take_along_axis(there, ways, 1), np.take_along_axis(right, ways, 1)
    seen = lessons.signs[some[:, None], ways].astype(np.float32).reshape(ways.size, -1)
    half = len(numbers) // 2
    passed, masks = [seen], []
    for number in range(half):
        seen = seen @ numbers[number] + numbers[half + number]
        if number < half - 1:
            kept = dice.random(seen.shape, dtype=np.float32) >= course.left_out
            masks.append((kept & (seen > 0)) / np.float32(1 - course.left_out))
            seen = seen * masks[-1]
        passed.append(seen)
    error = _errors(seen.reshape(ways.shape) - _NEVER * ~there, right).reshape(-1, 1)
    inner: list[Singles] = []
    offsets: list[Singles] = []
    for number in range(half - 1, -1, -1):
        inner.insert(0, passed[number].T @ error)
        offsets.insert(0, error.sum(axis=0))
        if number:
            error = (error @ numbers[number].T) * masks[number - 1]
    return inner + offsets


def _errors(weighed: Singles, right: np.ndarray) -> Singles:
    """By how much each way is thought more likely than it is; of several right ones half goes to the likelier."""
    sure = np.exp(weighed - weighed.max(axis=1, keepdims=True))
    sure /= sure.sum(axis=1, keepdims=True)
    own = sure * right
    wanted = own / (own.sum(axis=1, keepdims=True) + _TINY) + right / right.sum(axis=1, keepdims=True)
    return np.asarray((sure - wanted / 2) / len(sure), dtype=np.float32)
