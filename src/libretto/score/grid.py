"""Grids: which slots a bar is written on.

``fit`` is exact: the coarsest grid on which all starts and lengths of a bar are whole slots. ``quantize`` is
tolerant: for music that was played, it finds bar by bar the coarsest grid that keeps notes distinct and starts
within tolerance, and moves the notes onto it. It decides, in order:

1. What lies on a grid stays there: exact starts are never moved, and lengths are never changed where a usual grid,
   or a doubling of the starts' grid, holds them all.
2. Other starts choose the coarsest of a list of usual grids that has every start within 8 ms, and less than a 256th
   note, of a slot, as long as no two notes of one pitch in one voice meet. Tight tolerance is what keeps a straight
   off-beat from being written as a triplet. Quintuplets and septuplets must be near exact, and need three starts that
   nothing simpler explains.
3. Other lengths refine it: the grid is doubled until rounding neither lengthens nor shortens the notes of the bar by
   more than 3% on average.
4. What no grid holds was played freely, and is written on 256ths (or on the bar's finest grid).
5. Notes of one voice and pitch stay different notes, and the first to start is the first to stop, as MIDI has it:
   where rounding would break that, the later note is lengthened.

A bar is a triplet bar (``12t``) when its starts need triplets; lengths alone do not make it one.

Applied to its own result ``quantize`` changes nothing, and no start moves by a whole slot.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.score.table import Ints
from libretto.score.time import WHOLE, Grid
from libretto.score.unisons import kept_apart

__all__ = ["DIVISIONS", "TOLERANCE_SECONDS", "fit", "nearest", "quantize"]


DIVISIONS = (4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 128, 256)  #: coarsest first
TOLERANCE_SECONDS = 0.008
_TOLERANCE_TICKS = WHOLE // 256 - 1
_RARE = (20, 28, 40, 56)  # quintuplets and septuplets
_RARE_TOLERANCE, _RARE_LIMIT, _RARE_STARTS = 125, 210, 3
_PLAIN = (WHOLE // 64, WHOLE // 48)  # what is near one of these lattices needs no quintuplet to explain it
_TRIPLETS = (3, 6, 12, 24, 48, 96, 192)
_FINEST = 256
_MEAN_BIAS, _MEAN_ERROR = 0.03, 0.2


def fit(lengths: Ints, bar: Ints, position: Ints, duration: Ints) -> tuple[Grid, ...]:
    """The coarsest grid for each bar that holds every start and length exactly.

    ``lengths`` are the bars'; the other three are the notes'. A silent bar takes the commonest grid.
    """
    count = len(lengths)
    step, start_step = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    if len(bar):
        order = np.argsort(bar, kind="stable")
        bars, starts = _runs(bar[order])
        start_step[bars] = np.gcd.reduceat(position[order], starts)
        step[bars] = np.gcd(start_step[bars], np.gcd.reduceat(duration[order], starts))
    sounding = step > 0
    step[sounding] = np.gcd(step[sounding], lengths[sounding])
    chosen = _coarsest(step)
    straight = start_step % (WHOLE // _FINEST) == 0
    grids = [
        _grid(division, not plain and division in _TRIPLETS)
        for division, plain in zip(chosen[sounding].tolist(), straight[sounding].tolist(), strict=True)
    ]
    return _with_silence(grids, sounding, lengths)


@lru_cache(maxsize=512)
def _grid(division: int, triplet: bool) -> Grid:
    """One value for each grid, so that grids are quickly compared and counted."""
    return Grid(division, triplet)


def _coarsest(step: Ints) -> Ints:
    """The coarsest division, from quarters on, on which all multiples of ``step`` lie."""
    division = WHOLE // np.gcd(step, WHOLE)
    return np.where(division == 3, 6, np.maximum(division, 4))


def _with_silence(grids: list[Grid], sounding: NDArray[np.bool_], lengths: Ints) -> tuple[Grid, ...]:
    """Silent bars take the commonest grid of the piece, refined where it does not fill them."""
    counts = Counter(grids)
    usual = min(counts, key=lambda grid: (-counts[grid], grid.division)) if counts else Grid(16)
    heard = iter(grids)
    filled = []
    for sounds, length in zip(sounding.tolist(), lengths.tolist(), strict=True):
        if sounds:
            filled.append(next(heard))
        elif length % usual.slot == 0:
            filled.append(usual)
        else:
            filled.append(Grid(WHOLE // gcd(usual.slot, length)))
    return tuple(filled)


def quantize(
    bar_lines: Ints,
    onset: Ints,
    duration: Ints,
    part: Ints,
    tolerance: Ints,
    resolution: int = 1,
) -> tuple[Ints, Ints]:
    """Move played notes onto the grids found for their bars; returns their starts and lengths.

    ``part`` keeps voices and pitches apart (one number for each pair); ``tolerance`` is how many ticks a start may
    move, for each bar; ``resolution`` is how many ticks the source's clock could not tell apart.
    """
    if not len(onset):
        return onset, duration
    order = np.argsort(onset, kind="stable")
    at, length, who, counts = onset[order], duration[order], part[order], (duration > 0)[order]
    bars = _Bars(bar_lines, tolerance, min(max(_RARE_TOLERANCE, resolution // 2 + 1), _RARE_LIMIT))
    placed = _placed(bars, at, length, who)
    slot, rounded = _lengths(bars, placed, length, counts)
    new_onset, new_duration, slots = np.empty_like(onset), np.empty_like(duration), np.empty_like(onset)
    new_onset[order], new_duration[order], slots[order] = placed, rounded, slot
    return new_onset, kept_apart(part, new_onset, new_duration, onset, duration, slots)


class _Bars:
    """Bar lines and, bar by bar, what a grid must keep to."""

    def __init__(self, lines: Ints, tolerance: Ints, rare: int) -> None:
        self.lines, self.rare = lines, rare
        self.length = np.diff(lines)
        self.finest = _finest_slots(self.length)
        beyond = np.append(self.finest[1:], WHOLE)
        self.tolerance = np.minimum(np.clip(tolerance, 1, _TOLERANCE_TICKS), np.minimum(self.finest, beyond) - 1)

    def of(self, onset: Ints) -> Ints:
        """The bar each start lies in; what starts after the end belongs to the last."""
        return np.minimum(np.searchsorted(self.lines, onset, side="right") - 1, len(self.length) - 1)


def _finest_slots(lengths: Ints) -> Ints:
    """The slots of free timing: 256ths, or the largest even part below that of a bar they do not divide."""
    slots = np.full(len(lengths), WHOLE // _FINEST, dtype=np.int64)
    odd = np.flatnonzero(lengths % slots)
    whole, which = np.unique(np.gcd(lengths[odd], WHOLE), return_inverse=True)
    slots[odd] = np.array([_even_part(length) for length in whole.tolist()], dtype=np.int64)[which]
    return slots


def _even_part(length: int) -> int:
    """The largest part of a length that is at most a 256th note, even if there is such a one."""
    return max((part for part in range(1, WHOLE // _FINEST + 1) if length % part == 0), key=lambda p: (p % 2 == 0, p))


def _runs(bar: Ints) -> tuple[Ints, Ints]:
    """Of bars in order: each once, and where the notes of each begin."""
    starts = np.flatnonzero(np.concatenate(([True], bar[1:] != bar[:-1])))
    return bar[starts], starts


def nearest(value: Ints, slot: Any) -> Ints:
    """Values rounded to whole slots, halves up."""
    return np.asarray((value + slot // 2) // slot * slot, dtype=np.int64)


def _placed(bars: _Bars, at: Ints, length: Ints, who: Ints) -> Ints:
    """Where notes start, given in order of time: where they are in bars that are exact, else on the chosen grid."""
    bar = bars.of(at)
    position = at - bars.lines[bar]
    used, starts = _runs(bar)
    exact = _exact_slots(bars, used, starts, position, length) > 0
    free = ~np.repeat(exact, np.diff(np.append(starts, len(at))))
    if not free.any():
        return at
    slot = _tolerant_slots(bars, bar[free], position[free], who[free])
    placed = at.copy()
    # A note that rounds up to the next bar line belongs to that bar, wherever that bar's slots lie.
    placed[free] = np.minimum(bars.lines[bar[free]] + nearest(position[free], slot), _ends(bars, bar[free], at[free]))
    return placed


def _ends(bars: _Bars, bar: Ints, at: Ints) -> Ints:
    """How far a start may be moved: to the bar line, if it does not lie beyond the last."""
    end = bars.lines[bar + 1]
    return np.where(at < end, end, np.iinfo(np.int64).max)


def _exact_slots(bars: _Bars, used: Ints, starts: Ints, position: Ints, length: Ints, *, placed: bool = False) -> Ints:
    """For each used bar the largest slot on which all its starts lie; 0 where there is none.

    A quintuplet or septuplet that only chance may have hit does not count, unless notes have been ``placed`` there.
    """
    step = np.gcd(np.gcd.reduceat(position, starts), bars.length[used])
    whole = np.gcd(step, np.gcd.reduceat(length, starts))
    rare = (_unexplained(bars, position, starts) >= _RARE_STARTS) | placed
    chosen = np.where(step % bars.finest[used] == 0, bars.finest[used], 0)
    for division in reversed(DIVISIONS):
        slot = WHOLE // division
        fits = step % slot == 0
        if division in _RARE:  # the lengths may say so, too
            fits &= rare | (whole % (WHOLE // (160 if division % 5 == 0 else 224)) == 0)
        chosen[fits] = slot
    return chosen


def _unexplained(bars: _Bars, position: Ints, starts: Ints) -> Ints:
    """How many starts of each bar are near no simple lattice."""
    off = np.ones(len(position), dtype=np.bool_)
    for lattice in _PLAIN:
        off &= np.abs(position - nearest(position, lattice)) > bars.rare
    return np.asarray(np.add.reduceat(off.astype(np.int64), starts))


def _tolerant_slots(bars: _Bars, bar: Ints, position: Ints, who: Ints) -> Ints:
    """For each note the slot of the first division that takes all starts of its bar."""
    used, starts = _runs(bar)
    which = np.repeat(np.arange(len(used)), np.diff(starts, append=len(bar)))
    chosen = bars.finest[used]
    open_bars = np.ones(len(used), dtype=np.bool_)
    rare = _unexplained(bars, position, starts) >= _RARE_STARTS
    order = np.lexsort((position, who, which))
    first, second = order[:-1], order[1:]
    near = (which[first] == which[second]) & (who[first] == who[second]) & (position[first] != position[second])
    first, second = first[near], second[near]
    for division in DIVISIONS:
        slot = WHOLE // division
        placed = nearest(position, slot)
        error = np.maximum.reduceat(np.abs(placed - position), starts)
        fits = (error <= bars.tolerance[used]) & (bars.length[used] % slot == 0) & open_bars
        if division in _RARE:
            fits &= (error <= bars.rare) & rare
        fits[which[first[placed[first] == placed[second]]]] = False  # two different starts would become one
        chosen[fits] = slot
        open_bars &= ~fits
        if not open_bars.any():
            break
    return chosen[which]


def _lengths(bars: _Bars, placed: Ints, length: Ints, heard: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Slots and lengths: a bar's grid is doubled until rounding neither lengthens nor shortens its notes."""
    order = np.argsort(placed, kind="stable")
    at, length, heard = placed[order], length[order], heard[order]
    bar = bars.of(at)
    used, starts = _runs(bar)
    which = np.repeat(np.arange(len(used)), np.diff(starts, append=len(bar)))
    slot = _exact_slots(bars, used, starts, at - bars.lines[bar], length, placed=True)
    slot = np.where(slot > 0, slot, bars.finest[used])
    step = np.gcd.reduceat(length, starts)
    whole = np.gcd(np.gcd.reduceat(np.gcd(at - bars.lines[bar], length), starts), bars.length[used])
    for division in reversed(DIVISIONS):
        slot[whole % (WHOLE // division) == 0] = WHOLE // division
    _refine(slot, length, heard, which, starts, step)
    slots, rounded = np.empty_like(placed), np.empty_like(placed)
    slots[order] = slot[which]
    rounded[order] = np.maximum(nearest(length, slot[which]), slot[which])
    return slots, rounded


def _refine(slot: Ints, length: Ints, heard: NDArray[np.bool_], which: Ints, starts: Ints, step: Ints) -> None:
    """Halve slots in place: as far as makes lengths exact or, where nothing does, right on average."""
    halves = [slot.copy()]
    while ((half := halves[-1] // 2) * _FINEST >= WHOLE).any():
        halves.append(np.where((half * _FINEST >= WHOLE) & (halves[-1] % 2 == 0), half, halves[-1]))
    settled = np.zeros(len(slot), dtype=np.bool_)
    for half in halves:
        exact = ~settled & (step % half == 0)
        slot[exact] = half[exact]
        settled |= exact
    number = np.maximum(1, np.add.reduceat(heard.astype(np.int64), starts))
    safe = np.maximum(length, 1)
    for half in halves:
        if settled.all():
            return
        step = half[which]
        change = np.where(heard, np.maximum(nearest(length, step), step) / safe - 1.0, 0.0)
        bias = np.abs(np.add.reduceat(change, starts) / number)
        error = np.add.reduceat(np.abs(change), starts) / number
        slot[~settled] = half[~settled]
        settled |= (bias <= _MEAN_BIAS) & (error <= _MEAN_ERROR)
