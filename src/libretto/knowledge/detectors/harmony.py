"""What harmony does over time: basses and inner lines that move under it, chords that hold, quicken, turn round or
are new."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.knowledge.detectors.changes import changes, chord_span, sounding
from libretto.knowledge.detectors.progressions import distinct
from libretto.knowledge.detectors.registry import detectors
from libretto.knowledge.line import FIFTH, FOURTH, runs
from libretto.knowledge.sight import Sight, Sighting, shared
from libretto.score.table import Bools, Floats

__all__ = [
    "BarChord",
    "bar_chords",
    "bass_motion",
    "chord_vamp",
    "half_bars",
    "line_cliche",
    "new_harmony",
    "quickening",
    "suspended",
    "turnaround_bar",
]

_HEARD, _UNHEARD = 0.02, 0.03  # of a bar's sound: what a tone has that is there, or that does not count
_TURNING = ((FIFTH, False), (1, False))  # the dominant, and the flat second in its place


@detectors.register("bass_motion")
def bass_motion(
    sight: Sight, *, moves: Sequence[int], length: int = 5, degrees: Sequence[int] = (), mode: str = "", chords: int = 3
) -> list[Sighting]:
    """The lowest note at each change of chord moves only by ``moves`` (semitones, up is positive), ``length`` notes in
    a row over at least ``chords`` roots; ``degrees`` are what it must begin with, above the tonic."""
    row = changes(sight, inversions=True)
    sightings, place = [], 0
    while place < len(row):
        end = place
        while (
            end + 1 < len(row) and min(row[end].low, row[end + 1].low) >= 0 and row[end + 1].low - row[end].low in moves
        ):
            end += 1
        part = [change for change in row[place : end + 1] if change.degree >= 0]
        lows = [(change.low - int(sight.tonic[change.bar])) % 12 for change in row[place : end + 1]]
        begun = list(degrees) == lows[: len(degrees)]
        right = not mode or bool(sight.minor[row[place].bar]) == (mode == "minor")
        if len(lows) >= length and len({change.root for change in part}) >= chords and begun and right:
            sightings.append(chord_span(sight, row[place], row[end]))
        place = end if end > place else place + 1
    return sightings


@detectors.register("line_cliche")
def line_cliche(
    sight: Sight, *, step: int = -1, length: int = 4, sounding_bars: bool = False, present: float = 0.3
) -> list[Sighting]:
    """One note of a chord moves by semitones (``step`` -1 or 1) through ``length`` chords while root and third stay.

    With ``sounding_bars`` it is heard from what sounds for that share of each bar or half-bar, not from written chords.
    """
    if sounding_bars:
        return _sounding_cliche(sight, step, length, present)
    row, sightings, after = sight.harmony, [], 0
    heard = [sounding(sight, chord.start, chord.end) for chord in row]
    for place in range(len(row) - length + 1):
        part = row[place : place + length]
        kept = all(
            chord.supported and (chord.root, chord.is_minor) == (part[0].root, part[0].is_minor) for chord in part
        )
        if place >= after and kept and _slides(heard[place : place + length], part[0].root, step):
            sightings.append(sight.at(part[0].bar, part[-1].bar))
            after = place + length
    return sightings


def _slides(heard: Sequence[set[int]], root: int, step: int) -> bool:
    """Whether one note goes through all these sets of pitch classes by that step and is left each time."""
    for start in heard[0]:
        line = [(start + step * number) % 12 for number in range(len(heard))]
        kept = all(note in tones for note, tones in zip(line, heard, strict=True))
        if kept and all(note not in tones or note == root for note, tones in zip(line, heard[1:], strict=False)):
            return True
    return False


@detectors.register("changes_quicken")
def quickening(sight: Sight, slow: int = 3, fast: int = 2) -> list[Sighting]:
    """Several bars of one chord each, then a bar with more chords, then the tonic or the dominant on a downbeat."""
    count, heads = np.zeros(sight.bars, dtype=np.int64), {}
    for chord in distinct(sight):
        count[chord.bar] += 1
        if chord.start == sight.lines_at[chord.bar]:
            heads[chord.bar] = chord.degree
    sightings = []
    for bar in range(slow, sight.bars - 1):
        calm = (count[bar - slow : bar] == 1).all() and all(b in heads for b in range(bar - slow, bar + 1))
        goal = heads.get(bar + 1, -1) in (0, FIFTH)
        if calm and count[bar] >= fast and goal:
            sightings.append(sight.at(bar - slow, bar + 1))
    return sightings


@shared
def half_bars(sight: Sight) -> Floats:
    """How long each pitch class sounds in each half of a bar, as a share of that half."""
    middle = sight.lines_at[:-1] + sight.bar_length // 2
    spans = np.stack([np.stack([sight.lines_at[:-1], middle], 1), np.stack([middle, sight.lines_at[1:]], 1)], 1)
    spans = spans.reshape(-1, 2)
    return sight.class_mass(spans) / np.maximum(np.diff(spans, axis=1), 1)


def _sounding_cliche(sight: Sight, step: int, notes: int, present: float) -> list[Sighting]:
    """Under a held chord one note slides by semitones, one a bar or half-bar: root, major seventh, minor seventh, sixth
    (``step`` -1), or fifth, sharp fifth, sixth (``step`` 1)."""
    halves = half_bars(sight)
    sightings = []
    for unit in (1, 2):
        sounds = (halves if unit == 1 else (halves[::2] + halves[1::2]) / 2) >= present
        size = len(sounds) - notes + 1
        if size < 1:
            continue
        turned = [np.roll(sounds, -tone, axis=1) for tone in range(12)]  # by root: does the note so far above it sound?
        held = (turned[7] if step < 0 else turned[0]) & (turned[3] | turned[4])
        good = np.ones((size, 12), dtype=np.bool_)
        for place in range(notes):
            part, note = slice(place, size + place), (0 if step < 0 else FIFTH) + place * step
            good &= held[part] & turned[note % 12][part]
            if place:
                good &= ~turned[(note - step) % 12][part]
        for row in np.flatnonzero(good.any(axis=1)).tolist():
            bars = row * unit // 2, (row + notes - 1) * unit // 2
            sightings.append(sight.at(bars[0], bars[1]))
    return sightings


@detectors.register("suspended_chords")
def suspended(sight: Sight, beats: float = 2.0, unresolved: bool = True) -> list[Sighting]:
    """Chords with a fourth or second in place of the third, held for some time, that do not just resolve into their own
    third."""
    chords, sightings = distinct(sight), []
    for place, chord in enumerate(chords):
        open_ = not {3, 4} & chord.tones and bool({2, FOURTH} & chord.tones) and FIFTH in chord.tones
        after = chords[place + 1] if place + 1 < len(chords) else None
        resolves = after is not None and after.root == chord.root and bool({3, 4} & after.tones)
        if open_ and chord.end - chord.start >= beats * int(sight.beat[chord.bar]) and not (unresolved and resolves):
            sightings.append(sight.at(chord.bar, chord.bar))
    return sightings


class BarChord(NamedTuple):
    """A chord of a bar: its root as semitones above the tonic, and whether it is minor."""

    degree: int
    minor: bool


def bar_chords(sight: Sight) -> list[list[BarChord]]:
    """The supported chords of each bar; repeats left out."""
    chords: list[list[BarChord]] = [[] for _ in range(sight.bars)]
    for chord in sight.supported:
        here = BarChord(chord.degree, chord.is_minor)
        if chords[chord.bar][-1:] != [here]:
            chords[chord.bar].append(here)
    return chords


@detectors.register("new_harmony")
def new_harmony(sight: Sight, bars: int = 2, before: int = 4, most: int = 16) -> list[Sighting]:
    """A stretch of two chords or more, none heard before and none the tonic, after which the old ones return."""
    chords, sightings = bar_chords(sight), []
    known: set[BarChord] = set()
    bar = 0
    while bar < sight.bars:
        end = bar
        while end < sight.bars and chords[end] and not any(chord in known or not chord.degree for chord in chords[end]):
            end += 1
        fresh = {chord for row in chords[bar:end] for chord in row}
        back = end < sight.bars and bool(known & set(chords[end]))
        if bar >= before and bars <= end - bar <= most and len(fresh) >= 2 and back:
            sightings.append(sight.at(bar, end - 1))
        known |= fresh if end > bar else set(chords[bar])
        bar = max(end, bar + 1)
    return sightings


@detectors.register("turnaround_bar")
def turnaround_bar(sight: Sight, chords: int = 2, every: int = 4) -> list[Sighting]:
    """A bar with more chords than those before, at the end of four or eight, whose last is the dominant (or the flat
    second) and which falls to the tonic of a new start."""
    rows, sightings = bar_chords(sight), []
    for bar in range(every - 1, sight.bars - 1):
        slow = all(len(row) < len(rows[bar]) for row in rows[bar - every + 1 : bar])
        ends = bool(rows[bar]) and rows[bar][-1] in _TURNING
        if len(rows[bar]) >= chords and slow and ends and rows[bar + 1][:1] and rows[bar + 1][0].degree == 0:
            sightings.append(sight.at(bar, bar))
    return sightings


@detectors.register("chord_vamp")
def chord_vamp(sight: Sight, tones: Sequence[int], bars: int = 4, lacks: Sequence[int] = ()) -> list[Sighting]:
    """Bars over one bass root in which all of these semitones above it sound, and none of those: a vamp on one chord.

    The root is the tone that the bass strikes most in the bar, the same in every bar of the stretch.
    """
    notes, bass = sight.notes, sight.bass
    if not len(notes):
        return []
    share = np.bincount(bass.bar * 12 + bass.pitch % 12, minlength=sight.bars * 12).reshape(-1, 12)
    first = bass.low
    begin = np.flatnonzero(np.diff(first.bar, prepend=-1))
    share[first.bar[begin], first.pitch[begin] % 12] += 2
    root = share.argmax(axis=1)
    heard = np.bincount(
        notes.bar * 12 + (notes.pitch - root[notes.bar]) % 12, notes.duration, minlength=sight.bars * 12
    )
    heard = heard.reshape(-1, 12) / np.maximum(heard.reshape(-1, 12).sum(axis=1, keepdims=True), 1)
    good: Bools = (share.sum(axis=1) > 0) & (heard[:, list(tones)] > _HEARD).all(axis=1)
    good &= (heard[:, list(lacks)] < _UNHEARD).all(axis=1)
    same = np.concatenate(([False], root[1:] == root[:-1]))
    sightings = []
    for begin_bar, end in runs(good, 2):
        cuts = [begin_bar, *(bar for bar in range(begin_bar + 1, end + 1) if not same[bar]), end + 1]
        for one, other in pairwise(cuts):
            if other - one >= bars:
                sightings.append(sight.at(one, other - 1))
    return sightings
