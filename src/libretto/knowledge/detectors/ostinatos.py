"""What stays while the rest changes: pedals, grounds and ostinatos."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_span
from libretto.knowledge.detectors.chords import struck_chords
from libretto.knowledge.detectors.endings import end_bar, to_the_end
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.textures import sounding
from libretto.knowledge.detectors.voicings import CLASS_COUNTS, FOREIGN_BASSES
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting, SoundingChord
from libretto.score.arrays import Bools, Ints
from libretto.score.time import QUARTER

__all__ = [
    "bass_pedal",
    "ground",
    "ostinato",
    "ostinato_form",
    "pedal",
    "pedal_chords",
    "pedal_point",
    "tonic_pedal_end",
]

_TRIAD = 3


@detectors.register("pedal")
def pedal(
    sight: Sight, where: str = "any", side: str = "low", bars: int = 3, others: int = 4, chords: bool = False
) -> list[Sighting]:
    """One note that sounds through several bars below (or above) all that moves; ``chords`` wants two notes and more
    to move against it together."""
    sightings = []
    for line in sight.chosen(where):
        heard, bar = sounding(sight, line), line.top.bar
        edge, moving = (heard.low, heard.high) if side == "low" else (heard.high, heard.low)
        heights, often = np.unique(edge, return_counts=True)
        for pitch in heights[often >= 2 * bars].tolist():
            mine = (edge == pitch) & (heard.voices >= (3 if chords else 2))
            share, all_of = sight.per_bar(bar, mine), sight.per_bar(bar)
            for place in sight.spans((share >= 0.9 * all_of) & (all_of >= 2), line.voice, least=bars):
                inside = (bar + sight.number(0) >= place.first) & (bar + sight.number(0) <= place.last)
                if len(np.unique(moving[inside] % 12)) >= others and moving[inside].mean() - pitch != 0:
                    sightings.append(place)
    return sightings


def _between(chords: tuple[SoundingChord, ...], first: int, last: int) -> list[SoundingChord]:
    return [chord for chord in chords if first <= chord.bar <= last and chord.supported]


@detectors.register("bass_pedal")
def bass_pedal(
    sight: Sight, where: str = "bass", bars: int = 4, chords: int = 3, foreign: int = 1, strikes: int = 0
) -> list[Sighting]:
    """One bass note (in any octave) kept or struck again for several bars while several chords pass above it, of which
    some do not hold it; with ``strikes`` it sounds at least so often a bar."""
    sightings = []
    for line in sight.chosen(where)[:1]:
        low = line.low
        kinds = np.zeros((sight.bars + 1, 12), dtype=np.bool_)
        kinds[low.bar, low.pitch % 12] = True
        over = np.minimum(np.searchsorted(sight.lines_at, low.onset + low.duration - LOOSE) - 1, sight.bars)
        kinds[over, low.pitch % 12] = True
        single = (kinds.sum(axis=1) == 1)[: sight.bars] & (sight.per_bar(low.bar) >= strikes)
        tone = kinds.argmax(axis=1)[: sight.bars]
        edges = np.concatenate([[0], np.flatnonzero((np.diff(tone) != 0) | (np.diff(single) != 0)) + 1, [sight.bars]])
        for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            if not single[start] or end - start < bars:
                continue
            above = _between(sight.harmony, start, end - 1)
            kinds_above = {(chord.root, chord.is_minor) for chord in above}
            strange = {chord.root for chord in above if (tone[start] - chord.root) % 12 in (1, 2, 5, 8, 9)}
            if len(kinds_above) >= chords and len(strange) >= foreign:
                sightings.append(sight.at(start, end - 1, line.voice))
    return sightings


@detectors.register("pedal_point")
def pedal_point(sight: Sight, *, degree: int = 0, chords: int = 3, final: bool = False) -> list[Sighting]:
    """One bass note under at least ``chords`` different chords, two of which do not have it as root; ``degree`` is its
    place above the tonic (-1 for any), ``final`` wants it at the end of the piece."""
    row, sightings, place = changes(sight, inversions=True), [], 0
    while place < len(row):
        end = place
        while end + 1 < len(row) and row[end + 1].low == row[place].low and row[place].low >= 0:
            end += 1
        part = [change for change in row[place : end + 1] if change.degree >= 0]
        low = row[place].low
        others = {change.root for change in part} - {low % 12}
        right = degree < 0 or (low - int(sight.tonic[row[place].bar])) % 12 == degree
        right = right and (not final or row[end].last == sight.bars - 1)
        if low >= 0 and right and len({change.root for change in part}) >= chords and len(others) >= 2:
            sightings.append(chord_span(sight, row[place], row[end]))
        place = end + 1
    return sightings


@detectors.register("pedal_chords")
def pedal_chords(sight: Sight, changes: int = 3, bars: int = 2) -> list[Sighting]:
    """Several different chords of three tones in a row over one bass note that stays for some bars, at least one of
    them a major or minor triad to which that note is foreign."""
    sightings = []
    for chords in struck_chords(sight):
        upper = chords.own & ~np.where(chords.low == chords.bass, 1 << (chords.bass % 12), 0)
        block = np.cumsum(np.diff(chords.bass, prepend=-1) != 0)
        moved = np.bincount(block[1:], np.diff(upper) != 0, minlength=int(block[-1]) + 1)
        for number in np.flatnonzero(moved >= changes - 1).tolist():
            rows = np.flatnonzero((block == number) & (CLASS_COUNTS[upper] >= _TRIAD))
            if len(rows) < changes or len(np.unique(chords.bar[rows])) < bars:
                continue
            foreign = FOREIGN_BASSES[upper[rows], int(chords.bass[rows[0]]) % 12].any()
            if len(np.unique(upper[rows])) >= changes and foreign:
                first, last = int(chords.bar[rows[0]]), int(chords.bar[rows[-1]])
                sightings.append(sight.at(first, last, chords.voice))
    return sightings


@detectors.register("tonic_pedal_end")
def tonic_pedal_end(sight: Sight, bars: int = 3, chords: int = 2) -> list[Sighting]:
    """The bass keeps to the tonic through the last bars while at least so many other harmonies pass over it."""
    end, bass = end_bar(sight), sight.bass
    if end + 1 < bars or len(sight.lines) < 2:
        return []
    first = end - bars + 1
    low = bass.where((bass.bar <= end) & (bass.onset + bass.duration > sight.lines_at[first]))
    if not len(low) or ((low.pitch - sight.tonic[end]) % 12 != 0).any():
        return []
    span = sight.lines_at[first : end + 2]
    return to_the_end(sight, first) if len(_colors(sight, span, first)) > chords else []


def _colors(sight: Sight, span: Ints, first: int) -> set[frozenset[int]]:
    """The different sets of tones above the tonic that the parts over the bass strike, half-bar by half-bar."""
    colors = set()
    for line in sight.chosen("upper"):
        mine = line.where(line.bar >= first)
        half = mine.bar * 2 + (mine.position * 2 >= sight.bar_length[mine.bar])
        for unit in np.unique(half).tolist():
            tones = np.unique((mine.pitch[half == unit] - sight.tonic[-1]) % 12).tolist()
            if len(tones) >= 3:
                colors.add(frozenset(tones))
    return colors


@detectors.register("ground")
def ground(sight: Sight, where: str = "any", times: int = 4, notes: int = 3, size: int = 1) -> list[Sighting]:
    """A bass figure of ``size`` bars that comes again unchanged while what lies above it changes."""
    sightings = []
    for line in sight.chosen(where):
        heights = np.unique(line.pitch)
        if len(heights) < 4:
            continue
        jumps = np.diff(heights)
        jump = int(np.argmax(jumps))
        if jumps[jump] < 3:
            continue
        deep = line.pitch <= heights[jump]
        if (np.bincount(line.bar[deep], minlength=sight.bars) >= 2).sum() < size * times or deep.all():
            continue
        under, over = _bars(sight, line, deep), _bars(sight, line, ~deep)
        for first in range(0, sight.bars - size * times + 1):
            part = under[first : first + size * times]
            cell = part[:size]
            same = all(part[at : at + size] == cell for at in range(0, len(part), size))
            upper = {tuple(over[first + at : first + at + size]) for at in range(0, len(part), size)}
            if (
                same
                and sum(map(len, cell)) >= notes
                and len({pitch for bar in cell for _, pitch in bar}) >= 2
                and len(upper) > 1
            ):
                sightings.append(sight.at(first, first + size * times - 1, line.voice))
    return sightings


def _bars(sight: Sight, line: VoiceLine, rows: Bools) -> list[tuple[tuple[int, int], ...]]:
    """What some notes of a line play in each bar: place and pitch."""
    part = line.where(rows)
    edges = np.searchsorted(part.bar, np.arange(sight.bars + 1))
    place = (part.position + LOOSE // 2) // LOOSE
    both = list(zip(place.tolist(), part.pitch.tolist(), strict=True))
    return [tuple(both[a:b]) for a, b in pairwise(edges.tolist())]


@detectors.register("ostinato_form")
def ostinato_form(sight: Sight, *, bars: Sequence[int] = (1, 2), times: int = 4, notes: int = 3) -> list[Sighting]:
    """A low figure of at least ``notes`` notes comes back unchanged ``times`` times in a row while what sounds above it
    changes from one time to the next."""
    every = sight.notes
    if not len(every):
        return []
    if len(sight.lines) > 1:
        low, high = sight.bass, sight.melody
    else:
        split = (int(every.pitch.min()) + int(every.pitch.max())) // 2
        low, high = every.where(every.pitch <= split), every.where(every.pitch > split)
    for size in bars:
        units = sight.bars // size
        if units < times:
            continue
        figures, above = _figures(low, sight, size), _figures(high, sight, size)
        for first in range(units - times + 1):
            mine = figures[first : first + times]
            if len(mine[0]) < notes or any(figure != mine[0] for figure in mine):
                continue
            new = len(set(above[first : first + times])) >= times - 1
            if len({pitch for _, pitch in mine[0]}) >= 2 and new:
                return [sight.at(first * size, (first + times) * size - 1, low.voice)]
    return []


def _figures(line: VoiceLine, sight: Sight, size: int) -> list[tuple[tuple[int, int], ...]]:
    """What a line plays in each stretch of bars: ticks from its start, and pitches."""
    starts = np.arange(0, sight.bars - size + 1, size)
    edges = np.searchsorted(line.bar, [*starts.tolist(), int(starts[-1]) + size]).tolist()
    onset = line.onset - sight.lines_at[line.bar // size * size]
    notes = list(zip(onset.tolist(), line.pitch.tolist(), strict=True))
    return [tuple(notes[one:two]) for one, two in pairwise(edges)]


@detectors.register("ostinato")
def ostinato(
    sight: Sight, programs: list[int] | None = None, notes: int = 6, bars: int = 4, chords: int = 2
) -> list[Sighting]:
    """A voice that repeats one rhythm and shape of many notes bar after bar while the chords change."""
    roots = np.full(sight.bars, -1, dtype=np.int64)
    for chord in sight.harmony:
        if chord.supported:
            roots[chord.bar] = chord.root
    sightings = []
    for line in sight.on_programs(programs):
        top = line.top
        place = np.rint(top.position / (QUARTER // 4)).astype(np.int64)
        turn = np.append(np.sign(line.moves), 0)
        turn[np.append(np.diff(top.bar) > 0, True)] = 0
        shape = np.zeros((sight.bars, 64), dtype=np.int64)
        inside = place < 64
        shape[top.bar[inside], place[inside]] = turn[inside] + 2
        alike = np.append((shape[1:] == shape[:-1]).all(axis=1), False)
        moves = np.bincount(top.bar[:-1], (line.moves != 0) & (np.diff(top.bar) == 0), minlength=sight.bars)
        good = (sight.per_bar(top.bar) >= notes) & (moves >= notes // 2)
        linked = good & (alike | np.insert(alike[:-1], 0, False))
        for span in sight.spans(linked, line.voice, least=bars):
            part = roots[span.first - sight.score.first_bar : span.last - sight.score.first_bar + 1]
            if len(np.unique(part[part >= 0])) >= chords:
                sightings.append(span)
    return sightings
