"""Phrases: how long they are, how they answer one another, how they breathe and end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_at, fits, pickup
from libretto.knowledge.detectors.contour import phrases
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.rhythm_cells import lengths, parts
from libretto.knowledge.detectors.tunes import (
    ALIKE,
    UNLIKE,
    close_in,
    closes,
    closes_on,
    halves_alike,
    idea,
    part_of,
    shared_notes,
)
from libretto.knowledge.line import FIFTH, LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Ints
from libretto.score.time import QUARTER

__all__ = [
    "breathing",
    "period",
    "phrase_elision",
    "phrase_endings",
    "phrase_ends",
    "phrase_growth",
    "phrase_lengths",
    "rest_phrases",
    "same_notes",
    "sentence",
    "twist",
]

_BREATHS = (0.7, 5)  # bars of a phrase that one can sing
_MOSTLY = 0.75  # of the phrases
_LONG = 1.5 * QUARTER  # the least length of a held last note


@detectors.register("period")
def period(
    sight: Sight, *, parallel: bool = True, bars: Sequence[int] = (4, 2, 8), double: bool = False, by_bar: bool = False
) -> list[Sighting]:
    """A phrase that closes open (not on the tonic, over the dominant) and an equal one that closes on the tonic: the
    second begins like the first (``parallel``) or not; ``double`` wants four phrases, of which the last closes.

    With ``by_bar`` the phrases may begin in any bar and begin alike for one; the last note and chord of a bar close.
    """
    if by_bar:
        return [place for half in bars for place in _bar_periods(sight, half)]
    count = 4 if double else 2
    return [
        sight.at(first, first + count * size - 1)
        for size in bars
        for first in range(pickup(sight), sight.bars - count * size + 1, size)
        if _is_period(sight, first, size, count, parallel)
    ]


def _is_period(sight: Sight, first: int, size: int, count: int, parallel: bool) -> bool:
    """Whether so many phrases of one size make a period."""
    edges = range(first, first + count * size, size)
    ends = [close for edge in edges if (close := close_in(sight, edge, edge + size - 1)) is not None]
    if len(ends) < count or any(close.degree == 0 for close in ends[:-1]) or ends[-1].degree != 0:
        return False
    if not closes_on(sight, ends[count // 2 - 1], "V|V/V") or not closes_on(sight, ends[-1], "I|i"):
        return False
    head = shared_notes(sight, first, first + count * size // 2, max(1, size // 2))
    return head >= ALIKE if parallel else head <= UNLIKE and not idea(sight, first, first + size)


def _bar_periods(sight: Sight, half: int) -> list[Sighting]:
    """Periods of two halves whose first bars are alike and whose last bars close over dominant and tonic."""
    top, sightings = sight.melody.top, []
    edges = np.searchsorted(top.bar, np.arange(sight.bars + 1))
    last = {chord.bar: chord.degree for chord in sight.supported}
    for bar in range(sight.bars - 2 * half + 1):
        middle, end = bar + half, bar + 2 * half - 1
        ends = middle - 1, end
        if any(edges[close] == edges[close + 1] for close in ends) or [last.get(close) for close in ends] != [FIFTH, 0]:
            continue
        one, other = (top.pitch[edges[start] : edges[start + 1]].tolist() for start in (bar, middle))
        sung = [int(top.pitch[edges[close + 1] - 1] - sight.tonic[close]) % 12 for close in ends]
        if one == other and len(one) >= 2 and sung[0] != 0 and sung[1] == 0:
            sightings.append(sight.at(bar, end, sight.melody.voice))
    return sightings


@detectors.register("sentence")
def sentence(sight: Sight, *, bars: Sequence[int] = (2, 1)) -> list[Sighting]:
    """An idea, the idea again (at another pitch or changed), then as long again in shorter pieces and a close: the
    continuation repeats a piece of half the idea's length."""
    sightings = []
    for size in bars:
        for first in range(pickup(sight), sight.bars - 4 * size + 1, size):
            if close_in(sight, first + 3 * size, first + 4 * size - 1) is None:
                continue
            again = idea(sight, first, first + size, size) or shared_notes(sight, first, first + size, size) >= ALIKE
            if (
                not again
                or idea(sight, first, first + 2 * size, size)
                or not halves_alike(sight, first + 2 * size, size)
            ):
                continue
            close = close_in(sight, first + 3 * size, first + 4 * size - 1)
            inner = [other for other in closes(sight) if first + 2 * size <= other.bar < first + 3 * size]
            if close is not None and not inner and closes_on(sight, close, "I|i|V"):
                sightings.append(sight.at(first, first + 4 * size - 1))
    return sightings


