"""What stays while the rest changes: pedals and grounds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_span
from libretto.knowledge.detectors.chords import struck_chords
from libretto.knowledge.detectors.endings import end_bar, to_the_end
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.detectors.textures import sounding
from libretto.knowledge.detectors.voicings import CLASS_COUNTS, FOREIGN_BASSES
from libretto.knowledge.line import LOOSE, VoiceLine
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools

__all__ = [
    "ground",
    "pedal",
]


_TRIAD = 3  # tones
_WIDE = 3  # semitones: the least gap that parts a bass from what lies above
_ALWAYS = 0.9  # of the onsets
_STRANGE = (1, 2, 5, 8, 9)  # above a root: what a triad on it does not hold, sevenths apart


class _Pedal(NamedTuple):
    """What a concept asks of a pedal: the settings of ``pedal``."""

    where: str
    side: str
    bars: int
    others: int
    voices: int
    chords: int
    foreign: int
    strikes: int
    degree: int
    final: bool


@detectors.register("pedal")
def pedal(
    sight: Sight,
    heard: str = "held",
    where: str = "any",
    side: str = "low",
    bars: int = 3,
    others: int = 4,
    voices: int = 2,
    chords: int = 3,
    foreign: int = 0,
    strikes: int = 0,
    degree: int = -1,
    final: bool = False,
) -> list[Sighting]:
    """One note that stays while other notes or chords pass over it.

    ``heard`` says how it is heard: ``held`` by one part, below or above (``side``) all that it moves, for so many
    ``bars``, over ``others`` tones, ``voices`` at a time; ``bass``: by the bass in any octave, for so many bars and
    struck ``strikes`` times in each, under so many ``chords``, ``foreign`` of which do not hold it; ``lowest``: as the
    lowest note under several chords, two of which have another root; ``struck``: under several different chords that a
    part strikes, one of them a triad to which it is foreign; ``ending``: by the bass on the tonic through the last bars
    while more than so many harmonies pass. ``degree`` is its place above the tonic (-1 for any), ``final`` wants it at
    the end of the piece.
    """
    readings = {
        "held": _held_pedals,
        "bass": _bass_pedals,
        "lowest": _lowest_pedals,
        "struck": _struck_pedals,
        "ending": _ending_pedal,
    }
    wanted = _Pedal(where, side, bars, others, voices, chords, foreign, strikes, degree, final)
    return readings[heard](sight, wanted)


def _held_pedals(sight: Sight, wanted: _Pedal) -> list[Sighting]:
    sightings = []
    for line in sight.chosen(wanted.where):
        heard, bar = sounding(sight, line), line.top.bar
        edge, moving = (heard.low, heard.high) if wanted.side == "low" else (heard.high, heard.low)
        heights, often = np.unique(edge, return_counts=True)
        for pitch in heights[often >= 2 * wanted.bars].tolist():
            mine = (edge == pitch) & (heard.voices >= wanted.voices)
            share, onsets = sight.per_bar(bar, mine), sight.per_bar(bar)
            for place in sight.spans((share >= _ALWAYS * onsets) & (onsets >= 2), line.voice, least=wanted.bars):
                inside = (bar >= place.first - sight.number(0)) & (bar <= place.last - sight.number(0))
                if len(np.unique(moving[inside] % 12)) >= wanted.others and moving[inside].mean() != pitch:
                    sightings.append(place)
    return sightings


def _bass_pedals(sight: Sight, wanted: _Pedal) -> list[Sighting]:
    sightings = []
    for line in sight.chosen(wanted.where)[:1]:
        low = line.low
        sounds = np.zeros((sight.bars + 1, 12), dtype=np.bool_)
        sounds[low.bar, low.pitch % 12] = True
        until = np.minimum(np.searchsorted(sight.lines_at, low.end - LOOSE) - 1, sight.bars)
        sounds[until, low.pitch % 12] = True
        single = (sounds.sum(axis=1) == 1)[: sight.bars] & (sight.per_bar(low.bar) >= wanted.strikes)
        tone = sounds.argmax(axis=1)[: sight.bars]
        edges = np.concatenate([[0], np.flatnonzero((np.diff(tone) != 0) | (np.diff(single) != 0)) + 1, [sight.bars]])
        for start, end in pairwise(edges.tolist()):
            if not single[start] or end - start < wanted.bars:
                continue
            above = [chord for chord in sight.supported if start <= chord.bar < end]
            strange = {chord.root for chord in above if (tone[start] - chord.root) % 12 in _STRANGE}
            kinds = {(chord.root, chord.is_minor) for chord in above}
            if len(kinds) >= wanted.chords and len(strange) >= wanted.foreign:
                sightings.append(sight.at(start, end - 1, line.voice))
    return sightings


def _lowest_pedals(sight: Sight, wanted: _Pedal) -> list[Sighting]:
    row, sightings, place = changes(sight, inversions=True), [], 0
    while place < len(row):
        end, low = place, row[place].low
        while end + 1 < len(row) and row[end + 1].low == low >= 0:
            end += 1
        roots = {change.root for change in row[place : end + 1] if change.degree >= 0}
        right = wanted.degree < 0 or (low - int(sight.tonic[row[place].bar])) % 12 == wanted.degree
        right = right and (not wanted.final or row[end].last == sight.bars - 1)
        if low >= 0 and right and len(roots) >= wanted.chords and len(roots - {low % 12}) >= 2:
            sightings.append(chord_span(sight, row[place], row[end]))
        place = end + 1
    return sightings


def _struck_pedals(sight: Sight, wanted: _Pedal) -> list[Sighting]:
    sightings = []
    for chords in struck_chords(sight):
        upper = chords.own & ~np.where(chords.low == chords.bass, 1 << (chords.bass % 12), 0)
        block = np.cumsum(np.diff(chords.bass, prepend=-1) != 0)
        moved = np.bincount(block[1:], np.diff(upper) != 0, minlength=int(block[-1]) + 1)
        for number in np.flatnonzero(moved >= wanted.chords - 1).tolist():
            rows = np.flatnonzero((block == number) & (CLASS_COUNTS[upper] >= _TRIAD))
            if len(rows) < wanted.chords or len(np.unique(chords.bar[rows])) < wanted.bars:
                continue
            foreign = FOREIGN_BASSES[upper[rows], int(chords.bass[rows[0]]) % 12].any()
            if len(np.unique(upper[rows])) >= wanted.chords and foreign:
                sightings.append(sight.at(chords.bar[rows[0]], chords.bar[rows[-1]], chords.voice))
    return sightings


def _ending_pedal(sight: Sight, wanted: _Pedal) -> list[Sighting]:
    end, bass = end_bar(sight), sight.bass
    first = end - wanted.bars + 1
    if first < 0 or len(sight.lines) < 2:
        return []
    low = bass.where((bass.bar <= end) & (bass.end > sight.lines_at[first]))
    if not len(low) or ((low.pitch - sight.tonic[end]) % 12 != 0).any():
        return []
    return to_the_end(sight, first) if len(_colors(sight, first)) > wanted.chords else []


def _colors(sight: Sight, first: int) -> set[frozenset[int]]:
    """The different sets of tones above the tonic that the parts over the bass strike, half-bar by half-bar."""
    colors = set()
    for line in sight.chosen("upper"):
        mine = line.where(line.bar >= first)
        half = mine.bar * 2 + (mine.position * 2 >= sight.bar_length[mine.bar])
        for unit in np.unique(half).tolist():
            tones = np.unique((mine.pitch[half == unit] - sight.tonic[-1]) % 12).tolist()
            if len(tones) >= _TRIAD:
                colors.add(frozenset(tones))
    return colors


@detectors.register("ground")
def ground(
    sight: Sight,
    where: str = "any",
    bars: Sequence[int] = (1,),
    times: int = 4,
    notes: int = 3,
    whole: bool = False,
) -> list[Sighting]:
    """A bass figure that comes again unchanged, so many ``times`` in a row, while what lies above it changes.

    ``bars`` are lengths that are tried. The bass is what lies below the widest gap of a part; with ``whole`` it is the
    lowest part of the piece, or the lower half of its only one, every return has something new above it, and the first
    place is shown.
    """
    if whole:
        return _whole_ground(sight, bars, times, notes)
    sightings = []
    for line in sight.chosen(where):
        deep = _below_gap(line)
        if deep.all() or np.count_nonzero(sight.per_bar(line.bar, deep) >= 2) < times:
            continue
        under, over = _bars(sight, line, deep), _bars(sight, line, ~deep)
        for size in bars:
            for first in range(sight.bars - size * times + 1):
                starts = range(first, first + size * times, size)
                cells = [under[start : start + size] for start in starts]
                above = {tuple(over[start : start + size]) for start in starts}
                if len(above) > 1 and _comes_again(cells, notes):
                    sightings.append(sight.at(first, first + size * times - 1, line.voice))
    return sightings


def _comes_again(cells: Sequence[list[tuple[_PlacedPitch, ...]]], notes: int) -> bool:
    """Whether all cells are the same figure of so many notes, not all of one pitch."""
    played = [note for bar in cells[0] for note in bar]
    moving = len(played) >= notes and len({note.pitch for note in played}) >= 2
    return moving and all(cell == cells[0] for cell in cells)


def _below_gap(line: VoiceLine) -> Bools:
    """Which notes of a line lie below the widest gap between its pitches; none where no gap is wide."""
    heights = np.unique(line.pitch)
    gaps = np.diff(heights)
    if len(heights) < 4 or gaps.max() < _WIDE:
        return np.zeros(len(line), dtype=np.bool_)
    return np.asarray(line.pitch <= heights[int(np.argmax(gaps))])


class _PlacedPitch(NamedTuple):
    """A note: its place from the start of its bar or stretch, and its pitch."""

    place: int
    pitch: int


def _bars(sight: Sight, line: VoiceLine, rows: Bools) -> list[tuple[_PlacedPitch, ...]]:
    """What some notes of a line play in each bar, places in thirty-seconds."""
    part = line.where(rows)
    edges = np.searchsorted(part.bar, np.arange(sight.bars + 1))
    place = (part.position + LOOSE // 2) // LOOSE
    both = list(map(_PlacedPitch, place.tolist(), part.pitch.tolist()))
    return [tuple(both[a:b]) for a, b in pairwise(edges.tolist())]


def _whole_ground(sight: Sight, bars: Sequence[int], times: int, notes: int) -> list[Sighting]:
    """The first place at which the bass of the piece comes back unchanged so often, with something new above."""
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


def _figures(line: VoiceLine, sight: Sight, size: int) -> list[tuple[_PlacedPitch, ...]]:
    """What a line plays in each stretch of bars, places in ticks."""
    starts = np.arange(0, sight.bars - size + 1, size)
    edges = np.searchsorted(line.bar, [*starts.tolist(), int(starts[-1]) + size]).tolist()
    onset = line.onset - sight.lines_at[line.bar // size * size]
    notes = list(map(_PlacedPitch, onset.tolist(), line.pitch.tolist()))
    return [tuple(notes[one:two]) for one, two in pairwise(edges)]
