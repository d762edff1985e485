"""Phrases: where a melody breathes, how long its phrases are, and how they answer one another.

Conventions: a phrase closes on a melody note that is clearly longer than its neighbours until the next one starts, and
on the last note. Likeness of two stretches is the share of melody notes (place in the bar to a sixteenth, and pitch)
that both have; ``idea`` likeness asks for the rhythm and the direction of the moves alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.knowledge.detectors.changes import changes, chord_at, fits, pickup
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import Line
from libretto.knowledge.sight import Sight, Sighting
from libretto.score import QUARTER

__all__ = [
    "Close",
    "closes",
    "idea",
    "likeness",
    "marks",
    "motive",
    "part_of",
    "period",
    "phrase_elision",
    "phrase_lengths",
    "question_answer",
    "sentence",
    "sequence_run",
    "shared",
    "stretch",
]

_LONGER, _BEATS, _DOTTED_BEATS, _SIXTEENTH = 1.5, 1.8, 1.3, QUARTER // 4
_MUCH_LONGER, _LAST_BEATS = 2.9, 1.4  # of the last note of a bar
_ALIKE, _UNLIKE = 0.7, 0.4


class Close(NamedTuple):
    """The last note of a phrase: bar from 0, tick, pitch, and its degree above the tonic."""

    bar: int
    onset: int
    pitch: int
    degree: int


def closes(sight: Sight) -> tuple[Close, ...]:
    """Where phrases of the melody close, in order of time."""
    if "closes" not in sight.cache:
        top = sight.melody.top
        found: list[Close] = []
        if len(top) > 1:
            gaps = np.append(sight.melody.gaps, 1 << 40)
            usual = float(np.median(gaps[:-1]))
            rests = np.append(sight.melody.rests, 0)
            beats = np.where(top.beat % QUARTER, _DOTTED_BEATS, _BEATS) * top.beat
            long = gaps >= np.maximum(beats, _LONGER * usual)
            breath = (rests >= top.beat / 2) & (gaps > _LONGER * usual)
            last = top.onset + gaps >= sight.lines_at[top.bar + 1]
            last &= gaps >= np.maximum(_LAST_BEATS * top.beat, _MUCH_LONGER * usual)
            for row in np.flatnonzero(long | breath | last).tolist():
                bar, pitch = int(top.bar[row]), int(top.pitch[row])
                found.append(Close(bar, int(top.onset[row]), pitch, (pitch - int(sight.tonic[bar])) % 12))
        sight.cache["closes"] = tuple(found)
    known: tuple[Close, ...] = sight.cache["closes"]
    return known


def part_of(sight: Sight, first: int, bars: int) -> Line:
    """The melody's highest notes within some bars."""
    top = sight.melody.top
    low, high = np.searchsorted(top.bar, (first, first + bars))
    return top.where(np.arange(low, high))


def likeness(sight: Sight, size: int, pitches: bool = True, after: int = 0) -> NDArray[np.float64]:
    """How much every stretch of ``size`` bars has of every other, 0 to 1, from ``after`` bars after the first full."""
    known = ("likeness", size, pitches, after)
    if known not in sight.cache:
        top, lead = sight.melody.top, pickup(sight) + after
        count, unit = (sight.bars - lead) // size, (top.bar - lead) // size
        mine = (unit < count) & (unit >= 0)
        place = (
            top.onset - sight.lines_at[np.clip(lead + unit * size, 0, sight.bars - 1)] + _SIXTEENTH // 2
        ) // _SIXTEENTH
        keys = place * 128 + (top.pitch if pitches else 0)
        _, column = np.unique(keys[mine], return_inverse=True)
        has = np.zeros((count, int(column.max(initial=-1)) + 1))
        has[unit[mine], column] = 1
        total = has.sum(axis=1)
        sight.cache[known] = 2 * (has @ has.T) / np.maximum(total[:, None] + total[None, :], 1)
    found: NDArray[np.float64] = sight.cache[known]
    return found