@detectors.register("phrase_lengths")
def phrase_lengths(sight: Sight, *, lengths: Sequence[int], parallel: bool = False) -> list[Sighting]:
    """Phrases of these lengths in bars, one after the other, each closing in its last bar; ``parallel`` wants the last
    to begin like the first."""
    ends, sightings = sorted({close.bar for close in closes(sight)}), []
    for start in [pickup(sight), *(bar + 1 for bar in ends)]:
        edges = np.cumsum([start, *lengths])
        inside = [bar for bar in ends if start <= bar < edges[-1]]
        right = inside == [int(edge) - 1 for edge in edges[1:]]
        if right and (not parallel or shared_notes(sight, start, int(edges[-2]), 2) >= ALIKE):
            sightings.append(sight.at(start, int(edges[-1]) - 1))
    return sightings


@detectors.register("phrase_elision")
def phrase_elision(sight: Sight, *, bars: Sequence[int] = (4, 3, 8)) -> list[Sighting]:
    """A dominant resolves to the tonic on the very downbeat where the opening idea starts again, with no breath."""
    row, sightings = changes(sight), []
    for size in bars:
        lead = pickup(sight)
        again = lead + size
        if again + 1 >= sight.bars or shared_notes(sight, lead, again, 1) < ALIKE:
            continue
        number = chord_at(sight, int(sight.lines_at[again]))
        breath = any(close.bar in (again - 1, again) for close in closes(sight))
        if number > 0 and fits(row[number], "I|i") and fits(row[number - 1], "V") and not breath:
            part = part_of(sight, again, 1)
            if len(part) and part.position[0] == 0 and (part.pitch[0] - sight.tonic[again]) % 12 == 0:
                sightings.append(sight.at(again - 1, again))
    return sightings


@detectors.register("breathing")
def breathing(
    sight: Sight,
    where: str = "melody",
    times: int = 3,
    least_notes: int = 4,
    most_notes: int = 16,
    rest: float = 0.0,
) -> list[Sighting]:
    """Phrases that are parted by silence: several in a row of a length that one could sing.

    With ``rest`` nearly all phrases of the line are, parted by rests of so many quarters after longer notes.
    """
    if rest:
        return [
            sight.rows(line, 0, len(line) - 1) for line in parts(sight, where) if _breathes(sight, line, times, rest)
        ]
    sightings = []
    for line in sight.chosen(where):
        sung = phrases(sight, line)
        good = [
            least_notes <= phrase.size <= most_notes
            and (phrase.end == len(line.starts) or line.rests[phrase.end - 1] * 2 >= QUARTER)
            for phrase in sung
        ]
        for place in range(len(sung) - times + 1):
            if all(good[place : place + times]):
                sightings.append(sight.rows(line.top, sung[place].first, sung[place + times - 1].end - 1))
    return sightings


def _breathes(sight: Sight, line: VoiceLine, times: int, rest: float) -> bool:
    """Whether rests after longer notes part most of a line into phrases of some bars, several of them."""
    silent = np.maximum(lengths(line) - line.duration, 0)
    longer = line.duration >= np.median(line.duration)
    ends = np.flatnonzero((silent >= rest * QUARTER) & longer)
    ends = np.unique(np.append(ends, len(line) - 1))
    begins = np.append(0, ends[:-1] + 1)
    size = (line.end[ends] - line.onset[begins]) / np.median(sight.bar_length)
    good = (size >= _BREATHS[0]) & (size <= _BREATHS[1]) & (ends - begins >= 3)
    return bool(len(good) >= times and good.mean() >= _MOSTLY)


