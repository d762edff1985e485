"""What is written to be practised: rows of intervals, passages said twice, lines to be read, four parts, loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from libretto.knowledge.detectors.chords import struck_chords
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import VoiceLine, is_step
from libretto.knowledge.sight import Sight, Sighting
from libretto.score.table import Bools, Ints
from libretto.score.time import QUARTER

__all__ = ["four_parts", "interval_row", "moved_phrase", "open_loop", "readable", "said_twice"]

_RETURNS = 0.35  # of the notes of a row of intervals that are the one from which they are measured
_PAIRS = 0.6  # of the onsets of a row of intervals struck together that have two notes
_PERFECT = (0, 7)  # semitones, octaves left out
_PARTS = 4
_FEWEST_PITCHES = 4  # of a melody that is said twice
_FEWEST_NOTES = 8
_OCTAVE = 12


@detectors.register("interval_row")
def interval_row(sight: Sight, together: bool = False, sizes: int = 4) -> list[Sighting]:
    """Intervals of at least so many sizes in a row: from one note that comes back, or two notes struck together."""
    return _struck_rows(sight, sizes) if together else _sung_rows(sight, sizes)


def _sung_rows(sight: Sight, sizes: int) -> list[Sighting]:
    sightings = []
    for line in sight.lines:
        top = line.top
        if len(top.pitch) < _FEWEST_NOTES:
            continue
        values, counts = np.unique(top.pitch, return_counts=True)
        base = int(values[counts.argmax()])
        mine = (top.pitch[:-1] == base) & (top.pitch[1:] != base)
        heard = np.unique(np.abs(np.diff(top.pitch))[mine])
        if counts.max() >= _RETURNS * len(top.pitch) and len(heard) >= sizes:
            sightings += sight.spans(np.asarray(top.bar[:-1][mine]), line.voice, join=0)
    return sightings


def _struck_rows(sight: Sight, sizes: int) -> list[Sighting]:
    sightings = []
    for chords in struck_chords(sight):
        pairs = chords.size == 2
        line = next(line for line in sight.lines if line.voice == chords.voice)
        onsets = len(np.unique(line.onset))
        first = chords.first[pairs]
        heard = np.unique(chords.pitch[first + 1] - chords.pitch[first]) if len(first) else first
        if pairs.sum() >= _PAIRS * onsets and len(heard) >= sizes:
            sightings += sight.spans(np.asarray(chords.bar[pairs]), chords.voice, join=0)
    return sightings


@detectors.register("said_twice")
def said_twice(sight: Sight, size: int = 2, times: int = 2, one_pitch: bool = False) -> list[Sighting]:
    """Passages of ``size`` bars that are each said again at once, ``times`` different ones at least.

    With ``one_pitch`` each passage stands on one pitch: what is said is a rhythm.
    """
    sightings = []
    for line in sight.lines:
        if not one_pitch and len(np.unique(line.pitch)) < _FEWEST_PITCHES:
            continue
        bars = [_said(line, bar) for bar in range(sight.bars)]
        said, places = set(), []
        for start in range(0, sight.bars - 2 * size + 1, 2 * size):
            first, second = (tuple(bars[at : at + size]) for at in (start, start + size))
            level = len({pitch for bar in first for _, _, pitch in bar}) == 1
            if first == second and all(first) and level == one_pitch:
                said.add(first)
                places.append(sight.at(start, start + 2 * size - 1, line.voice))
        if len(said) >= times:
            sightings += places
    return sightings


def _said(line: VoiceLine, bar: int) -> tuple[tuple[int, int, int], ...]:
    mine = line.bar == bar
    rows = zip(line.position[mine].tolist(), line.duration[mine].tolist(), line.pitch[mine].tolist(), strict=True)
    return tuple(sorted(rows))


@detectors.register("moved_phrase")
def moved_phrase(sight: Sight, size: int = 2, keys: int = 2) -> list[Sighting]:
    """The first bars of a line come again note for note on other pitches: from so many places in all, and not less
    than half of the line."""
    sightings = []
    for line in sight.lines:
        phrases = [_shape(line, start, size) for start in range(0, sight.bars - size + 1, size)]
        if len(phrases) < 2 or len(phrases[0][0]) < _FEWEST_PITCHES:
            continue
        again = [(index, low) for index, (shape, low) in enumerate(phrases) if shape == phrases[0][0]]
        if len({low for _, low in again}) >= keys and len(again) * 2 >= len(phrases):
            sightings += [sight.at(index * size, index * size + size - 1, line.voice) for index, _ in again]
    return sightings


def _shape(line: VoiceLine, start: int, size: int) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """A phrase as onsets and lengths with its pitches from the first one, and that pitch."""
    mine = (line.bar >= start) & (line.bar < start + size)
    if not mine.any():
        return (), -1
    first = int(line.pitch[mine][0])
    onset = line.onset[mine] - line.onset[mine][0]
    rows = zip(onset.tolist(), line.duration[mine].tolist(), (line.pitch[mine] - first).tolist(), strict=True)
    return tuple(rows), first


@detectors.register("readable")
def readable(sight: Sight, widest: int = 12, steps: float = 0.6, shortest: float = 0.5) -> list[Sighting]:
    """A line of single notes that can be read at sight: little range, mostly steps, no leap over a fifth, no short
    notes, every fourth bar a rest or a long note, the tonic at the end."""
    sightings = []
    for line in sight.lines:
        top, moves = line.top, line.moves
        single = len(top.pitch) == len(line.pitch)
        if not single or len(top.pitch) < _FEWEST_NOTES or int(np.ptp(top.pitch)) > widest:
            continue
        easy = is_step(moves).mean() >= steps and int(np.abs(moves).max()) <= _PERFECT[1]
        slow = line.duration.min() >= shortest * QUARTER
        home = (int(top.pitch[-1]) - int(sight.tonic[-1])) % _OCTAVE == 0
        if easy and slow and home and _breathes(line):
            sightings.append(sight.at(int(line.bar[0]), int(line.bar[-1]), line.voice))
    return sightings


def _breathes(line: VoiceLine) -> bool:
    """Whether the last note of every fourth bar is longer than most notes."""
    ends = [np.flatnonzero(line.bar == bar) for bar in range(3, int(line.bar[-1]) + 1, 4)]
    usual = float(np.median(line.duration))
    return bool(ends) and all(len(rows) and line.duration[rows[-1]] > usual for rows in ends)


@detectors.register("four_parts")
def four_parts(sight: Sight, chords: int = 6) -> list[Sighting]:
    """Chords of four notes one after the other, at least so many, whose parts never move in parallel fifths, octaves
    or unisons."""
    sightings = []
    for struck in struck_chords(sight):
        whole = struck.size == _PARTS
        line = next(line for line in sight.lines if line.voice == struck.voice)
        if whole.sum() < chords or whole.sum() * 2 < len(np.unique(line.onset)):
            continue
        rows = np.stack([struck.pitch[struck.first[whole] + part] for part in range(_PARTS)])
        if not _parallels(rows).any():
            sightings += sight.spans(np.asarray(struck.bar[whole]), struck.voice, join=0)
    return sightings


def _parallels(rows: Ints) -> Bools:
    """Which moves from chord to chord have two parts in parallel perfect intervals."""
    wrong = np.zeros(rows.shape[1] - 1, dtype=np.bool_)
    for low, high in combinations(range(_PARTS), 2):
        apart = (rows[high] - rows[low]) % _OCTAVE
        moved = (np.diff(rows[low]) != 0) & (np.diff(rows[high]) != 0)
        wrong |= moved & (apart[:-1] == apart[1:]) & np.isin(apart[1:], _PERFECT)
    return wrong


@detectors.register("open_loop")
def open_loop(sight: Sight, period: int = 4, chords: int = 3, most: int = 2) -> list[Sighting]:
    """A row of chords that comes again and again, struck at most ``most`` times a bar and nothing over it: room for
    somebody who improvises."""
    labels = [tuple(bar) for bar in sight.score.chords]
    row = labels[:period]
    if len(labels) < 2 * period or len(set(row)) < chords or ("-",) in row:
        return []
    again = sum(label == row[index % period] for index, label in enumerate(labels))
    sightings = []
    for struck in struck_chords(sight):
        line = next(line for line in sight.lines if line.voice == struck.voice)
        onsets = np.bincount(np.unique(np.stack((line.bar, line.position)), axis=1)[0], minlength=sight.bars)
        if again >= len(labels) - 1 and onsets.max() <= most and len(np.unique(struck.bar)) >= len(labels) - 1:
            sightings.append(sight.at(0, sight.bars - 1, struck.voice))
    return sightings
