"""The paper grid: played music on sixteenths and triplets, bar by bar, as the published encoder writes it.

The published corpus knows seven grids, four straight ones (4, 8, 16, 32) and three of triplets (6t, 12t, 24t); starts
decide which a bar takes, and lengths are rounded to it. ``on_paper`` puts any piece onto these:

1. A bar that is written on one of them, or a coarser one, stays as it is.
2. In any other bar every start goes to the nearest sixteenth or, if the starts of the bar lie nearer to triplets, to
   the nearest triplet (``12t``). Nearer means a smaller sum of squares over the starts of all voices, a chord counted
   once; sixteenths where both are equally near. Triplets divide a beat: there are none where the beat is an eighth
   (7/8) or has three already (6/8).
3. The finer two are taken where starts lie exactly on them, and where two notes of one pitch in one voice would meet on
   the coarser but not on these.
4. Lengths are rounded to the same slots and last one at least. Notes of one voice and pitch stay different notes: where
   rounding would make them one, the later is lengthened.
5. The bar is labelled with the coarsest grid that holds it.

No start moves by more than half a slot, but for one that would go past the end of the piece: it takes the slot before.
A bar that sixteenths do not fill (3/32) takes the grid that both need. No note is lost, and what is on paper stays.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.grid import fit, nearest
from libretto.score.marks import follow
from libretto.score.model import Score
from libretto.score.table import Bools, Floats, Ints, distinct, frozen, taken_rows
from libretto.score.time import WHOLE, Grid
from libretto.score.unisons import kept_apart
from libretto.score.voice import Voice

__all__ = ["PAPER_DIVISIONS", "is_on_paper", "on_paper", "paper_table", "paper_times"]

#: The grids of the published corpus, and coarser ones that they hold.
PAPER_DIVISIONS = frozenset({1, 2, 4, 8, 16, 32, 3, 6, 12, 24})
_STRAIGHT, _TRIPLET = WHOLE // 16, WHOLE // 12
_FINE_STRAIGHT, _FINE_TRIPLET = WHOLE // 32, WHOLE // 24
_PITCHES = 128
_PITCH_BITS, _TIME_BITS = 7, 42  # where time and pitch stand in the one number that notes are ordered by


def is_on_paper(score: Score) -> bool:
    """Whether every bar is written on a grid of the published corpus."""
    return {grid.division for grid in score.grids} <= PAPER_DIVISIONS


def on_paper(score: Score) -> Score:
    """The piece on sixteenths and triplets, bar by bar; the piece itself where it is so written already.

    >>> from libretto import parse
    >>> head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 64th | BARS: 1\\nVOICES: A\\n"
    >>> late = parse(head + "@1 [C]\\nA: C4@2>30 E4@33>15 G4@50>15")
    >>> [(note.onset // (WHOLE // 16), note.duration // (WHOLE // 16)) for note in on_paper(late).voices[0].notes]
    [(0, 8), (8, 4), (12, 4)]
    """
    if is_on_paper(score):
        return score
    onset, duration, grids = _written(score)
    ends = np.searchsorted(score.table["voice"], np.arange(len(score.voices) + 1)).tolist()
    voices = tuple(
        _with_times(voice, onset[first:stop], duration[first:stop])
        for voice, (first, stop) in zip(score.voices, pairwise(ends), strict=True)
    )
    return replace(score, voices=voices, grids=grids)


def paper_table(score: Score) -> tuple[NDArray[Any], tuple[Grid, ...]]:
    """The sounds and grids that ``on_paper`` gives, without a Score around them: what is measured needs no more."""
    if is_on_paper(score):
        return score.sounds, score.grids
    onset, duration, grids = _written(score)
    table = score.sounds.copy()
    table["onset"], table["duration"] = onset, duration
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    table["bar"] = np.searchsorted(lines, onset, side="right") - 1
    table["position"] = onset - lines[table["bar"]]
    voice = table["voice"].astype(np.int64)
    key = ((voice << _TIME_BITS) + onset << _PITCH_BITS) + table["pitch"]
    order = np.argsort(key, kind="stable")
    if (np.diff(key[order]) == 0).any():
        order = np.lexsort((duration, key))
    return frozen(taken_rows(table, order)), grids


def paper_times(score: Score) -> tuple[Ints, Ints]:
    """Where each note goes: its start and length on paper, in the order of the piece's own table."""
    if is_on_paper(score):
        return score.sounds["onset"], score.sounds["duration"]
    return _written(score)[:2]


def _written(score: Score) -> tuple[Ints, Ints, tuple[Grid, ...]]:
    """Starts and lengths on paper in the order of the table, and the grids of the bars."""
    bars = _Bars(score)
    onset, duration, touched = _moved(score, bars)
    bar = np.searchsorted(bars.lines, onset, side="right") - 1
    fitted = fit(bars.length, bar, onset - bars.lines[bar], duration)
    pairs = zip(score.grids, fitted, touched.tolist(), strict=True)
    return onset, duration, tuple(new if anew else old for old, new, anew in pairs)


def _with_times(voice: Voice, onset: Ints, duration: Ints) -> Voice:
    """The voice with other starts and lengths, note by note."""
    old = voice.array
    if np.array_equal(old["onset"], onset) and np.array_equal(old["duration"], duration):
        return voice
    notes = old.copy()
    notes["onset"], notes["duration"] = onset, duration
    return replace(voice, array=notes, marks=follow(voice.marks, old, notes))


class _Bars:
    """The bars of a piece: where they lie, which must be moved, and in which triplets are possible."""

    def __init__(self, score: Score) -> None:
        self.lines = np.asarray(score.bar_lines, dtype=np.int64)
        self.length = np.diff(self.lines)
        self.division = np.array([grid.division for grid in score.grids], dtype=np.int64)
        self.moving = ~np.isin(self.division, list(PAPER_DIVISIONS))
        starts = np.array([tick for tick, _ in score.meters], dtype=np.int64)
        beats = np.array([meter.beat for _, meter in score.meters], dtype=np.int64)
        self.beat = beats[np.searchsorted(starts, self.lines[:-1], side="right") - 1]

    def divided_by(self, slot: int) -> Bools:
        """In which bars such slots divide both the beat and the bar."""
        return np.asarray((self.beat % slot == 0) & (self.length % slot == 0))


def _moved(score: Score, bars: _Bars) -> tuple[Ints, Ints, Bools]:
    """Starts and lengths on paper, note by note, and which bars are to be labelled anew."""
    table, lines = score.sounds, bars.lines
    onset, duration = table["onset"].astype(np.int64), table["duration"].astype(np.int64)
    bar, position = table["bar"].astype(np.int64), table["position"].astype(np.int64)
    part = table["voice"].astype(np.int64) * _PITCHES + table["pitch"]
    mine = bars.moving[bar]
    slots = _slots(bars, bar[mine], position[mine], part[mine])
    new_onset, new_duration = onset.copy(), duration.copy()
    new_onset[mine] = _starts(bars, bar[mine], position[mine], slots[bar[mine]])
    to = np.searchsorted(lines, new_onset, side="right") - 1
    received = np.zeros(len(bars.length), dtype=np.bool_)
    received[to[to != bar]] = True  # a downbeat that came from the bar before may be shorter than the slots there
    slots = np.where(received & ~bars.moving, _with_shorter(bars.division), slots)
    new_duration[mine] = np.maximum(nearest(duration[mine], slots[to[mine]]), slots[to[mine]])
    touched = bars.moving | received
    rows = _doubtful(part, new_onset + new_duration, touched[to])
    new_duration[rows] = kept_apart(
        part[rows], new_onset[rows], new_duration[rows], onset[rows], duration[rows], slots[to[rows]]
    )
    return new_onset, new_duration, touched


def _doubtful(part: Ints, stop: Ints, touched: Bools) -> Ints:
    """The touched notes, in order of time, of voices and pitches in which one does not stop after the one before."""
    rows = np.flatnonzero(touched)
    order = rows[np.argsort(part[rows], kind="stable")]
    first, second = order[:-1], order[1:]
    late = (part[first] == part[second]) & (stop[first] >= stop[second])
    return rows[np.isin(part[rows], distinct(part[first[late]]))] if late.any() else rows[:0]


def _slots(bars: _Bars, bar: Ints, position: Ints, part: Ints) -> Ints:
    """The slots onto which each bar's notes go, given the notes of the bars that must be moved."""
    count = len(bars.length)
    once = np.ones(len(bar), dtype=np.bool_)
    voice = part // _PITCHES
    once[1:] = (voice[1:] != voice[:-1]) | (bar[1:] != bar[:-1]) | (position[1:] != position[:-1])
    where, places = bar[once], position[once]

    def error(slot: int, possible: Bools | None = None) -> Floats:
        away = (nearest(places, slot) - places).astype(np.float64)
        total = np.asarray(np.bincount(where, away * away, minlength=count), dtype=np.float64)
        return total if possible is None else np.where(possible, total, np.inf)

    straight, triplet = error(_STRAIGHT), error(_TRIPLET, bars.divided_by(_TRIPLET))
    slots = np.where(triplet < straight, _TRIPLET, _STRAIGHT)
    fine, sextuplet = error(_FINE_STRAIGHT), error(_FINE_TRIPLET, bars.divided_by(_FINE_TRIPLET))
    finer = np.where(sextuplet < fine, _FINE_TRIPLET, _FINE_STRAIGHT)
    exact = (np.minimum(straight, triplet) > 0) & (np.minimum(fine, sextuplet) == 0)
    order = np.argsort(part, kind="stable")  # by voice and pitch, then by time, as notes stand in a table
    first, second = order[:-1], order[1:]
    near = (part[first] == part[second]) & (bar[first] == bar[second]) & (position[first] != position[second])
    pairs = bar[first[near]], position[first[near]], position[second[near]]
    meets = _meetings(*pairs, slots)
    apart = meets & ~_meetings(*pairs, finer)
    return np.where(exact | apart, finer, slots)


def _meetings(bar: Ints, first: Ints, second: Ints, slots: Ints) -> Bools:
    """In which bars two places that are apart become one."""
    meeting = np.zeros(len(slots), dtype=np.bool_)
    meeting[bar[nearest(first, slots[bar]) == nearest(second, slots[bar])]] = True
    return meeting


def _starts(bars: _Bars, bar: Ints, position: Ints, slot: Ints) -> Ints:
    """Starts on the nearest slot; at the bar line at the latest, and before the end of the piece."""
    there = np.minimum(bars.lines[bar] + nearest(position, slot), bars.lines[bar + 1])
    before = bars.lines[bar] + position // slot * slot
    return np.where(there < bars.lines[-1], there, before)


def _with_shorter(division: Ints) -> Ints:
    """For bars written on coarse grids the slots of sixteenths, or of triplets where they are written in such."""
    slots = WHOLE // division
    return np.where(division % 3 == 0, np.minimum(slots, _TRIPLET), np.minimum(slots, _STRAIGHT))