@detectors.register("phrase_endings")
def phrase_endings(
    sight: Sight,
    where: str = "melody",
    first: tuple[int, ...] = (2, 7, 11),
    second: tuple[int, ...] = (0,),
    notes: int = 4,
) -> list[Sighting]:
    """Two phrases that begin alike in rhythm: one ends on a degree of ``first``, the next on one of ``second``."""
    sightings = []
    for line in sight.chosen(where):
        top, parts = line.top, phrases(sight, line)
        degree = (top.pitch - sight.tonic[top.bar]) % 12
        for (a, b), (c, d) in pairwise(parts):
            if min(b - a, d - c) < notes or degree[b - 1] not in first or degree[d - 1] not in second:
                continue
            alike = np.abs(line.gaps[a : a + 2] - line.gaps[c : c + 2]).max() <= LOOSE
            balanced = 0.5 <= (top.onset[d - 1] - top.onset[c]) / max(1, top.onset[b - 1] - top.onset[a]) <= 2
            if alike and balanced and top.duration[d - 1] >= np.median(top.duration):
                sightings.append(sight.rows(line.top, a, d - 1))
    return sightings


def rest_phrases(line: VoiceLine, beats: float = 1.0) -> tuple[Ints, Ints]:
    """The first and the last onset of each phrase: phrases are parted by rests of so many beats."""
    if not len(line):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    cut = line.rests >= beats * line.top.beat[1:] - LOOSE
    return np.flatnonzero(np.insert(cut, 0, True)), np.flatnonzero(np.append(cut, True))


@detectors.register("phrase_ends")
def phrase_ends(sight: Sight, longer: float = 2.5, ratio: float = 0.6, phrases_: int = 2) -> list[Sighting]:
    """Phrases of the tune whose last note is held much longer than the notes before it."""
    line, top = sight.melody, sight.melody.top
    first, last = rest_phrases(line)
    real = last - first >= 3
    first, last = first[real], last[real]
    good = np.zeros(len(first), dtype=np.bool_)
    for place, (start, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        usual = float(np.median(top.duration[start:end]))
        good[place] = top.duration[end] >= max(longer * usual, _LONG)
    if good.sum() < phrases_ or good.mean() < ratio:
        return []
    return sight.spans(top.bar[last[good]], line.voice)


def same_notes(line: VoiceLine, a: int, b: int, notes: int, transposed: Ints | None = None) -> bool:
    """Whether ``notes`` notes from row ``a`` and from row ``b`` are alike in rhythm and pitch (or shape)."""
    pitch = line.top.pitch if transposed is None else transposed
    one, two = pitch[a : a + notes], pitch[b : b + notes]
    rhythm = np.abs(line.gaps[a : a + notes - 1] - line.gaps[b : b + notes - 1])
    level = int(one[0] - two[0]) if transposed is not None else 0
    return len(one) == len(two) and bool((one - two == level).all() and (rhythm <= LOOSE).all())


@detectors.register("phrase_growth")
def phrase_growth(
    sight: Sight, where: str = "melody", how: str = "extension", notes: int = 4, more: int = 3, within: int = 2
) -> list[Sighting]:
    """A phrase that comes back longer: notes are added at its end (``extension``) or inside it (``interpolation``)."""
    sightings = []
    for line in sight.chosen(where):
        parts, pitch = phrases(sight, line), line.top.pitch
        for number, (a, b) in enumerate(parts):
            size = b - a
            if size < notes or len(np.unique(pitch[a:b])) < 3:
                continue
            for c, d in parts[number + 1 : number + 1 + within]:
                if d - c < size + more:
                    continue
                whole = same_notes(line, a, c, size)
                inside = any(
                    same_notes(line, a, c, head) and np.array_equal(pitch[a + head : b], pitch[d - (size - head) : d])
                    for head in range(3, size - 1)
                )
                if whole if how == "extension" else inside and not whole:
                    sightings.append(sight.rows(line.top, a, d - 1))
    return sightings


@detectors.register("twist")
def twist(sight: Sight, where: str = "melody", notes: int = 4) -> list[Sighting]:
    """A phrase heard twice alike and a third time with the same beginning and another end."""
    sightings = []
    for line in sight.chosen(where):
        parts = phrases(sight, line)
        for (a, b), (c, d), (e, f) in zip(parts, parts[1:], parts[2:], strict=False):
            size, head = b - a, max(3, (b - a) // 2)
            if size < notes or d - c != size or f - e < head + 1 or not same_notes(line, a, c, size):
                continue
            if same_notes(line, a, e, head) and not (f - e == size and same_notes(line, a, e, size)):
                sightings.append(sight.rows(line.top, a, f - 1))
    return sightings