def marks(sight: Sight) -> list[list[tuple[int, int]]]:
    """The melody's highest notes bar by bar: place in sixteenths from the bar's start, and pitch."""
    if "marks" not in sight.cache:
        top = sight.melody.top
        places = (top.position + _SIXTEENTH // 2) // _SIXTEENTH
        edges = np.searchsorted(top.bar, np.arange(sight.bars + 1)).tolist()
        notes = list(zip(places.tolist(), top.pitch.tolist(), strict=True))
        sight.cache["marks"] = [notes[one:two] for one, two in pairwise(edges)]
    found: list[list[tuple[int, int]]] = sight.cache["marks"]
    return found


def stretch(sight: Sight, first: int, bars: int) -> list[tuple[int, int, int]]:
    """The melody's highest notes within some bars: which bar of them, place in sixteenths, pitch."""
    part = marks(sight)[first : first + bars]
    return [(number, place, pitch) for number, notes in enumerate(part) for place, pitch in notes]


def shared(sight: Sight, one: int, two: int, bars: int) -> float:
    """The share of melody notes that two stretches of bars have in common, 0 to 1."""
    first, second = set(stretch(sight, one, bars)), set(stretch(sight, two, bars))
    return 2 * len(first & second) / max(1, len(first) + len(second))


def idea(sight: Sight, one: int, two: int, bars: int = 1) -> bool:
    """Whether two stretches have one rhythm of at least three notes and moves that mostly go the same way."""
    here, there = stretch(sight, one, bars), stretch(sight, two, bars)
    if len(here) < 3 or [note[:2] for note in here] != [note[:2] for note in there]:
        return False
    lines = [[note[2] for note in notes] for notes in (here, there)]
    moves = list(zip(*([b - a for a, b in pairwise(line)] for line in lines), strict=True))
    ways = sum((a > 0) - (a < 0) == (b > 0) - (b < 0) for a, b in moves)
    near = sum(abs(a - b) <= 2 for a, b in moves)
    return any(a for a, _ in moves) and min(ways, near) >= 0.75 * len(moves)


def _whole(sight: Sight, first: int, last: int, voice: str = "") -> Sighting:
    return Sighting(sight.number(first), sight.number(last), voice)


def _close_in(sight: Sight, first: int, last: int) -> Close | None:
    """The last close within bars, given that it stands in the last of them (or the last but one)."""
    if "last closes" not in sight.cache:
        sight.cache["last closes"] = {each.bar: each for each in closes(sight)}
    known: dict[int, Close] = sight.cache["last closes"]
    return known.get(last) or (known.get(last - 1) if first < last else None)


def _on(sight: Sight, close: Close, text: str) -> bool:
    row, number = changes(sight), chord_at(sight, close.onset)
    return number >= 0 and fits(row[number], text)


@detectors.register("period")
def period(
    sight: Sight, *, parallel: bool = True, bars: Sequence[int] = (4, 2, 8), double: bool = False
) -> list[Sighting]:
    """A phrase that closes open (not on the tonic, over the dominant) and an equal one that closes on the tonic: the
    second begins like the first (``parallel``) or not; ``double`` wants four phrases, of which the last closes."""
    found = []
    for size in bars:
        count = 4 if double else 2
        for first in range(pickup(sight), sight.bars - count * size + 1, size):
            ends = [_close_in(sight, first + k * size, first + (k + 1) * size - 1) for k in range(count)]
            if any(each is None for each in ends):
                continue
            last, middle = ends[-1], ends[count // 2 - 1]
            assert last is not None  # none of them is
            assert middle is not None
            open_ = middle.degree != 0 and _on(sight, middle, "V|V/V")
            early = all(each is not None and each.degree != 0 for each in ends[:-1])
            shut = last.degree == 0 and _on(sight, last, "I|i")
            head = shared(sight, first, first + count * size // 2, max(1, size // 2))
            fit = head >= _ALIKE if parallel else head <= _UNLIKE and not idea(sight, first, first + size)
            if open_ and early and shut and fit:
                found.append(_whole(sight, first, first + count * size - 1))
    return found


@detectors.register("sentence")
def sentence(sight: Sight, *, bars: Sequence[int] = (2, 1)) -> list[Sighting]:
    """An idea, the idea again (at another pitch or changed), then as long again in shorter pieces and a close: the
    continuation repeats a piece of half the idea's length."""
    found = []
    for size in bars:
        for first in range(pickup(sight), sight.bars - 4 * size + 1, size):
            if _close_in(sight, first + 3 * size, first + 4 * size - 1) is None:
                continue
            again = idea(sight, first, first + size, size) or shared(sight, first, first + size, size) >= _ALIKE
            if not again or idea(sight, first, first + 2 * size, size) or not _shorter(sight, first + 2 * size, size):
                continue
            close = _close_in(sight, first + 3 * size, first + 4 * size - 1)
            inner = [each for each in closes(sight) if first + 2 * size <= each.bar < first + 3 * size]
            if close is not None and not inner and _on(sight, close, "I|i|V"):
                found.append(_whole(sight, first, first + 4 * size - 1))
    return found


def _shorter(sight: Sight, first: int, size: int) -> bool:
    """Whether the stretch states a piece of half its length twice in one rhythm."""
    half = int(sight.lines_at[first + size] - sight.lines_at[first]) // (2 * _SIXTEENTH)
    bar = int(sight.bar_length[first]) // _SIXTEENTH
    places = [number * bar + place for number, place, _ in stretch(sight, first, size)]
    one, two = [place for place in places if place < half], [place - half for place in places if place >= half]
    return len(one) >= 2 and one == two


@detectors.register("question_answer")
def question_answer(sight: Sight, *, bars: int = 2) -> list[Sighting]:
    """Two phrases of ``bars`` bars in nearly the same rhythm, each closing on a longer note: the first away from the
    tonic, the second on it."""
    same, found = likeness(sight, bars, pitches=False), []
    for unit in range(len(same) - 1):
        first = pickup(sight) + unit * bars
        here = _close_in(sight, first + bars - 1, first + bars - 1)
        there = _close_in(sight, first + 2 * bars - 1, first + 2 * bars - 1)
        if here is None or there is None or same[unit, unit + 1] < _ALIKE:
            continue
        if here.degree in (2, 7, 11, 5) and there.degree == 0 and _on(sight, there, "I|i"):
            found.append(_whole(sight, first, first + 2 * bars - 1, sight.melody.voice))
    return found


@detectors.register("phrase_lengths")
def phrase_lengths(sight: Sight, *, lengths: Sequence[int], parallel: bool = False) -> list[Sighting]:
    """Phrases of these lengths in bars, one after the other, each closing in its last bar; ``parallel`` wants the last
    to begin like the first."""
    ends, found = sorted({close.bar for close in closes(sight)}), []
    for start in [pickup(sight), *(bar + 1 for bar in ends)]:
        edges = np.cumsum([start, *lengths])
        inside = [bar for bar in ends if start <= bar < edges[-1]]
        right = inside == [int(edge) - 1 for edge in edges[1:]]
        if right and (not parallel or shared(sight, start, int(edges[-2]), 2) >= _ALIKE):
            found.append(_whole(sight, start, int(edges[-1]) - 1))
    return found


@detectors.register("phrase_elision")
def phrase_elision(sight: Sight, *, bars: Sequence[int] = (4, 3, 8)) -> list[Sighting]:
    """A dominant resolves to the tonic on the very downbeat where the opening idea starts again, with no breath."""
    row, found = changes(sight), []
    for size in bars:
        lead = pickup(sight)
        again = lead + size
        if again + 1 >= sight.bars or shared(sight, lead, again, 1) < _ALIKE:
            continue
        number = chord_at(sight, int(sight.lines_at[again]))
        breath = any(close.bar in (again - 1, again) for close in closes(sight))
        if number > 0 and fits(row[number], "I|i") and fits(row[number - 1], "V") and not breath:
            part = part_of(sight, again, 1)
            if len(part) and part.position[0] == 0 and (part.pitch[0] - sight.tonic[again]) % 12 == 0:
                found.append(_whole(sight, again - 1, again))
    return found


@detectors.register("motive")
def motive(sight: Sight, *, times: int = 3, within: int = 4) -> list[Sighting]:
    """A one-bar idea of at least three notes comes ``times`` within so many bars, not always at one pitch, and the
    phrase closes on a longer note."""
    found = []
    for first in range(pickup(sight), sight.bars - within + 1, within):
        again = [bar for bar in range(first + 1, first + within) if idea(sight, first, bar)]
        moved = any(shared(sight, first, bar, 1) < _UNLIKE for bar in again)
        if len(again) + 1 >= times and moved and _close_in(sight, first + within - 1, first + within - 1):
            found.append(_whole(sight, first, first + within - 1, sight.melody.voice))
    return found


@detectors.register("sequence_run")
def sequence_run(sight: Sight, *, times: int = 3, bars: Sequence[int] = (1, 2), broken: bool = False) -> list[Sighting]:
    """A model stated ``times`` or more, each higher (or each lower) than the one before; ``broken`` wants a shorter
    piece of it repeated straight afterwards."""
    found = []
    for size in bars:
        first = 0
        while first + times * size <= sight.bars:
            run = _run(sight, first, size)
            after = first + run * size
            rest = not broken or (after < sight.bars and _shorter(sight, after, 1))
            if run >= times and rest:
                found.append(_whole(sight, first, after - 1, sight.melody.voice))
            first = after if run >= times else first + 1
    return found


def _run(sight: Sight, first: int, size: int) -> int:
    """How many statements of one idea follow each other by steps of one direction and at most a fifth."""
    count, way = 1, 0
    while first + (count + 1) * size <= sight.bars and idea(sight, first, first + count * size, size):
        one, two = stretch(sight, first + (count - 1) * size, size), stretch(sight, first + count * size, size)
        step = two[0][2] - one[0][2]
        if not step or abs(step) > 7 or way * step < 0:
            break
        way, count = 1 if step > 0 else -1, count + 1
    return count
