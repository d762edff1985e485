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
4. Triplet sixteenths beside thirty-seconds stay where starts and lengths say so exactly.
5. What no grid holds was played freely, and is written on 256ths (or on the bar's finest grid).
6. Notes of one voice and pitch stay different notes, and the first to start is the first to stop, as MIDI has it:
   where rounding would break that, the later note is lengthened.

A bar is a triplet bar (``12t``) when its starts need triplets; lengths alone do not make it one.

Applied to its own result ``quantize`` changes nothing, and no start moves by a whole slot.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import compress
from math import gcd
from typing import Any

import numpy as np

from libretto.score.bar_runs import BOTH, FINEST, LOOSEST, Bars, Runs, mixed, short
from libretto.score.table import Bools, Floats, Ints
from libretto.score.time import WHOLE, Grid
from libretto.score.unisons import kept_apart, rows_by_part

__all__ = ["DIVISIONS", "TOLERANCE_SECONDS", "fit", "nearest", "quantize"]

DIVISIONS = (4, 6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 128, 256)  #: coarsest first
TOLERANCE_SECONDS = 0.008
_RARE = (20, 28, 40, 56)  # quintuplets and septuplets
_RARE_TOLERANCE, _RARE_LIMIT, _RARE_STARTS = 125, 210, 3
_PLAIN = (WHOLE // 64, WHOLE // 48)  # what is near one of these lattices needs no quintuplet to explain it
_FINEST_THIRD = 64  # triplets divide by three times a power of two up to this
_SMALL = 1 << 16  # numbers below sort quickly
_SAMPLE = 24  # starts of a bar that are tried on every grid before all are
_SLOTS = WHOLE // np.array(DIVISIONS)
_SLOTS_OR_ONE, _SLOTS_OR_NONE = np.append(_SLOTS, 1), np.append(_SLOTS, 0)
_IS_RARE = np.append(np.isin(DIVISIONS, _RARE), False)
_RARE_LENGTHS = np.array([*(WHOLE // (160 if division % 5 == 0 else 224) for division in DIVISIONS), 1])  # as rare
_MEAN_BIAS, _MEAN_ERROR = 0.03, 0.2


def fit(lengths: Ints, bar: Ints, position: Ints, duration: Ints) -> tuple[Grid, ...]:
    """The coarsest grid for each bar that holds every start and length exactly.

    ``lengths`` are the bars'; the other three are the notes'. A silent bar takes the commonest grid.
    """
    count = len(lengths)
    step, start_step = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    if len(bar):
        order = np.argsort(bar.astype(np.uint16) if count < _SMALL else bar, kind="stable")
        notes = np.bincount(bar, minlength=count)
        bars = np.flatnonzero(notes)
        starts = (np.cumsum(notes) - notes)[bars]
        start_step[bars] = np.gcd.reduceat(short(position)[order], starts)
        step[bars] = np.gcd(start_step[bars], np.gcd.reduceat(short(duration)[order], starts))
    sounding = step > 0
    step[sounding] = np.gcd(step[sounding], lengths[sounding])
    chosen = _coarsest(step)
    third = chosen // 3
    triplet = (third * 3 == chosen) & (third & (third - 1) == 0) & (third <= _FINEST_THIRD)
    triplet &= start_step % (WHOLE // FINEST) != 0
    return _with_silence((2 * chosen + triplet).tolist(), sounding, lengths)


@lru_cache(maxsize=512)
def _grid(written: int) -> Grid:
    """The grid that a number stands for: twice its division, and one more for triplets. One value for each grid."""
    return Grid(written // 2, written % 2 == 1)


def _coarsest(step: Ints) -> Ints:
    """The coarsest division, from quarters on, on which all multiples of ``step`` lie."""
    division = WHOLE // np.gcd(step, WHOLE)
    return np.where(division == 3, 6, np.maximum(division, 4))


def _with_silence(written: list[int], sounding: Bools, lengths: Ints) -> tuple[Grid, ...]:
    """The grids of all bars; silent ones take the commonest of the piece, refined where it does not fill them."""
    known = {number: _grid(number) for number in set(written)}
    grids = [known[number] for number in written]
    silent = np.flatnonzero(~sounding).tolist()
    if not silent:
        return tuple(grids)
    counts = Counter(compress(written, sounding.tolist()))
    usual = _grid(min(counts, key=lambda grid: (-counts[grid], grid // 2))) if counts else Grid(16)
    for bar in silent:
        length = int(lengths[bar])
        grids[bar] = usual if length % usual.slot == 0 else Grid(WHOLE // gcd(usual.slot, length))
    return tuple(grids)


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
    at, length, who = onset[order], duration[order], part[order]
    by_part = rows_by_part(who)
    bars = Bars(bar_lines, tolerance, min(max(_RARE_TOLERANCE, resolution // 2 + 1), _RARE_LIMIT))
    lengths = short(length)
    placed = _placed(bars, at, lengths, who, by_part)
    slot, rounded = _lengths(bars, placed, lengths)
    new_onset, new_duration = np.empty_like(onset), np.empty_like(duration)
    new_onset[order], new_duration[order] = placed, kept_apart(who, placed, rounded, at, length, slot, by_part)
    return new_onset, new_duration


def nearest(value: Ints, slot: Any) -> Ints:
    """Values rounded to whole slots, halves up; as floats, which are divided quicker and are exact up to 2**52."""
    return np.asarray(np.floor((value + (slot >> 1)) / slot).astype(np.int64) * slot, dtype=np.int64)


def _placed(bars: Bars, at: Ints, length: Ints, who: Ints, by_part: Ints) -> Ints:
    """Where notes start, given in order of time: where they are in bars that are exact, else on the chosen grid.

    They are in order of time then, too, since every bar has one slot and no note passes the end of its bar.
    """
    runs = bars.runs(at)
    position = short(at - runs.spread(bars.lines[runs.bars]))
    free = _exact_slots(bars, runs, position, np.gcd.reduceat(length, runs.starts)) == 0
    if not free.any():
        return at
    some, mine = runs.where(free)
    meeting = _close_pairs(runs.spread(np.where(free, np.cumsum(free) - 1, -1)), position, who, by_part)
    slot = some.spread(_tolerant_slots(bars, some, position[mine], meeting))
    begin, end = (some.spread(bars.lines[some.bars + further]) for further in (0, 1))
    placed = at.copy()
    # A note that rounds up to the next bar line belongs to that bar, wherever that bar's slots lie; beyond the last
    # line there is none.
    moved = begin + nearest(position[mine], slot)
    placed[mine] = np.where(at[mine] < end, np.minimum(moved, end), moved)
    return placed


def _exact_slots(bars: Bars, runs: Runs, position: Ints, length: Ints) -> Ints:
    """For each used bar the largest slot on which all its starts lie; 0 where there is none.

    ``length`` is the largest that all lengths of a bar are made of. A quintuplet or septuplet that only chance may have
    hit does not count, unless the lengths say so, too.
    """
    finest = bars.finest[runs.bars]
    step = np.gcd(np.gcd.reduceat(position, runs.starts), bars.length[runs.bars])
    fits = _divided(step)
    if _IS_RARE[fits.argmax(axis=1)].any():  # else a plain grid decides
        doubtful = fits & _IS_RARE & (np.gcd(step, length)[:, None] % _RARE_LENGTHS != 0)
        fits &= ~(doubtful & (_unexplained(bars, runs, position) < _RARE_STARTS)[:, None])
    chosen = _largest(fits)
    if not chosen.all():
        chosen[(chosen == 0) & mixed(runs, position, np.gcd(step, length))] = BOTH
    return np.where((chosen == 0) & (step % finest == 0), finest, chosen)


def _divided(step: Ints) -> Bools:
    """Which slots divide steps, a row a step; behind them stands what divides all."""
    steps = short(step)
    return np.asarray(steps[:, None] % _SLOTS_OR_ONE.astype(steps.dtype) == 0)


def _largest(fits: Bools) -> Ints:
    """The slot of the first division that fits, a row a bar; 0 where none does."""
    return np.asarray(_SLOTS_OR_NONE[fits.argmax(axis=1)])


def _unexplained(bars: Bars, runs: Runs, position: Ints) -> Ints:
    """How many starts of each bar are near no simple lattice."""
    off = np.ones(len(position), dtype=np.bool_)
    for lattice in _PLAIN:
        off &= np.abs(position - nearest(position, lattice)) > bars.rare
    return np.asarray(np.add.reduceat(off.astype(np.int64), runs.starts))


def _tolerant_slots(bars: Bars, runs: Runs, position: Ints, meeting: tuple[Ints, Ints, Ints]) -> Ints:
    """For each used bar the slot of the first division that takes all its starts.

    A few starts of every bar are tried on all divisions first: what does not take these is out. The last division is
    not tried: its slots are the finest, which a bar takes where no other division does.
    """
    chosen, tolerance = bars.finest[runs.bars], bars.tolerance[runs.bars]
    slots, rare = _SLOTS[:-1], _IS_RARE[: len(_SLOTS) - 1]
    within = np.minimum(tolerance, np.where(rare, bars.rare, LOOSEST)[:, None])  # divisions by bars
    few = position[runs.starts + np.arange(_SAMPLE)[:, None] * runs.counts // _SAMPLE]
    wide = slots[:, None].astype(few.dtype)
    after = few[:, None] % wide
    error = np.minimum(after, wide - after).max(axis=0)
    is_open = (error <= within) & (bars.length[runs.bars] % slots[:, None] == 0)
    if is_open[rare].any():
        is_open[rare] &= _unexplained(bars, runs, position) >= _RARE_STARTS
    still = is_open.any(axis=0)
    rest = np.flatnonzero(still)
    while len(rest):  # each bar tries the first division that is open to it
        runs, mine = runs.where(still)
        position = position[mine]
        first = is_open[:, rest].argmax(axis=0)
        slot, is_open[first, rest] = slots[first], False
        fits = runs.furthest(position, slot) <= within[first, rest]
        if len(meeting[0]):
            trying = chosen.copy()
            trying[rest] = slot
            is_met = np.zeros(len(chosen), dtype=np.bool_)
            is_met[_met(meeting, trying)] = True
            fits &= ~is_met[rest]
        chosen[rest[fits]] = slot[fits]
        still = ~fits & is_open[:, rest].any(axis=0)
        rest = rest[still]
    return chosen


def _close_pairs(which: Ints, position: Ints, who: Ints, by_part: Ints) -> tuple[Ints, Ints, Ints]:
    """Different starts of one voice and pitch in one bar that are near enough to meet: the bar and both places.

    ``which`` is the bar of each note, -1 where it does not matter; ``by_part`` are the notes by voice and pitch.
    """
    place = position[by_part]
    near = np.flatnonzero((place[1:] > place[:-1]) & (place[1:] <= place[:-1] + 2 * LOOSEST))
    first, second = by_part[near], by_part[near + 1]
    same = (who[first] == who[second]) & (which[first] == which[second]) & (which[first] >= 0)
    return which[first[same]], position[first[same]], position[second[same]]


def _met(pairs: tuple[Ints, Ints, Ints], slots: Ints) -> Ints:
    """The bars in which two different starts would become one on slots, given bar by bar."""
    which, first, second = pairs
    mine = slots[which]
    return np.asarray(which[nearest(first, mine) == nearest(second, mine)])


def _lengths(bars: Bars, placed: Ints, length: Ints) -> tuple[Ints, Ints]:
    """Slots and lengths of notes in order of time: a grid is doubled until rounding leaves lengths right on average."""
    runs = bars.runs(placed)
    position = short(placed - runs.spread(bars.lines[runs.bars]))
    step = np.gcd.reduceat(length, runs.starts)
    starts = np.gcd(np.gcd.reduceat(position, runs.starts), bars.length[runs.bars])
    slot = bars.finest[runs.bars]
    for whole in (starts, np.gcd(starts, step)):
        largest = _largest(_divided(whole))
        slot = np.where(largest > 0, largest, slot)
    slot[(slot == bars.finest[runs.bars]) & (whole % BOTH == 0)] = BOTH
    _refine(slot, length, runs, step)
    slots = runs.spread(slot)
    return slots, np.maximum(nearest(length, slots), slots)


def _refine(slot: Ints, length: Ints, runs: Runs, step: Ints) -> None:
    """Halve slots in place: as far as makes lengths exact or, where nothing does, right on average."""
    most = np.minimum(slot & -slot, slot // (WHOLE // FINEST))  # parts of a slot, in powers of two
    often = np.frexp(np.maximum(most, 1))[1] - 1
    halves = slot >> np.minimum(np.arange(int(often.max()) + 1)[:, None], often)
    exact = step % halves.astype(step.dtype) == 0
    settled = exact.any(axis=0)
    slot[:] = halves[np.where(settled, exact.argmax(axis=0), often), np.arange(len(slot))]
    still = ~settled & (often > 0)  # what cannot be halved again stays, whatever it makes of lengths
    rest, sounding = np.flatnonzero(still), bool(length.all())
    for times, half in enumerate(halves):
        if not len(rest):
            return
        runs, mine = runs.where(still)
        length = length[mine]
        change = _changes(length, runs.spread(half[rest]), sounding)
        heard = runs.counts if sounding else np.maximum(1, np.add.reduceat((length > 0) + 0, runs.starts))
        bias = np.abs(np.add.reduceat(change, runs.starts) / heard)
        error = np.add.reduceat(np.abs(change), runs.starts) / heard
        right = (bias <= _MEAN_BIAS) & (error <= _MEAN_ERROR)
        slot[rest[right]] = half[rest[right]]
        still = ~right & (often[rest] > times + 1)
        rest = rest[still]


def _changes(length: Ints, slot: Ints, sounding: bool) -> Floats:
    """By what share of itself each length changes on slots; what has no length does not. ``sounding``: all have one."""
    change = np.maximum(np.floor((length + (slot >> 1)) / slot), 1.0)  # how many slots
    change *= slot
    change /= length if sounding else np.maximum(length, 1)
    change -= 1.0
    return change if sounding else np.where(length > 0, change, 0.0)
