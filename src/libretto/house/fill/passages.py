"""Which bars of a song a gap takes up: for every bar of the gap, how likely each other bar is what was there.

A bar at some distance is the likelier the more the bars around the gap are like those around it: near the beginning of
the gap what precedes tells more, near its end what follows. ``passages.json`` has by how much, learnt from real songs:
for all voices together, and for one voice, which may go another way than the others. What is taken up is then not the
likeliest bar but the one most like all that are likely, and of all ways through the song the best one that jumps
seldom.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from libretto.house.fill.alike import Alike
from libretto.score.table import Bools, Floats, Ints

__all__ = ["Likely", "Weights", "clues", "likely", "surroundings", "way_through", "ways_apart", "weights"]

_WIDTHS = (1, 2, 4, 8, 16)  # bars on either side that are compared
_UNKNOWN = 0.5  # how alike bars are taken to be where nothing tells
_DOUBT = 0.9  # of the usual likeness, where one distance has nothing to compare
_TELLING = 4  # bars; where fewer can be compared, they do not tell all
_FAR = 64.0  # bars
_PERIODS = (2, 4, 8)  # bars: what keeps its place in the phrase
_SHARP = 0.035  # how much less likely a bar has to be to count clearly less
_LOWEST = -1e9  # how good it is to take up what cannot be


class Weights(NamedTuple):
    """What clues tell: of all voices together, and of one voice."""

    whole: Floats
    voice: Floats


@cache
def weights() -> Weights:
    """What the package has learnt from real songs."""
    data = json.loads(files("libretto.house.fill").joinpath("passages.json").read_text(encoding="utf-8"))
    return Weights(np.array(data["whole"]), np.array(data["voice"]))


def surroundings(table: Floats, gap: tuple[int, int], shifts: Ints) -> Floats:
    """How alike the bars before a gap, and those after it, are to those as far from each distance.

    Rows are widths before and then after, and then for how long the song has gone the same way and goes on so; columns
    are distances. ``gap`` are rows of the table, both ends included.
    """
    bars = len(table)
    made = np.full((2 * len(_WIDTHS), len(shifts)), np.nan)
    same = []
    for side, (edge, step) in enumerate(((gap[0], -1), (gap[1], 1))):
        seen = np.full((_WIDTHS[-1], len(shifts)), np.nan)
        for away in range(_WIDTHS[-1]):
            here = edge + step * (away + 1)
            there = here + shifts
            known = (there >= 0) & (there < bars) & ((there < gap[0]) | (there > gap[1]))
            if 0 <= here < bars:
                seen[away, known] = table[here, there[known]]
        counted = ~np.isnan(seen)
        followed = np.cumprod(np.where(counted, seen, 1.0), axis=0)
        told = np.maximum(counted.sum(axis=0), _TELLING)
        same.append(np.where(counted, followed, 0.0).sum(axis=0) / told)
        total, number = np.cumsum(np.where(counted, seen, 0.0), axis=0), np.cumsum(counted, axis=0)
        for row, width in enumerate(_WIDTHS):
            some = number[width - 1] > 0
            made[side * len(_WIDTHS) + row, some] = total[width - 1, some] / number[width - 1, some]
    known = ~np.isnan(made)
    usual = np.where(known, made, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    usual = np.where(known.any(axis=1), usual, _UNKNOWN)
    return np.concatenate([np.where(known, made, _DOUBT * usual[:, None]), same])


def clues(around: Floats, shifts: Ints, index: int, length: int, more: Floats | None = None) -> Floats:
    """What speaks for each distance at one bar of a gap of that length: distances by clues.

    The nearer the beginning the more what precedes tells, the nearer the end the more what follows.
    """
    late = index / (length - 1) if length > 1 else 0.5
    early = 1.0 - late
    before, after, same = around[: len(_WIDTHS)], around[len(_WIDTHS) : -2], around[-2:]
    rows = [
        *before, *after, *(before * early), *(after * late), before[1] * after[1], np.minimum(before[1], after[1]),
        before[3] * after[3], *same, same[0] * early, same[1] * late, np.sqrt(same[0] * same[1]),
        *((shifts % period == 0).astype(np.float64) for period in _PERIODS), -np.abs(shifts) / _FAR,
    ]  # fmt: skip
    return np.array([*rows, *(more if more is not None else ())]).T


class Likely(NamedTuple):
    """For every bar of a gap (rows) how good it is to take up each other bar (columns); nan where it cannot be."""

    whole: Floats
    voices: tuple[Floats, ...]


def likely(bars: Alike, gap: tuple[int, int], usable: Bools, voices: Sequence[int], given: Floats | None) -> Likely:
    """How good every usable bar is for every bar of the gap (rows of the tables), on the whole and for some voices.

    ``given`` is added to what speaks for a bar: what is known of the gap itself.
    """
    learnt = weights()
    count, length = len(bars.whole), gap[1] - gap[0] + 1
    shifts = np.arange(-gap[1], count - gap[0])
    around = surroundings(bars.whole, gap, shifts)

    def expected(table: Floats, own: Floats, weigh: Floats, more: Floats | None = None) -> Floats:
        made = np.full((length, count), np.nan)
        for index in range(length):
            there = gap[0] + index + shifts
            inside = (there >= 0) & (there < count)
            inside[inside] &= usable[there[inside]]
            columns = there[inside]
            if not len(columns):
                continue
            spoken = clues(own, shifts, index, length, more)[inside] @ weigh
            spoken = spoken + given[index, columns] if given is not None else spoken
            share = np.exp((spoken - spoken.max()) / _SHARP)
            made[index, columns] = table[np.ix_(columns, columns)] @ (share / share.sum())
        return made

    whole = expected(bars.whole, around, learnt.whole)
    return Likely(
        whole,
        tuple(
            expected(bars.voices[voice], surroundings(bars.voices[voice], gap, shifts), learnt.voice, around)
            for voice in voices
        ),
    )


def way_through(good: Floats, jump: float, phrase: int = 1) -> list[int]:
    """The bars (columns), one a row, that are best together; what does not go on from the bar before costs a jump, and
    is where a phrase of so many bars begins."""
    good = np.where(np.isnan(good), _LOWEST, good)
    best, back = good[0], []
    for number, row in enumerate(good[1:], start=1):
        going_on = np.concatenate([[2 * _LOWEST], best[:-1]])
        top = int(np.argmax(best))
        elsewhere = best[top] - (jump if number % phrase == 0 else -_LOWEST)
        goes = going_on >= elsewhere
        back.append(np.where(goes, np.arange(len(row)) - 1, top))
        best = np.where(goes, going_on, elsewhere) + row
    at = int(np.argmax(best))
    way = [at]
    for step in reversed(back):
        at = int(step[at])
        way.append(at)
    return way[::-1]


def ways_apart(good: Floats, phrase: int) -> list[int]:
    """The bars (columns), one a row, where every phrase of so many bars is taken up whole and none goes on from the one
    before."""
    good = np.where(np.isnan(good), _LOWEST, good)
    way: list[int] = []
    for begin in range(0, len(good), phrase):
        rows = good[begin : begin + phrase]
        starts = good.shape[1] - len(rows) + 1
        worth = np.sum([row[index : index + starts] for index, row in enumerate(rows)], axis=0)
        if way and way[-1] + 1 < starts:
            worth[way[-1] + 1] += _LOWEST
        start = int(np.argmax(worth))
        way += range(start, start + len(rows))
    return way
