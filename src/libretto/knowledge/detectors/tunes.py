"""The melody compared with itself: where its phrases close, how like two stretches are.

Conventions: a phrase closes on a melody note that is clearly longer than its neighbours until the next one starts, and
on the last note. Likeness of two stretches is the share of melody notes (place in the bar to a sixteenth, and pitch)
that both have; ``idea`` likeness asks for the rhythm and the direction of the moves alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_at, fits, pickup
from libretto.knowledge.line import PITCHES, SIXTEENTH, VoiceLine
from libretto.knowledge.sight import Sight, shared
from libretto.score.table import Floats
from libretto.score.time import QUARTER

__all__ = [
    "ALIKE",
    "UNLIKE",
    "Close",
    "PlacedNote",
    "TuneMark",
    "close_in",
    "closes",
    "closes_on",
    "halves_alike",
    "idea",
    "likeness",
    "marks",
    "part_of",
    "same_rhythm",
    "shared_notes",
    "stretch",
]

_FOREVER = 1 << 40  # ticks: what passes after the last note
_SAME_WAY = 0.75  # of the moves of one idea

ALIKE, UNLIKE = 0.7, 0.4
_LONGER, _BEATS, _DOTTED_BEATS = 1.5, 1.8, 1.3  # than usual; beats, and dotted ones, that close a phrase
_MUCH_LONGER, _LAST_BEATS = 2.9, 1.4  # of the last note of a bar


class Close(NamedTuple):
    """The last note of a phrase: bar from 0, tick, pitch, and its degree above the tonic."""

    bar: int
    onset: int
    pitch: int
    degree: int


@shared
def closes(sight: Sight) -> tuple[Close, ...]:
    """Where phrases of the melody close, in order of time."""
    top = sight.melody.top
    ends: list[Close] = []
    if len(top) > 1:
        gaps = np.append(sight.melody.gaps, _FOREVER)
        usual = float(np.median(gaps[:-1]))
        rests = np.append(sight.melody.rests, 0)
        beats = np.where(top.beat % QUARTER, _DOTTED_BEATS, _BEATS) * top.beat
        long = gaps >= np.maximum(beats, _LONGER * usual)
        breath = (rests >= top.beat / 2) & (gaps > _LONGER * usual)
        last = top.onset + gaps >= sight.lines_at[top.bar + 1]
        last &= gaps >= np.maximum(_LAST_BEATS * top.beat, _MUCH_LONGER * usual)
        for row in np.flatnonzero(long | breath | last).tolist():
            bar, pitch = int(top.bar[row]), int(top.pitch[row])
            ends.append(Close(bar, int(top.onset[row]), pitch, (pitch - int(sight.tonic[bar])) % 12))
    return tuple(ends)


def part_of(sight: Sight, first: int, bars: int) -> VoiceLine:
    """The melody's highest notes within some bars."""
    top = sight.melody.top
    low, high = np.searchsorted(top.bar, (first, first + bars))
    return top.where(np.arange(low, high))


@shared
def likeness(sight: Sight, size: int, pitches: bool = True, after: int = 0) -> Floats:
    """How much every stretch of ``size`` bars has of every other, 0 to 1, from ``after`` bars after the first full."""
    top, lead = sight.melody.top, pickup(sight) + after
    count, unit = (sight.bars - lead) // size, (top.bar - lead) // size
    mine = (unit < count) & (unit >= 0)
    place = (top.onset - sight.lines_at[np.clip(lead + unit * size, 0, sight.bars - 1)] + SIXTEENTH // 2) // SIXTEENTH
    keys = place * PITCHES + (top.pitch if pitches else 0)
    _, column = np.unique(keys[mine], return_inverse=True)
    has = np.zeros((count, int(column.max(initial=-1)) + 1))
    has[unit[mine], column] = 1
    total = has.sum(axis=1)
    return np.asarray(2 * (has @ has.T) / np.maximum(total[:, None] + total[None, :], 1))


class TuneMark(NamedTuple):
    """A note of the melody: its place in sixteenths from the bar's start, and its pitch."""

    place: int
    pitch: int


@shared
def marks(sight: Sight) -> list[list[TuneMark]]:
    """The melody's highest notes bar by bar."""
    top = sight.melody.top
    places = (top.position + SIXTEENTH // 2) // SIXTEENTH
    edges = np.searchsorted(top.bar, np.arange(sight.bars + 1)).tolist()
    notes = list(map(TuneMark, places.tolist(), top.pitch.tolist()))
    return [notes[one:two] for one, two in pairwise(edges)]


class PlacedNote(NamedTuple):
    """A note of a stretch of the melody: which bar of it, the place there in sixteenths, and the pitch."""

    bar: int
    place: int
    pitch: int


def stretch(sight: Sight, first: int, bars: int) -> list[PlacedNote]:
    """The melody's highest notes within some bars."""
    part = marks(sight)[first : first + bars]
    return [PlacedNote(number, *note) for number, notes in enumerate(part) for note in notes]


def same_rhythm(one: Sequence[PlacedNote], other: Sequence[PlacedNote]) -> bool:
    """Whether two stretches have their notes in the same places."""
    return [note[:2] for note in one] == [note[:2] for note in other]


def shared_notes(sight: Sight, one: int, two: int, bars: int) -> float:
    """The share of melody notes that two stretches of bars have in common, 0 to 1."""
    first, second = set(stretch(sight, one, bars)), set(stretch(sight, two, bars))
    return 2 * len(first & second) / max(1, len(first) + len(second))


def idea(sight: Sight, one: int, two: int, bars: int = 1) -> bool:
    """Whether two stretches have one rhythm of at least three notes and moves that mostly go the same way."""
    here, there = stretch(sight, one, bars), stretch(sight, two, bars)
    if len(here) < 3 or not same_rhythm(here, there):
        return False
    lines = [[note.pitch for note in notes] for notes in (here, there)]
    moves = list(zip(*([b - a for a, b in pairwise(line)] for line in lines), strict=True))
    ways = sum((a > 0) - (a < 0) == (b > 0) - (b < 0) for a, b in moves)
    near = sum(abs(a - b) <= 2 for a, b in moves)
    return any(a for a, _ in moves) and min(ways, near) >= _SAME_WAY * len(moves)


def close_in(sight: Sight, first: int, last: int) -> Close | None:
    """The last close within bars, given that it stands in the last of them (or the last but one)."""
    last_in = _last_closes(sight)
    return last_in.get(last) or (last_in.get(last - 1) if first < last else None)


@shared
def _last_closes(sight: Sight) -> dict[int, Close]:
    """The last close of each bar that has one."""
    return {close.bar: close for close in closes(sight)}


def closes_on(sight: Sight, close: Close, text: str) -> bool:
    """Whether one of those chords holds under a close."""
    row, number = changes(sight), chord_at(sight, close.onset)
    return number >= 0 and fits(row[number], text)


def halves_alike(sight: Sight, first: int, size: int) -> bool:
    """Whether the stretch states a piece of half its length twice in one rhythm."""
    half = int(sight.lines_at[first + size] - sight.lines_at[first]) // (2 * SIXTEENTH)
    bar = int(sight.bar_length[first]) // SIXTEENTH
    places = [number * bar + place for number, place, _ in stretch(sight, first, size)]
    one, two = [place for place in places if place < half], [place - half for place in places if place >= half]
    return len(one) >= 2 and one == two
